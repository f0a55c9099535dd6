//! Codes and tokens: what was granted to the app, by whom, until when.

use std::collections::HashMap;
use std::time::Duration;

use playout_domain::time::Time;
use serde::Serialize;

use super::ids::Ids;
use super::knobs::{Knobs, RefreshRotation};

/// An app at the provider. Each has grants of its own, and sees other identifiers of the same people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum App {
    /// Of creators: Login Kit and the Content Posting API.
    Creator,
    /// Of businesses: the business API.
    Business,
}

/// The tokens that the provider hands out for one grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenPair {
    /// Bearer token, `act.…`.
    pub access_token: String,
    /// Refresh token, `rft.…`.
    pub refresh_token: String,
    /// Lifetime of the access token, in seconds.
    pub expires_in: u64,
    /// Lifetime of the refresh token, in seconds.
    pub refresh_expires_in: u64,
    /// The account's identity.
    pub open_id: String,
    /// What was granted, comma-joined.
    pub scope: String,
}

/// What a token or a code grants.
#[derive(Debug, Clone)]
pub(super) struct Grant {
    pub(super) app: App,
    pub(super) open_id: String,
    pub(super) scopes: Vec<String>,
    pub(super) expires_at: Time,
}

/// A code that waits to be exchanged.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) grant: Grant,
    pub(super) redirect_uri: String,
    pub(super) challenge: Option<String>,
}

/// Everything handed out and still worth something.
#[derive(Debug, Default)]
pub(super) struct Grants {
    pub(super) codes: HashMap<String, Code>,
    access: HashMap<String, Grant>,
    refresh: HashMap<String, Grant>,
}

impl Grants {
    /// New tokens for `grant`.
    pub(super) fn issue(&mut self, grant: &Grant, now: Time, knobs: &Knobs, ids: &mut Ids) -> TokenPair {
        let refresh_token = ids.token("rft.");
        let expires_at = now.plus(Duration::from_secs(knobs.refresh_token_ttl_s));
        self.refresh.insert(
            refresh_token.clone(),
            Grant {
                expires_at,
                ..grant.clone()
            },
        );
        self.pair(grant, refresh_token, now, knobs, ids)
    }

    /// Enters tokens that were handed out before.
    pub(super) fn remember(&mut self, app: App, pair: &TokenPair, now: Time) {
        let grant = |lifetime: u64| Grant {
            app,
            open_id: pair.open_id.clone(),
            scopes: pair.scope.split(',').map(str::to_owned).collect(),
            expires_at: now.plus(Duration::from_secs(lifetime)),
        };
        self.access
            .insert(pair.access_token.clone(), grant(pair.expires_in));
        self.refresh
            .insert(pair.refresh_token.clone(), grant(pair.refresh_expires_in));
    }

    /// New tokens for a refresh token of `app`; `None` if it is not valid there.
    pub(super) fn refresh(
        &mut self,
        app: App,
        token: &str,
        now: Time,
        knobs: &Knobs,
        ids: &mut Ids,
    ) -> Option<TokenPair> {
        let grant = self
            .refresh
            .get(token)
            .filter(|grant| grant.app == app && grant.expires_at > now)?
            .clone();
        match knobs.refresh_rotation {
            RefreshRotation::Same => Some(self.pair(&grant, token.to_owned(), now, knobs, ids)),
            RefreshRotation::Rotate => {
                self.refresh.remove(token);
                Some(self.issue(&grant, now, knobs, ids))
            }
        }
    }

    fn pair(
        &mut self,
        grant: &Grant,
        refresh_token: String,
        now: Time,
        knobs: &Knobs,
        ids: &mut Ids,
    ) -> TokenPair {
        let access_token = ids.token("act.");
        let expires_at = now.plus(Duration::from_secs(knobs.access_token_ttl_s));
        self.access.insert(
            access_token.clone(),
            Grant {
                expires_at,
                ..grant.clone()
            },
        );
        TokenPair {
            access_token,
            refresh_token,
            expires_in: knobs.access_token_ttl_s,
            refresh_expires_in: knobs.refresh_token_ttl_s,
            open_id: grant.open_id.clone(),
            scope: grant.scopes.join(","),
        }
    }

    /// The grant of the access token, if it is valid and that app's.
    pub(super) fn bearer(&self, token: &str, app: App, now: Time) -> Option<&Grant> {
        self.access
            .get(token)
            .filter(|grant| grant.app == app && grant.expires_at > now)
    }

    /// The account whose token it is or was, valid or expired.
    pub(super) fn owner(&self, token: &str) -> Option<&str> {
        self.access
            .get(token)
            .or_else(|| self.refresh.get(token))
            .map(|grant| grant.open_id.as_str())
    }

    /// The same, if it is or was that app's.
    pub(super) fn owner_at(&self, app: App, token: &str) -> Option<&str> {
        let grant = self.access.get(token).or_else(|| self.refresh.get(token))?;
        (grant.app == app).then_some(grant.open_id.as_str())
    }

    /// Access tokens of the account are worth nothing from now on; refreshing still works.
    pub(super) fn expire_access(&mut self, open_id: &str, now: Time) {
        let of_account = self.access.values_mut().filter(|grant| grant.open_id == open_id);
        of_account.for_each(|grant| grant.expires_at = grant.expires_at.min(now));
    }

    /// Nothing that the account granted to `app` is worth anything any more.
    pub(super) fn forget(&mut self, app: App, open_id: &str) {
        let stays = |grant: &Grant| grant.app != app || grant.open_id != open_id;
        self.access.retain(|_, grant| stays(grant));
        self.refresh.retain(|_, grant| stays(grant));
        self.codes.retain(|_, code| stays(&code.grant));
    }
}
