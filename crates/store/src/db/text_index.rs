//! The index of the texts of root posts by trigrams: it finds candidates for a search, and the search compares each with the text again.
//! So the index may have more than it should, such as a text of before a change, and must not have less.
//!
//! SQLite: `posts_text`, a table of FTS5. Posts are not written into it by the transaction that changes them, which would make a part of the
//! index of its own, to be merged with others: triggers note them in `unindexed_posts`, and [`Store::index_texts`] indexes them later,
//! many at a time, each under a number (`indexed_posts`). Those that are noted are candidates, too. PostgreSQL: an index of `pg_trgm`, made
//! beside the service (`indexes.rs`).

use std::sync::atomic::Ordering;
use std::time::Duration;

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Executor};
use tokio::time::Instant;

use super::error::Result;
use super::folded::{fold, folded_by_postgres};
use super::indexes::LargeIndex;
use super::param::{Param, params};
use super::row::{Row, read_one};
use super::search::Search;
use super::store::{Pools, Store};

/// A search whose candidates are more reads the list instead: it soon finds as many as it returns.
const MOST_CANDIDATES: u32 = 10_000;
/// Where more posts than these are not indexed yet, searches read the list.
const MOST_UNINDEXED: u32 = 2_000;
/// So many trigrams of a text decide which posts are candidates.
const MOST_TRIGRAMS: usize = 16;
/// What is indexed in one transaction.
#[derive(Clone, Copy)]
struct Batch {
    posts: u32,
    /// Of the texts of all but the last.
    bytes: u32,
}

/// A batch beside the service: others wait for it, about 10 ms. Of smaller ones FTS5 writes smaller parts of the index, and merges them
/// more often: in batches of 100 posts a text takes twice the time.
const BATCH: Batch = Batch {
    posts: 500,
    bytes: 64 << 10,
};
/// The same where no others wait.
const LARGE_BATCH: Batch = Batch {
    posts: 2_000,
    bytes: 4 << 20,
};
/// How long posts wait for others to be indexed with.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How often to look for posts that are not indexed, or entries that PostgreSQL has not merged.
const INDEX_EVERY: Duration = Duration::from_secs(2);

/// PostgreSQL's. New entries are kept in a list, which is merged by [`Store::index_texts`], or by the statement that makes it longer than
/// 16 MB.
const TEXT_INDEX: LargeIndex = LargeIndex {
    name: "posts_folded_text",
    table: "posts",
    definition: concat!(
        "USING gin (",
        folded_by_postgres!(),
        " gin_trgm_ops) WITH (gin_pending_list_limit = 16384) WHERE parent_id IS NULL"
    ),
};
/// The index before it.
const RETIRED: &str = "posts_text";

