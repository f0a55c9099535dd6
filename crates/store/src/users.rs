//! People who sign in.

use playout_domain::id::{SessionId, UserId};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use crate::db::{Store, Tx};
use crate::error::{Result, StoreError};
use crate::param::params;
use crate::row::{Row, read_one};

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

/// What a person changes of themselves; `None` leaves a part as it is.
#[derive(Debug, Clone, Default)]
pub struct UserChanges {
    /// Their name; `Some(None)` takes it away.
    pub name: Option<Option<String>>,
    /// Their address.
    pub email: Option<String>,
    /// The PHC string of a new password; ends all their sessions but the one in which it is changed.
    pub password_hash: Option<String>,
}

/// What became of [`Store::update_user`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateUser {
    /// They are so now.
    Updated(User),
    /// Somebody else has this address.
    EmailTaken,
    /// There is no such person.
    NotFound,
}

impl Store {
    /// Adds a person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_user(&self, user: NewUser, now: Time) -> Result<CreateUser> {
        let mut tx = self.begin().await?;
        let created = tx.insert_user(&user, now).await?;
        tx.commit().await?;
        Ok(created)
    }

    /// The person with this address, in any case.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_user_by_email(&self, email: &str) -> Result<Option<Credentials>> {
        let sql = "SELECT id, email, name, created_at, password_hash FROM users WHERE email = $1";
        let row = self.row(sql, params![email.to_lowercase()]).await?;
        read_one(row, read_credentials)
    }

    /// The person with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_user(&self, id: UserId) -> Result<Option<Credentials>> {
        let sql = "SELECT id, email, name, created_at, password_hash FROM users WHERE id = $1";
        read_one(self.row(sql, params![id]).await?, read_credentials)
    }

    /// Changes a person, who asks for it in `session`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_user(
        &self,
        id: UserId,
        session: SessionId,
        changes: &UserChanges,
    ) -> Result<UpdateUser> {
        let mut tx = self.begin().await?;
        if changes.password_hash.is_some() {
            let sql = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
            tx.execute(sql, params![id, session]).await?;
        }
        let sql = "UPDATE users SET email = COALESCE($2, email), password_hash = COALESCE($3, password_hash),
                name = CASE WHEN $4 THEN $5 ELSE name END
            WHERE id = $1 RETURNING id, email, name, created_at";
        let (renames, name) = (changes.name.is_some(), changes.name.clone().flatten());
        let email = changes.email.as_deref().map(str::to_lowercase);
        let params = params![id, email, changes.password_hash.clone(), renames, name];
        let row = match tx.row(sql, params).await {
            Err(StoreError::Conflict { .. }) => return Ok(UpdateUser::EmailTaken),
            other => other?,
        };
        let Some(user) = read_one(row, read_user)? else {
            return Ok(UpdateUser::NotFound);
        };
        tx.commit().await?;
        Ok(UpdateUser::Updated(user))
    }
}

impl Tx {
    pub(crate) async fn insert_user(&mut self, user: &NewUser, now: Time) -> Result<CreateUser> {
        let sql = "INSERT INTO users (id, email, password_hash, name, created_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (email) DO NOTHING";
        let params = params![
            user.id,
            user.email.to_lowercase(),
            &user.password_hash,
            user.name.clone(),
            now
        ];
        Ok(match self.execute(sql, params).await? {
            0 => CreateUser::EmailTaken,
            _ => CreateUser::Created,
        })
    }
}

fn read_credentials(row: &Row) -> Result<Credentials> {
    Ok(Credentials {
        user: read_user(row)?,
        password_hash: row.of("users").get("password_hash")?,
    })
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
