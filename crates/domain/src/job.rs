//! Jobs: when work is due. The post row holds the state; a job row holds only the time.

use std::time::Duration;

use crate::id::{JobId, PlatformId, PostId, WorkspaceId};
use crate::time::Time;

/// What a job does. Imperatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Brings a root post to its provider, and checks its progress there.
    PublishPost,
    /// Brings a comment under its published root.
    PublishComment,
    /// Finds out the public address of a post that is out.
    ResolveLink,
    /// Buys an account's next tokens before the present ones end.
    RefreshPlatform,
}

impl JobKind {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::PublishPost,
        Self::PublishComment,
        Self::ResolveLink,
        Self::RefreshPlatform,
    ];

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PublishPost => "publish_post",
            Self::PublishComment => "publish_comment",
            Self::ResolveLink => "resolve_link",
            Self::RefreshPlatform => "refresh_platform",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What a run of a job takes of the engine. Each queue has a budget of its own, so that none waits for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobQueue {
    /// Handing a post over, up to the provider's answer.
    Start,
    /// Sending the bytes of a post that was handed over.
    Upload,
    /// Asking what became of a post, and its comments.
    Check,
    /// What no post waits for: tokens, public addresses.
    Housekeeping,
}

impl JobQueue {
    /// All of them; what is due in the first is claimed first.
    pub const ALL: [Self; 4] = [Self::Start, Self::Upload, Self::Check, Self::Housekeeping];

    /// The queue of a new job of that kind.
    pub const fn of(kind: JobKind) -> Self {
        match kind {
            JobKind::PublishPost => Self::Start,
            JobKind::PublishComment => Self::Check,
            JobKind::ResolveLink | JobKind::RefreshPlatform => Self::Housekeeping,
        }
    }

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Upload => "upload",
            Self::Check => "check",
            Self::Housekeeping => "housekeeping",
        }
    }

    /// The queue of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|queue| queue.as_str() == word)
    }
}

/// A claimed job. `id`, `attempt` and `lease_owner` together are the fence: a later claim has a higher attempt, and every
/// write of an earlier holder changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its identifier.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// Whose budget it was claimed from.
    pub queue: JobQueue,
    /// The workspace it works for.
    pub workspace_id: WorkspaceId,
    /// The post it is about, if any.
    pub post_id: Option<PostId>,
    /// The account it is about.
    pub platform_id: PlatformId,
    /// When this run was due.
    pub run_at: Time,
    /// When the job was due first, before any retry. Connecting an account again keeps it for the posts that waited for that.
    pub planned_at: Time,
    /// When it was first claimed; `None` if a program claimed it that did not note that.
    pub first_claimed_at: Option<Time>,
    /// When a person asked for its post to go out; `None` if none did, as where it goes on because its account was connected again, or if a
    /// program made it that did not note that. A post that gets another time keeps it.
    pub asked_at: Option<Time>,
    /// The node that claimed it.
    pub lease_owner: String,
    /// How often it was claimed, this time included.
    pub attempt: i64,
    /// How many tries failed in a row.
    pub failures: u32,
    /// How many times the provider was asked about the current submission.
    pub checks: u32,
    /// When it gives up.
    pub deadline_at: Time,
}

/// When a job that is not finished runs again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// When.
    pub run_at: Time,
    /// How many tries have failed in a row.
    pub failures: u32,
    /// How many times the provider was asked about the current submission.
    pub checks: u32,
    /// Whose budget it takes next.
    pub queue: JobQueue,
}

impl Job {
    /// When it was found due: at its first claim; now, if it was never given back since, because that run may have died with its
    /// process before it did anything.
    pub fn found_at(&self, now: Time) -> Time {
        self.first_claimed_at
            .filter(|first| self.run_at > *first)
            .unwrap_or(now)
    }
}

/// How long transient faults are retried (`docs/contract.md#retries`), from the first claim.
pub const RETRY_WINDOW: Duration = Duration::from_secs(24 * 3600);

/// When to try again after `failures` failed tries (from 1): 5 s doubling up to 30 min, with full-range jitter of
/// ±25 %. `chance` is uniform in 0..1. `None` when that would be past the deadline.
pub fn retry_at(now: Time, failures: u32, deadline: Time, chance: f64) -> Option<Time> {
    let base = Duration::from_secs(5) * 2u32.saturating_pow(failures.saturating_sub(1).min(12));
    let pause = base
        .min(Duration::from_secs(1800))
        .mul_f64(0.75 + 0.5 * chance.clamp(0.0, 1.0));
    let at = now.plus(pause);
    (at <= deadline).then_some(at)
}

