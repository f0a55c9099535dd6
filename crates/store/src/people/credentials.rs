//! Reading people, and what they prove who they are by.

use playout_domain::id::UserId;
use playout_domain::workspace::User;
use sqlx::AssertSqlSafe;

use crate::db::{Result, Row, Store, Tx, params, read_one};

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

impl Store {
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
}

impl Tx {
    /// [`Store::find_user`], within the transaction.
    pub(crate) async fn find_credentials(&mut self, id: UserId) -> Result<Option<Credentials>> {
        let sql = AssertSqlSafe(format!("{CREDENTIALS} WHERE id = $1"));
        read_one(self.row(sql, params![id]).await?, read_credentials)
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
