//! 章のクレートから集めた筋書きと表と絵。名前で引く。

use anyhow::{Context as _, Result, anyhow, bail};
use chart::{Drawing, Table, Timeline, harmless};
use stage::{Chapter, Story};

/// 名前の近さの下限。これより遠い名前は、書き間違いの候補に挙げない。
const NEAR: f64 = 0.8;
/// 近い名前を挙げる数。
const CANDIDATES: usize = 3;

/// 名前のついたもの。
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// 章の名前
    pub chapter: &'static str,
    /// 章の中での名前
    pub name: String,
    /// 演じた結果
    pub content: T,
}

impl<T> Entry<T> {
    /// `章::名前`。
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}::{}", self.chapter, self.name)
    }

    fn id(&self, prefix: &str) -> String {
        format!("{prefix}-{}-{}", self.chapter, self.name)
    }
}

/// 演じた筋書き。図もコマも、固定した JSON から読み戻したデータで描く。
#[derive(Clone, Debug)]
pub struct Performed {
    /// 図のデータ
    pub timeline: Timeline,
    /// 資源が破壊されたか
    pub damaged: bool,
}

impl Performed {
    fn of(story: &Story) -> Result<Performed> {
        let run = story.run()?;
        let timeline = Timeline::from_json(&run.timeline().to_json()?)?;
        Ok(Performed { timeline, damaged: run.is_damaged() })
    }
}

impl Entry<Performed> {
    /// 図の id。
    #[must_use]
    pub fn figure_id(&self) -> String {
        self.id("fig")
    }
}

impl Entry<Table> {
    /// 表の id。
    #[must_use]
    pub fn table_id(&self) -> String {
        self.id("tbl")
    }
}

impl Entry<Drawing> {
    /// 絵の id。
    #[must_use]
    pub fn drawing_id(&self) -> String {
        self.id("fig")
    }
}

/// すべての筋書きと表と絵。作るときに一度だけ演じる。
#[derive(Clone, Debug)]
pub struct Library {
    /// 筋書き
    pub stories: Vec<Entry<Performed>>,
    /// 表
    pub tables: Vec<Entry<Table>>,
    /// 絵
    pub drawings: Vec<Entry<Drawing>>,
}

