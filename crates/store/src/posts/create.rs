//! Making posts: group, comments, media, usage, job and event in one transaction, with few statements.

use playout_domain::audit::Author;
use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::id::{GroupId, JobId, MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::job::{JobKind, RETRY_WINDOW};
use playout_domain::post::{Group, Post, PostState};
use playout_domain::time::Time;
use serde_json::{Map, Value};

use super::read::{listed_media, post_event};
use crate::db::{Param, Result, Store, Tx, json, new_id, params, stored_fold};
use crate::idempotency::Keep;
use crate::usage::{LimitReached, MonthlyLimit};

/// A group to be: a root post and its comments, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGroup {
    /// Its identifier.
    pub group_id: GroupId,
    /// The account it goes to.
    pub platform_id: PlatformId,
    /// Whether it enters QUEUE, to go out at `scheduled_for` or now, rather than being a DRAFT.
    pub queued: bool,
    /// When it is to go out, or is planned to.
    pub scheduled_for: Option<Time>,
    /// Who creates it; `None` for the operator.
    pub created_by: Option<Author>,
    /// The root.
    pub root: NewPost,
    /// The comments.
    pub children: Vec<NewPost>,
}

/// A post to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPost {
    /// Its identifier.
    pub id: PostId,
    /// The caption, or the comment's text.
    pub content: String,
    /// How long a comment waits after the one before it.
    pub delay_minutes: Option<u32>,
    /// The provider's settings.
    pub settings: Map<String, Value>,
    /// Its media, in order.
    pub media_ids: Vec<MediaId>,
}

/// What became of [`Store::create_groups`].
#[derive(Debug, Clone, PartialEq)]
pub enum CreateGroups {
    /// All exist now, in the order given.
    Created(Vec<Group>),
    /// The month's posts do not suffice for all of them; nothing was made.
    LimitReached(LimitReached),
}

impl Store {
    /// Makes all of the groups, or none. Each queued root counts in this month (UTC).
    ///
    /// # Errors
    /// When the database fails; a conflict when an account or media vanished meanwhile.
    pub async fn create_groups(
        &self,
        workspace: WorkspaceId,
        groups: Vec<NewGroup>,
        quota: Option<MonthlyLimit>,
        now: Time,
    ) -> Result<CreateGroups> {
        self.create_groups_once(workspace, groups, quota, Keep::nowhere(), now)
            .await
    }

    /// [`Store::create_groups`], and stores the answer that they make.
    ///
    /// # Errors
    /// The same; or when the claim was taken over.
    pub async fn create_groups_once(
        &self,
        workspace: WorkspaceId,
        groups: Vec<NewGroup>,
        quota: Option<MonthlyLimit>,
        keep: Keep<'_, [Group]>,
        now: Time,
    ) -> Result<CreateGroups> {
        let mut tx = self.begin().await?;
        let queued = groups.iter().filter(|group| group.queued).count() as u64;
        let groups: Vec<Group> = groups.into_iter().map(|group| group.at(now)).collect();
        tx.insert_groups(workspace, &groups, now).await?;
        // Last, because counting holds a lock: everyone else in the workspace who creates posts waits for it.
        if let Some(reached) = tx.count_posts(workspace, queued, quota, now).await? {
            return Ok(CreateGroups::LimitReached(reached));
        }
        tx.keep(keep, groups.as_slice()).await?;
        tx.commit().await?;
        Ok(CreateGroups::Created(groups))
    }
}

impl Store {
    /// Makes each of several batches of groups or, where the month's posts do not suffice for all of a batch, none of it. In one
    /// transaction, which stores the answer that they make; earlier batches come first.
    ///
    /// # Errors
    /// The same as [`Store::create_groups_once`]; then none is made.
    pub async fn create_batches_once(
        &self,
        workspace: WorkspaceId,
        batches: Vec<Vec<NewGroup>>,
        quota: Option<MonthlyLimit>,
        keep: Keep<'_, [CreateGroups]>,
        now: Time,
    ) -> Result<Vec<CreateGroups>> {
        let mut tx = self.begin().await?;
        let mut left = match quota {
            Some(quota) => Some(tx.room_for_posts(workspace, quota, now).await?),
            None => None,
        };
        let mut outcomes = Vec::with_capacity(batches.len());
        let mut made = Vec::new();
        for batch in batches {
            let queued = batch.iter().filter(|group| group.queued).count() as u64;
            if let Some(room) = &mut left
                && let Some(reached) = room.take(queued)
            {
                outcomes.push(CreateGroups::LimitReached(reached));
                continue;
            }
            let groups: Vec<Group> = batch.into_iter().map(|group| group.at(now)).collect();
            made.extend(groups.iter().cloned());
            outcomes.push(CreateGroups::Created(groups));
        }
        let queued = made
            .iter()
            .filter(|group| group.root.state == PostState::Queue)
            .count() as u64;
        tx.insert_groups(workspace, &made, now).await?;
        // There is room for them. Without a limit nothing is locked before.
        tx.count_posts(workspace, queued, None, now).await?;
        tx.keep(keep, outcomes.as_slice()).await?;
        tx.commit().await?;
        Ok(outcomes)
    }
}

impl NewGroup {
    pub(crate) fn at(self, now: Time) -> Group {
        let root_id = self.root.id;
        let place = Place {
            group_id: self.group_id,
            platform_id: self.platform_id,
            state: if self.queued {
                PostState::Queue
            } else {
                PostState::Draft
            },
            created_by: self.created_by,
            now,
        };
        let mut root = self.root.at(&place, None);
        root.scheduled_for = self.scheduled_for;
        let children = self.children.into_iter();
        Group {
            root,
            children: children.map(|child| child.at(&place, Some(root_id))).collect(),
        }
    }
}