/// When to hand over anew what a provider took and then lost `losses` times (from 1). Each handover may count against a
/// limit of the provider, so only the first three follow soon, as in [`retry_at`]; from then on pauses grow from 10 min to
/// 4 h: about a dozen handovers in [`RETRY_WINDOW`]. `None` when that would be past the deadline.
pub fn repeat_at(now: Time, losses: u32, deadline: Time, chance: f64) -> Option<Time> {
    let Some(slow) = losses.checked_sub(QUICK_REPEATS + 1) else {
        return retry_at(now, losses, deadline, chance);
    };
    let base = Duration::from_secs(600) * 2u32.saturating_pow(slow.min(12));
    let pause = base
        .min(Duration::from_secs(4 * 3600))
        .mul_f64(0.75 + 0.5 * chance.clamp(0.0, 1.0));
    let at = now.plus(pause);
    (at <= deadline).then_some(at)
}

/// How many losses are answered within seconds.
const QUICK_REPEATS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_lost_post_is_handed_over_about_a_dozen_times_in_a_day() {
        let start = Time::from_secs(0);
        let deadline = start.plus(RETRY_WINDOW);
        for chance in [0.0, 0.5, 1.0] {
            let times: Vec<Time> = std::iter::successors(Some((start, 1)), |(now, losses)| {
                repeat_at(*now, *losses, deadline, chance).map(|at| (at, losses + 1))
            })
            .map(|(at, _)| at)
            .collect();
            assert!((10..=15).contains(&times.len()), "{chance}: {times:?}");
            assert!(
                times[3].since(start) < Duration::from_secs(60),
                "{chance}: {times:?}"
            );
            assert!(
                times.windows(2).all(|pair| pair[0] < pair[1]),
                "{chance}: {times:?}"
            );
        }
    }

    fn claimed(run_at: i64, first_claimed_at: Option<i64>) -> Job {
        Job {
            id: uuid::Uuid::nil().into(),
            kind: JobKind::PublishPost,
            queue: JobQueue::Start,
            workspace_id: uuid::Uuid::nil().into(),
            post_id: None,
            platform_id: uuid::Uuid::nil().into(),
            run_at: Time::from_secs(run_at),
            planned_at: Time::from_secs(100),
            first_claimed_at: first_claimed_at.map(Time::from_secs),
            asked_at: None,
            lease_owner: "node".to_owned(),
            attempt: 1,
            failures: 0,
            checks: 0,
            deadline_at: Time::from_secs(1_000_000),
        }
    }

    #[test]
    fn a_job_is_found_when_it_is_first_claimed_unless_that_run_never_gave_it_back() {
        let now = Time::from_secs(9000);
        assert_eq!(claimed(100, Some(9000)).found_at(now), now, "the first claim");
        assert_eq!(claimed(100, Some(110)).found_at(now), now, "the first run died");
        assert_eq!(
            claimed(115, Some(110)).found_at(now),
            Time::from_secs(110),
            "a retry"
        );
        assert_eq!(claimed(100, None).found_at(now), now);
    }

    proptest! {
        #[test]
        fn a_job_is_never_found_before_its_first_claim_or_after_now(
            run_at in 0i64..10_000, first in 0i64..10_000, pause in 0i64..10_000
        ) {
            let now = Time::from_secs(first + pause);
            let found = claimed(run_at, Some(first)).found_at(now);
            prop_assert!(Time::from_secs(first) <= found && found <= now);
        }

        #[test]
        fn a_retry_is_always_later_within_its_bounds_and_before_the_deadline(
            failures in 1u32..10_000, chance in 0.0f64..1.0, deadline in 0i64..200_000
        ) {
            let (now, deadline) = (Time::from_secs(100_000), Time::from_secs(deadline));
            if let Some(at) = retry_at(now, failures, deadline, chance) {
                prop_assert!(at >= now.plus(Duration::from_millis(3750)));
                prop_assert!(at <= now.plus(Duration::from_secs(2250)));
                prop_assert!(at <= deadline);
            }
        }
    }
}
