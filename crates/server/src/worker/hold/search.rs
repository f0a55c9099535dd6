//! The search for marked posts at the provider: by the handle of the last try, else among what the account lists.

use std::sync::Arc;

use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Progress, RecentPosts};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{Hold, ReleaseOwner, SearchResult, Searched};

use super::candidate::Candidate;
use super::patience::Round;
use super::results::{answered, ended, in_vain, left_to_a_person, settle};
use crate::app::account::Account;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::logs::counted;
use crate::worker::publish::listed::may_be_another;
use crate::worker::verdicts;

/// What an account shows.
enum Shown {
    /// Its recent posts.
    Posts(RecentPosts),
    /// It shows none to us.
    Nothing,
    /// It cannot be asked before a person reconnects it.
    NoAccess,
    /// It could not be asked at the moment.
    NoAnswer,
}

/// The search for the posts of an account.
pub(super) struct Search<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) platform: &'a Platform,
    pub(super) account: Account<'a>,
    pub(super) round: Round,
}

impl Search<'_> {
    pub(super) async fn look(
        &self,
        hold: &Hold,
        candidates: &[Candidate],
        since: Time,
    ) -> Result<(), AppError> {
        let shown = self.shown(since).await?;
        if self.round.is_last && matches!(shown, Shown::NoAnswer) {
            tracing::warn!(
                platform = %self.platform.id,
                "{} of {} could not be looked for, because the provider has not listed any for ten minutes: once it lists them, \
                 `playoutd admin engine hold` searches for them again",
                counted(candidates.len() as u64, "post"),
                self.platform.shown_name()
            );
        }
        for candidate in candidates {
            let by_handle = self.by_handle(candidate).await?;
            let look = match (by_handle, &shown) {
                // Another draft may have followed, and be published.
                (Some(ByHandle::Is(Verdict::ActionRequired { .. })), Shown::NoAnswer)
                    if !self.round.is_last =>
                {
                    None
                }
                (Some(ByHandle::Is(verdict)), shown) => {
                    Some(answered(self.by_handle_or_list(candidate, verdict, shown).await?))
                }
                (Some(ByHandle::AskAgain), _) => None,
                (None, Shown::NoAnswer) if !self.round.is_last => None,
                (None, Shown::Posts(posts)) => Some(answered(self.among(candidate, posts).await?)),
                (None, Shown::Nothing) => Some(answered(self.unseen(candidate, false))),
                (None, Shown::NoAnswer) => Some(in_vain(self.unseen(candidate, true))),
                (None, Shown::NoAccess) => Some(in_vain(self.unsearched(candidate))),
            };
            if let Some(look) = look {
                let is_hidden = !candidate.is_listed(self.platform, self.account.provider.as_ref());
                settle(self.app, hold, candidate, Searched { is_hidden, ..look }).await?;
            }
        }
        Ok(())
    }

    async fn shown(&self, since: Time) -> Result<Shown, AppError> {
        if self.platform.refresh_needed {
            return Ok(Shown::NoAccess);
        }
        Ok(match self.account.recent_posts(since).await {
            Ok(Some(posts)) => Shown::Posts(posts),
            Ok(None) => Shown::Nothing,
            Err(CallError::Provider(error)) => {
                self.app.note_dead_access(self.platform, &error).await?;
                match error.fate {
                    Fate::Reauthorize | Fate::StaleToken => Shown::NoAccess,
                    _ => {
                        if !self.round.is_last {
                            self.log_unanswered(&error.code);
                        }
                        Shown::NoAnswer
                    }
                }
            }
            // Such as a token that cannot be opened: it is treated as an account that does not answer.
            Err(CallError::Internal(error)) => {
                tracing::error!(platform = %self.platform.id, "an account could not be asked for its posts: {error}");
                Shown::NoAnswer
            }
        })
    }

    /// Logs that the account could not be searched because of this code. What becomes of a post after it is another matter.
    fn log_unanswered(&self, code: &str) {
        let Round { until, .. } = self.round;
        let explained = self.app.explain(self.account.provider.id(), code);
        tracing::warn!(
            platform = %self.platform.id,
            "the posts of {} could not be searched, and are searched again until {until}; there is nothing to do until then. {} ({code})",
            self.platform.shown_name(),
            explained.map(|explained| explained.what_happened).unwrap_or_default()
        );
    }

    /// The provider's status of the post's tries: that of the last one, unless an earlier one is out or may come out. `None` if there
    /// is no handle to ask with, or the last try failed: then another one may have followed. That an earlier one is in the creator's
    /// inbox was known when the last one was made.
    async fn by_handle(&self, candidate: &Candidate) -> Result<Option<ByHandle>, AppError> {
        let mut found = match &candidate.handle {
            Some(handle) => self.of_try(candidate, handle).await?,
            None => None,
        };
        for handle in &candidate.earlier_handles {
            if matches!(found, Some(ByHandle::Is(Verdict::Published { .. }))) {
                break;
            }
            match self.of_try(candidate, handle).await? {
                Some(ByHandle::Is(Verdict::ActionRequired { .. })) | None => {}
                known => found = known,
            }
        }
        Ok(found)
    }

    /// What is known by the handle. That a try is in the creator's inbox says nothing of another one that this database does not know, and that
    /// the account may list.
    async fn by_handle_or_list(
        &self,
        candidate: &Candidate,
        verdict: Verdict,
        shown: &Shown,
    ) -> Result<SearchResult, AppError> {
        if let (Verdict::ActionRequired { .. }, Shown::Posts(posts)) = (&verdict, shown)
            && let found @ SearchResult::Ended(Verdict::Published { .. }, _) =
                self.among(candidate, posts).await?
        {
            return Ok(found);
        }
        Ok(ended(verdict))
    }

    /// The provider's status of a try; `None` if it failed, or the provider does not know it.
    async fn of_try(&self, candidate: &Candidate, handle: &str) -> Result<Option<ByHandle>, AppError> {
        let again = (!self.round.is_last).then_some(ByHandle::AskAgain);
        Ok(match self.account.check(handle).await {
            Ok(Progress::Published {
                release_id,
                release_url,
            }) => Some(ByHandle::Is(Verdict::Published {
                release_id,
                release_url,
            })),
            Ok(Progress::InInbox) => Some(ByHandle::Is(verdicts::in_inbox_after_hold())),
            Ok(Progress::Pending { .. }) => again,
            Ok(Progress::Failed(_)) => None,
            Err(CallError::Provider(error)) => match error.fate {
                Fate::Rejected | Fate::Reauthorize | Fate::StaleToken => None,
                _ => again,
            },
            Err(CallError::Internal(error)) => {
                tracing::error!(post = %candidate.post.id, "a post could not be asked after: {error}");
                again
            }
        })
    }

    async fn among(&self, candidate: &Candidate, shown: &RecentPosts) -> Result<SearchResult, AppError> {
        let store = &self.app.store;
        let mut found = Vec::new();
        for post in shown.posts.iter().filter(|post| candidate.may_be(post)) {
            if store.find_release(self.platform.id, &post.release_id).await? != ReleaseOwner::Known {
                found.push(post);
            }
        }
        match found.as_slice() {
            [] if !shown.is_whole_since(candidate.marked.since) => Ok(self.unseen(candidate, false)),
            [] => Ok(self.unseen(candidate, true)),
            [one] if !one.content.trim().is_empty() => {
                let (platform, post, since) = (self.platform.id, candidate.post.id, candidate.marked.since);
                // Where another post here would be listed so, it may be a post like them that was made after the copy.
                let is_another = !candidate.has_text(one)
                    || may_be_another(self.app, platform, post, one, since).await?
                    || store.has_twin(platform, post, &one.content).await?;
                let verdict = match is_another {
                    true => verdicts::restored(),
                    false => Verdict::Published {
                        release_id: Some(one.release_id.clone()),
                        release_url: one.release_url.clone(),
                    },
                };
                Ok(ended(verdict))
            }
            _ => Ok(left_to_a_person()),
        }
    }

    /// A post that was not seen. Where it can be looked for once more before it is handed over, it may stay as it is until then; one that
    /// would not be listed if it were out cannot. What a person sends is searched for first, which asks them where it cannot be found.
    fn unseen(&self, candidate: &Candidate, can_be_looked_for: bool) -> SearchResult {
        let can_be_looked_for =
            can_be_looked_for && candidate.is_listed(self.platform, self.account.provider.as_ref());
        let is_due = candidate.is_due(self.app.now());
        match is_due || (candidate.goes_out_by_itself() && !can_be_looked_for) {
            true => left_to_a_person(),
            false => SearchResult::NotFound,
        }
    }

    /// The same where the account must be reconnected, which must be done before the post is decided on.
    fn unsearched(&self, candidate: &Candidate) -> SearchResult {
        match self.unseen(candidate, true) {
            SearchResult::Ended(..) => ended(verdicts::restored_unsearched()),
            looked => looked,
        }
    }
}

/// The provider's status of a try.
enum ByHandle {
    /// What became of it.
    Is(Verdict),
    /// It does not know yet, or did not answer.
    AskAgain,
}
