//! 図を一手ずつ見せるしかけ。コマを JSON にして図に添え、デモを組む。
//!
//! スクリプト(`theme/player.js`)は、`data-slot` の名前の項目と `data-fact` の名前の事実をコマから写すだけで、
//! 見せる言葉も値も知らない。図のどこまでが起きたかは `data-step` の番号で、カーソルの位置は `data-stops` で知る。言葉を変えるときに、スクリプトを直さずに済む。スクリプトが動かない読者には、ここで作る
//! 手の表が残る。HTML を一行に書くのは [`crate::figures`] と同じ理由による。

use anyhow::Result;
use chart::{Frame, Timeline};
use serde_json::{Value, json};

use crate::figures::{escape, figcaption, forms, one_line};
use crate::library::{Entry, Performed};
use crate::numbering::Place;

/// この手数までの図は、一目で追えるので、一手ずつ見せるしかけを付けない。
const AT_A_GLANCE: usize = 3;

/// 手の説明。中身は、読み上げにも伝わるように、変わるたびに知らせる。
const TOLD: &str = r#"
    <div class="pl-told" aria-live="polite" aria-atomic="true">
    <p><span class="t">時刻 <span data-slot="time"></span></span>
    <b class="pl-verdict" data-slot="verdict"></b>
    <span data-slot="words" data-empty="始まる前。まだ何も起きていない。"></span></p>
    </div>"#;

/// デモの、手とその判定と説明。
const DEMO_TOLD: &str = r#"
    <div class="pl-told" aria-live="polite" aria-atomic="true">
    <p class="pl-act"><span class="t">時刻 <span data-slot="time"></span></span>
    <b data-slot="action" data-empty="始まる前"></b>
    <b class="pl-verdict" data-slot="verdict"></b></p>
    <p data-slot="words" data-empty="まだ何も起きていない。"></p>
    </div>"#;

/// デモの、ロックサービスと資源と客の見え方。
const PANELS: &str = r#"
    <div class="pl-panels">
    <div class="pl-panel" role="group" aria-label="ロックサービス"><p>ロックサービス</p><dl>
    <div><dt>持ち主</dt><dd data-fact="持ち主"></dd></div>
    <div><dt>発行トークン</dt><dd data-fact="トークン"></dd></div>
    <div><dt>リース失効 / 現在時刻</dt><dd><span data-fact="期限"></span> /
    <span data-fact="現在"></span></dd></div>
    </dl></div>
    <div class="pl-panel" role="group" aria-label="資源 row-42"><p>資源 row-42</p><dl>
    <div><dt>value</dt><dd data-fact="値"></dd></div>
    <div><dt>maxToken</dt><dd data-fact="最大"></dd></div>
    <div><dt>拒否した書き込み</dt><dd data-fact="拒否数"></dd></div>
    </dl></div>
    <div class="pl-panel" role="group" aria-label="客"><p>客</p><dl>
    <div><dt>持っているつもり</dt><dd data-fact="つもり"></dd></div>
    </dl></div>
    </div>
    <p class="pl-closing" aria-live="polite"><span class="t">結末</span>
    <b data-slot="closing" data-empty="最後の手で分かる"></b></p>"#;

