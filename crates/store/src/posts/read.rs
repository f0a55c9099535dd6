//! Reading posts: lists, groups, and rows as domain values. Creating them is in `create.rs`, changing them in `group_changes.rs`, publishing them in
//! `delivery/settle.rs`.

use std::collections::HashMap;

use playout_domain::event::EventKind;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::post::{Group, Post, PostState, Waiting};
use playout_domain::time::Time;
use serde_json::json as value;
use sqlx::AssertSqlSafe;

use crate::db::{
    Fields, MOST_BYTES, Page, Param, Result, Row, Store, StoreError, Tx, numbered, params, read_all,
};
use crate::events::NewEvent;

/// The columns that [`read_post`] reads.
macro_rules! post_columns {
    () => {
        "id, group_id, parent_id, platform_id, content, state, waiting, is_overdue, publishing, scheduled_for, delay_minutes,
         release_id, release_url, settings, error_text, created_at, updated_at, created_by, updated_by"
    };
}
pub(crate) use post_columns;

/// Which root posts to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Effective date not before this.
    pub start: Option<Time>,
    /// Effective date before this.
    pub end: Option<Time>,
    /// In one of these states; empty for any.
    pub states: Vec<PostState>,
    /// Going to this account.
    pub platform_id: Option<PlatformId>,
    /// With this in their text, ignoring case (of ASCII letters alone on SQLite).
    pub q: Option<String>,
    /// Whether the list begins with the latest.
    pub latest_first: bool,
}

/// A group, and the version that a change of it must name.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundGroup {
    /// The root and its comments.
    pub group: Group,
    /// Rises with every change by a person, so that what was validated is what is queued.
    pub version: i64,
}

/// Posts of a list, as many as fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The first of them, at least one if there is one.
    pub posts: Vec<Post>,
    /// Whether requested posts that follow were left out because these are so large.
    pub is_cut: bool,
}

impl Store {
    /// Root posts by effective date (`scheduled_for`, else `created_at`), then identifier: earliest first, or latest.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::TooSlow`] when a text is not found in time.
    pub async fn list_root_posts(
        &self,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
    ) -> Result<Listed> {
        let (sql, params) = post_list(workspace, filter, page, self.position_function());
        let (rows, is_cut) = match filter.q {
            Some(_) => self.search(sql, params, MOST_BYTES).await?,
            None => self.rows_within(sql, params, MOST_BYTES).await?,
        };
        let mut posts = read_all(&rows, read_post)?;
        self.load_media(&mut posts).await?;
        Ok(Listed { posts, is_cut })
    }

    /// The group of a post, by the identifier of its root or of a comment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_group(&self, workspace: WorkspaceId, post: PostId) -> Result<Option<FoundGroup>> {
        let rows = self.rows(FIND_GROUP, params![workspace, post]).await?;
        let Some((mut posts, version)) = read_group(&rows)? else {
            return Ok(None);
        };
        self.load_media(&mut posts).await?;
        Ok(Some(FoundGroup::of(posts, version)))
    }

    /// Loads the media of all the posts with one query.
    pub(crate) async fn load_media(&self, posts: &mut [Post]) -> Result<()> {
        if posts.is_empty() {
            return Ok(());
        }
        let (sql, ids) = media_of(posts);
        add_media(posts, &self.rows(AssertSqlSafe(sql), ids).await?)
    }
}

impl Tx {
    /// [`Store::find_group`] as this transaction has made it; it must exist.
    pub(crate) async fn group(&mut self, workspace: WorkspaceId, post: PostId) -> Result<FoundGroup> {
        let rows = self.rows(FIND_GROUP, params![workspace, post]).await?;
        let missing = StoreError::Missing {
            table: "posts",
            row: post.0,
        };
        let (mut posts, version) = read_group(&rows)?.ok_or(missing)?;
        let (sql, ids) = media_of(&posts);
        let media = self.rows(AssertSqlSafe(sql), ids).await?;
        add_media(&mut posts, &media)?;
        Ok(FoundGroup::of(posts, version))
    }
}

const FIND_GROUP: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", version FROM posts WHERE workspace_id = $1
     AND group_id = (SELECT group_id FROM posts WHERE id = $2 AND workspace_id = $1) ORDER BY position"
);

/// The posts of a group without their media, root first, and its version.
fn read_group(rows: &[Row]) -> Result<Option<(Vec<Post>, i64)>> {
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let version = first.of("posts").get("version")?;
    Ok(Some((read_all(rows, read_post)?, version)))
}

impl FoundGroup {
    fn of(mut posts: Vec<Post>, version: i64) -> Self {
        let children = posts.split_off(1);
        let root = posts.swap_remove(0);
        let group = Group { root, children };
        Self { group, version }
    }
}

/// The text and parameters of the query for the media of posts, at least one.
fn media_of(posts: &[Post]) -> (String, Vec<Param>) {
    let list = numbered(1, posts.len());
    let sql = format!(
        "SELECT post_id, media_id FROM post_media WHERE post_id IN ({list}) ORDER BY post_id, position"
    );
    (sql, posts.iter().map(|post| Param::from(post.id)).collect())
}

