//! Workspaces: made, changed, deleted with everything in them.

use std::time::Duration;

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::lateness::LatenessPolicy;
use playout_domain::time::Time;
use playout_domain::workspace::{Role, Workspace};
use playout_domain::zone::Zone;
use serde_json::json as value;

use super::members::{By, Unchanged};
use crate::audit::Noted;
use crate::db::{Fields, Result, Row, Store, Tx, params, read_all, read_one};

/// What its people may change of a workspace; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceChanges {
    /// Its name.
    pub name: Option<String>,
    /// The zone in which its people read and write times.
    pub time_zone: Option<Zone>,
    /// What is done with its posts that are found overdue.
    pub lateness_policy: Option<LatenessPolicy>,
}

/// A workspace to be.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    /// Its identifier.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// Its first member, who owns it.
    pub owner: Option<UserId>,
}

/// A workspace, for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedWorkspace {
    /// Its identifier.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// How many accounts it has.
    pub accounts: u64,
    /// How many of them must be connected again.
    pub accounts_to_connect: u64,
}

/// The outcome of [`Store::create_workspace_within`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateWorkspace {
    /// It exists.
    Created,
    /// The person has as many as they may have.
    LimitReached,
}

impl Store {
    /// Adds a workspace and, if it has one, its owner.
    ///
    /// # Errors
    /// When the database fails, or the owner does not exist.
    pub async fn create_workspace(&self, workspace: NewWorkspace, actor: &Actor, now: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.insert_workspace(&workspace, actor, now).await?;
        tx.commit().await
    }

