//! Who belongs to a workspace. Every change holds the workspace, so that it never loses its last owner.

use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::change::Noun;
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::people::Member;
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use serde_json::json as value;

use crate::audit::Noted;
use crate::db::{Result, Row, Store, Tx, params, read_all, read_one};

/// What became of a change of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeMember {
    /// It was made; the member as they are, or were when they went.
    Done(Member),
    /// They are no member.
    NotFound,
    /// The actor's role does not reach so far.
    Forbidden,
    /// There would be no owner left.
    LastOwner,
}

/// Who changes a member: what they may do, and how it is noted.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// Their role in the workspace when the request came. What counts for a person is the one they have once the workspace is
    /// held: they may have lost it meanwhile.
    pub role: Role,
    /// Who they are.
    pub actor: &'a Actor,
}

/// Why a workspace, or what belongs to it, stayed as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchanged {
    /// It does not exist.
    NotFound,
    /// The actor's role does not reach so far, or they are no member any more.
    Forbidden,
}

impl Store {
    /// The members of a workspace in the order of joining.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_members(&self, workspace: WorkspaceId) -> Result<Vec<Member>> {
        let sql = "SELECT u.id, u.email, u.name, m.role, m.created_at
            FROM members m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = $1 ORDER BY m.created_at, u.id";
        read_all(&self.rows(sql, params![workspace]).await?, read_member)
    }

    /// What a person may do in a workspace; `None` if they are no member.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn role_of(&self, workspace: WorkspaceId, user: UserId) -> Result<Option<Role>> {
        Ok(self.find_membership(workspace, user).await?.map(|(_, role)| role))
    }

    /// Makes a person a member, or gives a member another role.
    ///
    /// # Errors
    /// When the database fails, or either does not exist.
    pub async fn add_member(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        now: Time,
    ) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.insert_member(workspace, user, role, now).await?;
        tx.set_role(workspace, user, role).await?;
        tx.commit().await
    }

    /// Gives a member another role. A lower one ends the invitations that they sent, which may give more than they have now;
    /// one that may make no keys ends what they hold: see [`Store::list_holdings`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change_role(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        user: UserId,
        role: Role,
        now: Time,
    ) -> Result<ChangeMember> {
        let mut tx = self.begin().await?;
        let (member, by_role) = match tx.changeable(workspace, by, user).await? {
            Ok(found) => found,
            Err(refused) => return Ok(refused),
        };
        if !by_role.manages(role) {
            return Ok(ChangeMember::Forbidden);
        }
        if role != Role::Owner && tx.is_last_owner(workspace, &member).await? {
            return Ok(ChangeMember::LastOwner);
        }
        tx.set_role(workspace, user, role).await?;
        if !role.covers(member.role) {
            tx.end_invitations_of(workspace, user).await?;
        }
        if !role.covers(Role::Admin) {
            tx.end_holdings(workspace, user, by.actor, now).await?;
        }
        let detail = value!({ "email": member.email, "from": member.role.as_str(), "to": role.as_str() });
        tx.note(
            workspace,
            by.actor,
            about(Action::MemberRoleChanged, user, detail),
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(ChangeMember::Done(Member { role, ..member }))
    }

    /// Removes a member, the invitations they sent, and what they hold: see [`Store::list_holdings`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn remove_member(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        user: UserId,
        now: Time,
    ) -> Result<ChangeMember> {
        let mut tx = self.begin().await?;
        match tx.changeable(workspace, by, user).await? {
            Ok((member, _)) => {
                tx.take_out(workspace, member, Action::MemberRemoved, by.actor, now)
                    .await
            }
            Err(refused) => Ok(refused),
        }
    }

    /// Lets a member go who wants to.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn leave_workspace(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
        now: Time,
    ) -> Result<ChangeMember> {
        let mut tx = self.begin().await?;
        tx.lock_workspace(workspace).await?;
        match tx.member(workspace, user).await? {
            Some(member) => {
                tx.take_out(workspace, member, Action::MemberLeft, actor, now)
                    .await
            }
            None => Ok(ChangeMember::NotFound),
        }
    }
}

impl Tx {
    /// Adds a member; one who is a member already keeps their role.
    pub(crate) async fn insert_member(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        now: Time,
    ) -> Result<bool> {
        let sql = "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (workspace_id, user_id) DO NOTHING";
        self.changed(workspace, Noun::Member);
        let params = params![workspace, user, role.as_str(), now];
        Ok(self.execute(sql, params).await? > 0)
    }

