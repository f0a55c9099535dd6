//! What events are about, and how webhooks get it: the service sets that once, the fan-out calls it.

use playout_domain::media::Media;
use playout_domain::platform::Platform;
use playout_domain::post::Post;
use serde_json::Value;

/// What an event is about, at the moment of the event.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A root post or a comment.
    Post(Post),
    /// A media object.
    Media(Media),
    /// A connected account.
    Platform(Platform),
}

/// Makes of it what the API shows.
pub type Show = Box<dyn Fn(Subject) -> Value + Send + Sync>;
