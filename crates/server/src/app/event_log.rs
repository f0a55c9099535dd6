//! Follows the log of a workspace's events: what webhooks are sent, for a client that reads a stream.
//!
//! An event has its identifier before it is committed, so on PostgreSQL a later one may be seen first. Each look therefore begins
//! [`LOOK_BACK`] before the newest event that was seen, and leaves out what was passed on.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use playout_domain::access::Accounts;
use playout_domain::change::Noun;
use playout_domain::event::Event;
use playout_domain::id::{EventId, WorkspaceId, uuid_v7};
use playout_domain::time::Time;
use playout_domain::webhook::{WebhookEvent, body_of};
use playout_store::{Show, StoreError, Subject};
use serde_json::{Value, json};
use uuid::Uuid;

use super::App;
use super::webhooks::shown::show;

/// The longest time between the making of an event's identifier and its commit.
const LOOK_BACK: Duration = Duration::from_secs(30);
/// How many events are read at once.
const PAGE: u32 = 100;

/// An event as webhooks are sent it.
#[derive(Debug, Clone)]
pub struct SentEvent {
    /// Its identifier, the `webhook-id` of its deliveries.
    pub id: EventId,
    /// Where a reader goes on that has received it.
    pub position: Position,
    /// Its name, such as `post.published`.
    pub name: &'static str,
    /// The body of a delivery. What the event is about is shown as it is now, and by its ID alone where it has been deleted.
    pub body: String,
}

/// What a reader has received: events are read again from [`LOOK_BACK`] before the newest, and those that follow the last come first. A
/// reader whose connection is cut while it reads again therefore still comes closer to the end.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The event that was received last.
    pub last: EventId,
    /// The newest that was received.
    pub newest: EventId,
}

/// What a reader is to be passed.
pub struct Wanted {
    /// The kinds of events.
    pub events: Vec<WebhookEvent>,
    /// Those of these accounts, beside those of none.
    pub accounts: Accounts,
}

/// A reader of the log.
pub struct EventLog {
    workspace: WorkspaceId,
    wanted: Vec<WebhookEvent>,
    accounts: Accounts,
    show: Show,
    /// Where each reading from the beginning begins.
    from: EventId,
    /// Where the next page begins; `None` is `from`.
    page_after: Option<EventId>,
    /// The newest that was passed on.
    newest: Option<EventId>,
    /// What was passed on, or was there before; none is earlier than `from`.
    seen: BTreeSet<EventId>,
    found: VecDeque<(WebhookEvent, Event)>,
}