/// 名前で引いたもの。
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// 筋書き
    Story(&'a Entry<Performed>),
    /// 表
    Table(&'a Entry<Table>),
    /// 絵
    Drawing(&'a Entry<Drawing>),
}

impl Library {
    /// 章の筋書きをすべて演じる。
    ///
    /// # Errors
    /// 演じられない筋書きや、同じ名前の筋書きと表があるとき。
    pub fn perform(chapters: &[Chapter]) -> Result<Library> {
        let mut library = Library { stories: Vec::new(), tables: Vec::new(), drawings: Vec::new() };
        for chapter in chapters {
            library.add(chapter)?;
        }
        Ok(library)
    }

    fn add(&mut self, chapter: &Chapter) -> Result<()> {
        let failed = |name: &str| format!("{}::{name} を演じられない", chapter.name);
        for story in &chapter.stories {
            self.reject_duplicate(chapter.name, story.name)?;
            let content = Performed::of(story).with_context(|| failed(story.name))?;
            let name = story.name.to_owned();
            self.stories.push(Entry { chapter: chapter.name, name, content });
        }
        for table in &chapter.tables {
            self.reject_duplicate(chapter.name, &table.name)?;
            let content = (table.make)().with_context(|| failed(&table.name))?;
            let name = table.name.clone();
            self.tables.push(Entry { chapter: chapter.name, name, content });
        }
        for drawing in &chapter.drawings {
            self.reject_duplicate(chapter.name, drawing.name)?;
            let content = (drawing.make)().with_context(|| failed(drawing.name))?;
            let name = drawing.name.to_owned();
            self.drawings.push(Entry { chapter: chapter.name, name, content });
        }
        Ok(())
    }

    /// 図と表と絵は同じ書き方で名指しされるので、名前はすべてを通して一つでなければならない。
    fn reject_duplicate(&self, chapter: &str, name: &str) -> Result<()> {
        let key = format!("{chapter}::{name}");
        if self.keys().contains(&key) {
            bail!("{key} という名前が二つある。章のクレートで、どちらかの名前を変える。");
        }
        Ok(())
    }

    fn keys(&self) -> Vec<String> {
        let stories = self.stories.iter().map(Entry::key);
        let tables = self.tables.iter().map(Entry::key);
        stories.chain(tables).chain(self.drawings.iter().map(Entry::key)).collect()
    }

    /// 筋書きか表か絵を引く。
    ///
    /// # Errors
    /// その名前のものがないとき。近い名前を添える。
    pub fn find(&self, key: &str) -> Result<Item<'_>> {
        if let Some(story) = self.stories.iter().find(|entry| entry.key() == key) {
            return Ok(Item::Story(story));
        }
        if let Some(table) = self.tables.iter().find(|entry| entry.key() == key) {
            return Ok(Item::Table(table));
        }
        if let Some(drawing) = self.drawings.iter().find(|entry| entry.key() == key) {
            return Ok(Item::Drawing(drawing));
        }
        Err(unknown("筋書きや表", key, &self.keys()))
    }

    /// 筋書きを引く。
    ///
    /// # Errors
    /// その名前の筋書きがないとき。近い名前を添える。
    pub fn story(&self, key: &str) -> Result<&Entry<Performed>> {
        match self.find(key) {
            Ok(Item::Story(story)) => Ok(story),
            Ok(Item::Table(_)) => bail!("{key} は筋書きではなく表である。{{{{#table}}}} で置く。"),
            Ok(Item::Drawing(_)) => {
                bail!("{key} は筋書きではなく絵である。{{{{#drawing}}}} で置く。")
            }
            Err(_) => Err(unknown("筋書き", key, &self.keys())),
        }
    }

    /// 表を引く。
    ///
    /// # Errors
    /// その名前の表がないとき。近い名前を添える。
    pub fn table(&self, key: &str) -> Result<&Entry<Table>> {
        match self.find(key) {
            Ok(Item::Table(table)) => Ok(table),
            Ok(Item::Story(_)) => {
                bail!("{key} は表ではなく筋書きである。{{{{#timeline}}}} で置く。")
            }
            Ok(Item::Drawing(_)) => bail!("{key} は表ではなく絵である。{{{{#drawing}}}} で置く。"),
            Err(_) => Err(unknown("表", key, &self.keys())),
        }
    }

    /// 絵を引く。
    ///
    /// # Errors
    /// その名前の絵がないとき。近い名前を添える。
    pub fn drawing(&self, key: &str) -> Result<&Entry<Drawing>> {
        match self.find(key) {
            Ok(Item::Drawing(drawing)) => Ok(drawing),
            Ok(Item::Story(_)) => {
                bail!("{key} は絵ではなく筋書きである。{{{{#timeline}}}} で置く。")
            }
            Ok(Item::Table(_)) => bail!("{key} は絵ではなく表である。{{{{#table}}}} で置く。"),
            Err(_) => Err(unknown("絵", key, &self.keys())),
        }
    }
}

/// 知らない名前を知らせる文。`names` のうち近いものを添える。
#[must_use]
pub fn unknown(kind: &str, key: &str, names: &[String]) -> anyhow::Error {
    let all = "すべての名前は cargo run -- show で見られる。";
    anyhow!("{}{all}", no_such(kind, key, names))
}

/// 知らない名前だということと、`names` のうち近いもの。すべての名前の見かたは、呼ぶ側が続ける。
pub(crate) fn no_such(kind: &str, key: &str, names: &[String]) -> String {
    let key = harmless(key);
    let near = near(&key, names);
    let hint = match near.is_empty() {
        true => String::new(),
        false => format!("近い名前は {} である。", near.join("、")),
    };
    format!("{key} という{kind}はない。{hint}")
}

/// 近い順に並べた候補。章の名前は長く、どれも似て見えるので、後ろの名前の近さで選び、全体の近さで並べる。
fn near<'a>(key: &str, names: &'a [String]) -> Vec<&'a str> {
    let own = |full: &str| full.rsplit("::").next().unwrap_or_default().to_owned();
    let score =
        |name: &str| (strsim::jaro_winkler(&own(key), &own(name)), strsim::jaro_winkler(key, name));
    let scored = names.iter().map(|name| (score(name), name.as_str()));
    let mut scored: Vec<_> = scored.filter(|((own, _), _)| *own >= NEAR).collect();
    scored.sort_by(|((a, c), x), ((b, d), y)| b.total_cmp(a).then(d.total_cmp(c)).then(x.cmp(y)));
    scored.into_iter().take(CANDIDATES).map(|(_, name)| name).collect()
}
