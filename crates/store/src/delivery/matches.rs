//! Which posts here may be one that an account lists. An account can be connected in several workspaces, so all of them count, and so do
//! posts that were deleted (`removed_submissions.rs`). It can also be connected in two ways; what may be the same account counts as the
//! same (`accounts/handles.rs`).

use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::listing::is_listed_as;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::releases::release_is_seen;
use super::sent_text::{listed_mark, read_sent_text, sent_text_columns};
use crate::accounts::handles::may_be_of_this_account;
use crate::db::{Fields, Result, Row, Store, numbered, padded, params, read_all};

/// Among the posts of what may be the same account: an account may be connected in two ways, and be renamed meanwhile. Those of others do
/// not count: anyone can mark a private post of theirs as published under an ID that they have read on the page of someone else. For the
/// same reason a person's word is evidence for the account of their post alone.
pub(crate) const FIND_RELEASE: &str = concat!(
    "SELECT whose.provider_account_id = this.provider_account_id OR ",
    release_is_seen!(),
    " AS is_known FROM platforms this JOIN posts p ON p.release_id = $2 AND p.parent_id IS NULL
        JOIN platforms whose ON whose.id = p.platform_id AND ",
    may_be_of_this_account!("whose"),
    " WHERE this.id = $1
    UNION ALL SELECT r.provider_account_id = this.provider_account_id OR NOT r.may_be_out AS is_known
        FROM platforms this JOIN removed_submissions r ON r.release_id = $2 AND ",
    may_be_of_this_account!("r"),
    " WHERE this.id = $1"
);

/// The connections that may be of the account behind a platform, in all workspaces. Their posts are looked up by statements of their
/// own: what reads both reads the posts of everyone.
pub(crate) const CONNECTIONS: &str = concat!(
    "SELECT same.workspace_id AS workspace_id, same.id AS id FROM platforms this JOIN platforms same ON ",
    may_be_of_this_account!("same"),
    " WHERE this.id = $1 ORDER BY same.id"
);

/// A page of the posts of a platform, of which there may be very many.
pub(crate) const POSTS_AFTER: &str = concat!(
    "SELECT p.id AS id, p.effective_at AS effective_at, ",
    sent_text_columns!(),
    " FROM posts p
    WHERE p.workspace_id = $1 AND p.platform_id = $2 AND p.parent_id IS NULL AND (p.effective_at, p.id) > ($3, $4)
    ORDER BY p.effective_at, p.id LIMIT $5"
);

/// How many posts are in a page.
const PAGE: u32 = 1000;
/// Of how many platforms the posts that may be out are looked up at once.
const TOGETHER: usize = 256;

/// The posts of these platforms that may be out since `$1`, a row for each of their submissions. Each of the inner queries has an index
/// that holds little else.
pub(crate) fn may_be_out_among(list: &str) -> String {
    format!(
        "SELECT p.id AS id, {}, p.look_content AS look_content, s.content AS sent
        FROM posts p LEFT JOIN submissions s ON s.post_id = p.id
        WHERE p.id IN (
                SELECT id FROM posts WHERE platform_id IN ({list})
                    AND state = 'PUBLISHED' AND release_id IS NULL AND parent_id IS NULL AND updated_at >= $1
                UNION ALL SELECT id FROM posts WHERE platform_id IN ({list}) AND look_since IS NOT NULL
                UNION ALL SELECT id FROM posts WHERE platform_id IN ({list}) AND waiting IS NOT NULL
                UNION ALL SELECT id FROM posts WHERE platform_id IN ({list}) AND publishing
                UNION ALL SELECT post_id FROM submissions WHERE platform_id IN ({list}) AND outcome IN ('unknown', 'in_inbox'))
            AND p.parent_id IS NULL
            AND ((p.state = 'PUBLISHED' AND p.release_id IS NULL AND p.updated_at >= $1)
                OR (p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
                    AND (p.look_since IS NOT NULL OR p.waiting IN ('unconfirmed', 'inbox') OR p.publishing
                        OR s.outcome IN ('unknown', 'in_inbox'))))",
        sent_text_columns!()
    )
}

pub(crate) const DELETED_MAY_BE_OUT: &str = concat!(
    "SELECT r.text_mark FROM platforms this JOIN removed_submissions r ON ",
    may_be_of_this_account!("r"),
    " WHERE this.id = $1 AND r.may_be_out"
);

/// A platform that may be of the account.
struct Connected {
    workspace: WorkspaceId,
    platform: PlatformId,
}

/// The post that a page begins behind.
struct Position {
    effective_at: i64,
    id: PostId,
}

/// Which post of an account is out under an ID of the provider's, as far as it is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseOwner {
    /// None that is known.
    Unknown,
    /// It may be one here: a person marked a post of what may be the same account with the ID, and the provider has not confirmed it.
    Doubtful,
    /// One here.
    Known,
}

/// A text under which a post of the account may be out, with an ID that is not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MayBeOut {
    /// Which post's; `None` for one that was deleted.
    pub post: Option<PostId>,
    text: Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Text {
    Whole(String),
    /// Its mark.
    Deleted(Vec<u8>),
    /// Its post cannot be read, so that it may be any.
    Unreadable,
}

