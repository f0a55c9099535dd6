//! Workspaces and their members.

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::lateness::LatenessPolicy;
use playout_domain::people::Member;
use playout_domain::workspace::{Role, User, Workspace};
use playout_domain::zone::Zone;
use playout_store::{By, ChangeMember, CreateWorkspace, Holdings, NewWorkspace, Unchanged, WorkspaceChanges};
use playout_wire::organizations::DeleteOrganization;

use super::refusals::{not_a_member, role_too_low};
use super::{App, AppError};
use crate::chance;

impl App {
    /// Makes a workspace that a person owns.
    pub async fn create_workspace(
        &self,
        name: String,
        owner: UserId,
        actor: &Actor,
    ) -> Result<Workspace, AppError> {
        let now = self.now();
        let workspace = Workspace {
            id: chance::id(now),
            name,
            plan: self.config.default_plan.clone(),
            time_zone: Zone::utc(),
            lateness_policy: LatenessPolicy::default(),
            created_at: now,
        };
        let new = NewWorkspace {
            id: workspace.id,
            name: workspace.name.clone(),
            plan: workspace.plan.clone(),
            owner: Some(owner),
        };
        let most = self.config.workspaces_per_user;
        match self.store.create_workspace_within(new, most, actor, now).await? {
            CreateWorkspace::Created => Ok(workspace),
            CreateWorkspace::LimitReached => Err(too_many_workspaces(most).into()),
        }
    }

    /// Changes the name, the time zone or the lateness policy of a workspace.
    pub async fn update_workspace(
        &self,
        workspace: WorkspaceId,
        changes: &WorkspaceChanges,
        by: By<'_>,
    ) -> Result<Workspace, AppError> {
        let changed = self
            .store
            .update_workspace(workspace, changes, by, self.now())
            .await?;
        Ok(changed.map_err(unchanged)?)
    }

    /// Deletes a workspace, for an owner who proves who they are again, with everything in it: keys end, files go, and what was
    /// granted is given back to the providers. The request does not wait for a provider or the storage: what fails there is tried
    /// again until it is done.
    pub async fn delete_workspace(
        &self,
        workspace: WorkspaceId,
        user: &User,
        by: By<'_>,
        proof: DeleteOrganization,
    ) -> Result<(), AppError> {
        self.check_identity(user, by.actor, "password", proof.password, proof.code.as_ref())
            .await?;
        let deleted = self.store.delete_workspace(workspace, by, self.now()).await?;
        let files = deleted.map_err(unchanged)?;
        self.forget_keys_of(workspace);
        self.revoking.notify_one();
        let who = by.actor.name.as_deref().unwrap_or("the operator");
        tracing::info!(%workspace, "{who} deleted the workspace {workspace} with {} files", files.len());
        for file in files {
            if let Err(error) = self.remove_files(&file).await {
                tracing::warn!("the files of {file} are left to the sweep: {error}");
            }
        }
        Ok(())
    }

    /// What a member of a workspace loses with their role.
    pub async fn get_holdings(&self, workspace: WorkspaceId, user: UserId) -> Result<Holdings, AppError> {
        let role = self.store.role_of(workspace, user).await?;
        role.ok_or_else(no_such_member)?;
        Ok(self.store.list_holdings(workspace, user).await?)
    }

    /// Gives a member another role.
    pub async fn change_role(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        user: UserId,
        role: Role,
    ) -> Result<Member, AppError> {
        let changed = self
            .store
            .change_role(workspace, by, user, role, self.now())
            .await?;
        self.forget_keys_of(workspace);
        outcome(changed)
    }

    /// Removes a member.
    pub async fn remove_member(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        user: UserId,
    ) -> Result<(), AppError> {
        let removed = self.store.remove_member(workspace, by, user, self.now()).await?;
        self.forget_keys_of(workspace);
        outcome(removed).map(drop)
    }

    /// Lets a member go.
    pub async fn leave_workspace(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
    ) -> Result<(), AppError> {
        let left = self
            .store
            .leave_workspace(workspace, user, actor, self.now())
            .await?;
        self.forget_keys_of(workspace);
        outcome(left).map(drop)
    }
}

fn unchanged(why: Unchanged) -> Refusal {
    match why {
        Unchanged::NotFound => not_a_member(),
        Unchanged::Forbidden => role_too_low(),
    }
}

fn no_such_member() -> Refusal {
    Refusal::new(Code::NotFound, "Nobody with this ID is a member.")
}

fn too_many_workspaces(most: u32) -> Refusal {
    let message = format!(
        "You own or have made {most} workspaces, as many as this service allows a person. Delete one, or ask its operator."
    );
    Refusal::new(Code::WorkspaceLimitReached, message)
        .with_details(serde_json::json!({ "workspacesPerUser": most }))
}

fn outcome(changed: ChangeMember) -> Result<Member, AppError> {
    let refusal = match changed {
        ChangeMember::Done(member) => return Ok(member),
        ChangeMember::NotFound => no_such_member(),
        ChangeMember::Forbidden => role_too_low(),
        ChangeMember::LastOwner => {
            let message = "A workspace has an owner. Make somebody else one first, or delete it.";
            Refusal::new(Code::LastOwner, message)
        }
    };
    Err(refusal.into())
}