/// ふつうの図に添えるもの。手の少ない図では空。
#[must_use]
pub fn of_figure(timeline: &Timeline) -> String {
    let frames = timeline.frames();
    if frames.len() <= AT_A_GLANCE + 1 {
        return String::new();
    }
    let frames: Vec<Value> = frames.iter().map(shown_in_figure).collect();
    let (told, script) = (one_line(TOLD), script(&json!([{ "frames": frames }])));
    format!(r#"<div class="pl" hidden>{told}</div>{script}"#)
}

/// ふつうの図で見せる項目だけを選ぶ。図は本に何十もあり、すべての項目を持つとページが重くなる。
fn shown_in_figure(frame: &Frame) -> Value {
    let Frame { time, words, verdict, good, .. } = frame;
    match good {
        Some(good) => json!({ "time": time, "words": words, "verdict": verdict, "good": good }),
        None => json!({ "time": time, "words": words }),
    }
}

/// `</script>` で要素が終わらないように、`<` を書き換える。
fn script(data: &Value) -> String {
    let data = data.to_string().replace('<', "\\u003c");
    format!(r#"<script type="application/json" class="frames">{data}</script>"#)
}

/// デモの一方の側。
struct Side<'a> {
    /// URL に書く名前
    key: &'static str,
    /// 切り替えの言葉
    name: &'static str,
    story: &'a Entry<Performed>,
}

impl Side<'_> {
    fn label(&self) -> String {
        format!("フェンシング {}", self.name)
    }

    /// 最後の手のあとに示す結末。
    fn closing(&self) -> &'static str {
        match self.story.content.damaged {
            true => "資源が破壊された",
            false => "資源は守られた",
        }
    }

    fn radio(&self, group: &str, checked: &str) -> String {
        let Side { key, name, .. } = self;
        format!(
            r#"<label><input type="radio" name="{group}-switch" value="{key}" autocomplete="off"{checked}> {name}</label>"#
        )
    }

    fn drawing(&self, hidden: &str) -> String {
        let timeline = &self.story.content.timeline;
        forms(timeline, &timeline.title, hidden)
    }

    fn data(&self) -> Result<Value> {
        let Performed { timeline, damaged } = &self.story.content;
        let frames = serde_json::to_value(timeline.frames())?;
        Ok(json!({ "closing": self.closing(), "damaged": damaged, "frames": frames }))
    }

    /// スクリプトのない読者と、紙の読者のための表。
    fn table(&self) -> String {
        let (label, closing) = (self.label(), self.closing());
        let rows: String = self.story.content.timeline.frames().iter().skip(1).map(row).collect();
        format!(
            r#"<table><caption>{label}</caption><thead><tr><th scope="col">手</th><th scope="col">時刻</th><th scope="col">起きたこと</th><th scope="col">判定</th></tr></thead><tbody>{rows}</tbody><tfoot><tr><th scope="row" colspan="2">結末</th><td colspan="2">{closing}</td></tr></tfoot></table>"#
        )
    }
}

fn row(frame: &Frame) -> String {
    let Frame { step, time, .. } = frame;
    let (sentence, verdict) = (escape(&frame.words), escape(&frame.verdict));
    format!(
        r#"<tr><th scope="row">{step}</th><td>{time}</td><td>{sentence}</td><td>{verdict}</td></tr>"#
    )
}

