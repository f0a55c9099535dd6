//! What the first run of a post's job looks up, for all that were claimed together: due at the same moment, fifty posts cost
//! five questions and not two hundred and fifty. A run whose post changed since has lost its fence, and begins nothing.

use std::collections::HashMap;
use std::hash::Hash;

use playout_domain::id::{MediaId, PlatformId, PostId};
use playout_domain::media::Media;
use playout_domain::platform::Platform;
use playout_domain::post::{Group, Post};
use playout_domain::submission::Submission;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use crate::accounts::platforms::{platform_columns, read_platform};
use crate::db::{Result, Row, Store, asked, read_all};
use crate::media::read::{media_columns, read_media};
use crate::posts::read::{post_columns, read_post};

/// A post about to be handed over, and everything around it.
#[derive(Debug, Clone)]
pub struct Start {
    /// The post and its comments.
    pub group: Group,
    /// Where it goes, unless that was removed.
    pub platform: Option<Platform>,
    /// Whether to look for the post before it is handed over.
    pub mark: Option<HoldMark>,
    /// As of [`Store::unsettled_submission_of`].
    pub unsettled: Option<Submission>,
    /// The others whose end is unknown, or which the creator was to finish, the oldest first.
    pub earlier_unsettled: Vec<Submission>,
    /// The media of the whole group, in any order.
    pub media: Vec<Media>,
}

/// The mark of a hold: the post may have come out without this database's knowledge (`delivery/hold.rs`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldMark {
    /// From when on to look for it.
    pub since: Time,
    /// When it was looked for during the hold, and not found.
    pub looked_at: Option<Time>,
    /// The text to look for, where the post has another by now.
    pub content: Option<String>,
    /// Whether the account would not have listed the post when it was looked for: that it does not list it proves nothing.
    pub was_hidden: bool,
}

/// The posts of the groups of these posts.
pub(crate) fn groups_of(list: &str) -> String {
    format!(
        "SELECT {}, look_since, looked_at, look_content, look_hidden FROM posts WHERE (workspace_id, group_id) IN
             (SELECT workspace_id, group_id FROM posts WHERE id IN ({list})) ORDER BY group_id, position",
        post_columns!()
    )
}

pub(crate) fn platforms_among(list: &str) -> String {
    format!(
        "SELECT {} FROM platforms WHERE id IN ({list}) AND removed_at IS NULL",
        platform_columns!()
    )
}

pub(crate) fn media_among(list: &str) -> String {
    format!("SELECT {} FROM media WHERE id IN ({list})", media_columns!())
}

impl Store {
    /// What is known of these root posts, of any workspace: they are those of claimed jobs. Deleted ones are missing.
    ///
    /// # Errors
    /// When the database fails, or an upload session does not open.
    pub async fn find_starts(&self, roots: &[PostId]) -> Result<HashMap<PostId, Start>> {
        let (sql, params) = asked(groups_of, roots);
        let rows = self.rows(AssertSqlSafe(sql), params).await?;
        let mut posts = read_all(&rows, read_post)?;
        let mut marks: HashMap<PostId, HoldMark> =
            read_all(&rows, read_mark)?.into_iter().flatten().collect();
        if posts.is_empty() {
            return Ok(HashMap::new());
        }
        self.load_media(&mut posts).await?;
        let mut unsettled = self.unsettled_submissions_of(roots).await?;
        let platforms = self.platforms_of(&posts).await?;
        let media = self.media_of_all(&posts).await?;
        let start = |group: Group| {
            let all = std::iter::once(&group.root).chain(&group.children);
            let ids = all.flat_map(|post| &post.media_ids);
            let mut tries = unsettled.remove(&group.root.id).unwrap_or_default();
            let start = Start {
                platform: platforms.get(&group.root.platform_id).cloned(),
                mark: marks.remove(&group.root.id),
                unsettled: tries.pop(),
                earlier_unsettled: tries,
                media: ids.filter_map(|id| media.get(id)).cloned().collect(),
                group,
            };
            (start.group.root.id, start)
        };
        Ok(groups(posts).into_iter().map(start).collect())
    }

    async fn platforms_of(&self, posts: &[Post]) -> Result<HashMap<PlatformId, Platform>> {
        let ids: Vec<PlatformId> = distinct(posts.iter().map(|post| post.platform_id));
        let (sql, params) = asked(platforms_among, &ids);
        let found = read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_platform)?;
        Ok(found
            .into_iter()
            .map(|platform| (platform.id, platform))
            .collect())
    }

    async fn media_of_all(&self, posts: &[Post]) -> Result<HashMap<MediaId, Media>> {
        let ids: Vec<MediaId> = distinct(posts.iter().flat_map(|post| post.media_ids.iter().copied()));
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let (sql, params) = asked(media_among, &ids);
        let found = read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_media)?;
        Ok(found.into_iter().map(|media| (media.id, media)).collect())
    }
}

fn read_mark(row: &Row) -> Result<Option<(PostId, HoldMark)>> {
    let fields = row.of("posts");
    let (id, looked_at) = (fields.id("id")?, fields.opt_time("looked_at")?);
    let (since, content) = (fields.opt_time("look_since")?, fields.get("look_content")?);
    let was_hidden = fields.get("look_hidden")?;
    let mark = |since| HoldMark {
        since,
        looked_at,
        content,
        was_hidden,
    };
    Ok(since.map(|since| (id, mark(since))))
}

/// Groups of posts that stand in the order of groups and positions.
fn groups(posts: Vec<Post>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for post in posts {
        match groups.last_mut() {
            Some(group) if group.root.group_id == post.group_id => group.children.push(post),
            _ => groups.push(Group {
                root: post,
                children: Vec::new(),
            }),
        }
    }
    groups
}

fn distinct<T: Copy + Eq + Hash>(ids: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = std::collections::HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}