fn add_media(posts: &mut [Post], rows: &[Row]) -> Result<()> {
    let mut media: HashMap<PostId, Vec<MediaId>> = HashMap::new();
    for row in rows {
        let fields = row.of("post_media");
        media
            .entry(fields.id("post_id")?)
            .or_default()
            .push(fields.id("media_id")?);
    }
    for post in posts {
        post.media_ids = media.remove(&post.id).unwrap_or_default();
    }
    Ok(())
}

/// The text and parameters of [`Store::list_root_posts`].
pub(crate) fn post_list(
    workspace: WorkspaceId,
    filter: &PostFilter,
    page: Page,
    position_function: &str,
) -> (String, Vec<Param>) {
    let mut sql = format!(
        "SELECT {} FROM posts WHERE workspace_id = $1 AND parent_id IS NULL",
        post_columns!()
    );
    let mut params = params![workspace];
    let mut and = |condition: &str, values: Vec<Param>| {
        let first = params.len() + 1;
        params.extend(values);
        sql.push_str(" AND ");
        sql.push_str(&condition.replace("{}", &numbered(first, params.len() + 1 - first)));
    };
    if let Some(start) = filter.start {
        and("effective_at >= {}", params![start]);
    }
    if let Some(end) = filter.end {
        and("effective_at < {}", params![end]);
    }
    let (follows, direction) = match filter.latest_first {
        true => ("(effective_at, id) < ({})", "DESC"),
        false => ("(effective_at, id) > ({})", "ASC"),
    };
    if let Some((effective_at, id)) = page.after {
        and(follows, params![effective_at, id]);
    }
    if let Some(platform) = filter.platform_id {
        and("platform_id = {}", params![platform]);
    }
    if !filter.states.is_empty() {
        let states = filter.states.iter().map(|state| state.as_str().into());
        and("state IN ({})", states.collect());
    }
    if let Some(q) = &filter.q {
        // Not LIKE, of which the cost in the worst case is the text's length times the pattern's.
        and(
            &format!("{position_function}(LOWER(content), LOWER({{}})) > 0"),
            params![q],
        );
    }
    params.push(page.limit.into());
    let limit = params.len();
    sql.push_str(&format!(
        " ORDER BY effective_at {direction}, id {direction} LIMIT ${limit}"
    ));
    (sql, params)
}

/// An event about a post.
pub(crate) fn post_event(workspace: WorkspaceId, kind: EventKind, post: &Post) -> NewEvent {
    let payload = value!({
        "postId": post.id,
        "groupId": post.group_id,
        "parentPostId": post.parent_id,
        "platformId": post.platform_id,
        "state": post.state.as_str(),
        "scheduledFor": post.scheduled_for,
        "releaseId": post.release_id,
        "releaseUrl": post.release_url,
        "errorText": post.error_text,
    });
    NewEvent {
        workspace_id: workspace,
        kind,
        payload,
    }
}

/// What stands in the columns `waiting` and `is_overdue` of a post that waits for this.
pub(crate) const fn waiting_columns(waiting: Option<Waiting>) -> (Option<&'static str>, bool) {
    match waiting {
        Some(Waiting::Overdue) => (Some(Waiting::AccountUnavailable.as_str()), true),
        Some(waiting) => (Some(waiting.as_str()), false),
        None => (None, false),
    }
}

fn read_waiting(fields: Fields<'_>) -> Result<Option<Waiting>> {
    let waiting = fields.opt_word("waiting", Waiting::parse)?;
    let is_overdue: bool = fields.get("is_overdue")?;
    Ok(match waiting {
        Some(Waiting::AccountUnavailable) if is_overdue => Some(Waiting::Overdue),
        waiting => waiting,
    })
}

/// A post without its media.
pub(crate) fn read_post(row: &Row) -> Result<Post> {
    let fields = row.of("posts");
    Ok(Post {
        id: fields.id("id")?,
        group_id: fields.id::<GroupId>("group_id")?,
        parent_id: fields.opt_id("parent_id")?,
        platform_id: fields.id("platform_id")?,
        content: fields.get("content")?,
        state: fields.word("state", PostState::parse)?,
        waiting: read_waiting(fields)?,
        publishing: fields.get("publishing")?,
        scheduled_for: fields.opt_time("scheduled_for")?,
        delay_minutes: fields.opt_number("delay_minutes")?,
        release_id: fields.get("release_id")?,
        release_url: fields.get("release_url")?,
        settings: fields.json("settings")?,
        media_ids: Vec::new(),
        error_text: fields.get("error_text")?,
        created_at: fields.time("created_at")?,
        updated_at: fields.time("updated_at")?,
        created_by: fields.opt_json("created_by")?,
        updated_by: fields.opt_json("updated_by")?,
    })
}