/// 資源だけを替えた二つの筋書きを、切り替えながら一手ずつ見るデモ。
///
/// 「無」から始める。何が起きると困るのかを先に見て、同じ手のまま「有」に切り替えると、何が変わるかが
/// 分かるからである。並びも、本文の二つの図と同じ順にする。
///
/// # Errors
/// コマを JSON にできないとき。
pub fn demo(
    off: &Entry<Performed>,
    on: &Entry<Performed>,
    place: &Place,
    caption: &str,
    takeaway: &str,
) -> Result<String> {
    let off = Side { key: "off", name: "無", story: off };
    let on = Side { key: "on", name: "有", story: on };
    let id = &place.id;
    let switch = off.radio(id, " checked") + &on.radio(id, "");
    let drawings = off.drawing("") + &on.drawing(" hidden");
    let tables = off.table() + &on.table();
    let script = script(&json!([off.data()?, on.data()?]));
    let [told, panels] = [DEMO_TOLD, PANELS].map(one_line);
    let (takeaway, caption) = (escape(takeaway), figcaption(place, caption));
    Ok(format!(
        r#"<figure class="demo" id="{id}"><div class="pl" hidden><fieldset class="pl-switch"><legend>フェンシング</legend>{switch}</fieldset>{told}{drawings}{panels}</div><div class="demo-steps" data-unsearched>{tables}</div><p class="takeaway">{takeaway}</p>{script}{caption}</figure>"#
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Library;

    fn library() -> Library {
        Library::perform(&crate::chapters().unwrap()).unwrap()
    }

    fn demo_of_fencing() -> String {
        let library = library();
        let place = Place {
            source: "book/fencing.md".into(),
            path: "fencing.md".into(),
            at_home: true,
            id: "demo-fencing".into(),
            label: "図 4-3".into(),
        };
        let off = library.story("fencing::gc_pause_unfenced").unwrap();
        let on = library.story("fencing::gc_pause").unwrap();
        demo(off, on, &place, "見比べる", "持ち帰る & 一文").unwrap()
    }

    fn data_of(html: &str) -> Value {
        let (_, rest) = html.split_once(r#"class="frames">"#).unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn a_script_never_ends_early_and_reads_back_as_it_was() {
        let data = json!([{ "verdict": "拒否 1 < 2 </script><!-- & \"" }]);
        let html = script(&data);
        assert_eq!(html.matches('<').count(), 2, "{html}");
        assert_eq!(data_of(&html), data);
    }

    #[test]
    fn a_figure_gets_frames_only_when_it_has_more_than_three_steps() {
        let mut timeline = library().story("fencing::gc_pause").unwrap().content.timeline.clone();
        timeline.steps.truncate(5);
        let html = of_figure(&timeline);
        let frames = data_of(&html);
        assert_eq!(frames[0]["frames"].as_array().unwrap().len(), 5);
        assert_eq!(frames[0]["frames"][3]["time"], 10);
        assert_eq!(frames[0]["frames"][3].get("facts"), None, "見せない項目は載せない");
        assert!(html.starts_with(r#"<div class="pl" hidden>"#), "{html}");
        timeline.steps.truncate(4);
        assert_eq!(of_figure(&timeline), "");
    }

    #[test]
    fn the_demo_starts_without_fencing_and_carries_both_runs() {
        let html = demo_of_fencing();
        assert!(html.contains(r#"value="off" autocomplete="off" checked> 無</label>"#), "{html}");
        let data = data_of(&html);
        assert_eq!(data[0]["closing"], "資源が破壊された");
        assert_eq!(data[0]["damaged"], true);
        assert_eq!(data[1]["closing"], "資源は守られた");
        assert_eq!(data[1]["frames"][7]["verdict"], "拒否 1 < 2");
        assert_eq!(data[1]["frames"][0]["facts"]["持ち主"], "(空き)");
        assert!(html.contains(r#"<p class="takeaway">持ち帰る &amp; 一文</p>"#), "{html}");
    }

    #[test]
    fn the_fallback_table_has_every_step_of_both_runs_and_its_closing() {
        let html = demo_of_fencing();
        assert_eq!(html.matches(r#"<tr><th scope="row">7</th><td>12</td>"#).count(), 2);
        assert!(html.contains("<caption>フェンシング 無</caption>"), "{html}");
        assert!(html.contains("<td>拒否 1 &lt; 2</td></tr></tbody>"), "{html}");
        assert!(
            html.contains("結末</th><td colspan=\"2\">資源は守られた</td></tr></tfoot>"),
            "{html}"
        );
    }

    #[test]
    fn every_slot_and_fact_names_an_item_of_the_frames() {
        let html = demo_of_fencing();
        let data = data_of(&html);
        let frame = &data[0]["frames"][0];
        let named = |mark: &str| -> Vec<String> {
            let parts = html.split(mark).skip(1);
            parts.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
        };
        for name in named("data-slot=\"") {
            assert!(frame.get(&name).or(data[0].get(&name)).is_some(), "{name} という項目はない");
        }
        for name in named("data-fact=\"") {
            assert!(frame["facts"].get(&name).is_some(), "{name} という事実はない");
        }
    }

    #[test]
    fn everything_stays_on_one_line() {
        assert!(!demo_of_fencing().contains('\n'));
        assert!(
            !of_figure(&library().story("fencing::gc_pause").unwrap().content.timeline)
                .contains('\n')
        );
    }
}
