//! Texts as searches compare them: whatever their case and their normal form.
//!
//! SQL can fold the letters of ASCII alone, alike in both databases and under every locale. The folded form of another text is stored with its
//! post (`posts.folded`).

use icu_normalizer::ComposingNormalizerBorrowed;
use playout_domain::id::PostId;
use uuid::Uuid;

use super::Dialect;
use super::error::Result;
use super::param::params;
use super::row::Row;
use super::store::Store;

/// Posts that are folded in one transaction: their rows are locked meanwhile.
const BATCH: u32 = 100;

const UNFOLDED: &str = "SELECT id, content FROM posts WHERE folded IS NULL AND parent_id IS NULL AND octet_length(content) <> length(content)
    AND id > $1 ORDER BY id LIMIT $2";

/// The folded text of a post in PostgreSQL, where `LOWER` depends on the locale.
macro_rules! folded_by_postgres {
    () => {
        r#"COALESCE(folded, LOWER(content COLLATE "C"))"#
    };
}
pub(crate) use folded_by_postgres;

/// The folded text of a post.
pub(crate) const fn folded_text(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "COALESCE(folded, LOWER(content))",
        Dialect::Postgres => folded_by_postgres!(),
    }
}

/// A text in compatibility form (NFKC of UAX #15) and one case. Letters are lowered, raised and lowered again: those that differ in one case
/// alone, such as both small forms of sigma, or both capital forms of the sharp s, are the same then.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    let normal = normalizer.normalize(text);
    let raised = lower(&normal).to_uppercase();
    normalizer.normalize(&lower(&raised)).into_owned()
}

/// Each letter by itself, wherever it is in its word.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// What is stored with a post; `None` where SQL folds its text.
pub(crate) fn stored_fold(text: &str) -> Option<String> {
    (!text.is_ascii()).then(|| fold(text))
}

impl Store {
    /// Folds the texts that were written without that.
    pub(crate) async fn fold_texts(&self) -> Result<()> {
        let mut last = Uuid::nil();
        loop {
            let found = self.rows(UNFOLDED, params![last, BATCH]).await?;
            let texts: Vec<(PostId, String)> = found.iter().map(read_text).collect::<Result<_>>()?;
            let Some((id, _)) = texts.last() else {
                return Ok(());
            };
            last = (*id).into();
            let mut tx = self.begin().await?;
            for (id, text) in &texts {
                // It may have been changed since it was read.
                let sql = "UPDATE posts SET folded = $2 WHERE id = $1 AND folded IS NULL AND content = $3";
                tx.execute(sql, params![*id, fold(text), text]).await?;
            }
            tx.commit().await?;
        }
    }
}

fn read_text(row: &Row) -> Result<(PostId, String)> {
    let fields = row.of("posts");
    Ok((fields.id("id")?, fields.get("content")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_case_or_normal_form_alone_are_folded_alike() {
        for (one, other) in [
            ("Caf\u{e9}", "CAFE\u{301}"),
            ("\u{1e9b}\u{323}", "\u{1e69}"),
            ("Stra\u{df}e", "STRASSE"),
            (
                "\u{3a3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c2}",
                "\u{3a3}\u{38a}\u{3a3}\u{3a5}\u{3a6}\u{39f}\u{3a3}",
            ),
            ("\u{fb01}re", "FIRE"),
            ("\u{ff2b}\u{ff29}\u{ff34}\u{ff25}", "kite"),
            (
                "\u{d55c}\u{ae00}",
                "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}",
            ),
        ] {
            assert_eq!(fold(one), fold(other), "{one}, {other}");
        }
        assert_ne!(fold("caf\u{e9}"), fold("cafe"));
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for code in 0..=0x2_ffff {
            let Some(text) = char::from_u32(code).map(String::from) else {
                continue;
            };
            let folded = fold(&text);
            assert_eq!(fold(&folded), folded, "U+{code:04X}");
        }
    }
}