    async fn set_role(&mut self, workspace: WorkspaceId, user: UserId, role: Role) -> Result<()> {
        let sql = "UPDATE members SET role = $3 WHERE workspace_id = $1 AND user_id = $2";
        self.execute(sql, params![workspace, user, role.as_str()]).await?;
        Ok(())
    }

    /// The member, if the actor may decide about them, and the actor's role. Holds the workspace.
    async fn changeable(
        &mut self,
        workspace: WorkspaceId,
        by: By<'_>,
        user: UserId,
    ) -> Result<std::result::Result<(Member, Role), ChangeMember>> {
        self.lock_workspace(workspace).await?;
        let role = self.role_held(workspace, by).await?;
        Ok(match (self.member(workspace, user).await?, role) {
            (None, _) => Err(ChangeMember::NotFound),
            (Some(member), Some(role)) if role.manages(member.role) => Ok((member, role)),
            _ => Err(ChangeMember::Forbidden),
        })
    }

    /// The role that counts for a change in a workspace that this transaction holds; `None` for who is no member any more.
    pub(crate) async fn role_held(&mut self, workspace: WorkspaceId, by: By<'_>) -> Result<Option<Role>> {
        match (by.actor.kind, by.actor.id) {
            (ActorKind::User, Some(user)) => {
                let member = self.member(workspace, user.into()).await?;
                Ok(member.map(|member| member.role))
            }
            _ => Ok(Some(by.role)),
        }
    }

    /// Holds a workspace for a change by an actor whose role there reaches as far as `least`.
    pub(crate) async fn lock_workspace_as(
        &mut self,
        workspace: WorkspaceId,
        by: By<'_>,
        least: Role,
    ) -> Result<std::result::Result<(), Unchanged>> {
        if !self.lock_workspace(workspace).await? {
            return Ok(Err(Unchanged::NotFound));
        }
        let role = self.role_held(workspace, by).await?;
        Ok(match role.is_some_and(|role| role.covers(least)) {
            true => Ok(()),
            false => Err(Unchanged::Forbidden),
        })
    }

    async fn member(&mut self, workspace: WorkspaceId, user: UserId) -> Result<Option<Member>> {
        let sql = "SELECT u.id, u.email, u.name, m.role, m.created_at
            FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.user_id = $2";
        read_one(self.row(sql, params![workspace, user]).await?, read_member)
    }

    async fn is_last_owner(&mut self, workspace: WorkspaceId, member: &Member) -> Result<bool> {
        if member.role != Role::Owner {
            return Ok(false);
        }
        let sql = "SELECT user_id FROM members WHERE workspace_id = $1 AND role = 'owner' AND user_id <> $2 LIMIT 1";
        Ok(self.row(sql, params![workspace, member.user_id]).await?.is_none())
    }

    /// Ends the invitations to a workspace that a person sent and that were not accepted.
    async fn end_invitations_of(&mut self, workspace: WorkspaceId, user: UserId) -> Result<()> {
        let sql =
            "DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = $2 AND accepted_at IS NULL";
        self.execute(sql, params![workspace, user]).await?;
        Ok(())
    }

    async fn take_out(
        mut self,
        workspace: WorkspaceId,
        member: Member,
        action: Action,
        actor: &Actor,
        now: Time,
    ) -> Result<ChangeMember> {
        if self.is_last_owner(workspace, &member).await? {
            return Ok(ChangeMember::LastOwner);
        }
        let user = member.user_id;
        let sql = "DELETE FROM members WHERE workspace_id = $1 AND user_id = $2";
        self.execute(sql, params![workspace, user]).await?;
        self.end_invitations_of(workspace, user).await?;
        self.end_holdings(workspace, user, actor, now).await?;
        let detail = value!({ "email": member.email, "role": member.role.as_str() });
        self.note(workspace, actor, about(action, user, detail), now)
            .await?;
        self.commit().await?;
        Ok(ChangeMember::Done(member))
    }
}

fn about(action: Action, user: UserId, detail: serde_json::Value) -> Noted {
    Noted {
        action,
        target: Some(user.to_string()),
        detail: Some(detail),
    }
}

fn read_member(row: &Row) -> Result<Member> {
    let fields = row.of("members");
    Ok(Member {
        user_id: fields.id("id")?,
        email: fields.get("email")?,
        name: fields.get("name")?,
        role: fields.word("role", Role::parse)?,
        joined_at: fields.time("created_at")?,
    })
}
