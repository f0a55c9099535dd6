//! `/events`: the live stream of a workspace's changes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use futures_util::stream::unfold;
use playout_domain::change::Noun;
use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use playout_store::Watch;

use crate::api::auth::{Caller, SignedIn};
use crate::api::error::ApiError;
use crate::api::session::Presented;
use crate::app::App;
use crate::app::payloads::Holder;
use crate::app::streams::open::OpenStream;

/// How long a stream may outlive its session. A member who is removed is disconnected at once.
const ADMITTED_FOR: Duration = Duration::from_secs(60);
/// The interval of keep-alive comments, for proxies that close silent connections.
const ALIVE_EVERY: Duration = Duration::from_secs(15);
/// The shortest time between two events, because a page reads again after each.
const TOLD_EVERY: Duration = Duration::from_millis(250);
/// Makes a proxy in front of the service (nginx and compatible ones) pass a response on as it comes.
pub(crate) const UNBUFFERED: (&str, &str) = ("x-accel-buffering", "no");

/// Follow changes
///
/// Server-sent events whose `data` is a JSON object with a `type`: `post.updated`, `media.updated`, `platform.updated`,
/// `key.updated`, `member.updated` or `webhook.updated`. An event means that something of that kind was created, changed or
/// deleted in the workspace since the last event: read again what you show. Several changes in a short time are one event. Events
/// are not kept for clients that are not connected: after opening the stream read everything, and open it again when it ends, as
/// it does when the service stops, with the session, and with the membership. A comment is sent every 15 seconds.
#[utoipa::path(get, path = "/events", operation_id = "followEvents", tag = "Events",
    responses((status = 200, description = "The stream.", body = String, content_type = "text/event-stream",
        example = "data: {\"type\":\"post.updated\"}\n\n")))]
pub async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
) -> Result<impl IntoResponse, ApiError> {
    let open = app.open_stream(Holder::Person(signed_in.user().id)).await?;
    let workspace = caller.workspace().id;
    let viewer = Viewer {
        watch: app.store.watch(workspace),
        untold: Vec::new(),
        has_told: false,
        workspace,
        presented: signed_in.presented,
        admitted_until: app.now().plus(ADMITTED_FOR),
        _open: open,
        app,
    };
    let events = unfold(viewer, |mut viewer| async move {
        let noun = viewer.next().await?;
        Some((Ok::<_, Infallible>(updated(noun)), viewer))
    });
    let alive = KeepAlive::new().interval(ALIVE_EVERY);
    Ok(([UNBUFFERED], Sse::new(events).keep_alive(alive)))
}

fn updated(noun: Noun) -> Event {
    Event::default().data(format!(r#"{{"type":"{}.updated"}}"#, noun.as_str()))
}

/// A client of the stream.
struct Viewer {
    app: Arc<App>,
    watch: Watch,
    untold: Vec<Noun>,
    has_told: bool,
    workspace: WorkspaceId,
    presented: Arc<Presented>,
    admitted_until: Time,
    _open: OpenStream,
}

impl Viewer {
    /// The next event's noun; `None` where the stream ends.
    async fn next(&mut self) -> Option<Noun> {
        loop {
            if let Some(noun) = self.untold.pop() {
                self.has_told = true;
                return Some(noun);
            }
            self.look().await?;
        }
    }

    /// Waits for a change, or for the time to check again that the client may follow the stream.
    async fn look(&mut self) -> Option<()> {
        let changed = tokio::select! {
            () = self.app.closing.cancelled() => return None,
            () = self.app.clock.sleep_until(self.admitted_until) => Vec::new(),
            changed = next_changes(&mut self.watch, self.has_told) => changed?,
        };
        // The change does not name the member who left: it may be this one.
        if changed.is_empty() || changed.contains(&Noun::Member) {
            self.admit().await?;
        }
        self.untold = changed;
        Some(())
    }

    /// `None` where the client may no longer follow the stream, or the check failed.
    async fn admit(&mut self) -> Option<()> {
        let admitted = self.app.may_look(self.workspace, &self.presented.token).await;
        self.admitted_until = self.app.now().plus(ADMITTED_FOR);
        admitted.is_ok_and(|admitted| admitted).then_some(())
    }
}

/// The next changes, collected for a moment after the last event.
async fn next_changes(watch: &mut Watch, has_told: bool) -> Option<Vec<Noun>> {
    if has_told {
        tokio::time::sleep(TOLD_EVERY).await;
    }
    watch.next().await
}
