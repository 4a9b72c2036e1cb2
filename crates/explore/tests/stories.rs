//! 筋書きと表と絵を、すべての形でスナップショットに固定する。

#[test]
fn every_story_table_and_drawing_is_pinned() -> anyhow::Result<()> {
    for (name, text) in explore::chapter()?.records()? {
        insta::assert_snapshot!(name, text);
    }
    Ok(())
}
