//! Signing up: a person, their first workspace and their first session, all or nothing.

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use crate::db::Store;
use crate::error::Result;
use crate::invitations::AcceptInvitation;
use crate::sessions::NewSession;
use crate::users::{CreateUser, NewUser};
use crate::workspaces::NewWorkspace;

/// Somebody who signs up.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Who.
    pub user: NewUser,
    /// A workspace of their own.
    pub workspace: Option<NewWorkspace>,
    /// The SHA-256 of the token of an invitation that they accept.
    pub invitation: Option<[u8; 32]>,
    /// The session that begins.
    pub session: NewSession,
}

/// What became of [`Store::sign_up`]. Unless they are in, nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignUp {
    /// They are in.
    Done(User),
    /// Somebody has this address already.
    EmailTaken,
    /// The invitation is unknown, over, or for another address.
    NotInvited,
}

impl Store {
    /// Adds a person with their first workspace and session.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_up(&self, account: NewAccount, actor: &Actor, now: Time) -> Result<SignUp> {
        let mut tx = self.begin().await?;
        if tx.insert_user(&account.user, now).await? == CreateUser::EmailTaken {
            return Ok(SignUp::EmailTaken);
        }
        let user = User {
            id: account.user.id,
            email: account.user.email.to_lowercase(),
            name: account.user.name,
            created_at: now,
        };
        if let Some(hash) = account.invitation {
            let accepted = tx.accept_invitation(hash, &user, actor, now).await?;
            if !matches!(accepted, AcceptInvitation::Accepted(..)) {
                return Ok(SignUp::NotInvited);
            }
        }
        if let Some(workspace) = account.workspace {
            tx.insert_workspace(&workspace, actor, now).await?;
        }
        tx.insert_session(&account.session, user.id, now).await?;
        tx.note_personal(user.id, actor, PersonalAction::SignedUp.into(), now)
            .await?;
        tx.commit().await?;
        Ok(SignUp::Done(user))
    }
}
