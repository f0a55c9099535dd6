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
use crate::db::{Fields, Result, Row, Store, asked, numbered, padded, params, read_all};

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

/// How many posts are in a page: no more of them are in memory at once, however many there are.
const PAGE: u32 = 1000;
/// How many platforms are asked at once whether they have posts that may be out.
const TOGETHER: usize = 256;

/// Those of these platforms that have posts which may be out since `$1`, and others at times: each of the queries has an index that holds
/// little else.
pub(crate) fn with_posts_that_may_be_out(list: &str) -> String {
    format!(
        "SELECT platform_id FROM posts WHERE platform_id IN ({list})
            AND state = 'PUBLISHED' AND release_id IS NULL AND parent_id IS NULL AND updated_at >= $1
        UNION SELECT platform_id FROM posts WHERE platform_id IN ({list}) AND look_since IS NOT NULL
        UNION SELECT platform_id FROM posts WHERE platform_id IN ({list}) AND waiting IS NOT NULL
        UNION SELECT platform_id FROM submissions
            WHERE platform_id IN ({list}) AND COALESCE(outcome, 'unknown') IN ('unknown', 'in_inbox')"
    )
}

/// A page of the posts of the platform `$2` that may be out since `$1`: `$4` of them, behind `$3`. A hold may have marked very many, which
/// are read in order; of the others there are few.
pub(crate) const MAY_BE_OUT_AFTER: &str = "SELECT id FROM (
        SELECT id FROM posts WHERE platform_id = $2 AND id > $3 AND look_since IS NOT NULL
            AND parent_id IS NULL AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR') ORDER BY id LIMIT $4) AS page
    UNION SELECT id FROM posts WHERE platform_id = $2 AND id > $3
        AND state = 'PUBLISHED' AND release_id IS NULL AND parent_id IS NULL AND updated_at >= $1
    UNION SELECT id FROM posts WHERE platform_id = $2 AND id > $3 AND waiting IS NOT NULL AND waiting IN ('unconfirmed', 'inbox')
        AND parent_id IS NULL AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
    UNION SELECT p.id AS id FROM submissions s JOIN posts p ON p.id = s.post_id
        WHERE s.platform_id = $2 AND COALESCE(s.outcome, 'unknown') IN ('unknown', 'in_inbox') AND p.id > $3
        AND p.parent_id IS NULL AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
    ORDER BY id LIMIT $4";

/// The texts that these posts may be out with as they were sent: of those that are in doubt because of a try alone, the texts of such tries.
pub(crate) fn texts_of_tries_among(list: &str) -> String {
    format!(
        "SELECT DISTINCT s.post_id AS post_id, s.content AS content FROM submissions s JOIN posts p ON p.id = s.post_id
        WHERE s.post_id IN ({list}) AND s.content IS NOT NULL
            AND (s.outcome IN ('unknown', 'in_inbox') OR p.state = 'PUBLISHED' OR p.look_since IS NOT NULL
                OR p.waiting IN ('unconfirmed', 'inbox') OR p.publishing)"
    )
}

/// The texts of these posts, and of marked ones that were changed since also the text of before.
pub(crate) fn texts_among(list: &str) -> String {
    format!(
        "SELECT {}, p.look_content AS look_content FROM posts p WHERE p.id IN ({list})",
        sent_text_columns!()
    )
}

/// A deleted post of what may be the same account that may be out, with this mark of its text.
pub(crate) const DELETED_MAY_BE_OUT: &str = concat!(
    "SELECT r.id AS id FROM platforms this JOIN removed_submissions r ON ",
    may_be_of_this_account!("r"),
    " WHERE this.id = $1 AND r.may_be_out AND r.text_mark = $2 LIMIT 1"
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

/// The text of a post.
enum Text {
    Whole(String),
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
            Self::Unreadable => true,
        }
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

    /// Whether what the account lists with this text may be another of its posts than `post`: one that may have come out at `since` or
    /// later, under an ID that is not known. Such a post is on its way, waits for a person's confirmation, was marked by a hold, is in the
    /// creator's inbox, is out and was not named by the provider yet, or was deleted before it was known what came of it. One that cannot
    /// be read may be listed with any text.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_rival(
        &self,
        platform: PlatformId,
        post: PostId,
        listed: &str,
        since: Time,
    ) -> Result<bool> {
        self.has_rival_in_pages(platform, post, listed, since, PAGE).await
    }

    /// The same, with pages of so many posts.
    pub(crate) async fn has_rival_in_pages(
        &self,
        platform: PlatformId,
        post: PostId,
        listed: &str,
        since: Time,
        page: u32,
    ) -> Result<bool> {
        let connections = self.connections_of(platform).await?;
        let platforms: Vec<PlatformId> = connections.iter().map(|one| one.platform).collect();
        for together in platforms.chunks(TOGETHER) {
            for platform in self.with_posts_that_may_be_out(together, since).await? {
                let mut after = PostId(Uuid::nil());
                loop {
                    let mut posts = self.may_be_out_after(platform, after, since, page).await?;
                    let last = posts.last().copied();
                    let next = last.filter(|_| posts.len() >= page as usize);
                    posts.retain(|one| *one != post);
                    if self.is_any_listed_as(&posts, listed).await? {
                        return Ok(true);
                    }
                    let Some(last) = next else {
                        break;
                    };
                    after = last;
                }
            }
        }
        // After the others: one that is deleted meanwhile is found there.
        self.has_deleted_rival(platform, listed).await
    }

    async fn with_posts_that_may_be_out(
        &self,
        platforms: &[PlatformId],
        since: Time,
    ) -> Result<Vec<PlatformId>> {
        let platforms = padded(platforms);
        let sql = with_posts_that_may_be_out(&numbered(2, platforms.len()));
        let params = [params![since], platforms].concat();
        let rows = self.rows_long(AssertSqlSafe(sql), params).await?;
        read_all(&rows, |row| row.of("posts").id("platform_id"))
    }

    /// A page of the posts of a platform that may be out, by their IDs.
    pub(crate) async fn may_be_out_after(
        &self,
        platform: PlatformId,
        after: PostId,
        since: Time,
        page: u32,
    ) -> Result<Vec<PostId>> {
        let params = params![since, platform, after, page];
        let rows = self.rows_long(MAY_BE_OUT_AFTER, params).await?;
        read_all(&rows, |row| row.of("posts").id("id"))
    }

    /// Whether one of these posts may be listed with this text: by a text that it was sent with, or has now, or had when a hold marked it.
    async fn is_any_listed_as(&self, posts: &[PostId], listed: &str) -> Result<bool> {
        if posts.is_empty() {
            return Ok(false);
        }
        let (sql, params) = asked(texts_of_tries_among, posts);
        for row in self.rows(AssertSqlSafe(sql), params).await? {
            let sent: String = row.of("submissions").get("content")?;
            if is_listed_as(&sent, listed) {
                return Ok(true);
            }
        }
        let (sql, params) = asked(texts_among, posts);
        for row in self.rows(AssertSqlSafe(sql), params).await? {
            let fields = row.of("posts");
            let earlier: Option<String> = fields.get("look_content")?;
            if earlier.is_some_and(|earlier| is_listed_as(&earlier, listed))
                || Text::of(fields)?.is_listed_as(listed)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn has_deleted_rival(&self, platform: PlatformId, listed: &str) -> Result<bool> {
        let params = params![platform, listed_mark(listed)];
        Ok(!self.rows_long(DELETED_MAY_BE_OUT, params).await?.is_empty())
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
