//! What a hold means for posts, for those who create and read them: nothing is published while it is on (`worker/hold.rs`).

use playout_domain::explanation::HELD;
use playout_domain::limits::Warning;
use playout_domain::post::{Post, PostState};
use playout_domain::time::Time;

use super::{App, AppError};

impl App {
    /// Warns of a post that is to be published while publications are held.
    pub(crate) async fn held_warning(&self) -> Result<Option<Warning>, AppError> {
        let hold = self.store.find_hold().await?;
        Ok(hold.map(|_| Warning {
            code: HELD.code,
            message: HELD.explanation().message(),
        }))
    }

    /// While publications are held, sets the error text of due posts to the hold's explanation.
    pub(crate) async fn explain_hold(&self, posts: &mut [Post]) -> Result<(), AppError> {
        let now = self.now();
        let mut due: Vec<&mut Post> = posts.iter_mut().filter(|post| is_due(post, now)).collect();
        if due.is_empty() || self.store.find_hold().await?.is_none() {
            return Ok(());
        }
        for post in &mut due {
            post.error_text = Some(format!("{} ({})", HELD.explanation().message(), HELD.code));
        }
        Ok(())
    }
}

/// Whether a post is in the queue, and its time has come. Comments have none before their root is out.
fn is_due(post: &Post, now: Time) -> bool {
    post.state == PostState::Queue
        && post.parent_id.is_none()
        && post.scheduled_for.is_none_or(|planned| planned <= now)
}