/// SQLite's. Without the rowids of `posts`: `VACUUM` gives posts other ones.
const TABLES: &str = "
CREATE TABLE unindexed_posts (number INTEGER PRIMARY KEY, post_id BLOB NOT NULL);
CREATE TABLE indexed_posts (number INTEGER PRIMARY KEY, post_id BLOB NOT NULL UNIQUE);
CREATE VIRTUAL TABLE posts_text USING fts5(content, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
CREATE TRIGGER posts_text_inserted AFTER INSERT ON posts WHEN new.parent_id IS NULL
    BEGIN INSERT INTO unindexed_posts (post_id) VALUES (new.id); END;
CREATE TRIGGER posts_text_deleted AFTER DELETE ON posts WHEN old.parent_id IS NULL
    BEGIN INSERT INTO unindexed_posts (post_id) VALUES (old.id); END;
INSERT INTO unindexed_posts (post_id) SELECT id FROM posts WHERE parent_id IS NULL;
";

/// Instead of a trigger of before texts were folded.
const FOLDED_TRIGGER: &str = "
DROP TRIGGER IF EXISTS posts_text_updated;
CREATE TRIGGER posts_text_folded AFTER UPDATE OF content, folded ON posts
    WHEN new.parent_id IS NULL AND (new.content IS NOT old.content OR new.folded IS NOT old.folded)
    BEGIN INSERT INTO unindexed_posts (post_id) VALUES (new.id); END;
";

/// The number up to which posts are indexed in one transaction.
const LAST_OF_BATCH: &str = "SELECT MAX(number) AS last FROM (SELECT found.number,
        SUM(octet_length(p.content)) OVER (ORDER BY found.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
        FROM (SELECT number, post_id FROM unindexed_posts ORDER BY number LIMIT $1) found LEFT JOIN posts p ON p.id = found.post_id) batch
    WHERE COALESCE(bytes_before, 0) < $2";

/// Indexes the posts that are noted up to a number. Few statements for many posts: before each statement of a transaction FTS5 writes what it
/// has gathered.
const INDEX_UNTIL: [&str; 5] = [
    "DELETE FROM posts_text WHERE rowid IN (SELECT number FROM indexed_posts WHERE post_id IN
        (SELECT post_id FROM unindexed_posts WHERE number <= $1))",
    "DELETE FROM indexed_posts WHERE post_id IN (SELECT post_id FROM unindexed_posts WHERE number <= $1)",
    "INSERT INTO indexed_posts (post_id) SELECT DISTINCT found.post_id FROM unindexed_posts found JOIN posts p ON p.id = found.post_id
        WHERE found.number <= $1",
    "INSERT INTO posts_text (rowid, content) SELECT i.number, COALESCE(p.folded, p.content) FROM indexed_posts i JOIN posts p ON p.id = i.post_id
        WHERE i.post_id IN (SELECT post_id FROM unindexed_posts WHERE number <= $1) ORDER BY i.number",
    "DELETE FROM unindexed_posts WHERE number <= $1",
];

/// What selects the candidates for a text: instead of the table `posts`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidates {
    sql: &'static str,
    /// Its one parameter.
    pub(crate) param: String,
}

impl Candidates {
    /// A table in a `FROM`, with the number of its parameter.
    pub(crate) fn table(&self, number: usize) -> String {
        self.sql.replace("{}", &number.to_string())
    }
}

const FOUND_BY_SQLITE: &str = "(SELECT post.* FROM (SELECT post_id FROM indexed_posts WHERE number IN
        (SELECT rowid FROM posts_text WHERE posts_text MATCH ${}) UNION SELECT post_id FROM unindexed_posts) found
    CROSS JOIN posts post ON post.id = found.post_id) posts";
const COUNT_BY_SQLITE: &str = "SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM posts_text WHERE posts_text MATCH $1 LIMIT $2)) AS candidates,
    (SELECT COUNT(*) FROM (SELECT 1 FROM unindexed_posts LIMIT $3)) AS unindexed";

/// The beginning of the text is enough for finding candidates; `LIKE` takes as long as the product of text and pattern.
macro_rules! beginning {
    ($number:literal) => {
        concat!("left($", $number, ", 40)")
    };
}
macro_rules! has_beginning {
    ($number:literal) => {
        concat!(
            "parent_id IS NULL AND ",
            folded_by_postgres!(),
            " LIKE '%' || replace(replace(replace(",
            beginning!($number),
            r", '\', '\\'), '%', '\%'), '_', '\_') || '%'"
        )
    };
}
/// `OFFSET 0` keeps the planner from reading an index of lists instead.
const FOUND_BY_POSTGRES: &str = concat!(
    "(SELECT * FROM posts WHERE ",
    has_beginning!("{}"),
    " OFFSET 0) posts"
);
/// A text without three letters or digits in a row has no trigrams. What is a letter depends on the locale.
const COUNT_BY_POSTGRES: &str = concat!(
    "SELECT CASE WHEN ",
    beginning!("1"),
    " ~ '[[:alnum:]]{3}' THEN (SELECT COUNT(*) FROM (SELECT 1 FROM posts WHERE ",
    has_beginning!("1"),
    " LIMIT $2) found) ELSE CAST($2 AS BIGINT) END AS candidates, CAST(0 AS BIGINT) AS unindexed"
);

