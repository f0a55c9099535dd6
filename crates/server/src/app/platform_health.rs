//! The health of an account: put together from what is stored. The provider is asked only where that is wanted, and not
//! more often than once a minute, because publishing needs the same calls.

pub mod asked;

use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::WhoActs;
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::limits::{Delivery, Restriction, RestrictionKind, ScopeUse};
use playout_domain::platform::{Capability, Platform};
use playout_domain::provider::Provider;
use playout_domain::time::Time;
use playout_store::TokenState;
use playout_wire::platform_health::{
    HealthBody, LimitsBody, ProblemBody, RefreshBody, ScopeBody, TokenBody, TokenWord,
};

use super::foresight::{Known, window_body};
use super::platforms::no_platform;
use super::tokens::CallError;
use super::{App, AppError};

/// How long beforehand the end of access that is not renewed, or can no longer be, is reported.
const NOTICE: Duration = Duration::from_secs(7 * 24 * 3600);

/// What a verdict is made of.
struct Facts<'a> {
    provider: &'a Arc<dyn Provider>,
    platform: &'a Platform,
    token: &'a TokenState,
    known: &'a Known,
    other: Option<&'a Platform>,
    now: Time,
}

impl App {
    /// The health of an account, in whatever state it is. With `refresh` the provider is asked first.
    pub async fn platform_health(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        refresh: bool,
    ) -> Result<HealthBody, AppError> {
        let (found, _) = self.get_platform(workspace, id).await?;
        let provider = self.requested_provider(found.provider_connection())?;
        let heard = match refresh {
            true => Some(self.ask_after(provider, &found).await?),
            false => None,
        };
        // The provider's answer may have changed the account itself.
        let (platform, _) = self.get_platform(workspace, id).await?;
        let token = self.store.token_state(workspace, id).await?;
        let token = token.ok_or_else(no_platform)?;
        let other = match self.store.find_other_connection(id).await? {
            Some(other) => self.store.find_platform(workspace, other).await?,
            None => None,
        };
        let facts = Facts {
            provider,
            platform: &platform,
            token: &token,
            known: &self.known_limits(workspace, &platform).await?,
            other: other.as_ref(),
            now: self.now(),
        };
        let window = provider.limits().hand_overs;
        let recent = match window {
            Some(window) => self.store.recent_hand_overs(id, window, facts.now).await?,
            None => Vec::new(),
        };
        Ok(facts.body(window_body(window, &recent), heard))
    }

    async fn ask_after(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
    ) -> Result<RefreshBody, AppError> {
        if platform.refresh_needed {
            return Ok(unanswered("reconnect_needed", RECONNECT));
        }
        if !self.asked.take(platform.id, self.now()) {
            let message = "The provider was asked less than a minute ago. This is what is known since then.";
            return Ok(unanswered("asked_recently", message));
        }
        match self.hear_options(provider, platform).await {
            Ok(_) => Ok(RefreshBody {
                answered: true,
                code: None,
                message: None,
            }),
            Err(CallError::Provider(error)) => {
                self.note_dead_access(platform, &error).await?;
                Ok(unanswered(&error.code, &error.message))
            }
            Err(CallError::Internal(error)) => Err(error),
        }
    }
}

const RECONNECT: &str = "The provider no longer takes this service's access to the account. Reconnect the account; posts \
                         that wait for it then go on by themselves.";

fn unanswered(code: &str, message: &str) -> RefreshBody {
    RefreshBody {
        answered: false,
        code: Some(code.to_owned()),
        message: Some(message.to_owned()),
    }
}

