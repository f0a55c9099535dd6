//! Connecting an account, for the first time or again.

use playout_domain::audit::{Action, Actor};
use playout_domain::event::EventKind;
use playout_domain::id::{PlatformId, UserId, WorkspaceId};
use playout_domain::platform::{Connection, ProviderConnection};
use playout_domain::provider::{AccountProfile, TokenSet};
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use serde_json::{Map, Value, json as value};

use super::handles::{SEE_HANDLE, seen};
use super::platforms::COUNT_PLATFORMS;
use crate::audit::Noted;
use crate::db::{Param, Result, Row, Store, Tx, json, new_id, params};
use crate::events::NewEvent;

/// An account that a user has just authorised us for.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// The provider's identifier.
    pub provider: String,
    /// Which of its connections they authorised.
    pub connection: Connection,
    /// The account's profile as the provider returned it.
    pub profile: AccountProfile,
    /// What opens it.
    pub tokens: TokenSet,
    /// Its settings if it is new; an account that was connected before keeps its own.
    pub default_settings: Map<String, Value>,
    /// How many accounts the workspace's plan allows.
    pub account_limit: Option<u64>,
    /// Who connects it, and the least they must still be in the workspace; `None`: the operator.
    pub by: Option<(UserId, Role)>,
}

impl NewConnection {
    fn provider_connection(&self) -> ProviderConnection<'_> {
        ProviderConnection {
            provider: &self.provider,
            connection: self.connection,
        }
    }
}

/// What became of [`Store::connect_platform`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectPlatform {
    /// It is connected.
    Connected {
        /// Its identifier, the same as before if it had been connected.
        id: PlatformId,
        /// Whether the workspace had never connected it before.
        is_new: bool,
        /// How many posts that waited for it are in QUEUE again.
        requeued: u64,
    },
    /// The plan does not allow another account; nothing was changed.
    LimitReached {
        /// How many it allows.
        limit: u64,
        /// How many are connected.
        used: u64,
    },
    /// The actor may not connect it, or no longer; nothing was changed.
    NotAllowed,
    /// What the account had granted before is being given back at this moment; nothing was changed.
    BeingRevoked,
    /// The account is connected by another of the provider's connections; nothing was changed.
    Otherwise(Connection),
    /// This account, connected by another of the provider's connections, may be the same one: the handle of one of the two is not
    /// known. Nothing was changed.
    NotCompared(PlatformId),
}

impl Store {
    /// Connects an account, or connects it again: its identifier and settings stay, a stored refresh token is never
    /// replaced by none, and what waited for it goes back to QUEUE with a day to be tried. Where it is not connected,
    /// the access just granted is to be given back.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn connect_platform(
        &self,
        workspace: WorkspaceId,
        new: &NewConnection,
        actor: &Actor,
        now: Time,
    ) -> Result<ConnectPlatform> {
        let mut tx = self.begin().await?;
        let known = match tx.may_connect(workspace, new, now).await? {
            MayConnect::Yes(known) => known,
            MayConnect::No(refused) => {
                tx.queue_revocation(new.provider_connection(), &new.tokens, now)
                    .await?;
                tx.commit().await?;
                return Ok(refused);
            }
        };
        let id = match known {
            Some((id, _)) => id,
            None => tx.insert_account(workspace, new, now).await?,
        };
        tx.update_account(id, new, now).await?;
        tx.write_tokens(id, &new.tokens, now).await?;
        tx.plan_refresh(workspace, id, now).await?;
        let requeued = tx.requeue_waiting(workspace, id, now).await?;
        let is_new = known.is_none();
        tx.tell_connected(workspace, id, new, is_new, now).await?;
        let noted = connected(id, new, is_new, requeued);
        tx.note(workspace, actor, noted, now).await?;
        tx.commit().await?;
        Ok(ConnectPlatform::Connected { id, is_new, requeued })
    }
}

