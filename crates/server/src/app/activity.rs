//! What a person sees of what concerns them alone: sign-ins, and changes of what protects them.

use playout_domain::audit::{Actor, ActorKind, PersonalAction};
use playout_domain::error::Code;
use playout_domain::id::UserId;
use playout_domain::secret::Secret;
use playout_domain::workspace::User;
use playout_store::FailedSignIn;

use super::second_factor::wrong_code;
use super::whence::Whence;
use super::{App, AppError};
use crate::chance;

impl App {
    /// Takes a code on the way to a session; the person's activity has those that are wrong.
    pub(super) async fn take_sign_in_code(
        &self,
        user: &User,
        code: &Secret,
        from: &Whence,
    ) -> Result<(), AppError> {
        let taken = self
            .take_code(user, code, wrong_code(), &arriving(user, from))
            .await;
        if matches!(&taken, Err(AppError::Refused(refusal)) if refusal.code == Code::InvalidCredentials) {
            self.note_failed_sign_in(Some(user.id), PersonalAction::SignInCodeFailed, from);
        }
        taken
    }

    /// Notes a failed sign-in after the answer, and does the same work where no one has the address: how long the answer, or
    /// the next one, takes must not show whether an address is known.
    pub(super) fn note_failed_sign_in(&self, user: Option<UserId>, action: PersonalAction, from: &Whence) {
        let (store, now) = (self.store.clone(), self.now());
        let failed = FailedSignIn {
            user: user.unwrap_or_else(|| chance::id(now)),
            action,
            address: from.address.map(|address| address.to_string()),
        };
        tokio::spawn(async move {
            if let Err(error) = store.note_failed_sign_in(failed, now).await {
                tracing::error!("could not note a failed sign-in: {error}");
            }
        });
    }
}

/// A person on the way to a session.
fn arriving(user: &User, from: &Whence) -> Actor {
    Actor {
        kind: ActorKind::User,
        id: Some(user.id.0),
        name: Some(user.email.clone()),
        session: None,
        address: from.address.map(|address| address.to_string()),
    }
}
