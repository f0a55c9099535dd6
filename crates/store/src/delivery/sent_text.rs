//! The text that a post is sent with, and the marks by which one that was deleted is recognized.

use playout_domain::id::{PlatformId, PostId};
use playout_domain::listing::{beginnings, listed_beginning, sent_text};
use playout_domain::post::effective_settings;
use sha2::{Digest, Sha256};

use crate::db::{Fields, Result, Tx, params};

/// The columns of a post `p` that [`read_sent_text`] reads.
macro_rules! sent_text_columns {
    () => {
        "p.content AS content, p.settings AS settings,
            (SELECT a.settings FROM platforms a WHERE a.id = p.platform_id) AS defaults"
    };
}
pub(crate) use sent_text_columns;

/// The text that a post is sent with.
pub(crate) fn read_sent_text(fields: Fields<'_>) -> Result<String> {
    let content: String = fields.get("content")?;
    let settings = effective_settings(&fields.json("defaults")?, &fields.json("settings")?);
    Ok(sent_text(&settings, &content))
}

impl Tx {
    /// The text that a post is sent with, as it is now.
    pub(crate) async fn sent_text_of(&mut self, post: PostId) -> Result<Option<String>> {
        let sql = concat!("SELECT ", sent_text_columns!(), " FROM posts p WHERE p.id = $1");
        let row = self.row(sql, params![post]).await?;
        row.map(|row| read_sent_text(row.of("posts"))).transpose()
    }

    /// The defaults of an account are about to change: its posts that a hold has marked are looked for by the text that they had then. One
    /// that cannot be read has none.
    pub(crate) async fn keep_looked_for_texts(&mut self, platform: PlatformId) -> Result<()> {
        let sql = concat!(
            "SELECT p.id AS id, ",
            sent_text_columns!(),
            " FROM posts p WHERE p.platform_id = $1 AND p.parent_id IS NULL AND p.look_since IS NOT NULL
                AND p.look_content IS NULL ORDER BY p.id"
        );
        for row in self.rows(sql, params![platform]).await? {
            let fields = row.of("posts");
            let text = match read_sent_text(fields) {
                Ok(text) => text,
                Err(error) if error.is_bad_row() => continue,
                Err(error) => return Err(error),
            };
            let post: PostId = fields.id("id")?;
            let sql = "UPDATE posts SET look_content = $2 WHERE id = $1 AND look_since IS NOT NULL AND look_content IS NULL";
            self.execute(sql, params![post, text]).await?;
        }
        Ok(())
    }
}

/// The marks of a sent text; one of them is that of what a provider lists of it ([`listed_mark`]), which may be its beginning only.
pub(crate) fn text_marks(text: &str) -> impl Iterator<Item = [u8; 32]> {
    beginnings(text).map(|beginning| Sha256::digest(beginning).into())
}

/// The mark of a listed text.
pub(crate) fn listed_mark(listed: &str) -> [u8; 32] {
    Sha256::digest(listed_beginning(listed)).into()
}