fn connected(id: PlatformId, new: &NewConnection, is_new: bool, requeued: u64) -> Noted {
    let (provider, account) = (&new.provider, new.profile.shown_name());
    let mut detail = value!({ "provider": provider, "connection": new.connection, "account": account });
    let action = if is_new {
        Action::PlatformConnected
    } else {
        detail["requeued"] = requeued.into();
        Action::PlatformReconnected
    };
    Noted {
        action,
        target: Some(id.to_string()),
        detail: Some(detail),
    }
}

/// The accounts of a workspace at a provider, by another connection than `$3`, that need not be reconnected.
macro_rules! others_of_connection {
    () => {
        "SELECT id FROM platforms WHERE workspace_id = $1 AND provider = $2 AND connection <> $3
            AND removed_at IS NULL AND NOT refresh_needed"
    };
}

/// The account's row, if the workspace has ever connected it, and whether it was removed.
type Known = Option<(PlatformId, bool)>;

/// Whether an account can be connected.
enum MayConnect {
    Yes(Known),
    /// Why not.
    No(ConnectPlatform),
}

impl Tx {
    /// Whether the account can be connected now. Holds the workspace, so that the limit and the role are exact.
    async fn may_connect(
        &mut self,
        workspace: WorkspaceId,
        new: &NewConnection,
        now: Time,
    ) -> Result<MayConnect> {
        if !self.lock_workspace(workspace).await? || !self.may_still(workspace, new.by).await? {
            return Ok(MayConnect::No(ConnectPlatform::NotAllowed));
        }
        if let Some(connection) = self.connected_otherwise(workspace, new).await? {
            return Ok(MayConnect::No(ConnectPlatform::Otherwise(connection)));
        }
        if let Some(other) = self.not_compared_with(workspace, new).await? {
            return Ok(MayConnect::No(ConnectPlatform::NotCompared(other)));
        }
        let known = self.find_account(workspace, new).await?;
        if known.is_none_or(|(_, removed)| removed)
            && let Some(limit) = new.account_limit
        {
            let used = self.count_accounts(workspace).await?;
            if used >= limit {
                return Ok(MayConnect::No(ConnectPlatform::LimitReached { limit, used }));
            }
        }
        let account = &new.profile.provider_account_id;
        match self.keep_grant(new.provider_connection(), account, now).await? {
            true => Ok(MayConnect::Yes(known)),
            false => Ok(MayConnect::No(ConnectPlatform::BeingRevoked)),
        }
    }

    async fn may_still(&mut self, workspace: WorkspaceId, by: Option<(UserId, Role)>) -> Result<bool> {
        let Some((user, least)) = by else { return Ok(true) };
        let sql = "SELECT role FROM members WHERE workspace_id = $1 AND user_id = $2";
        match self.row(sql, params![workspace, user]).await? {
            Some(row) => Ok(row.of("members").word("role", Role::parse)?.covers(least)),
            None => Ok(false),
        }
    }

    async fn tell_connected(
        &mut self,
        workspace: WorkspaceId,
        id: PlatformId,
        new: &NewConnection,
        is_new: bool,
        now: Time,
    ) -> Result<()> {
        let event = NewEvent {
            workspace_id: workspace,
            kind: EventKind::PlatformConnected,
            payload: value!({ "platformId": id, "provider": new.provider, "isNew": is_new }),
        };
        self.append_event(event, now).await
    }

    /// How else the same account is connected: by its identifier or, because apps see different ones, by its handle, which
    /// no other account has at the same time. The caller has just requested the handles of the others, which may be new.
    /// Were it listed twice, what is sent to all accounts would go out twice.
    async fn connected_otherwise(
        &mut self,
        workspace: WorkspaceId,
        new: &NewConnection,
    ) -> Result<Option<Connection>> {
        let sql = "SELECT id, connection FROM platforms WHERE workspace_id = $1 AND provider = $2
            AND connection <> $3 AND removed_at IS NULL
            AND (provider_account_id = $4 OR LOWER(display_handle) = LOWER($5))";
        let (profile, by) = (&new.profile, new.connection.as_str());
        let handle = profile.display_handle.clone();
        let params = params![workspace, &new.provider, by, &profile.provider_account_id, handle];
        let row = self.row(sql, params).await?;
        row.map(|row| row.of("platforms").word("connection", Connection::parse))
            .transpose()
    }

