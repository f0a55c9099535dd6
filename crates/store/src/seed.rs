//! Filling a workspace with many posts at once: for benchmarks, and for the demo, whose posts have a past.

use std::time::Duration;

use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, SubmissionId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::post::{Group, Post};
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use serde_json::Map;

use crate::db::{Result, Store, Tx, new_id, params};
use crate::delivery::settle::AttemptDetail;
use crate::jobs::NewJob;
use crate::posts::create::{NewGroup, NewPost};

/// Groups in one transaction.
const CHUNK: u64 = 500;

/// Many posts that differ only in their number and time.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedPosts {
    /// How many.
    pub count: u64,
    /// The accounts they go to, in turns.
    pub platforms: Vec<PlatformId>,
    /// The media of each.
    pub media_ids: Vec<MediaId>,
    /// Whether they are queued rather than drafts.
    pub queued: bool,
    /// The time of the first.
    pub first_at: Time,
    /// How much later each is than the one before.
    pub step: Duration,
}

/// A group without comments that is to look as if it had been there for a while.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedGroup {
    /// The group; its comments are left out.
    pub group: NewGroup,
    /// When it was made.
    pub created_at: Time,
    /// How it ended; `None` of a draft, and of what waits for its time.
    pub end: Option<SeedEnd>,
}

/// The one try of a seeded post, which never took place.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedEnd {
    /// When it began.
    pub started_at: Time,
    /// When it ended.
    pub ended_at: Time,
    /// How its bytes travelled; `None` where it ended before that.
    pub transfer: Option<Transfer>,
    /// What the provider calls it.
    pub handle: Option<String>,
    /// That it was seeded, in a sentence for people; attempts show it as the reason for the transfer.
    pub note: &'static str,
    /// How it ended.
    pub outcome: SubmissionOutcome,
    /// What became of the post.
    pub verdict: Verdict,
    /// What the provider returned, as the ledger shows it.
    pub detail: AttemptDetail,
}

impl Store {
    /// Makes the groups in a workspace that has no posts; `false`, and nothing is made, where it has some. What waits for
    /// its time goes out as any post does, and what is in a creator's inbox is followed; no event of an end is logged,
    /// because there was none. Posts count in the month in which they were made.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn seed_groups(
        &self,
        workspace: WorkspaceId,
        seeds: Vec<SeedGroup>,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        // A concurrent call for the same workspace waits here.
        let is_free = tx.lock_workspace(workspace).await?
            && tx
                .row(
                    "SELECT id FROM posts WHERE workspace_id = $1 LIMIT 1",
                    params![workspace],
                )
                .await?
                .is_none();
        if !is_free {
            return Ok(false);
        }
        let (mut waiting, mut ended) = (Vec::new(), Vec::new());
        for seed in seeds {
            let queued = u64::from(seed.group.queued);
            tx.count_posts(workspace, queued, None, seed.created_at).await?;
            let group = seed.group.at(seed.created_at);
            match seed.end {
                Some(end) => ended.push((group.root, end)),
                None => waiting.push(Group {
                    root: group.root,
                    children: Vec::new(),
                }),
            }
        }
        tx.insert_groups(workspace, &waiting, now).await?;
        tx.insert_ended(workspace, ended, now).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Makes the posts, without a limit, and returns their identifiers in the order of their times.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn seed_posts(
        &self,
        workspace: WorkspaceId,
        seed: &SeedPosts,
        now: Time,
    ) -> Result<Vec<PostId>> {
        let mut ids = Vec::new();
        let mut number = 0;
        let mut at = seed.first_at;
        while number < seed.count {
            let until = seed.count.min(number + CHUNK);
            let mut groups = Vec::new();
            for number in number..until {
                groups.extend(seed.group(number, at, now));
                at = at.plus(seed.step);
            }
            ids.extend(groups.iter().map(|group| group.root.id));
            self.create_groups(workspace, groups, None, now).await?;
            number = until;
        }
        Ok(ids)
    }
}

impl SeedPosts {
    /// The group with this number; `None` if there is no account for it.
    fn group(&self, number: u64, at: Time, now: Time) -> Option<NewGroup> {
        let turn = number.checked_rem(self.platforms.len() as u64)?;
        let platform_id = *self.platforms.get(usize::try_from(turn).ok()?)?;
        Some(NewGroup {
            group_id: new_id::<GroupId>(now),
            platform_id,
            queued: self.queued,
            scheduled_for: Some(at),
            created_by: None,
            root: NewPost {
                id: new_id::<PostId>(now),
                content: format!("Post {number}"),
                delay_minutes: None,
                settings: Map::new(),
                media_ids: self.media_ids.clone(),
            },
            children: Vec::new(),
        })
    }
}

impl Tx {
    /// Adds posts as if they had been handed over and had come out.
    async fn insert_ended(
        &mut self,
        workspace: WorkspaceId,
        mut posts: Vec<(Post, SeedEnd)>,
        now: Time,
    ) -> Result<()> {
        // In QUEUE, as every post that is handed over was.
        let queued: Vec<(u64, &Post)> = posts.iter().map(|(post, _)| (0, post)).collect();
        self.insert_posts(workspace, &queued).await?;
        for (post, end) in &mut posts {
            self.insert_try(workspace, post, end).await?;
            post.apply(&end.verdict, end.ended_at);
            self.save_outcome(post).await?;
            if end.outcome == SubmissionOutcome::InInbox {
                let job = NewJob::of(workspace, post, JobKind::ResolveLink, now);
                self.queue_job(job, now).await?;
            }
        }
        Ok(())
    }

    async fn insert_try(&mut self, workspace: WorkspaceId, post: &Post, end: &SeedEnd) -> Result<()> {
        let id: SubmissionId = new_id(end.started_at);
        let sql =
            "INSERT INTO submissions (id, workspace_id, platform_id, post_id, transfer, handle, sent_bytes,
            transfer_reason, started_at, closed_at, outcome, code, message)
            VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10, $11, $12)";
        let params = params![
            id,
            workspace,
            post.platform_id,
            post.id,
            end.transfer.map(Transfer::as_str),
            end.handle.clone(),
            end.note,
            end.started_at,
            end.ended_at,
            end.outcome.as_str(),
            end.detail.code.clone(),
            end.detail.message.clone()
        ];
        self.execute(sql, params).await?;
        Ok(())
    }
}
