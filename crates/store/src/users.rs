//! People, and the workspaces they belong to.

use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::time::Time;
use playout_domain::workspace::{Role, User, Workspace};

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::param::params;
use crate::row::{Fields, Row, read_one};

/// A person to be.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Their identifier.
    pub id: UserId,
    /// Their address; stored in lower case.
    pub email: String,
    /// Their name.
    pub name: Option<String>,
    /// The PHC string of their password (Argon2).
    pub password_hash: String,
}

/// What became of [`Store::create_user`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateUser {
    /// They exist now.
    Created,
    /// Somebody has this address already.
    EmailTaken,
}

/// A person, and what their password is checked against.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Who they are.
    pub user: User,
    /// The PHC string of their password.
    pub password_hash: String,
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

impl Store {
    /// Adds a person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_user(&self, user: NewUser, now: Time) -> Result<CreateUser> {
        let sql = "INSERT INTO users (id, email, password_hash, name, created_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (email) DO NOTHING";
        let params = params![
            user.id,
            user.email.to_lowercase(),
            user.password_hash,
            user.name,
            now
        ];
        Ok(match self.execute(sql, params).await? {
            0 => CreateUser::EmailTaken,
            _ => CreateUser::Created,
        })
    }

    /// The person with this address, in any case.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_user_by_email(&self, email: &str) -> Result<Option<Credentials>> {
        let sql = "SELECT id, email, name, created_at, password_hash FROM users WHERE email = $1";
        let row = self.row(sql, params![email.to_lowercase()]).await?;
        read_one(row, |row| {
            Ok(Credentials {
                user: read_user(row)?,
                password_hash: row.of("users").get("password_hash")?,
            })
        })
    }

    /// Adds a workspace and, if it has one, its owner.
    ///
    /// # Errors
    /// When the database fails, or the owner does not exist.
    pub async fn create_workspace(&self, workspace: NewWorkspace, now: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![workspace.id, workspace.name, workspace.plan, now])
            .await?;
        if let Some(owner) = workspace.owner {
            insert_member(&mut tx, workspace.id, (owner, Role::Owner), now).await?;
        }
        tx.commit().await
    }

    /// The workspace with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>> {
        let sql = "SELECT id, name, plan, created_at FROM workspaces WHERE id = $1";
        read_one(self.row(sql, params![id]).await?, |row| {
            read_workspace(row.of("workspaces"))
        })
    }

    /// The workspaces a person belongs to, and as what, in the order of joining.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_workspaces_of(&self, user: UserId) -> Result<Vec<(Workspace, Role)>> {
        let sql = "SELECT w.id, w.name, w.plan, w.created_at, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.user_id = $1 ORDER BY m.created_at, w.id";
        let rows = self.rows(sql, params![user]).await?;
        let read = |row: &Row| {
            let fields = row.of("members");
            Ok((read_workspace(fields)?, fields.word("role", Role::parse)?))
        };
        rows.iter().map(read).collect()
    }

    /// Puts a workspace on another plan; `false` if there is no such workspace.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_plan(&self, workspace: WorkspaceId, plan: &str) -> Result<bool> {
        let sql = "UPDATE workspaces SET plan = $2 WHERE id = $1";
        Ok(self.execute(sql, params![workspace, plan]).await? > 0)
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
        insert_member(&mut tx, workspace, (user, role), now).await?;
        tx.commit().await
    }

    /// What a person may do in a workspace; `None` if they are no member.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn role_of(&self, workspace: WorkspaceId, user: UserId) -> Result<Option<Role>> {
        let sql = "SELECT role FROM members WHERE workspace_id = $1 AND user_id = $2";
        let row = self.row(sql, params![workspace, user]).await?;
        read_one(row, |row| row.of("members").word("role", Role::parse))
    }
}

async fn insert_member(
    tx: &mut Tx,
    workspace: WorkspaceId,
    (user, role): (UserId, Role),
    now: Time,
) -> Result<()> {
    let sql = "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role";
    tx.execute(sql, params![workspace, user, role.as_str(), now])
        .await?;
    Ok(())
}

pub(crate) fn read_user(row: &Row) -> Result<User> {
    let fields = row.of("users");
    Ok(User {
        id: fields.id("id")?,
        email: fields.get("email")?,
        name: fields.get("name")?,
        created_at: fields.time("created_at")?,
    })
}

fn read_workspace(fields: Fields<'_>) -> Result<Workspace> {
    Ok(Workspace {
        id: fields.id("id")?,
        name: fields.get("name")?,
        plan: fields.get("plan")?,
        created_at: fields.time("created_at")?,
    })
}
