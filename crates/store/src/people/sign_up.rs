//! Signing up: a person, their first workspace and their first session, all or nothing.

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use super::admission::Admission;
use super::invitations::{AcceptInvitation, InvitationToken};
use super::sessions::NewSession;
use super::users::{CreateUser, NewUser};
use super::workspaces::NewWorkspace;
use crate::db::{Result, Store};

/// A person who signs up.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Whether they may be the first user, or must be.
    pub admission: Admission,
    /// Who.
    pub user: NewUser,
    /// A workspace of their own.
    pub workspace: Option<NewWorkspace>,
    /// The invitation that they accept.
    pub invitation: Option<InvitationToken>,
    /// The session that begins.
    pub session: NewSession,
}

/// What became of [`Store::sign_up`]. Unless they are in, nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignUp {
    /// They are in.
    Done(User),
    /// Another account has this address already.
    EmailTaken,
    /// The invitation is unknown, over, or for another address.
    NotInvited,
    /// The admission does not cover them: another user was first, or there is none yet.
    NotAdmitted,
}

impl Store {
    /// Adds a person with their first workspace and session.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_up(&self, account: NewAccount, actor: &Actor, now: Time) -> Result<SignUp> {
        let mut tx = self.begin().await?;
        if !tx.admits(account.admission).await? {
            return Ok(SignUp::NotAdmitted);
        }
        let email = account.user.email.to_lowercase();
        // Before the address, or a made-up invitation would reveal which addresses have an account.
        if let Some(token) = account.invitation
            && !tx.is_invited(token.hash, &email, now).await?
        {
            return Ok(SignUp::NotInvited);
        }
        let email_verified = account.invitation.is_some_and(|token| token.was_mailed);
        let verified_at = email_verified.then_some(now);
        if tx.insert_user(&account.user, verified_at, now).await? == CreateUser::EmailTaken {
            return Ok(SignUp::EmailTaken);
        }
        let user = User {
            id: account.user.id,
            email,
            name: account.user.name,
            email_verified,
            created_at: now,
        };
        if let Some(token) = account.invitation {
            let accepted = tx.accept_invitation(token, &user, actor, now).await?;
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