    /// An account that is connected otherwise and cannot be compared by its handle, because that of one of the two is not known. One
    /// that must be reconnected is compared then; nothing is published for it before.
    async fn not_compared_with(
        &mut self,
        workspace: WorkspaceId,
        new: &NewConnection,
    ) -> Result<Option<PlatformId>> {
        let sql = match new.profile.display_handle {
            Some(_) => concat!(others_of_connection!(), " AND display_handle IS NULL LIMIT 1"),
            None => concat!(others_of_connection!(), " LIMIT 1"),
        };
        let params = params![workspace, &new.provider, new.connection.as_str()];
        let row = self.row(sql, params).await?;
        row.map(|row| row.of("platforms").id("id")).transpose()
    }

    async fn find_account(&mut self, workspace: WorkspaceId, new: &NewConnection) -> Result<Known> {
        let sql = "SELECT id, removed_at FROM platforms
            WHERE workspace_id = $1 AND provider = $2 AND provider_account_id = $3";
        let params = params![workspace, &new.provider, &new.profile.provider_account_id];
        let rows = self.lock(sql, params).await?;
        let read = |row: &Row| {
            let fields = row.of("platforms");
            Ok((fields.id("id")?, fields.opt_time("removed_at")?.is_some()))
        };
        rows.first().map(read).transpose()
    }

    async fn count_accounts(&mut self, workspace: WorkspaceId) -> Result<u64> {
        let row = self.row(COUNT_PLATFORMS, params![workspace]).await?;
        row.map_or(Ok(0), |row| row.of("platforms").number("used"))
    }

    /// A row for a new account, to be filled by `update_account` and `write_tokens`.
    async fn insert_account(
        &mut self,
        workspace: WorkspaceId,
        new: &NewConnection,
        now: Time,
    ) -> Result<PlatformId> {
        let id: PlatformId = new_id(now);
        let sql =
            "INSERT INTO platforms (id, workspace_id, provider, provider_account_id, scopes, token_version,
                capabilities, metadata, settings, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, 0, $5, $6, $7, $8, $8)";
        let (list, map) = (json(&Value::Array(Vec::new())), json(&Map::new()));
        let account = &new.profile.provider_account_id;
        let settings = json(&new.default_settings);
        let params = params![id, workspace, &new.provider, account];
        let params = params
            .into_iter()
            .chain([list, map, settings, Param::from(now)])
            .collect();
        self.execute(sql, params).await?;
        Ok(id)
    }

    async fn metadata_of(&mut self, id: PlatformId) -> Result<Map<String, Value>> {
        let row = self.row("SELECT metadata FROM platforms WHERE id = $1", params![id]);
        row.await?
            .map_or_else(|| Ok(Map::new()), |row| row.of("platforms").json("metadata"))
    }

    async fn update_account(&mut self, id: PlatformId, new: &NewConnection, now: Time) -> Result<()> {
        let profile = &new.profile;
        let mut metadata = profile.metadata.clone();
        if !profile.unknown.is_empty() {
            let earlier = self.metadata_of(id).await?;
            let known = profile
                .unknown
                .iter()
                .filter_map(|key| earlier.get_key_value(*key));
            metadata.extend(known.map(|(key, value)| (key.clone(), value.clone())));
        }
        let sql = "UPDATE platforms SET connection = $8, display_name = $2, display_handle = $3, display_image_url = $4,
            capabilities = $5, metadata = $6, refresh_needed = FALSE, removed_at = NULL, updated_at = $7
            WHERE id = $1";
        let params = params![
            id,
            profile.display_name.clone(),
            profile.display_handle.clone(),
            profile.display_image_url.clone(),
            json(&profile.capabilities),
            json(&metadata),
            now,
            new.connection.as_str()
        ];
        self.execute(sql, params).await?;
        if let Some(handle) = &profile.display_handle {
            self.execute(SEE_HANDLE, seen(id, handle, now)).await?;
        }
        Ok(())
    }
}
