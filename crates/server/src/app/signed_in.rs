//! Where a person is signed in: what they see of their sessions, and how they end those that are not this one.

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{SessionId, UserId};
use playout_store::{FoundSession, SessionRecord};

use super::{App, AppError};

/// How many sessions a person is shown.
pub const SHOWN_SESSIONS: u32 = 100;

impl App {
    /// The sessions of a person that have not ended, the newest first.
    pub async fn list_sessions(&self, user: UserId) -> Result<Vec<SessionRecord>, AppError> {
        let now = self.now();
        Ok(self.store.list_sessions_of(user, SHOWN_SESSIONS, now).await?)
    }

    /// Ends one session of a user. The session of another user is not found.
    pub async fn end_session(&self, user: UserId, session: SessionId, by: &Actor) -> Result<(), AppError> {
        match self
            .store
            .delete_session_of(user, session, by, self.now())
            .await?
        {
            true => Ok(()),
            false => Err(no_session().into()),
        }
    }

    /// Ends all sessions of a person but this one, also those that wait for a code; answers how many there were.
    pub async fn end_other_sessions(&self, session: &FoundSession, by: &Actor) -> Result<u64, AppError> {
        let (user, now) = (session.user.id, self.now());
        Ok(self.store.delete_sessions_but(user, session.id, by, now).await?)
    }
}

fn no_session() -> Refusal {
    let message = "You have no session with this ID, or it is over.";
    Refusal::new(Code::NotFound, message)
}
