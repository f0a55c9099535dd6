//! Invitations to a workspace: only the SHA-256 of an invitation's token is stored.

use std::time::Duration;

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{InvitationId, WorkspaceId};
use playout_domain::people::Invitation;
use playout_domain::rate::Rate;
use playout_domain::time::Time;
use playout_domain::workspace::{Role, User, Workspace};
use serde_json::json as value;

use super::members::{By, Unchanged};
use super::workspaces::read_workspace;
use crate::allowances::{Allowance, Allowed};
use crate::audit::Noted;
use crate::db::{Result, Row, Store, StoreError, Tx, params, read_all, read_one};

/// What became of [`Store::create_invitation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateInvitation {
    /// It can be accepted. An earlier one for the same address cannot any more.
    Created,
    /// The person with this address is a member already.
    MemberAlready,
    /// The actor may not invite with this role, or not any more.
    Forbidden,
    /// The person, the workspace or the address has had as many as it may; the next is free after this time.
    TooMany(Duration),
}

/// An invitation to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewInvitation<'a> {
    /// The invitation.
    pub invitation: &'a Invitation,
    /// The SHA-256 of the token that accepts it.
    pub hash: [u8; 32],
    /// How many may be made.
    pub limits: InvitationLimits,
}

/// How many invitations may be made.
#[derive(Debug, Clone, Copy)]
pub struct InvitationLimits {
    /// By one person, in all their workspaces.
    pub by_person: Rate,
    /// To one workspace.
    pub to_workspace: Rate,
    /// For one address, from all workspaces.
    pub for_address: Rate,
}

/// A token with which an invitation is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationToken {
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// Whether it came with the proof that is in the mail alone: then the address is verified. Who invites is shown the
    /// token without the proof.
    pub was_mailed: bool,
}

/// What became of the acceptance of an invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcceptInvitation {
    /// They belong to this workspace now, as this.
    Accepted(Workspace, Role),
    /// It is unknown, was accepted or taken back, or has expired.
    NotFound,
    /// It was sent to another address.
    ForAnother,
}

impl Store {
    /// Invites a person by their address.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_invitation(
        &self,
        workspace: WorkspaceId,
        new: NewInvitation<'_>,
        by: By<'_>,
        now: Time,
    ) -> Result<CreateInvitation> {
        let (invitation, actor) = (new.invitation, by.actor);
        let mut tx = self.begin().await?;
        tx.lock_workspace(workspace).await?;
        let role = tx.role_held(workspace, by).await?;
        if !role.is_some_and(|role| role.manages(invitation.role)) {
            return Ok(CreateInvitation::Forbidden);
        }
        let sql = "SELECT u.id FROM members m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = $1 AND u.email = $2";
        if tx
            .row(sql, params![workspace, &invitation.email])
            .await?
            .is_some()
        {
            return Ok(CreateInvitation::MemberAlready);
        }
        if let Allowance::UsedUp(wait) = tx.take_invitation(workspace, &new, now).await? {
            return Ok(CreateInvitation::TooMany(wait));
        }
        let sql = "DELETE FROM invitations WHERE workspace_id = $1 AND email = $2 AND accepted_at IS NULL";
        tx.execute(sql, params![workspace, &invitation.email]).await?;
        tx.insert_invitation(workspace, invitation, new.hash).await?;
        let detail = value!({ "email": invitation.email, "role": invitation.role.as_str() });
        tx.note(
            workspace,
            actor,
            about(Action::InvitationCreated, invitation.id, detail),
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(CreateInvitation::Created)
    }

    /// The invitations that can still be accepted, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_invitations(&self, workspace: WorkspaceId, now: Time) -> Result<Vec<Invitation>> {
        let sql = "SELECT id, email, role, invited_by, created_at, expires_at FROM invitations
            WHERE workspace_id = $1 AND accepted_at IS NULL AND expires_at > $2
            ORDER BY created_at DESC, id DESC";
        read_all(&self.rows(sql, params![workspace, now]).await?, read_invitation)
    }

    /// The invitation that this token's hash accepts, if it still can be, and the name of the workspace it is to.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_invitation(&self, hash: [u8; 32], now: Time) -> Result<Option<(Invitation, String)>> {
        let sql =
            "SELECT i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, w.name AS workspace_name
            FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
            WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.expires_at > $2";
        read_one(self.row(sql, params![hash, now]).await?, |row| {
            Ok((read_invitation(row)?, row.of("workspaces").get("workspace_name")?))
        })
    }

    /// Takes an invitation that was not accepted back, for an admin.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_invitation(
        &self,
        workspace: WorkspaceId,
        id: InvitationId,
        by: By<'_>,
        now: Time,
    ) -> Result<std::result::Result<(), Unchanged>> {
        let mut tx = self.begin().await?;
        if let Err(unchanged) = tx.lock_workspace_as(workspace, by, Role::Admin).await? {
            return Ok(Err(unchanged));
        }
        let sql = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL
            RETURNING email";
        let Some(row) = tx.row(sql, params![workspace, id]).await? else {
            return Ok(Err(Unchanged::NotFound));
        };
        let detail = value!({ "email": row.of("invitations").get::<String>("email")? });
        tx.note(
            workspace,
            by.actor,
            about(Action::InvitationRevoked, id, detail),
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(Ok(()))
    }

    /// The proof that is mailed with the token of this hash, and shown to no one else.
    pub fn mailed_proof(&self, invitation: [u8; 32]) -> [u8; 32] {
        self.0.vault.keyed_hash("mailed_invitation", &invitation)
    }

    /// Makes `user` a member of the workspace that invited them, once.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn accept_invitation(
        &self,
        token: InvitationToken,
        user: &User,
        actor: &Actor,
        now: Time,
    ) -> Result<AcceptInvitation> {
        let mut tx = self.begin().await?;
        let accepted = tx.accept_invitation(token, user, actor, now).await?;
        if matches!(accepted, AcceptInvitation::Accepted(..)) {
            tx.commit().await?;
        }
        Ok(accepted)
    }
}