impl Text {
    /// The text that a post is sent with.
    fn of(fields: Fields<'_>) -> Result<Self> {
        match read_sent_text(fields) {
            Ok(text) => Ok(Self::Whole(text)),
            Err(error) if error.is_bad_row() => {
                tracing::error!("a post cannot be read, and what is listed may be any text of it: {error}");
                Ok(Self::Unreadable)
            }
            Err(error) => Err(error),
        }
    }

    fn is_listed_as(&self, listed: &str) -> bool {
        match self {
            Self::Whole(text) => is_listed_as(text, listed),
            Self::Deleted(mark) => *mark == listed_mark(listed),
            Self::Unreadable => true,
        }
    }
}

impl MayBeOut {
    /// Whether it may be what the account lists with this text.
    pub fn is_listed_as(&self, listed: &str) -> bool {
        self.text.is_listed_as(listed)
    }
}

impl Store {
    /// Whether a post of the account is, or was before it was deleted, known to be out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_release(&self, platform: PlatformId, release_id: &str) -> Result<ReleaseOwner> {
        let rows = self.rows(FIND_RELEASE, params![platform, release_id]).await?;
        let mut owner = ReleaseOwner::Unknown;
        for row in &rows {
            if row.of("posts").get("is_known")? {
                return Ok(ReleaseOwner::Known);
            }
            owner = ReleaseOwner::Doubtful;
        }
        Ok(owner)
    }

    /// Whether another post of the account would be listed with this text, in any state. One that cannot be read may be.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_twin(&self, platform: PlatformId, post: PostId, listed: &str) -> Result<bool> {
        self.has_twin_in_pages(platform, post, listed, PAGE).await
    }

    /// The same, with pages of so many posts.
    pub(crate) async fn has_twin_in_pages(
        &self,
        platform: PlatformId,
        post: PostId,
        listed: &str,
        page: u32,
    ) -> Result<bool> {
        for connected in self.connections_of(platform).await? {
            let mut after = Position {
                effective_at: i64::MIN,
                id: Uuid::nil().into(),
            };
            loop {
                let (workspace, platform) = (connected.workspace, connected.platform);
                let params = params![workspace, platform, after.effective_at, after.id, page];
                let rows = self.rows(POSTS_AFTER, params).await?;
                for row in &rows {
                    let fields = row.of("posts");
                    if fields.id::<PostId>("id")? != post && Text::of(fields)?.is_listed_as(listed) {
                        return Ok(true);
                    }
                }
                let Some(last) = rows.last().filter(|_| rows.len() >= page as usize) else {
                    break;
                };
                after = read_position(last)?;
            }
        }
        Ok(false)
    }

    /// The platforms that may be of the account behind this one, which is one of them.
    async fn connections_of(&self, platform: PlatformId) -> Result<Vec<Connected>> {
        let rows = self.rows(CONNECTIONS, params![platform]).await?;
        read_all(&rows, read_connected)
    }

    /// Whether another post of the workspace is known to be out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_release_in(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        release_id: &str,
    ) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE workspace_id = $1 AND platform_id = $2 AND parent_id IS NULL
            AND release_id = $3 LIMIT 1";
        let row = self.row(sql, params![workspace, platform, release_id]).await?;
        Ok(row.is_some())
    }

    /// The texts of posts of the account that may have come out at `since` or later, under an ID that is not known: they are on
    /// their way, they wait for a person's confirmation, a hold has marked them, they are in the creator's inbox, they are out
    /// and the provider has not named them yet, or they were deleted before it was known what came of them. The text of one that cannot
    /// be read may be any.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_that_may_be_out(&self, platform: PlatformId, since: Time) -> Result<Vec<MayBeOut>> {
        let mut found = Vec::new();
        let connections = self.connections_of(platform).await?;
        let platforms: Vec<PlatformId> = connections.iter().map(|one| one.platform).collect();
        for together in platforms.chunks(TOGETHER) {
            let platforms = padded(together);
            let sql = may_be_out_among(&numbered(2, platforms.len()));
            let params = [params![since], platforms].concat();
            for row in self.rows_long(AssertSqlSafe(sql), params).await? {
                found.extend(read_texts(row.of("posts"))?);
            }
        }
        for row in self.rows_long(DELETED_MAY_BE_OUT, params![platform]).await? {
            found.push(MayBeOut {
                post: None,
                text: Text::Deleted(row.of("removed_submissions").get("text_mark")?),
            });
        }
        Ok(found)
    }
}

fn read_connected(row: &Row) -> Result<Connected> {
    let fields = row.of("platforms");
    Ok(Connected {
        workspace: fields.id("workspace_id")?,
        platform: fields.id("id")?,
    })
}

fn read_position(row: &Row) -> Result<Position> {
    let fields = row.of("posts");
    Ok(Position {
        effective_at: fields.get("effective_at")?,
        id: fields.id("id")?,
    })
}

/// The texts of a row of [`may_be_out_among`].
fn read_texts(fields: Fields<'_>) -> Result<Vec<MayBeOut>> {
    let post = Some(fields.id("id")?);
    let earlier: [Option<String>; 2] = [fields.get("look_content")?, fields.get("sent")?];
    let texts = earlier.into_iter().flatten().map(Text::Whole);
    let texts = texts.chain([Text::of(fields)?]);
    Ok(texts.map(|text| MayBeOut { post, text }).collect())
}
