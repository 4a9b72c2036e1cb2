//! 固定した見本。規則の試験では決まらない、座標のすべてを押さえる。変わったら、絵を見て確かめる。

use chart::Timeline;

use crate::ordinary::story;
use crate::scene::shapes;

fn pin(name: &str, timeline: &Timeline) {
    insta::assert_snapshot!(format!("{name}.across"), timeline.across());
    insta::assert_snapshot!(format!("{name}.down"), timeline.down());
}

#[test]
fn each_small_shape_is_pinned() {
    for (name, timeline) in shapes() {
        insta::assert_snapshot!(format!("{name}.text"), timeline.text());
        pin(name, &timeline);
    }
    pin("kitchen", &crate::invented::kitchen());
}

#[test]
fn a_few_ordinary_stories_are_pinned() {
    for name in [
        "fencing::gc_pause",
        "double-acquisition::check_then_pause",
        "read-modify-write::next_sequence",
        "plain-lock::crash",
    ] {
        pin(&name.replace("::", "-"), &story(name));
    }
}
