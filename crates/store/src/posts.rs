//! Posts: making and reading them. Changing them is in `group_changes.rs`; publishing them in `settle.rs`.

use std::collections::HashMap;

use playout_domain::event::EventKind;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::post::{Group, Post, PostState, Waiting};
use playout_domain::time::Time;
use serde_json::json as value;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::db::Store;
use crate::error::Result;
use crate::events::NewEvent;
use crate::insert::numbered;
use crate::param::{Param, params};
use crate::row::{Row, read_all};

/// The columns that [`read_post`] reads.
macro_rules! post_columns {
    () => {
        "id, group_id, parent_id, platform_id, content, state, waiting, publishing, scheduled_for, delay_minutes,
         release_id, release_url, settings, error_text, created_at, updated_at"
    };
}
pub(crate) use post_columns;

/// A page of a list: at most `limit` rows, those that follow `after` in the list's order.
///
/// `after` is the sort key of the last row of the page before: (effective date, id) for posts, (created, id) for
/// media. Because the key names a place and not a count, rows added meanwhile make no page repeat or skip any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// At most so many rows.
    pub limit: u32,
    /// The key of the last row already seen.
    pub after: Option<(Time, Uuid)>,
}

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
}

/// A group, and the version that a change of it must name.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundGroup {
    /// The root and its comments.
    pub group: Group,
    /// Rises with every change by a person, so that what was validated is what is queued.
    pub version: i64,
}

impl Store {
    /// Root posts by effective date (`scheduled_for`, else `created_at`), then identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_root_posts(
        &self,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
    ) -> Result<Vec<Post>> {
        let (sql, params) = post_list(workspace, filter, page);
        let mut posts = read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_post)?;
        self.load_media(&mut posts).await?;
        Ok(posts)
    }

    /// The group of a post, by the identifier of its root or of a comment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_group(&self, workspace: WorkspaceId, post: PostId) -> Result<Option<FoundGroup>> {
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", version FROM posts WHERE workspace_id = $1
             AND group_id = (SELECT group_id FROM posts WHERE id = $2 AND workspace_id = $1) ORDER BY position"
        );
        let rows = self.rows(sql, params![workspace, post]).await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let version = first.of("posts").get("version")?;
        let mut posts = read_all(&rows, read_post)?;
        self.load_media(&mut posts).await?;
        let children = posts.split_off(1);
        let root = posts.swap_remove(0);
        let group = Group { root, children };
        Ok(Some(FoundGroup { group, version }))
    }

    /// Loads the media of all the posts with one query.
    async fn load_media(&self, posts: &mut [Post]) -> Result<()> {
        if posts.is_empty() {
            return Ok(());
        }
        let list = numbered(1, posts.len());
        let sql = format!(
            "SELECT post_id, media_id FROM post_media WHERE post_id IN ({list}) ORDER BY post_id, position"
        );
        let ids = posts.iter().map(|post| Param::from(post.id)).collect();
        let mut media: HashMap<PostId, Vec<MediaId>> = HashMap::new();
        for row in self.rows(AssertSqlSafe(sql), ids).await? {
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
}

/// The text and parameters of [`Store::list_root_posts`].
pub(crate) fn post_list(workspace: WorkspaceId, filter: &PostFilter, page: Page) -> (String, Vec<Param>) {
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
    if let Some((effective_at, id)) = page.after {
        and("(effective_at, id) > ({})", params![effective_at, id]);
    }
    if let Some(platform) = filter.platform_id {
        and("platform_id = {}", params![platform]);
    }
    if !filter.states.is_empty() {
        let states = filter.states.iter().map(|state| state.as_str().into());
        and("state IN ({})", states.collect());
    }
    if let Some(q) = &filter.q {
        and(
            "LOWER(content) LIKE LOWER({}) ESCAPE '\\'",
            params![containing(q)],
        );
    }
    params.push(page.limit.into());
    sql.push_str(&format!(" ORDER BY effective_at, id LIMIT ${}", params.len()));
    (sql, params)
}

/// The LIKE pattern of what contains `text` as it stands.
fn containing(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
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
        waiting: fields.opt_word("waiting", Waiting::parse)?,
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
    })
}