impl Facts<'_> {
    fn body(&self, hand_overs: playout_wire::limits::WindowBody, refresh: Option<RefreshBody>) -> HealthBody {
        let usage = self.known.usage(self.provider, self.platform);
        let mut problems = self.problems();
        problems.sort_by_key(|problem| !problem.blocks());
        HealthBody {
            platform_id: self.platform.id,
            verdict: self.verdict(&problems),
            checked_at: self.now,
            token: self.token_body(),
            scopes: self
                .scopes()
                .map(|(scope, granted)| scope_body(scope, granted))
                .collect(),
            metadata: self.platform.metadata.clone(),
            limits: LimitsBody {
                hand_overs,
                direct_posts: usage.direct_posts,
                inbox_shares: usage.inbox_shares,
            },
            restrictions: usage.restrictions,
            problems,
            refresh,
        }
    }

    fn verdict(&self, problems: &[ProblemBody]) -> &'static str {
        let deliveries = [Delivery::Direct, Delivery::Inbox];
        match deliveries.into_iter().any(|delivery| self.is_open(delivery)) {
            false => "blocked",
            true if problems.is_empty() => "ok",
            true => "degraded",
        }
    }

    /// Whether a post delivered like this would go out at the moment.
    fn is_open(&self, delivery: Delivery) -> bool {
        let can = match delivery {
            Delivery::Direct => Capability::DirectPost,
            Delivery::Inbox => Capability::InboxDraft,
        };
        let works = matches!(self.token_word(), TokenWord::Valid | TokenWord::Failing);
        let mut restrictions = self.known.restrictions.iter();
        self.platform.can(can)
            && !self.platform.disabled
            && works
            && !restrictions.any(|restriction| closes(restriction, delivery))
    }

    fn token_word(&self) -> TokenWord {
        let is_over = self.token.access_expires_at.is_none_or(|ends| ends <= self.now);
        match (self.platform.refresh_needed, is_over, self.token.is_renewable) {
            (true, ..) | (_, true, false) => TokenWord::Reconnect,
            (_, true, true) => TokenWord::Expired,
            (_, false, _) if self.token.failures > 0 => TokenWord::Failing,
            (_, false, _) => TokenWord::Valid,
        }
    }

    fn token_body(&self) -> TokenBody {
        TokenBody {
            state: self.token_word().as_str(),
            expires_at: self.token.access_expires_at,
            refresh_expires_at: self.token.refresh_expires_at,
            renewed_at: self.token.renewed_at,
            next_renewal_at: self.token.next_renewal_at,
            failed_renewals: self.token.failures,
        }
    }

    /// The scopes there are to grant, and whether they were. An account of which we know no scope was connected in
    /// another way: nothing is reported for it.
    fn scopes(&self) -> impl Iterator<Item = (&'static ScopeUse, bool)> {
        let known = self.provider.scopes(self.platform);
        let granted = |scope: &ScopeUse| self.token.scopes.iter().any(|given| given == scope.scope);
        let is_ours = known.iter().any(granted);
        known
            .iter()
            .filter(move |_| is_ours)
            .map(move |scope| (scope, granted(scope)))
    }

    fn problems(&self) -> Vec<ProblemBody> {
        let mut problems = Vec::new();
        if self.platform.disabled {
            let message =
                "The account is switched off here. Switch it on again, then schedule or publish its posts.";
            problems.push(ours("account_disabled", true, WhoActs::User, message));
        }
        problems.extend(self.token_problem());
        problems.extend(self.renewal_problem());
        for (scope, _) in self.scopes().filter(|(_, granted)| !granted) {
            let message = format!(
                "The permission {} is missing. {} To grant it, reconnect the account and leave every permission ticked.",
                scope.scope, scope.without
            );
            problems.push(ProblemBody::new(
                "scope_missing",
                scope.needed_for.is_some(),
                WhoActs::User,
                message,
            ));
        }
        problems.extend(self.other.map(other_problem));
        problems.extend(
            self.known
                .restrictions
                .iter()
                .map(|restriction| self.restriction_problem(restriction)),
        );
        problems
    }

    fn token_problem(&self) -> Option<ProblemBody> {
        match self.token_word() {
            TokenWord::Valid => None,
            TokenWord::Reconnect => Some(ours("reconnect_needed", true, WhoActs::User, RECONNECT)),
            TokenWord::Expired => Some(ours("access_expired", true, WhoActs::Nobody, EXPIRED)),
            TokenWord::Failing => Some(ours("renewal_failing", false, WhoActs::Nobody, FAILING)),
        }
    }

    /// A renewal that will not be possible soon.
    fn renewal_problem(&self) -> Option<ProblemBody> {
        let ends = match self.token.is_renewable {
            true => self.token.refresh_expires_at?,
            false => self.token.access_expires_at?,
        };
        let is_near = ends > self.now && ends.since(self.now) < NOTICE;
        (is_near && !self.platform.refresh_needed).then(|| {
            let message =
                format!("The access to the account ends at {ends} for good. Reconnect the account before.");
            ours("access_ends", false, WhoActs::User, &message)
        })
    }

    fn restriction_problem(&self, said: &Restriction) -> ProblemBody {
        let blocks = said.kind != RestrictionKind::Requests;
        let who_acts = self.provider.explain(&said.code).who_acts;
        ProblemBody::new(&said.code, blocks, who_acts, said.message.clone())
    }
}

/// The account is connected twice.
fn other_problem(other: &Platform) -> ProblemBody {
    let message = format!(
        "This account is connected to the workspace as a {} account too: both have the handle {}. One post to both is rejected, and two \
         posts appear twice. Disconnect one of them.",
        other.connection.as_str(),
        other.display_handle.as_deref().unwrap_or_default()
    );
    ours("connected_otherwise", false, WhoActs::User, &message)
}

const EXPIRED: &str = "The access to the account is over, and could not be renewed yet. It is tried again by itself; posts \
                       wait for it.";
const FAILING: &str = "The access to the account could not be renewed the last time. It still works, and the renewal is \
                       tried again by itself.";

fn closes(said: &Restriction, delivery: Delivery) -> bool {
    said.kind != RestrictionKind::Requests && said.kind.concerns(delivery)
}

fn ours(code: &str, blocks: bool, who_acts: WhoActs, message: &str) -> ProblemBody {
    ProblemBody::new(code, blocks, who_acts, message.to_owned())
}

fn scope_body(scope: &ScopeUse, granted: bool) -> ScopeBody {
    ScopeBody {
        scope: scope.scope.to_owned(),
        granted,
        meaning: scope.meaning,
        without: scope.without,
    }
}
