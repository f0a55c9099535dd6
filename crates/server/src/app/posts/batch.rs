//! Creating several posts at once, each by itself: what is wrong with one keeps no other from being created.
//!
//! 1. The accounts and media of all posts are read together; each post is judged like one that is created alone, and posts of the batch
//!    that go out before it count where an account's limits are foreseen.
//! 2. All accepted posts are stored in one transaction, together with the answer. The month's posts are given out in their order.
//! 3. Media that were deleted in between fail the transaction; then all is judged again.

use std::collections::HashMap;
use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::error::Refusal;
use playout_domain::id::{MediaId, PlatformId};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{CreateGroups, MonthlyLimit, NewGroup, StoreError};
use playout_wire::posts::{BatchEntry, BatchPostResult, BatchResults, CreateBatch, CreatePost};

use super::create::{Creator, JudgedPlatform, Referred, accepted, named, results, validated};
use super::judge::missing_media;
use super::refusals::limit_reached;
use crate::app::once::Kept;
use crate::app::{App, AppError};

/// How often a batch is judged again because media of it were deleted meanwhile.
const MOST_TRIES: usize = 3;

/// A post of a batch: the verdict for each of its accounts, or why it is rejected as a whole.
type JudgedPost = Result<Vec<JudgedPlatform>, Refusal>;