impl EventLog {
    /// A reader of `wanted` events from now on, or of those after the position `after`, and of the few that were committed about when its
    /// newest was. A position of the future is one of now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open(
        app: &App,
        workspace: WorkspaceId,
        wanted: Wanted,
        after: Option<Position>,
    ) -> Result<Self, StoreError> {
        let providers: Vec<_> = app.providers().cloned().collect();
        let now = app.now();
        let after = after.filter(|after| made_at(after.newest) <= now.plus(LOOK_BACK));
        let mut log = Self {
            workspace,
            wanted: wanted.events,
            accounts: wanted.accounts,
            show: show(&app.config, &providers),
            from: look_back(after.map_or(now, |after| made_at(after.newest))),
            page_after: after
                .filter(|after| after.last < after.newest)
                .map(|after| after.last),
            newest: after.map(|after| after.newest),
            seen: after.map(|after| after.last).into_iter().collect(),
            found: VecDeque::new(),
        };
        if after.is_none() {
            while log.look(app).await? {}
            log.found.clear();
        }
        Ok(log)
    }

    /// The next event, if there is one now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&mut self, app: &App) -> Result<Option<SentEvent>, StoreError> {
        while self.found.is_empty() {
            if !self.look(app).await? {
                return Ok(None);
            }
        }
        let Some((told, event)) = self.found.pop_front() else {
            return Ok(None);
        };
        let data = self.data_of(app, &event).await?;
        let (name, body) = (told.as_str(), body_of(told.as_str(), event.created_at, &data));
        let id = event.id;
        let newest = self.newest.map_or(id, |newest| newest.max(id));
        self.newest = Some(newest);
        let position = Position { last: id, newest };
        Ok(Some(SentEvent {
            id,
            position,
            name,
            body,
        }))
    }

    /// Reads what was not seen yet, a page at most; `false` if there is nothing.
    async fn look(&mut self, app: &App) -> Result<bool, StoreError> {
        let mut is_whole = false;
        loop {
            is_whole |= self.page_after.is_none();
            let after = self.page_after.unwrap_or(self.from);
            let page = app.store.list_events(self.workspace, Some(after), PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            self.page_after = page.last().filter(|_| !is_last).map(|event| event.id);
            let unseen: Vec<Event> = page
                .into_iter()
                .filter(|event| self.seen.insert(event.id))
                .collect();
            if !unseen.is_empty() {
                let wanted = |event: Event| Some((self.wanted(&event)?, event));
                let wanted: Vec<_> = unseen.into_iter().filter_map(wanted).collect();
                self.found.extend(wanted);
                self.forget();
                return Ok(true);
            }
            // Where the reading has not begun at the beginning, what is before it may be new.
            if is_last && is_whole {
                return Ok(false);
            }
        }
    }

    fn wanted(&self, event: &Event) -> Option<WebhookEvent> {
        let kind = WebhookEvent::parse(&event.kind).filter(|kind| self.wanted.contains(kind))?;
        is_seen(&self.accounts, &event.payload).then_some(kind)
    }

    /// Forgets what no later look can find again.
    fn forget(&mut self) {
        if let Some(newest) = self.seen.last() {
            self.from = self.from.max(look_back(made_at(*newest)));
            self.seen = self.seen.split_off(&self.from);
        }
    }

    async fn data_of(&self, app: &App, event: &Event) -> Result<Value, StoreError> {
        let (noun, id) = named(&event.payload);
        let subject = match (noun, id) {
            (Some(noun), Some(id)) => self.subject(app, noun, id).await?,
            _ => None,
        };
        Ok(subject.map_or_else(|| json!({ "id": id }), &self.show))
    }

    async fn subject(&self, app: &App, noun: Noun, id: Uuid) -> Result<Option<Subject>, StoreError> {
        let (store, workspace) = (&app.store, self.workspace);
        Ok(match noun {
            Noun::Post => {
                let group = store
                    .find_group(workspace, id.into())
                    .await?
                    .map(|found| found.group);
                group.and_then(|group| {
                    let mut posts = std::iter::once(group.root).chain(group.children);
                    posts.find(|post| post.id.0 == id).map(Subject::Post)
                })
            }
            Noun::Media => store.find_media(workspace, id.into()).await?.map(Subject::Media),
            Noun::Platform => store
                .find_platform(workspace, id.into())
                .await?
                .map(Subject::Platform),
            Noun::Key | Noun::Member | Noun::Webhook => None,
        })
    }
}

/// Whether an event is of an account that is seen, or of none.
fn is_seen(accounts: &Accounts, payload: &Value) -> bool {
    if accounts.only().is_none() {
        return true;
    }
    match payload["platformId"].as_str() {
        Some(id) => id.parse().is_ok_and(|id: Uuid| accounts.allow(id.into())),
        None => payload["mediaId"].is_string(),
    }
}

/// What the payload of an event names.
fn named(payload: &Value) -> (Option<Noun>, Option<Uuid>) {
    let names = [
        ("postId", Noun::Post),
        ("mediaId", Noun::Media),
        ("platformId", Noun::Platform),
    ];
    let found = names.into_iter().find_map(|(name, noun)| {
        let id = payload[name].as_str()?.parse().ok()?;
        Some((noun, id))
    });
    found.unzip()
}

/// When the identifier of an event was made (RFC 9562, section 5.7).
fn made_at(id: EventId) -> Time {
    let millis = id.0.as_u128() >> 80;
    Time::from_millis(i64::try_from(millis).unwrap_or(0))
}

/// The least identifier of [`LOOK_BACK`] before that time.
fn look_back(at: Time) -> EventId {
    EventId(uuid_v7(at.minus(LOOK_BACK), [0; 10]))
}
