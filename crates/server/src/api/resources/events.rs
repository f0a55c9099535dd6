//! `GET /events`: the events of a workspace as a stream, for programs that cannot receive webhooks.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use futures_util::stream::unfold;
use playout_domain::error::Violation;
use playout_domain::time::Time;
use playout_domain::webhook::WebhookEvent;
use playout_store::Watch;
use playout_wire::read::parse_uuid;
use playout_wire::webhooks::EventNames;

use crate::api::auth::Caller;
use crate::api::bearer::bearer;
use crate::api::error::ApiError;
use crate::api::params::Query;
use crate::app::App;
use crate::app::event_log::{EventLog, Position, SentEvent, Wanted};
use crate::app::payloads::Holder;
use crate::app::streams::open::OpenStream;

/// How long a stream without events may outlive its key.
const ADMITTED_FOR: Duration = Duration::from_secs(60);
/// The interval of keep-alive comments, for proxies that close silent connections.
const ALIVE_EVERY: Duration = Duration::from_secs(15);
/// Makes a proxy in front of the service (nginx and compatible ones) pass a response on as it comes.
const UNCACHED: (&str, &str) = ("cache-control", "no-store");
const UNBUFFERED: (&str, &str) = ("x-accel-buffering", "no");
/// The event that a client has received last (HTML Living Standard, server-sent events).
pub(super) const LAST_EVENT_ID: &str = "last-event-id";

/// Follow events
///
/// The events of [webhooks](#webhooks) as server-sent events, for programs that have no address to be called at. `event` is the type,
/// `id` begins with the ID of the event (the `webhook-id` of its deliveries), and `data` is the body of a delivery, in which an object is
/// shown as it is when the event is sent; of one that was deleted meanwhile only `id` is there.
///
/// The stream begins with what happens from now on, or after `Last-Event-ID`. It ends when the service stops or the key is revoked, and
/// when the database fails: open it again with the last `id` that was received, whole. After that, events of the 30 seconds before may
/// come once more; where an event is earlier than another that was sent, `id` is followed by a space and the ID of that one, so that a
/// stream that is cut again does not go back further. A comment is sent every 15 seconds. A workspace has 10 streams at most.
#[utoipa::path(get, path = "/events", operation_id = "followEvents", tag = "Webhooks",
    params(
        ("event" = inline(Option<EventNames>), Query, nullable = false, explode = true, description = "Only these events. May be repeated."),
        ("Last-Event-ID" = inline(Option<String>), Header, nullable = false, description = "The `id` that was received last."),
    ),
    responses((status = 200, description = "The stream.", body = String, content_type = "text/event-stream",
        example = "id: 019aa124-7a00-7000-8000-000000000042\nevent: post.published\ndata: {\"type\":\"post.published\",\"timestamp\":\"2026-11-20T12:00:00.000Z\",\"data\":{\"id\":\"019aa124-7a00-7000-8000-000000000007\"}}\n\n")),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    mut query: Query,
) -> Result<impl IntoResponse, ApiError> {
    let wanted = Wanted {
        events: read_events(&mut query),
        accounts: caller.access().accounts.clone(),
    };
    let after = read_last(&headers, &mut query);
    query.done()?;
    let workspace = caller.workspace().id;
    let open = app.open_stream(Holder::Workspace(workspace)).await?;
    // Before the log is read, so that nothing happens unseen between the two.
    let watch = app.store.watch(workspace);
    let follower = Follower {
        watch,
        log: EventLog::open(&app, workspace, wanted, after).await?,
        key: bearer(&headers).unwrap_or_default(),
        admitted_at: app.now(),
        _open: open,
        app,
    };
    let events = unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(message(&event)), follower))
    });
    let alive = KeepAlive::new().interval(ALIVE_EVERY);
    Ok(([UNBUFFERED, UNCACHED], Sse::new(events).keep_alive(alive)))
}

/// The events that are asked for; all of them where none is.
fn read_events(query: &mut Query) -> Vec<WebhookEvent> {
    let words = query.texts("event");
    if words.is_empty() {
        return WebhookEvent::ALL.to_vec();
    }
    let wanted: Option<Vec<_>> = words.iter().map(|word| WebhookEvent::parse(word)).collect();
    wanted.unwrap_or_else(|| {
        let known: Vec<_> = WebhookEvent::ALL.iter().map(|event| event.as_str()).collect();
        query.problem("event", Violation::one_of(&known));
        Vec::new()
    })
}

/// The position that `Last-Event-ID` names. An empty one is a client's that has received nothing.
fn read_last(headers: &HeaderMap, query: &mut Query) -> Option<Position> {
    let value = headers.get(LAST_EVENT_ID).filter(|value| !value.is_empty())?;
    let position = value.to_str().ok().and_then(|value| {
        let (last, newest) = value.split_once(' ').unwrap_or((value, value));
        Some(Position {
            last: parse_uuid(last)?,
            newest: parse_uuid(newest)?,
        })
    });
    if position.is_none() {
        query.problem("Last-Event-ID", Violation::no_uuid());
    }
    position
}

fn message(event: &SentEvent) -> Event {
    let Position { last, newest } = event.position;
    let id = if last == newest {
        last.to_string()
    } else {
        format!("{last} {newest}")
    };
    Event::default().id(id).event(event.name).data(&event.body)
}

/// A client of the stream.
struct Follower {
    app: Arc<App>,
    watch: Watch,
    log: EventLog,
    key: String,
    admitted_at: Time,
    _open: OpenStream,
}

impl Follower {
    /// The next event; `None` where the stream ends.
    async fn next(&mut self) -> Option<SentEvent> {
        loop {
            if let Some(event) = self.log.next(&self.app).await.ok()? {
                self.admit(Duration::ZERO).await?;
                return Some(event);
            }
            self.admit(ADMITTED_FOR).await?;
            tokio::select! {
                () = self.app.closing.cancelled() => return None,
                () = self.app.clock.sleep_until(self.admitted_at.plus(ADMITTED_FOR)) => {}
                changed = self.watch.next() => drop(changed?),
            }
        }
    }

    /// Checks the key again if that was done longer ago. `None` where it is no longer valid, or the check failed.
    async fn admit(&mut self, for_long: Duration) -> Option<()> {
        let now = self.app.now();
        if now >= self.admitted_at.plus(for_long) {
            self.app.authenticate(&self.key).await.ok()?;
            self.admitted_at = now;
        }
        Some(())
    }
}