impl App {
    /// Creates each post of a batch by itself; with `dryRun`, none.
    pub async fn create_batch(
        self: &Arc<Self>,
        workspace: &Workspace,
        batch: &CreateBatch,
        creator: Creator<'_>,
        kept: &Kept<BatchResults>,
    ) -> Result<BatchResults, AppError> {
        if batch.dry_run {
            return self.try_batch(workspace, batch, creator).await;
        }
        let mut tries = 1;
        loop {
            let referred = self.referred_by_all(workspace, batch, creator).await?;
            let judged = self.judge_batch(workspace, batch, &referred, creator).await?;
            let groups = judged.iter().map(|post| groups_of(post, creator.by)).collect();
            let keep = kept.keep(|made: &[CreateGroups]| entries(&judged, made));
            let made = self.store.create_batches_once(
                workspace.id,
                groups,
                self.quota_of(workspace),
                keep,
                self.now(),
            );
            match made.await {
                Ok(made) => {
                    for made in &made {
                        if let CreateGroups::Created(groups) = made {
                            self.prepare_photos_of(workspace.id, groups, &referred);
                        }
                    }
                    return Ok(entries(&judged, &made));
                }
                Err(StoreError::Conflict { .. }) if tries < MOST_TRIES => tries += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What creating the batch would return; the plan's posts that are left are given out in the same order.
    async fn try_batch(
        self: &Arc<Self>,
        workspace: &Workspace,
        batch: &CreateBatch,
        creator: Creator<'_>,
    ) -> Result<BatchResults, AppError> {
        let referred = self.referred_by_all(workspace, batch, creator).await?;
        let judged = self.judge_batch(workspace, batch, &referred, creator).await?;
        let mut room = match self.quota_of(workspace) {
            Some(quota) => Some(self.store.posts_left(workspace.id, quota, self.now()).await?),
            None => None,
        };
        let entry = |(index, post): (usize, JudgedPost)| {
            let queued = groups_of(&post, creator.by)
                .iter()
                .filter(|group| group.queued)
                .count();
            match (post, room.as_mut().and_then(|room| room.take(queued as u64))) {
                (Err(refusal), _) => BatchEntry::failed(index, refusal),
                (Ok(_), Some(reached)) => BatchEntry::failed(index, limit_reached(reached)),
                (Ok(verdicts), None) => {
                    let results = validated(verdicts).into_iter().map(BatchPostResult::from);
                    BatchEntry::of(index, true, results.collect())
                }
            }
        };
        Ok(BatchResults {
            results: judged.into_iter().enumerate().map(entry).collect(),
        })
    }

    fn quota_of(&self, workspace: &Workspace) -> Option<MonthlyLimit> {
        let limit = self.plan_of(&workspace.plan).posts_per_month;
        limit.map(|limit| MonthlyLimit { limit })
    }

    async fn referred_by_all(
        &self,
        workspace: &Workspace,
        batch: &CreateBatch,
        creator: Creator<'_>,
    ) -> Result<Referred, AppError> {
        let posts = || batch.posts.iter().filter_map(|post| post.as_ref().ok());
        let mut platforms: Vec<PlatformId> = posts().flat_map(|post| &post.platform_ids).copied().collect();
        let mut media: Vec<MediaId> = posts().flat_map(media_of).collect();
        platforms.sort_unstable();
        platforms.dedup();
        media.sort_unstable();
        media.dedup();
        let media = match media.is_empty() {
            true => HashMap::new(),
            false => {
                let found = self.store.find_media_many(workspace.id, &media).await?;
                found.into_iter().map(|media| (media.id, media)).collect()
            }
        };
        Ok(Referred {
            platforms: self
                .platforms_by_id(workspace.id, &platforms, creator.accounts)
                .await?,
            media,
            held: self.held_warning().await?,
        })
    }

    async fn judge_batch(
        &self,
        workspace: &Workspace,
        batch: &CreateBatch,
        referred: &Referred,
        creator: Creator<'_>,
    ) -> Result<Vec<JudgedPost>, AppError> {
        let mut judged: Vec<Option<JudgedPost>> = batch.posts.iter().map(|_| None).collect();
        let mut before: Vec<NewGroup> = Vec::new();
        for index in by_time(batch, self.now()) {
            let post = &batch.posts[index];
            let missing = post
                .as_ref()
                .map(|post| missing_media(named(post), &referred.media));
            let verdicts = match (post, missing) {
                (Err(issues), _) => Err(Refusal::invalid(issues.clone())),
                (Ok(_), Ok(missing)) if !missing.is_empty() => Err(Refusal::invalid(missing)),
                (Ok(post), _) => Ok(self.judge_all(workspace, post, referred, &before).await?),
            };
            before.extend(groups_of(&verdicts, creator.by));
            judged[index] = Some(verdicts);
        }
        Ok(judged.into_iter().flatten().collect())
    }
}

/// The positions of the posts of a batch in the order of their times.
fn by_time(batch: &CreateBatch, now: Time) -> Vec<usize> {
    let at = |index: &usize| match &batch.posts[*index] {
        Ok(post) => post.mode.scheduled_for().unwrap_or(now).max(now),
        Err(_) => now,
    };
    let mut positions: Vec<usize> = (0..batch.posts.len()).collect();
    positions.sort_by_key(at);
    positions
}

fn media_of(post: &CreatePost) -> impl Iterator<Item = MediaId> + '_ {
    let of_comments = post.comments.iter().flat_map(|comment| &comment.media_ids);
    post.media_ids.iter().chain(of_comments).copied()
}

fn groups_of(post: &JudgedPost, by: &Actor) -> Vec<NewGroup> {
    post.as_ref()
        .map(|verdicts| accepted(verdicts, by))
        .unwrap_or_default()
}

/// The entry of each post; `made` is what became of each one's groups.
fn entries(judged: &[JudgedPost], made: &[CreateGroups]) -> BatchResults {
    let entry = |(index, (post, made)): (usize, (&JudgedPost, &CreateGroups))| match (post, made) {
        (Err(refusal), _) => BatchEntry::failed(index, refusal.clone()),
        (Ok(_), CreateGroups::LimitReached(reached)) => BatchEntry::failed(index, limit_reached(*reached)),
        (Ok(verdicts), CreateGroups::Created(groups)) => {
            let results = results(verdicts, groups).results.into_iter();
            BatchEntry::of(index, false, results.map(BatchPostResult::from).collect())
        }
    };
    BatchResults {
        results: judged.iter().zip(made).enumerate().map(entry).collect(),
    }
}