impl Tx {
    /// Whether the token of this hash invites this address.
    pub(crate) async fn is_invited(&mut self, hash: [u8; 32], email: &str, now: Time) -> Result<bool> {
        let sql = "SELECT id FROM invitations
            WHERE token_hash = $1 AND email = $2 AND accepted_at IS NULL AND expires_at > $3";
        Ok(self.row(sql, params![hash, email, now]).await?.is_some())
    }

    /// [`Store::accept_invitation`] within a transaction, which must be given up unless it is accepted.
    pub(crate) async fn accept_invitation(
        &mut self,
        token: InvitationToken,
        user: &User,
        actor: &Actor,
        now: Time,
    ) -> Result<AcceptInvitation> {
        let sql = "UPDATE invitations SET accepted_at = $2
            WHERE token_hash = $1 AND accepted_at IS NULL AND expires_at > $2 RETURNING id, workspace_id, email, role";
        let Some(row) = self.row(sql, params![token.hash, now]).await? else {
            return Ok(AcceptInvitation::NotFound);
        };
        let fields = row.of("invitations");
        if fields.get::<String>("email")? != user.email {
            return Ok(AcceptInvitation::ForAnother);
        }
        if token.was_mailed {
            self.note_verified(user.id, now).await?;
        }
        let (workspace, role) = (fields.id("workspace_id")?, fields.word("role", Role::parse)?);
        if self.insert_member(workspace, user.id, role, now).await? {
            let detail = value!({ "email": user.email, "role": role.as_str(), "invitationId": fields.id::<InvitationId>("id")? });
            let noted = Noted {
                action: Action::MemberJoined,
                target: Some(user.id.to_string()),
                detail: Some(detail),
            };
            self.note(workspace, actor, noted, now).await?;
        }
        let (workspace, role) = self.membership(workspace, user).await?;
        Ok(AcceptInvitation::Accepted(workspace, role))
    }

    /// Counts an invitation for who makes it, the workspace and the address. Where one of them has no more, nothing that was
    /// taken may be committed.
    async fn take_invitation(
        &mut self,
        workspace: WorkspaceId,
        new: &NewInvitation<'_>,
        now: Time,
    ) -> Result<Allowance> {
        let (person, limits) = (new.invitation.invited_by, new.limits);
        let person = person.as_ref().map(|user| Allowed {
            kind: "invitations by",
            subject: user.0.as_bytes(),
            rate: limits.by_person,
        });
        let workspace = Allowed {
            kind: "invitations to workspace",
            subject: workspace.0.as_bytes(),
            rate: limits.to_workspace,
        };
        let address = Allowed {
            kind: "invitations for",
            subject: new.invitation.email.as_bytes(),
            rate: limits.for_address,
        };
        for of in person.into_iter().chain([workspace, address]) {
            let taken = self.take_allowance(of, now).await?;
            if taken != Allowance::Taken {
                return Ok(taken);
            }
        }
        Ok(Allowance::Taken)
    }

    async fn membership(&mut self, workspace: WorkspaceId, user: &User) -> Result<(Workspace, Role)> {
        let sql = "SELECT w.id, w.name, w.plan, w.time_zone, w.ask_after, w.created_at, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.workspace_id = $1 AND m.user_id = $2";
        let row = self.row(sql, params![workspace, user.id]).await?;
        let row = row.ok_or(StoreError::Missing {
            table: "members",
            row: user.id.0,
        })?;
        let fields = row.of("members");
        Ok((read_workspace(fields)?, fields.word("role", Role::parse)?))
    }

    async fn insert_invitation(
        &mut self,
        workspace: WorkspaceId,
        invitation: &Invitation,
        hash: [u8; 32],
    ) -> Result<()> {
        let sql = "INSERT INTO invitations (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let params = params![
            invitation.id,
            workspace,
            &invitation.email,
            invitation.role.as_str(),
            hash,
            invitation.invited_by,
            invitation.created_at,
            invitation.expires_at
        ];
        self.execute(sql, params).await?;
        Ok(())
    }
}

fn about(action: Action, id: InvitationId, detail: serde_json::Value) -> Noted {
    Noted {
        action,
        target: Some(id.to_string()),
        detail: Some(detail),
    }
}

fn read_invitation(row: &Row) -> Result<Invitation> {
    let fields = row.of("invitations");
    Ok(Invitation {
        id: fields.id("id")?,
        email: fields.get("email")?,
        role: fields.word("role", Role::parse)?,
        invited_by: fields.opt_id("invited_by")?,
        created_at: fields.time("created_at")?,
        expires_at: fields.time("expires_at")?,
    })
}
