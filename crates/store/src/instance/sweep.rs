//! Sweeping out what has expired.

use std::time::Duration;

use playout_domain::device::WRONG_CODES_WITHIN;
use playout_domain::time::Time;

use crate::audit::ENDED_TRAIL_LIFETIME;
use crate::db::{Result, Store, params};
use crate::idempotency::IDEMPOTENCY_LIFETIME;
use crate::people::device_codes::DELETE_OLD_CODES;
use crate::rates::DELETE_REFILLED;
use crate::streams::DELETE_ENDED;

/// The longest limits of providers are those of a day.
const RESTRICTION_LIFETIME: Duration = Duration::from_secs(25 * 3600);

/// How long a delivery that has come to an end can be looked at, and sent again.
const DELIVERY_LIFETIME: Duration = Duration::from_secs(30 * 86_400);

/// How much a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Stored answers.
    pub idempotency: u64,
    /// Sessions.
    pub sessions: u64,
    /// Authorizations that were never ended.
    pub authorizations: u64,
    /// Device codes.
    pub devices: u64,
    /// Invitations, accepted ones too.
    pub invitations: u64,
    /// Links to choose a new password.
    pub password_resets: u64,
    /// Links that verify an address.
    pub email_verifications: u64,
    /// Second factors that were never confirmed.
    pub second_factors: u64,
    /// Right passwords that no code followed.
    pub sign_ins: u64,
    /// Restrictions of accounts that providers reported, and did not repeat.
    pub restrictions: u64,
    /// Deliveries to webhooks.
    pub deliveries: u64,
    /// Allowances of which nothing is used up any more.
    pub allowances: u64,
    /// Counted calls of callers who have all of their rate again.
    pub rates: u64,
    /// Numbers of streams that nodes have closed, or that died with them.
    pub streams: u64,
    /// Wrong codes of devices that count no more.
    pub wrong_codes: u64,
    /// Entries of the trails of deleted workspaces.
    pub ended_trails: u64,
    /// What was kept of the submissions of deleted posts.
    pub removed_submissions: u64,
    /// Handles of accounts of which nothing else is kept.
    pub account_handles: u64,
}

pub(crate) const DELETE_OLD_DELIVERIES: &str = "DELETE FROM webhook_deliveries WHERE finished_at <= $1";

impl Store {
    /// Removes what has expired: stored answers after a day, sessions, authorizations, device codes, invitations, links to
    /// choose a password or verify an address, second factors to confirm and half of a sign-in at their end, restrictions a
    /// day after they were last reported, deliveries to webhooks thirty days after they came to an end, counted
    /// calls of callers who may call as often as they could before, numbers of closed streams of events, wrong codes of devices that count no more, the trails of workspaces and what was kept of the submissions of posts ninety days after those were deleted, and the handles of accounts of which nothing else is kept.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_expired(&self, now: Time) -> Result<Swept> {
        let stale = now.minus(IDEMPOTENCY_LIFETIME);
        let unheard = now.minus(RESTRICTION_LIFETIME);
        Ok(Swept {
            idempotency: self
                .execute_long("DELETE FROM idempotency WHERE created_at <= $1", params![stale])
                .await?,
            sessions: self
                .execute_long("DELETE FROM sessions WHERE expires_at <= $1", params![now])
                .await?,
            authorizations: self
                .execute_long("DELETE FROM authorizations WHERE expires_at <= $1", params![now])
                .await?,
            devices: self
                .execute_long(
                    "DELETE FROM device_authorizations WHERE expires_at <= $1",
                    params![now],
                )
                .await?,
            invitations: self
                .execute_long("DELETE FROM invitations WHERE expires_at <= $1", params![now])
                .await?,
            password_resets: self
                .execute_long("DELETE FROM password_resets WHERE expires_at <= $1", params![now])
                .await?,
            email_verifications: self
                .execute_long(
                    "DELETE FROM email_verifications WHERE expires_at <= $1",
                    params![now],
                )
                .await?,
            second_factors: self
                .execute_long("DELETE FROM second_factors WHERE expires_at <= $1", params![now])
                .await?,
            sign_ins: self
                .execute_long("DELETE FROM sign_ins WHERE expires_at <= $1", params![now])
                .await?,
            restrictions: self
                .execute_long("DELETE FROM restrictions WHERE said_at <= $1", params![unheard])
                .await?,
            deliveries: self
                .execute_long(DELETE_OLD_DELIVERIES, params![now.minus(DELIVERY_LIFETIME)])
                .await?,
            allowances: self
                .execute_long("DELETE FROM allowances WHERE used_until <= $1", params![now])
                .await?,
            rates: self.execute_long(DELETE_REFILLED, params![now]).await?,
            streams: self.execute_long(DELETE_ENDED, params![now]).await?,
            wrong_codes: self
                .execute_long(DELETE_OLD_CODES, params![now.minus(WRONG_CODES_WITHIN)])
                .await?,
            ended_trails: self.delete_ended_trails(now.minus(ENDED_TRAIL_LIFETIME)).await?,
            removed_submissions: self.delete_removed_submissions(now).await?,
            account_handles: self.delete_unused_handles().await?,
        })
    }
}
