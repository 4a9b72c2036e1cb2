//! 筋書きと表を、すべての形でスナップショットに固定する。

use timeline::Form;

#[test]
fn every_story_is_pinned() -> anyhow::Result<()> {
    for story in plain_lock::chapter().stories {
        let timeline = (story.run)()?;
        for form in Form::ALL {
            let name = format!("{}.{}", story.name, form.suffix());
            insta::assert_snapshot!(name, timeline.form(form)?);
        }
    }
    Ok(())
}
