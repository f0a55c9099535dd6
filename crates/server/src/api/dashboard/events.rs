//! `/events`: what changes in a workspace, as it changes.

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
use crate::app::streams::OpenStream;

/// How long whoever signed out elsewhere may go on looking. Who leaves a workspace is shown out at once.
const ADMITTED_FOR: Duration = Duration::from_secs(60);
/// A sign of life, for proxies that close what is silent.
const ALIVE_EVERY: Duration = Duration::from_secs(15);
/// What changes all the time is told so often: a page reads again after each.
const TOLD_EVERY: Duration = Duration::from_millis(250);
/// Asks a proxy in front of the service (nginx and those that follow it) to pass on each event as it comes.
const UNBUFFERED: (&str, &str) = ("x-accel-buffering", "no");

/// Follow what changes
///
/// Server-sent events of which `data` is a JSON object with a `type`: `post.updated`, `media.updated`, `platform.updated`,
/// `key.updated`, `member.updated` or `webhook.updated`. An event says that something of that kind changed, or was made or deleted, in the
/// workspace since the last one: read again what you show. What changes many times in a moment is told once. Nothing is kept
/// for those who are not there: read everything after the stream has been opened, and open it again when it ends, as it does
/// when the service stops, with the session, and with the membership. A comment comes every 15 seconds.
#[utoipa::path(get, path = "/events", operation_id = "followEvents", tag = "Events",
    responses((status = 200, description = "The stream.", body = String, content_type = "text/event-stream",
        example = "data: {\"type\":\"post.updated\"}\n\n")))]
pub async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
) -> Result<impl IntoResponse, ApiError> {
    let open = app.streams.open(signed_in.user().id)?;
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

/// Somebody who looks at a workspace.
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
    /// What the next event is about; `None` where the stream ends.
    async fn next(&mut self) -> Option<Noun> {
        loop {
            if let Some(noun) = self.untold.pop() {
                self.has_told = true;
                return Some(noun);
            }
            self.look().await?;
        }
    }

    /// Waits for something to tell, or for the time to ask whether they may still look.
    async fn look(&mut self) -> Option<()> {
        let changed = tokio::select! {
            () = self.app.closing.cancelled() => return None,
            () = self.app.clock.sleep_until(self.admitted_until) => Vec::new(),
            changed = next_changes(&mut self.watch, self.has_told) => changed?,
        };
        // Which member left is not told: it may be this one.
        if changed.is_empty() || changed.contains(&Noun::Member) {
            self.admit().await?;
        }
        self.untold = changed;
        Some(())
    }

    /// `None` where they may look no longer, or nobody knows.
    async fn admit(&mut self) -> Option<()> {
        let admitted = self.app.may_look(self.workspace, &self.presented.token).await;
        self.admitted_until = self.app.now().plus(ADMITTED_FOR);
        admitted.is_ok_and(|admitted| admitted).then_some(())
    }
}

/// What changed, a moment after the last time: what comes meanwhile is told together.
async fn next_changes(watch: &mut Watch, has_told: bool) -> Option<Vec<Noun>> {
    if has_told {
        tokio::time::sleep(TOLD_EVERY).await;
    }
    watch.next().await
}