    /// The workspace with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>> {
        let sql = "SELECT id, name, plan, time_zone, ask_after, created_at FROM workspaces WHERE id = $1";
        read_one(self.row(sql, params![id]).await?, |row| {
            read_workspace(row.of("workspaces"))
        })
    }

    /// All workspaces with the number of their accounts, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_workspaces(&self) -> Result<Vec<ListedWorkspace>> {
        let sql = "SELECT w.id, w.name, (SELECT COUNT(*) FROM platforms a WHERE a.workspace_id = w.id AND a.removed_at IS NULL) AS accounts,
                (SELECT COUNT(*) FROM platforms a WHERE a.workspace_id = w.id AND a.removed_at IS NULL
                    AND NOT a.disabled AND a.refresh_needed) AS lost_accounts
            FROM workspaces w ORDER BY w.created_at, w.id";
        read_all(&self.rows(sql, params![]).await?, |row| {
            let fields = row.of("workspaces");
            Ok(ListedWorkspace {
                id: fields.id("id")?,
                name: fields.get("name")?,
                accounts: fields.number("accounts")?,
                accounts_to_connect: fields.number("lost_accounts")?,
            })
        })
    }

    /// The workspaces a person belongs to, and as what, in the order of joining.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_workspaces_of(&self, user: UserId) -> Result<Vec<(Workspace, Role)>> {
        let sql = "SELECT w.id, w.name, w.plan, w.time_zone, w.ask_after, w.created_at, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.user_id = $1 ORDER BY m.created_at, w.id";
        let rows = self.rows(sql, params![user]).await?;
        rows.iter().map(read_membership).collect()
    }

    /// A workspace and what a person may do in it; `None` if they are no member, or there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_membership(
        &self,
        workspace: WorkspaceId,
        user: UserId,
    ) -> Result<Option<(Workspace, Role)>> {
        let sql = "SELECT w.id, w.name, w.plan, w.time_zone, w.ask_after, w.created_at, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.workspace_id = $1 AND m.user_id = $2";
        read_one(self.row(sql, params![workspace, user]).await?, read_membership)
    }

    /// [`Store::create_workspace`] for its owner, unless they own, or made, `most` workspaces already.
    ///
    /// # Errors
    /// When the database fails, or the owner does not exist.
    pub async fn create_workspace_within(
        &self,
        workspace: NewWorkspace,
        most: u32,
        actor: &Actor,
        now: Time,
    ) -> Result<CreateWorkspace> {
        let mut tx = self.begin().await?;
        if let Some(owner) = workspace.owner {
            tx.hold_user(owner).await?;
            let sql = "SELECT COUNT(*) AS workspaces FROM (
                SELECT workspace_id AS id FROM members WHERE user_id = $1 AND role = 'owner'
                UNION SELECT id FROM workspaces WHERE created_by = $1) AS theirs";
            let row = tx.row(sql, params![owner]).await?;
            let count = row.map(|row| row.of("workspaces").number("workspaces"));
            if count.transpose()?.unwrap_or(0) >= u64::from(most) {
                return Ok(CreateWorkspace::LimitReached);
            }
        }
        tx.insert_workspace(&workspace, actor, now).await?;
        tx.commit().await?;
        Ok(CreateWorkspace::Created)
    }

    /// Puts a workspace on another plan; `false` if there is no such workspace.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_plan(&self, workspace: WorkspaceId, plan: &str, by: &Actor, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id, plan FROM workspaces WHERE id = $1";
        let rows = tx.lock(sql, params![workspace]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let before: String = row.of("workspaces").get("plan")?;
        let sql = "UPDATE workspaces SET plan = $2 WHERE id = $1";
        tx.execute(sql, params![workspace, plan]).await?;
        let noted = Noted {
            action: Action::WorkspacePlanChanged,
            target: Some(workspace.to_string()),
            detail: Some(value!({ "from": before, "to": plan })),
        };
        tx.note(workspace, by, noted, now).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Changes a workspace, for its admins; returns it as it is then.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_workspace(
        &self,
        workspace: WorkspaceId,
        changes: &WorkspaceChanges,
        by: By<'_>,
        now: Time,
    ) -> Result<std::result::Result<Workspace, Unchanged>> {
        let mut tx = self.begin().await?;
        if let Err(unchanged) = tx.lock_workspace_as(workspace, by, Role::Admin).await? {
            return Ok(Err(unchanged));
        }
        let sql = "UPDATE workspaces SET name = COALESCE($2, name), time_zone = COALESCE($3, time_zone),
            ask_after = CASE WHEN $4 THEN $5 ELSE ask_after END
            WHERE id = $1 RETURNING id, name, plan, time_zone, ask_after, created_at";
        let zone = changes.time_zone.as_ref().map(Zone::as_str);
        let policy = changes.lateness_policy;
        let params = params![
            workspace,
            changes.name.clone(),
            zone,
            policy.is_some(),
            policy.and_then(ask_after)
        ];
        let row = tx.row(sql, params).await?;
        let Some(changed) = read_one(row, |row| read_workspace(row.of("workspaces")))? else {
            return Ok(Err(Unchanged::NotFound));
        };
        let name = changes
            .name
            .as_ref()
            .map(|name| (Action::WorkspaceRenamed, value!({ "name": name })));
        let zone = zone.map(|zone| (Action::WorkspaceTimeZoneChanged, value!({ "timeZone": zone })));
        let policy = policy.map(|policy| {
            let detail = value!({ "askAfterHours": policy.hours() });
            (Action::WorkspaceLatenessPolicyChanged, detail)
        });
        for (action, detail) in name.into_iter().chain(zone).chain(policy) {
            let noted = Noted {
                action,
                target: Some(workspace.to_string()),
                detail: Some(detail),
            };
            tx.note(workspace, by.actor, noted, now).await?;
        }
        tx.commit().await?;
        Ok(Ok(changed))
    }

    /// Deletes a workspace, for its owners, and everything in it but its trail, which stays for
    /// [`crate::ENDED_TRAIL_LIFETIME`]. The tokens of its accounts go to where they are given back to their providers; of
    /// its files a note is made, and their storage keys are returned.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_workspace(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        now: Time,
    ) -> Result<std::result::Result<Vec<String>, Unchanged>> {
        let mut tx = self.begin_compared().await?;
        tx.take_long().await?;
        // In the order in which every transaction takes them (`db/tx.rs`), and at first so that a holder of a post may
        // still add to what belongs to the workspace and the account: such a change is waited for, and waits for
        // nothing here.
        if let Err(unchanged) = tx.lock_workspace_as(workspace, by, Role::Owner).await? {
            return Ok(Err(unchanged));
        }
        let sql = "SELECT id FROM platforms WHERE workspace_id = $1 ORDER BY id";
        tx.lock(sql, params![workspace]).await?;
        let sql = "SELECT id FROM posts WHERE workspace_id = $1 ORDER BY position, id";
        tx.lock(sql, params![workspace]).await?;
        tx.delete_posts_of(workspace, now).await?;
        // Waits for transactions that add anything to it, so that neither a post nor a file is missed.
        let sql = "SELECT id FROM workspaces WHERE id = $1";
        tx.lock_for_delete(sql, params![workspace]).await?;
        tx.delete_posts_of(workspace, now).await?;
        let sql = "INSERT INTO removed_files (storage_key, removed_at)
            SELECT storage_key, $2 FROM media WHERE workspace_id = $1 ON CONFLICT (storage_key) DO NOTHING";
        tx.execute(sql, params![workspace, now]).await?;
        let sql = "SELECT storage_key FROM media WHERE workspace_id = $1 ORDER BY storage_key";
        let rows = tx.rows(sql, params![workspace]).await?;
        let files = rows.iter().map(|row| row.of("media").get("storage_key"));
        let files = files.collect::<Result<_>>()?;
        tx.move_all_tokens(workspace, now).await?;
        tx.keep_trail(workspace, now).await?;
        tx.execute("DELETE FROM workspaces WHERE id = $1", params![workspace])
            .await?;
        let noted = Noted {
            action: Action::WorkspaceDeleted,
            target: Some(workspace.to_string()),
            detail: None,
        };
        // Open pages of the workspace are notified, too: their people are no members any more.
        tx.note(workspace, by.actor, noted, now).await?;
        tx.commit().await?;
        Ok(Ok(files))
    }
}

