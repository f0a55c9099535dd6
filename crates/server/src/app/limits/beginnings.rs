//! The posts that this process is about to hand over.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use playout_domain::id::JobId;
use playout_domain::job::Job;
use playout_domain::limits::{RestrictionKind, Window};
use playout_domain::platform::Platform;
use playout_domain::time::Time;

/// The posts that this process is about to hand over, so that posts due together do not all request an account's options
/// at once.
#[derive(Debug, Default)]
pub struct Beginnings(Mutex<UnderWay>);

#[derive(Debug, Default)]
struct UnderWay {
    all: HashMap<JobId, Beginning>,
    /// How many of an account have ended that went into the ledger.
    ended: HashMap<ProviderAccount, u64>,
}

/// An account as its provider counts it: several workspaces may have connected it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ProviderAccount {
    provider: String,
    provider_account_id: String,
}

impl ProviderAccount {
    pub(super) fn of(platform: &Platform) -> Self {
        Self {
            provider: platform.provider.clone(),
            provider_account_id: platform.provider_account_id.clone(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Beginning {
    account: ProviderAccount,
    /// With which time it goes into the ledger, once it does; from then on it is counted there or here.
    opens_at: Option<Time>,
    /// What ends if the post is taken.
    pub(super) tried: Vec<RestrictionKind>,
}

/// A place among [`Beginnings`], until it is dropped.
#[derive(Debug)]
pub struct Place<'a> {
    beginnings: &'a Beginnings,
    job: JobId,
}

impl Beginnings {
    /// Takes a place if the window has room beside the hand-overs in the ledger and those under way; else returns when
    /// it will have.
    pub(super) fn take(
        &self,
        job: JobId,
        account: ProviderAccount,
        window: Option<Window>,
        mut newest_first: Vec<Time>,
        now: Time,
    ) -> Result<Place<'_>, Time> {
        let mut state = self.lock();
        // The ledger was read a moment ago: what has opened since is not in it, and what is about to may be.
        let (mut listed, mut under_way) = (newest_first.clone(), 0);
        for beginning in state
            .all
            .values()
            .filter(|beginning| beginning.account == account)
        {
            let found = listed
                .iter()
                .position(|listed| Some(*listed) == beginning.opens_at);
            match found {
                Some(found) => {
                    listed.swap_remove(found);
                }
                None => under_way += 1,
            }
        }
        newest_first.splice(0..0, std::iter::repeat_n(now, under_way));
        if let Some(room) = window.and_then(|window| window.next_room(&newest_first, now)) {
            return Err(room);
        }
        let beginning = Beginning {
            account,
            opens_at: None,
            tried: Vec::new(),
        };
        state.all.insert(job, beginning);
        Ok(Place {
            beginnings: self,
            job,
        })
    }

    /// How many of an account have ended that went into the ledger. Where this grows between reading the ledger and
    /// [`Beginnings::take`], one may have been counted in neither.
    pub(super) fn ended(&self, account: &ProviderAccount) -> u64 {
        self.lock().ended.get(account).copied().unwrap_or(0)
    }

    /// The job's post is about to go into the ledger with this time.
    pub fn opens(&self, job: &Job, at: Time) {
        self.change(job, |beginning| beginning.opens_at = Some(at));
    }

    pub(super) fn change<T: Default>(&self, job: &Job, change: impl FnOnce(&mut Beginning) -> T) -> T {
        self.lock().all.get_mut(&job.id).map(change).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.beginnings.lock();
        if let Some(beginning) = state.all.remove(&self.job)
            && beginning.opens_at.is_some()
        {
            *state.ended.entry(beginning.account).or_default() += 1;
        }
    }
}