impl Search {
    /// The candidates for a text; `None` where there are many, or they cannot be found faster than by reading the list. From here on
    /// PostgreSQL reads by bitmaps, until [`Search::read_by_bitmaps`].
    pub(crate) async fn candidates(&mut self, q: &str) -> Result<Option<Candidates>> {
        if !self.has_text_index().await? {
            return Ok(None);
        }
        let q = fold(q);
        let most = [MOST_CANDIDATES + 1, MOST_UNINDEXED + 1];
        let (count, params, candidates) = match self.store().is_postgres() {
            false => {
                let Some(param) = match_all_of(&q) else {
                    return Ok(None);
                };
                let params = params![&param, most[0], most[1]];
                let sql = FOUND_BY_SQLITE;
                (COUNT_BY_SQLITE, params, Candidates { sql, param })
            }
            true => {
                let (sql, param) = (FOUND_BY_POSTGRES, q);
                let params = params![&param, most[0]];
                (COUNT_BY_POSTGRES, params, Candidates { sql, param })
            }
        };
        self.read_by_bitmaps(true).await?;
        let are_few = self.read_one(count.to_owned(), params, are_few).await?;
        let are_few = are_few.unwrap_or_default();
        Ok(Some(candidates).filter(|_| are_few))
    }

    /// Whether the index is there. Once it is, it stays.
    async fn has_text_index(&mut self) -> Result<bool> {
        if self.store().0.has_text_index.load(Ordering::Acquire) {
            return Ok(true);
        }
        let sql = match self.store().is_postgres() {
            false => "SELECT 1 FROM sqlite_master WHERE name = 'posts_text'",
            true => {
                "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('posts_folded_text') AND indrelid = to_regclass('posts')
                 AND indisvalid"
            }
        };
        let is_there = self
            .read_one(sql.to_owned(), Vec::new(), |_| Ok(()))
            .await?
            .is_some();
        self.store().0.has_text_index.store(is_there, Ordering::Release);
        Ok(is_there)
    }
}

fn are_few(counted: &Row) -> Result<bool> {
    let fields = counted.of("posts");
    let (candidates, unindexed): (i64, i64) = (fields.get("candidates")?, fields.get("unindexed")?);
    Ok(candidates <= MOST_CANDIDATES.into() && unindexed <= MOST_UNINDEXED.into())
}

impl Store {
    /// Indexes the texts of posts as they change. Ends only when the database fails.
    ///
    /// # Errors
    /// When it does.
    pub async fn index_texts(&self) -> Result<()> {
        self.fold_texts().await?;
        let mut wait_since = None;
        loop {
            match self.0.pools {
                Pools::Sqlite(_) => wait_since = self.index_batches(wait_since).await?,
                Pools::Postgres(_) => self.merge_index().await?,
            }
            tokio::time::sleep(INDEX_EVERY).await;
        }
    }

