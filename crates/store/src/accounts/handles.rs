//! The handles of accounts. An account can be connected in two ways, which see identifiers of their own; what they have in common is the
//! handle, and that can be changed. So two connections may be of one account unless it is proven that they are not: an account has
//! one handle at a time, and these had different ones at the same time, for longer than a provider's answers may be out of date.
//! Nothing is concluded from a handle that both have had: another account may have taken it since.

use std::time::Duration;

use playout_domain::id::PlatformId;
use playout_domain::time::Time;

use crate::db::{Result, Store, params};

/// The longest time between two answers with one handle in which it cannot have been another one: providers let a handle be changed
/// once in thirty days.
const UNBROKEN: Duration = Duration::from_secs(7 * 86_400);

/// Whether the row `$other` (of `platforms`, or of another table with `provider`, `provider_account_id` and `connection`) may be of the
/// account behind the platform `this`. The number is a day in microseconds, by which two spans must overlap.
macro_rules! may_be_of_this_account {
    ($other:literal) => {
        concat!(
            $other,
            ".provider = this.provider AND (",
            $other,
            ".provider_account_id = this.provider_account_id OR (COALESCE(",
            $other,
            ".connection, '') <> this.connection AND NOT EXISTS (SELECT 1 FROM account_handles one JOIN account_handles other
                ON other.provider = one.provider AND other.handle <> one.handle
                    AND one.seen_at >= other.first_seen_at + 86400000000 AND other.seen_at >= one.first_seen_at + 86400000000
                    AND one.seen_at >= one.first_seen_at + 86400000000 AND other.seen_at >= other.first_seen_at + 86400000000
                WHERE one.provider = this.provider AND one.provider_account_id = this.provider_account_id
                    AND other.provider_account_id = ",
            $other,
            ".provider_account_id)))"
        )
    };
}
pub(crate) use may_be_of_this_account;

/// Records that an account had a handle at a time: platform, handle, the time, and the earliest time from which the span is unbroken.
pub(crate) const SEE_HANDLE: &str = "INSERT INTO account_handles (provider, provider_account_id, handle, first_seen_at, seen_at)
    SELECT provider, provider_account_id, LOWER($2), $3, $3 FROM platforms WHERE id = $1
    ON CONFLICT (provider, provider_account_id, handle) DO UPDATE SET seen_at = excluded.seen_at,
        first_seen_at = CASE WHEN account_handles.seen_at < $4 THEN excluded.first_seen_at ELSE account_handles.first_seen_at END";

/// The parameters of [`SEE_HANDLE`].
pub(crate) fn seen(platform: PlatformId, handle: &str, now: Time) -> Vec<crate::db::Param> {
    params![platform, handle, now, now.minus(UNBROKEN)]
}

impl Store {
    /// Notes the handle that the provider has just returned of an account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn see_handle(&self, platform: PlatformId, handle: &str, now: Time) -> Result<()> {
        let sql = "UPDATE platforms SET display_handle = $2, updated_at = $3 WHERE id = $1 AND COALESCE(display_handle, '') <> $2";
        self.execute(sql, params![platform, handle, now]).await?;
        self.execute(SEE_HANDLE, seen(platform, handle, now)).await?;
        Ok(())
    }

    /// An account of the same workspace with the same handle, by another of the provider's connections: most likely one account that is
    /// connected twice.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_other_connection(&self, platform: PlatformId) -> Result<Option<PlatformId>> {
        let sql = "SELECT other.id AS id FROM platforms other JOIN platforms this ON this.workspace_id = other.workspace_id
                AND this.provider = other.provider AND this.connection <> other.connection
                AND LOWER(this.display_handle) = LOWER(other.display_handle)
            WHERE this.id = $1 AND this.removed_at IS NULL AND other.removed_at IS NULL LIMIT 1";
        let row = self.row(sql, params![platform]).await?;
        row.map(|row| row.of("platforms").id("id")).transpose()
    }

    /// Deletes the handles of accounts of which nothing is kept any more.
    pub(crate) async fn delete_unused_handles(&self) -> Result<u64> {
        let sql = "DELETE FROM account_handles WHERE NOT EXISTS (SELECT 1 FROM platforms p
                WHERE p.provider = account_handles.provider AND p.provider_account_id = account_handles.provider_account_id)
            AND NOT EXISTS (SELECT 1 FROM removed_submissions r
                WHERE r.provider = account_handles.provider AND r.provider_account_id = account_handles.provider_account_id)";
        self.execute_long(sql, params![]).await
    }
}