impl Tx {
    pub(crate) async fn insert_workspace(
        &mut self,
        workspace: &NewWorkspace,
        actor: &Actor,
        now: Time,
    ) -> Result<()> {
        let sql =
            "INSERT INTO workspaces (id, name, plan, created_at, created_by) VALUES ($1, $2, $3, $4, $5)";
        let params = params![
            workspace.id,
            &workspace.name,
            &workspace.plan,
            now,
            workspace.owner
        ];
        self.execute(sql, params).await?;
        if let Some(owner) = workspace.owner {
            self.insert_member(workspace.id, owner, Role::Owner, now).await?;
        }
        let noted = Noted {
            action: Action::WorkspaceCreated,
            target: Some(workspace.id.to_string()),
            detail: Some(value!({ "name": workspace.name })),
        };
        self.note(workspace.id, actor, noted, now).await
    }

    /// Posts, and the ledger with them, point at accounts, so they go before them.
    async fn delete_posts_of(&mut self, workspace: WorkspaceId, now: Time) -> Result<()> {
        self.keep_submissions_of_workspace(workspace, now).await?;
        let sql = "DELETE FROM posts WHERE workspace_id = $1";
        self.execute(sql, params![workspace]).await?;
        Ok(())
    }

    /// Keeps a workspace, its members and its invitations from being changed by others until the end of the
    /// transaction; `false` if there is none.
    pub(crate) async fn lock_workspace(&mut self, workspace: WorkspaceId) -> Result<bool> {
        let sql = "SELECT id FROM workspaces WHERE id = $1";
        Ok(!self.lock(sql, params![workspace]).await?.is_empty())
    }
}

/// How a policy is stored: microseconds, or nothing where all posts are published.
fn ask_after(policy: LatenessPolicy) -> Option<i64> {
    match policy {
        LatenessPolicy::AskAfter(after) => i64::try_from(after.as_micros()).ok(),
        LatenessPolicy::AlwaysPublish => None,
    }
}

pub(crate) fn read_policy(fields: Fields<'_>) -> Result<LatenessPolicy> {
    let after = fields.opt_number("ask_after")?.map(Duration::from_micros);
    Ok(after.map_or(LatenessPolicy::AlwaysPublish, LatenessPolicy::AskAfter))
}

fn read_membership(row: &Row) -> Result<(Workspace, Role)> {
    let fields = row.of("members");
    Ok((read_workspace(fields)?, fields.word("role", Role::parse)?))
}

pub(crate) fn read_workspace(fields: Fields<'_>) -> Result<Workspace> {
    Ok(Workspace {
        id: fields.id("id")?,
        name: fields.get("name")?,
        plan: fields.get("plan")?,
        time_zone: Zone::stored(fields.get("time_zone")?),
        lateness_policy: read_policy(fields)?,
        created_at: fields.time("created_at")?,
    })
}
