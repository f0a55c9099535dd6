//! Changes of connected accounts by a person: switched off and on, given other defaults, removed.

use playout_domain::audit::{Action, Actor};
use playout_domain::event::EventKind;
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::platform::Platform;
use playout_domain::time::Time;
use serde_json::{Map, Value, json as value};

use super::platforms::{platform_columns, read_platform};
use crate::audit::Noted;
use crate::db::{OnlyIf, Result, Store, Tx, json, params, require};
use crate::events::NewEvent;

/// What a user may change of an account; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlatformChanges {
    /// Whether it is switched off.
    pub disabled: Option<bool>,
    /// Its defaults.
    pub settings: Option<Map<String, Value>>,
}

/// A change of an account, and what it depends on.
pub struct PlatformUpdate<'a> {
    /// What is changed.
    pub changes: &'a PlatformChanges,
    /// Whether the caller still wants to change this account.
    pub only_if: OnlyIf<'a, Platform>,
    /// Whether the account, with the settings of before, may not list all of its posts: that one is not listed shows nothing then.
    pub lists_not_all: &'a (dyn Fn(&Platform) -> bool + Send + Sync),
}

impl Store {
    /// Changes what a user may change; returns the account as it is then, or `None` if there is none. What stays as it
    /// was is not noted. Comments that were due while it was disabled follow.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_platform(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        changes: &PlatformChanges,
        actor: &Actor,
        now: Time,
    ) -> Result<Option<Platform>> {
        let update = PlatformUpdate {
            changes,
            only_if: None,
            lists_not_all: &|_| false,
        };
        self.update_platform_if(workspace, id, update, actor, now).await
    }

    /// [`Store::update_platform`] of an account that the caller still wants to change.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`](crate::StoreError::Stale) where it does not.
    pub async fn update_platform_if(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        update: PlatformUpdate<'_>,
        actor: &Actor,
        now: Time,
    ) -> Result<Option<Platform>> {
        let PlatformUpdate {
            changes,
            only_if,
            lists_not_all,
        } = update;
        let mut tx = self.begin_compared().await?;
        let Some(mut platform) = tx.lock_platform(workspace, id).await? else {
            return Ok(None);
        };
        require(only_if, &platform)?;
        let switched = changes.disabled.filter(|disabled| *disabled != platform.disabled);
        if let Some(disabled) = switched {
            platform.disabled = disabled;
            let action = match disabled {
                true => Action::PlatformDisabled,
                false => Action::PlatformEnabled,
            };
            tx.note(workspace, actor, about(&platform, action), now).await?;
        }
        let settings = changes.settings.as_ref();
        if let Some(settings) = settings.filter(|settings| **settings != platform.settings) {
            if lists_not_all(&platform) {
                tx.hide_marked_posts(id).await?;
            }
            tx.keep_looked_for_texts(id).await?;
            platform.settings.clone_from(settings);
            let noted = about(&platform, Action::PlatformSettingsChanged);
            tx.note(workspace, actor, noted, now).await?;
        }
        let sql = "UPDATE platforms SET disabled = $3, settings = $4, updated_at = $5
            WHERE id = $2 AND workspace_id = $1";
        let params = params![workspace, id, platform.disabled, json(&platform.settings), now];
        tx.execute(sql, params).await?;
        if switched == Some(false) {
            tx.requeue_comments(workspace, id, now).await?;
        }
        tx.commit().await?;
        Ok(Some(platform))
    }

    /// Removes an account; `false` if there is none. Its tokens go to where they are given back to the provider. Its
    /// posts stay, and connecting it again brings it back under the same identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn remove_platform(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        actor: &Actor,
        now: Time,
    ) -> Result<bool> {
        self.remove_platform_if(workspace, id, actor, now, None).await
    }

    /// [`Store::remove_platform`] of an account that the caller still wants to remove.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`](crate::StoreError::Stale) where it does not.
    pub async fn remove_platform_if(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        actor: &Actor,
        now: Time,
        only_if: OnlyIf<'_, Platform>,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let Some(platform) = tx.lock_platform(workspace, id).await? else {
            return Ok(false);
        };
        require(only_if, &platform)?;
        tx.move_tokens(workspace, id, now).await?;
        let sql = "UPDATE platforms SET removed_at = $3, updated_at = $3, access_token = NULL,
            access_expires_at = NULL, refresh_token = NULL, refresh_expires_at = NULL, refresh_owner = NULL,
            refresh_lease_until = NULL, token_version = token_version + 1
            WHERE id = $2 AND workspace_id = $1";
        tx.execute(sql, params![workspace, id, now]).await?;
        tx.delete_refresh_job(id).await?;
        tx.requeue_under_way(workspace, id, now).await?;
        let event = NewEvent {
            workspace_id: workspace,
            kind: EventKind::PlatformDisconnected,
            payload: value!({ "platformId": id, "provider": platform.provider }),
        };
        tx.append_event(event, now).await?;
        let noted = about(&platform, Action::PlatformDisconnected);
        tx.note(workspace, actor, noted, now).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// The posts of an account that a hold has marked may not have been listed with its settings of now, which are about to change: that they
    /// are not listed shows nothing.
    async fn hide_marked_posts(&mut self, platform: PlatformId) -> Result<()> {
        let sql = "UPDATE posts SET look_hidden = TRUE WHERE platform_id = $1 AND look_since IS NOT NULL";
        self.execute(sql, params![platform]).await?;
        Ok(())
    }

    /// The account, which no other transaction changes until the end of this one.
    async fn lock_platform(&mut self, workspace: WorkspaceId, id: PlatformId) -> Result<Option<Platform>> {
        let sql = concat!(
            "SELECT ",
            platform_columns!(),
            " FROM platforms WHERE id = $2 AND workspace_id = $1 AND removed_at IS NULL"
        );
        let rows = self.lock(sql, params![workspace, id]).await?;
        rows.first().map(read_platform).transpose()
    }
}

/// What is noted of an account; of its settings the names, never the values.
fn about(platform: &Platform, action: Action) -> Noted {
    let mut detail = value!({ "provider": platform.provider, "account": platform.shown_name() });
    if action == Action::PlatformSettingsChanged {
        detail["settings"] = platform.settings.keys().map(String::as_str).collect();
    }
    Noted {
        action,
        target: Some(platform.id.to_string()),
        detail: Some(detail),
    }
}
