//! 筋書きと表を、すべての形でスナップショットに固定する。

#[test]
fn every_story_and_table_is_pinned() -> anyhow::Result<()> {
    for (name, text) in wrong_locks::chapter().records()? {
        insta::assert_snapshot!(name, text);
    }
    Ok(())
}
