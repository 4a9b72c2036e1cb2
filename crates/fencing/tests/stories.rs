//! 筋書きと表を、すべての形でスナップショットに固定する。

use timeline::Form;

#[test]
fn every_story_is_pinned() -> anyhow::Result<()> {
    for story in fencing::chapter().stories {
        let timeline = (story.run)()?;
        for form in Form::ALL {
            let name = format!("{}.{}", story.name, form.suffix());
            insta::assert_snapshot!(name, timeline.form(form)?);
        }
    }
    Ok(())
}

#[test]
fn every_table_is_pinned() -> anyhow::Result<()> {
    for table in fencing::chapter().tables {
        insta::assert_snapshot!(format!("{}.table", table.name), (table.make)()?.text());
    }
    Ok(())
}
