//! People who sign in: created and changed. Reading them is in `credentials.rs`.

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::id::UserId;
use playout_domain::time::Time;
use playout_domain::workspace::User;

use super::credentials::read_user;
use super::sessions::Renewal;
use crate::db::{Result, Store, StoreError, Tx, params, read_one};

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
