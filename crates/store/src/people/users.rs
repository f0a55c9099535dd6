//! People who sign in.

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::id::UserId;
use playout_domain::time::Time;
use playout_domain::workspace::User;
use sqlx::AssertSqlSafe;

use super::sessions::Renewal;
use crate::db::{Result, Row, Store, StoreError, Tx, params, read_one};

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
    /// Another account has this address already.
    EmailTaken,
}

/// A person, and what they prove who they are by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Who they are.
    pub user: User,
    /// The PHC string of their password.
    pub password_hash: String,
    /// Whether a code is required as well.
    pub has_second_factor: bool,
}

impl Credentials {
    /// Whether a person who has shown what `shown` requires has shown enough for these.
    pub(crate) fn are_proven_by(&self, shown: &Self) -> bool {
        self.password_hash == shown.password_hash && self.has_second_factor == shown.has_second_factor
    }
}

const CREDENTIALS: &str =
    "SELECT id, email, name, email_verified_at, created_at, password_hash, EXISTS (SELECT 1 FROM second_factors f
        WHERE f.user_id = users.id AND f.expires_at IS NULL) AS has_second_factor
    FROM users";

/// What a person changes of themselves; `None` leaves a part as it is.
#[derive(Debug, Clone, Default)]
pub struct UserChanges {
    /// Their name; `Some(None)` takes it away.
    pub name: Option<Option<String>>,
    /// What they sign in with.
    pub credentials: Option<NewCredentials>,
}

impl UserChanges {
    fn actions(&self) -> impl Iterator<Item = PersonalAction> {
        let new = self.credentials.as_ref();
        let changes = [
            (self.name.is_some(), PersonalAction::NameChanged),
            (
                new.is_some_and(|new| new.email.is_some()),
                PersonalAction::EmailChanged,
            ),
            (
                new.is_some_and(|new| new.password_hash.is_some()),
                PersonalAction::PasswordChanged,
            ),
        ];
        changes
            .into_iter()
            .filter_map(|(is_changed, action)| is_changed.then_some(action))
    }
}

/// A new address, a new password, or both. All other sessions and all links that were mailed end with the change.
#[derive(Debug, Clone)]
pub struct NewCredentials {
    /// The address, which no mail has verified yet.
    pub email: Option<String>,
    /// The PHC string of the password.
    pub password_hash: Option<String>,
    /// The session in which they are chosen, which goes on under another token.
    pub renewal: Renewal,
}

/// What became of [`Store::update_user`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateUser {
    /// They are so now.
    Updated(User),
    /// Another account has this address.
    EmailTaken,
    /// There is no such person.
    NotFound,
}

impl Store {
    /// Adds a person whose address counts as verified.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_user(&self, user: NewUser, now: Time) -> Result<CreateUser> {
        let mut tx = self.begin().await?;
        let created = tx.insert_user(&user, Some(now), now).await?;
        tx.commit().await?;
        Ok(created)
    }

    /// The person with this address, in any case.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_user_by_email(&self, email: &str) -> Result<Option<Credentials>> {
        let sql = AssertSqlSafe(format!("{CREDENTIALS} WHERE email = $1"));
        let row = self.row(sql, params![email.to_lowercase()]).await?;
        read_one(row, read_credentials)
    }

    /// The person with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_user(&self, id: UserId) -> Result<Option<Credentials>> {
        let sql = AssertSqlSafe(format!("{CREDENTIALS} WHERE id = $1"));
        read_one(self.row(sql, params![id]).await?, read_credentials)
    }

    /// Gives a person another password, and ends all their sessions and links to choose a password; `false` if there is no
    /// such person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_password(
        &self,
        user: UserId,
        password_hash: &str,
        by: &Actor,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        tx.hold_user(user).await?;
        let sql = "UPDATE users SET password_hash = $2 WHERE id = $1";
        if tx.execute(sql, params![user, password_hash]).await? == 0 {
            return Ok(false);
        }
        tx.end_mailed_links(user).await?;
        tx.end_sessions(user).await?;
        tx.note_personal(user, by, PersonalAction::PasswordChanged.into(), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Changes a person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_user(
        &self,
        id: UserId,
        changes: &UserChanges,
        by: &Actor,
        now: Time,
    ) -> Result<UpdateUser> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE users SET password_hash = COALESCE($3, password_hash),
                email_verified_at = CASE WHEN email = COALESCE($2, email) THEN email_verified_at ELSE NULL END,
                email = COALESCE($2, email), name = CASE WHEN $4 THEN $5 ELSE name END
            WHERE id = $1 RETURNING id, email, name, email_verified_at, created_at";
        let (renames, name) = (changes.name.is_some(), changes.name.clone().flatten());
        let new = changes.credentials.as_ref();
        let email = new.and_then(|new| Some(new.email.as_ref()?.to_lowercase()));
        let password_hash = new.and_then(|new| new.password_hash.clone());
        let params = params![id, email, password_hash, renames, name];
        let row = match tx.row(sql, params).await {
            Err(StoreError::Conflict { .. }) => return Ok(UpdateUser::EmailTaken),
            other => other?,
        };
        let Some(user) = read_one(row, read_user)? else {
            return Ok(UpdateUser::NotFound);
        };
        if let Some(new) = new {
            tx.keep_only_session(id, &new.renewal).await?;
            tx.end_mailed_links(id).await?;
        }
        for action in changes.actions() {
            tx.note_personal(id, by, action.into(), now).await?;
        }
        tx.commit().await?;
        Ok(UpdateUser::Updated(user))
    }
}

impl Tx {
    pub(crate) async fn find_credentials(&mut self, id: UserId) -> Result<Option<Credentials>> {
        let sql = AssertSqlSafe(format!("{CREDENTIALS} WHERE id = $1"));
        read_one(self.row(sql, params![id]).await?, read_credentials)
    }

    /// Adds a person; the first one operates the service. `verified_at` is when a mail to the address had reached them.
    pub(crate) async fn insert_user(
        &mut self,
        user: &NewUser,
        verified_at: Option<Time>,
        now: Time,
    ) -> Result<CreateUser> {
        let is_operator = self.is_first_user().await?;
        let sql =
            "INSERT INTO users (id, email, password_hash, name, email_verified_at, created_at, is_operator)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (email) DO NOTHING";
        let params = params![
            user.id,
            user.email.to_lowercase(),
            &user.password_hash,
            user.name.clone(),
            verified_at,
            now,
            is_operator
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
        has_second_factor: row.of("users").get("has_second_factor")?,
    })
}

pub(crate) fn read_user(row: &Row) -> Result<User> {
    let fields = row.of("users");
    Ok(User {
        id: fields.id("id")?,
        email: fields.get("email")?,
        name: fields.get("name")?,
        email_verified: fields.opt_time("email_verified_at")?.is_some(),
        created_at: fields.time("created_at")?,
    })
}
