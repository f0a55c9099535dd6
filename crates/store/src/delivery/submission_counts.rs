//! What an account's submissions take of its provider's limits, counted in the ledger, so that it holds across nodes and restarts: every
//! submission that moves media counts. An account that several workspaces have connected has one window, because the provider counts it
//! as one.

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::limits::Window;
use playout_domain::time::Time;
use serde_json::{Map, Value};

use crate::db::{Param, Result, Row, Store, Tx, params, read_all};

/// The most posts taken from an account that foresight looks at: no limit of a day is near it.
const FORESEEN: u32 = 200;

/// The most waiting posts of an account that foresight looks at: more than twice any limit of a day. Every post that is
/// scheduled pays for reading them.
pub const MOST_QUEUED: usize = 40;

/// Few rows: what goes beyond the window's count is never opened. What is dated later than a window from now is of a clock that was set
/// back since: when it was in truth is not known, and the provider's own limit holds.
pub(crate) const RECENT_HAND_OVERS: &str = "SELECT s.started_at
    FROM platforms one JOIN platforms f ON f.provider = one.provider AND f.provider_account_id = one.provider_account_id
    JOIN submissions s ON s.platform_id = f.id
    WHERE one.id = $1 AND s.started_at > $2 AND s.started_at <= $3 AND s.transfer IN ('upload', 'pull')
    ORDER BY s.started_at DESC LIMIT $4";

pub(crate) const TAKEN_FROM: &str = "SELECT s.platform_id, s.started_at, s.closed_at, p.settings, p.waiting
    FROM submissions s JOIN posts p ON p.id = s.post_id
    WHERE s.workspace_id = $1 AND s.platform_id = $2 AND s.started_at > $3 AND s.transfer IN ('upload', 'pull')
        AND (s.outcome IS NULL OR s.outcome IN ('published', 'in_inbox', 'unknown'))
    ORDER BY s.started_at DESC LIMIT $4";

pub(crate) const TAKEN_SINCE: &str = "SELECT s.platform_id, s.started_at, s.closed_at, p.settings, p.waiting
    FROM platforms f JOIN submissions s ON s.platform_id = f.id JOIN posts p ON p.id = s.post_id
    WHERE f.workspace_id = $1 AND f.removed_at IS NULL AND s.started_at > $2 AND s.transfer IN ('upload', 'pull')
        AND (s.outcome IS NULL OR s.outcome IN ('published', 'in_inbox', 'unknown'))
    ORDER BY s.started_at DESC";

/// The last of them are counted where they stand: to read them one by one costs more than the rest of creating a post.
pub(crate) const QUEUED_BETWEEN: &str = "SELECT settings, COUNT(*) AS posts,
        COUNT(*) FILTER (WHERE effective_at > $6) AS late_posts
    FROM (SELECT effective_at, settings FROM posts
        WHERE workspace_id = $1 AND platform_id = $2 AND parent_id IS NULL AND state = 'QUEUE' AND publishing = FALSE
            AND effective_at > $3 AND effective_at <= $4 ORDER BY effective_at DESC LIMIT $5) AS last_posts
    GROUP BY settings";

/// A post that a provider took from us, or may have taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The account.
    pub platform_id: PlatformId,
    /// When it was handed over.
    pub at: Time,
    /// The post's own settings.
    pub settings: Map<String, Value>,
    /// Whether it may still be in the creator's inbox, if that is where it went.
    pub is_unfinished: bool,
}

/// Posts that wait for their time and have the same settings of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Queued {
    /// Their own settings.
    pub settings: Map<String, Value>,
    /// How many there are.
    pub posts: usize,
    /// How many of them go out late in the requested time.
    pub late_posts: usize,
}

/// The time in which queued posts are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuedSpan {
    /// A post that goes out at this time does not count any more.
    pub after: Time,
    /// Those that go out after this time are late in it.
    pub late_after: Time,
    /// A post that goes out at this time counts still.
    pub until: Time,
}

impl Store {
    /// The times of an account's hand-overs within its window, newest first, from all workspaces.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn recent_hand_overs(
        &self,
        platform: PlatformId,
        window: Window,
        now: Time,
    ) -> Result<Vec<Time>> {
        let params = around(platform, window, now);
        read_all(&self.rows(RECENT_HAND_OVERS, params).await?, read_start)
    }

    /// The posts that a provider took, or may have taken, from an account after `since`, the last first; at most 200.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn taken_from(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        since: Time,
    ) -> Result<Vec<Taken>> {
        let params = params![workspace, platform, since, FORESEEN];
        read_all(&self.rows(TAKEN_FROM, params).await?, read_taken)
    }

    /// Every post that providers took, or may have taken, from the accounts of a workspace after `since`, the last first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn taken_since(&self, workspace: WorkspaceId, since: Time) -> Result<Vec<Taken>> {
        read_all(
            &self.rows(TAKEN_SINCE, params![workspace, since]).await?,
            read_taken,
        )
    }

    /// How many of an account's posts go out in a span of time, and how many of those late in it, by their settings; of the last
    /// [`MOST_QUEUED`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn queued_between(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        span: QueuedSpan,
    ) -> Result<Vec<Queued>> {
        let most = u32::try_from(MOST_QUEUED).unwrap_or(u32::MAX);
        let params = params![workspace, platform, span.after, span.until, most, span.late_after];
        read_all(&self.rows(QUEUED_BETWEEN, params).await?, read_queued)
    }
}

impl Tx {
    /// When the account's window has room again; `None` where it has now.
    pub(super) async fn next_room(
        &mut self,
        platform: PlatformId,
        window: Window,
        now: Time,
    ) -> Result<Option<Time>> {
        let params = around(platform, window, now);
        let times = read_all(&self.rows(RECENT_HAND_OVERS, params).await?, read_start)?;
        Ok(window.next_room(&times, now))
    }
}

/// The parameters of [`RECENT_HAND_OVERS`].
fn around(platform: PlatformId, window: Window, now: Time) -> Vec<Param> {
    let (from, until) = (now.minus(window.length), now.plus(window.length));
    params![platform, from, until, window.count]
}

fn read_start(row: &Row) -> Result<Time> {
    row.of("submissions").time("started_at")
}

fn read_taken(row: &Row) -> Result<Taken> {
    let fields = row.of("submissions");
    let waits = fields.get::<Option<String>>("waiting")?.is_some();
    Ok(Taken {
        platform_id: fields.id("platform_id")?,
        at: fields.time("started_at")?,
        settings: row.of("posts").json("settings")?,
        is_unfinished: waits || fields.opt_time("closed_at")?.is_none(),
    })
}

fn read_queued(row: &Row) -> Result<Queued> {
    let fields = row.of("posts");
    Ok(Queued {
        settings: fields.json("settings")?,
        posts: fields.number("posts")?,
        late_posts: fields.number("late_posts")?,
    })
}
