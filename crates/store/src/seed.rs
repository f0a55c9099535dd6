//! Filling a workspace with many posts at once, for benchmarks.

use std::time::Duration;

use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::time::Time;
use serde_json::Map;

use crate::chance::new_id;
use crate::create_posts::{NewGroup, NewPost};
use crate::db::Store;
use crate::error::Result;

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

impl Store {
    /// Makes the posts, without a limit, and answers their identifiers in the order of their times.
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
