//! 本を組む。すべての検査を通ったときだけ、今ある本と入れ替える。

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::config::{Config, HtmlConfig};

use crate::library::Library;
use crate::preprocess::Workbook;
use crate::{links, warnings};

/// 本を配る場所を渡す環境変数。mdBook も同じ名前で読む。
const SITE_URL: &str = "MDBOOK_OUTPUT__HTML__SITE_URL";

/// 本を組むのに要るもの。
#[derive(Clone, Debug)]
pub struct Builder {
    root: PathBuf,
    library: Arc<Library>,
}

impl Builder {
    /// `root` にある本を、`library` の筋書きで組む。
    #[must_use]
    pub fn new(root: PathBuf, library: Arc<Library>) -> Builder {
        Builder { root, library }
    }

    /// ワークスペースの根。
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// 組んだ本の場所。
    ///
    /// # Errors
    /// book.toml を読めないとき。
    pub fn output(&self) -> Result<PathBuf> {
        Ok(self.root.join(&config(&self.root)?.build.build_dir))
    }

    /// 本を組み、その場所を返す。失敗したら、前に組んだ本は元のまま残る。
    ///
    /// # Errors
    /// book.toml や原稿の誤り、mdBook の警告、記録との食い違い、切れたリンクがあるとき。
    pub fn build(&self) -> Result<PathBuf> {
        let mut config = config(&self.root)?;
        let output = self.root.join(&config.build.build_dir);
        let beside = output.parent().context("build-dir に親のフォルダーがない")?;
        std::fs::create_dir_all(beside)
            .with_context(|| format!("{} を作れない", beside.display()))?;
        // 途中で失敗しても、同時に二つ動いても、互いの本を壊さないように、場所を分けて組む。
        let work = tempfile::Builder::new().prefix("book.new-").tempdir_in(beside);
        let work = work.with_context(|| format!("{} に書けない", beside.display()))?;
        let fresh = work.path().join("book");
        config.build.build_dir = fresh.clone();
        self.render(config)?;
        links::check(&fresh).context("組んだページに誤りがある")?;
        swap(&fresh, &output, &work.path().join("old"))
            .with_context(|| format!("組んだ本を {} に置けない", output.display()))?;
        Ok(output)
    }

    fn render(&self, config: Config) -> Result<()> {
        let (result, messages) = warnings::during(|| {
            let mut book = MDBook::load_with_config(&self.root, config)?;
            book.with_preprocessor(Workbook::new(Arc::clone(&self.library)));
            book.build()
        });
        result.context("本を組めない")?;
        ensure!(
            messages.is_empty(),
            "mdBook が警告を出したので、本を組まない。次の知らせの指す原稿を直す。\n{}",
            messages.join("\n")
        );
        Ok(())
    }
}

/// book.toml を読む。mdBook は `[output.html]` に知らない項目があると、表ごと黙って捨てる。
fn config(root: &Path) -> Result<Config> {
    let mut config = Config::from_disk(root.join("book.toml"))
        .context("book.toml を読めない。次の知らせの指す所を直す")?;
    if let Some(site_url) = std::env::var_os(SITE_URL) {
        let site_url = site_url.to_str().with_context(|| format!("{SITE_URL} が文字でない"))?;
        config.set("output.html.site-url", site_url)?;
    }
    let html = config
        .get::<HtmlConfig>("output.html")
        .context("book.toml の [output.html] に誤りがある。次の知らせの指す項目を直す")?;
    if let Some(site_url) = html.and_then(|html| html.site_url) {
        ensure!(
            site_url.starts_with('/') && site_url.ends_with('/'),
            "本を配る場所 site-url({site_url})は、/ で始め、/ で終える。book.toml か {SITE_URL} を直す。"
        );
    }
    let (src, out) = (&config.book.src, &config.build.build_dir);
    if root.join(src).starts_with(root.join(out)) {
        bail!(
            "book.toml の build-dir({})に原稿がある。組むと原稿が消えるので、target/book などにする。",
            out.display()
        );
    }
    Ok(config)
}

/// 新しい本を `output` に置く。置けなければ、前の本を戻す。
fn swap(fresh: &Path, output: &Path, old: &Path) -> std::io::Result<()> {
    if !output.exists() {
        return std::fs::rename(fresh, output);
    }
    std::fs::rename(output, old)?;
    std::fs::rename(fresh, output).or_else(|error| {
        std::fs::rename(old, output)?;
        Err(error)
    })
}
