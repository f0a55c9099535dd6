//! Who may sign up where no setting decides it: that depends on whether there are users. Also, who operates the service.

use playout_domain::id::UserId;

use crate::db::{Result, Store, Tx, params};

/// What decides about sign-up beside the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    /// Whether there is a user.
    pub has_users: bool,
    /// Whether sign-up stays open after the first user where it is not configured: `true` on instances that had users when
    /// this was introduced.
    pub signup_open: bool,
}

/// Which users a sign-up may create; checked in its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// The first user and all others.
    Anyone,
    /// The first user alone.
    First,
    /// Any user but the first, for whom the setup code was not checked.
    Later,
}

impl Store {
    /// The state of the service.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn instance(&self) -> Result<Instance> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users) AS has_users,
            EXISTS (SELECT 1 FROM instance WHERE signup_open) AS signup_open";
        let row = self.row(sql, Vec::new()).await?;
        let read = row.map(|row| {
            let fields = row.of("instance");
            Ok(Instance {
                has_users: fields.get("has_users")?,
                signup_open: fields.get("signup_open")?,
            })
        });
        read.unwrap_or(Ok(Instance {
            has_users: false,
            signup_open: false,
        }))
    }

    /// Whether a person operates the service.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_operator(&self, user: UserId) -> Result<bool> {
        let sql = "SELECT id FROM users WHERE id = $1 AND is_operator";
        Ok(self.row(sql, params![user]).await?.is_some())
    }
}

impl Tx {
    /// Whether there are no users. Of several transactions that ask at the same time, only the first to commit a user
    /// gets `true`: the others wait for it.
    pub(crate) async fn is_first_user(&mut self) -> Result<bool> {
        if self.has_users().await? {
            return Ok(false);
        }
        self.lock("SELECT id FROM instance WHERE id = $1", params![1_i64])
            .await?;
        Ok(!self.has_users().await?)
    }

    /// Whether the admission covers a sign-up at this moment.
    pub(crate) async fn admits(&mut self, admission: Admission) -> Result<bool> {
        Ok(match admission {
            Admission::Anyone => true,
            Admission::First => self.is_first_user().await?,
            Admission::Later => !self.is_first_user().await?,
        })
    }

    async fn has_users(&mut self) -> Result<bool> {
        let sql = "SELECT id FROM users LIMIT 1";
        Ok(self.row(sql, Vec::new()).await?.is_some())
    }
}