    /// Indexes what is not indexed yet, and returns when that is done.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn index_all_texts(&self) -> Result<()> {
        self.fold_texts().await?;
        if self.is_postgres() {
            return self.merge_index().await;
        }
        while self.index_some(LARGE_BATCH).await? {}
        Ok(())
    }

    /// Indexes posts of SQLite while there are enough for a batch, and fewer once they have waited long enough: since `wait_since`, if any
    /// was left when this was last called. Returns the same for the next call.
    pub(crate) async fn index_batches(&self, wait_since: Option<Instant>) -> Result<Option<Instant>> {
        while self.are_unindexed(BATCH.posts).await? {
            self.index_some(BATCH).await?;
        }
        if wait_since.is_some_and(|since| since.elapsed() >= LONGEST_WAIT) {
            self.index_some(BATCH).await?;
        }
        let is_any_left = self.are_unindexed(1).await?;
        Ok(is_any_left.then(|| wait_since.unwrap_or_else(Instant::now)))
    }

    /// Whether so many posts of SQLite are not indexed.
    async fn are_unindexed(&self, count: u32) -> Result<bool> {
        let last = "SELECT 1 FROM unindexed_posts LIMIT 1 OFFSET $1";
        Ok(self.row(last, params![count - 1]).await?.is_some())
    }

    /// Indexes a batch of posts of SQLite; returns whether there were any.
    async fn index_some(&self, batch: Batch) -> Result<bool> {
        if !self.are_unindexed(1).await? {
            return Ok(false);
        }
        let mut tx = self.begin().await?;
        let last = tx.row(LAST_OF_BATCH, params![batch.posts, batch.bytes]).await?;
        let last: Option<Option<i64>> = read_one(last, |row| row.of("unindexed_posts").get("last"))?;
        // Another process may have indexed them since they were looked for.
        let Some(last) = last.flatten() else {
            return Ok(false);
        };
        for sql in INDEX_UNTIL {
            tx.execute(sql, vec![Param::Int(Some(last))]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Merges the entries of PostgreSQL's index that are not merged, so that no statement of a request has to.
    async fn merge_index(&self) -> Result<()> {
        let sql = "SELECT gin_clean_pending_list(indexrelid) AS pages FROM pg_index WHERE indexrelid = to_regclass('posts_folded_text')
            AND indisvalid";
        self.rows_long(sql, params![]).await.map(drop)
    }

    /// Makes PostgreSQL's index, like other large ones, where that is possible.
    pub(super) async fn build_text_index(&self, look_every: Duration) -> Result<()> {
        if self.is_postgres() && self.can_index_texts().await? {
            self.build(&[TEXT_INDEX], look_every).await?;
            self.drop_index(RETIRED).await?;
        }
        Ok(())
    }

    /// Whether PostgreSQL has what its index of texts is made with. Where it cannot be installed, this is logged.
    async fn can_index_texts(&self) -> Result<bool> {
        let installed =
            "SELECT 1 FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid)";
        if self.row(installed, params![]).await?.is_some() {
            return Ok(true);
        }
        let made = self
            .execute("CREATE EXTENSION IF NOT EXISTS pg_trgm", params![])
            .await;
        // Another node may have made it at the same time.
        if self.row(installed, params![]).await?.is_some() {
            return Ok(true);
        }
        let reason = made.err().map_or_else(String::new, |error| format!(": {error}"));
        tracing::warn!(
            "searches read every post of a workspace, because the extension pg_trgm is not there{reason}. Install it with `CREATE EXTENSION \
             pg_trgm` in this database (a package such as postgresql-contrib has it), and start the service again"
        );
        Ok(false)
    }
}

/// Makes SQLite's index where it is missing, with all posts not indexed yet.
pub(crate) async fn create(connection: &mut SqliteConnection) -> Result<()> {
    let parts = [
        ("SELECT 1 FROM sqlite_master WHERE name = 'posts_text'", TABLES),
        (
            "SELECT 1 FROM sqlite_master WHERE name = 'posts_text_folded'",
            FOLDED_TRIGGER,
        ),
    ];
    for (found, sql) in parts {
        if connection.fetch_optional(found).await?.is_none() {
            let mut tx = connection.begin().await?;
            tx.execute(sqlx::raw_sql(sql)).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// A query of FTS5 for the texts with every trigram of `q`, or as many of them as suffice; `None` where there is none.
fn match_all_of(q: &str) -> Option<String> {
    let characters: Vec<char> = q.chars().collect();
    if characters.contains(&'\0') {
        return None;
    }
    let trigrams: Vec<String> = characters
        .windows(3)
        .map(|three| three.iter().collect())
        .collect();
    let step = trigrams.len().div_ceil(MOST_TRIGRAMS).max(1);
    let quoted = trigrams.iter().step_by(step);
    let quoted: Vec<String> = quoted
        .map(|three| format!("\"{}\"", three.replace('"', "\"\"")))
        .collect();
    Some(quoted.join(" AND ")).filter(|query| !query.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_by_its_trigrams() {
        assert_eq!(match_all_of("ab"), None);
        assert_eq!(match_all_of("a\0bcd"), None);
        assert_eq!(match_all_of("ab\"c").unwrap(), "\"ab\"\"\" AND \"b\"\"c\"");
        let long = match_all_of(&"kite ".repeat(40)).unwrap();
        assert_eq!(long.matches(" AND ").count(), 198usize.div_ceil(13) - 1, "{long}");
    }
}