/// What the posts of a group have in common when they are made.
pub(crate) struct Place {
    pub(crate) group_id: GroupId,
    pub(crate) platform_id: PlatformId,
    pub(crate) state: PostState,
    pub(crate) created_by: Option<Author>,
    pub(crate) now: Time,
}

impl NewPost {
    pub(crate) fn at(self, place: &Place, parent_id: Option<PostId>) -> Post {
        Post {
            id: self.id,
            group_id: place.group_id,
            parent_id,
            platform_id: place.platform_id,
            content: self.content,
            state: place.state,
            waiting: None,
            publishing: false,
            scheduled_for: None,
            delay_minutes: self.delay_minutes,
            release_id: None,
            release_url: None,
            settings: self.settings,
            media_ids: self.media_ids,
            error_text: None,
            created_at: place.now,
            updated_at: place.now,
            created_by: place.created_by.clone(),
            updated_by: None,
        }
    }
}

impl Tx {
    /// Adds groups with everything that belongs to them but usage.
    pub(crate) async fn insert_groups(
        &mut self,
        workspace: WorkspaceId,
        groups: &[Group],
        now: Time,
    ) -> Result<()> {
        self.changed(workspace, Noun::Post);
        let posts: Vec<(u64, &Post)> = groups.iter().flat_map(numbered_posts).collect();
        self.insert_posts(workspace, &posts).await?;
        let roots = || groups.iter().map(|group| &group.root);
        let queued = || roots().filter(|root| root.state == PostState::Queue);
        let jobs: Vec<Vec<Param>> = queued().map(|root| publish_job(workspace, root, now)).collect();
        if !jobs.is_empty() {
            self.insert(
                "INSERT INTO jobs (id, workspace_id, platform_id, post_id, kind, run_at, due_at, attempt, failures,
                 checks, deadline_at, planned_at)",
                jobs,
            )
            .await?;
        }
        for root in queued() {
            self.wake_workers_for(root.scheduled_for.unwrap_or(now), now);
        }
        let created = roots().map(|root| post_event(workspace, EventKind::PostCreated, root));
        let queued = queued().map(|root| post_event(workspace, EventKind::PostQueued, root));
        self.append_events(created.chain(queued).collect(), now).await
    }

    /// Adds posts, each with its position in its group, and their media.
    pub(crate) async fn insert_posts(
        &mut self,
        workspace: WorkspaceId,
        posts: &[(u64, &Post)],
    ) -> Result<()> {
        let rows = posts
            .iter()
            .map(|(position, post)| post_row(workspace, *position, post));
        self.insert(
            "INSERT INTO posts (id, workspace_id, group_id, parent_id, position, platform_id, content, state,
             publishing, scheduled_for, delay_minutes, settings, effective_at, counted_month, created_at,
             updated_at, version, created_by, folded, listed_media)",
            rows.collect(),
        )
        .await?;
        let media = posts
            .iter()
            .flat_map(|(_, post)| media_rows(workspace, post.id, &post.media_ids));
        self.insert_post_media(media.collect()).await
    }

    /// Adds media to posts; see [`media_rows`].
    pub(crate) async fn insert_post_media(&mut self, rows: Vec<Vec<Param>>) -> Result<()> {
        self.insert(
            "INSERT INTO post_media (workspace_id, post_id, position, media_id)",
            rows,
        )
        .await
    }
}

/// The rows that give a post its media, in order.
pub(crate) fn media_rows(workspace: WorkspaceId, post: PostId, media: &[MediaId]) -> Vec<Vec<Param>> {
    let row = |(position, media): (u64, &MediaId)| params![workspace, post, position, *media];
    (0..).zip(media).map(row).collect()
}

fn numbered_posts(group: &Group) -> impl Iterator<Item = (u64, &Post)> {
    (0..).zip(std::iter::once(&group.root).chain(&group.children))
}

fn post_row(workspace: WorkspaceId, position: u64, post: &Post) -> Vec<Param> {
    let counts = post.is_root() && post.state == PostState::Queue;
    params![
        post.id,
        workspace,
        post.group_id,
        post.parent_id,
        position,
        post.platform_id,
        &post.content,
        post.state.as_str(),
        post.publishing,
        post.scheduled_for,
        post.delay_minutes,
        json(&post.settings),
        post.scheduled_for.unwrap_or(post.created_at),
        counts.then(|| post.created_at.month()),
        post.created_at,
        post.updated_at,
        1i64,
        author(post.created_by.as_ref()),
        stored_fold(&post.content).filter(|_| post.is_root()),
        listed_media(if post.is_root() { &post.media_ids } else { &[] })
    ]
}

/// An author as a parameter.
pub(crate) fn author(author: Option<&Author>) -> Param {
    author.map_or(Param::Json(None), json)
}

fn publish_job(workspace: WorkspaceId, root: &Post, now: Time) -> Vec<Param> {
    let id: JobId = new_id(now);
    let run_at = root.scheduled_for.unwrap_or(now);
    let deadline = run_at.max(now).plus(RETRY_WINDOW);
    let kind = JobKind::PublishPost.as_str();
    params![
        id,
        workspace,
        root.platform_id,
        root.id,
        kind,
        run_at,
        run_at,
        0i64,
        0i64,
        0i64,
        deadline,
        run_at
    ]
}
