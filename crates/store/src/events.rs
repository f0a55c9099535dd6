//! The append-only log of events. Rows are added only in the transaction of the change.

use playout_domain::event::{Event, EventKind};
use playout_domain::id::{EventId, WorkspaceId};
use playout_domain::time::Time;
use serde_json::Value;

use crate::db::{Param, Result, Row, Store, Tx, new_id, params, read_all};

/// An event to be.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) kind: EventKind,
    pub(crate) payload: Value,
}

/// The log, and its columns in the order of [`row`].
const INTO_EVENTS: &str = "INSERT INTO events (workspace_id, id, kind, payload, created_at)";

/// Whether the workspace `$1` has a webhook, which is the first parameter of its events, too.
macro_rules! has_webhooks {
    () => {
        "EXISTS (SELECT 1 FROM webhooks WHERE workspace_id = $1 AND disabled = FALSE) AS has_webhooks"
    };
}

fn row(id: EventId, event: NewEvent, now: Time) -> Vec<Param> {
    params![event.workspace_id, id, event.kind.as_str(), event.payload, now]
}

impl Tx {
    /// Adds events of one workspace to the log; its open pages are notified, and its webhooks get deliveries.
    pub(crate) async fn append_events(&mut self, events: Vec<NewEvent>, now: Time) -> Result<()> {
        let named: Vec<(EventId, NewEvent)> = events.into_iter().map(|event| (new_id(now), event)).collect();
        for (_, event) in &named {
            self.changed(event.workspace_id, event.kind.noun());
        }
        let Some((_, first)) = named.first() else {
            return Ok(());
        };
        let is_sqlite = !self.store().is_postgres();
        if is_sqlite && !self.has_webhooks(first.workspace_id).await? {
            let rows = named.into_iter().map(|(id, event)| row(id, event, now));
            return self.insert(INTO_EVENTS, rows.collect()).await;
        }
        let rows = named.iter().map(|(id, event)| row(*id, event.clone(), now));
        let returning = concat!("id, ", has_webhooks!());
        let added = self
            .insert_returning(INTO_EVENTS, rows.collect(), returning)
            .await?;
        match added.first() {
            Some(row) if row.of("events").get("has_webhooks")? => self.fan_out(&named, now).await,
            _ => Ok(()),
        }
    }

    /// To ask first costs PostgreSQL a round trip; SQLite makes a table for the rows that a statement returns, which takes longer.
    async fn has_webhooks(&mut self, workspace: WorkspaceId) -> Result<bool> {
        let row = self
            .row(concat!("SELECT ", has_webhooks!()), params![workspace])
            .await?;
        row.map_or(Ok(false), |row| row.of("webhooks").get("has_webhooks"))
    }

    /// Adds one event to the log.
    pub(crate) async fn append_event(&mut self, event: NewEvent, now: Time) -> Result<()> {
        self.append_events(vec![event], now).await
    }
}

impl Store {
    /// The events of a workspace after `after` (or from the first), oldest first, at most `limit`.
    ///
    /// Concurrent transactions on PostgreSQL may become visible slightly out of order: a reader that must miss
    /// nothing reads again from a little before its last event.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_events(
        &self,
        workspace: WorkspaceId,
        after: Option<EventId>,
        limit: u32,
    ) -> Result<Vec<Event>> {
        let after = after.unwrap_or(EventId(uuid::Uuid::nil()));
        let sql = "SELECT id, workspace_id, kind, payload, created_at FROM events
            WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
        let rows = self.rows(sql, params![workspace, after, limit]).await?;
        read_all(&rows, read_event)
    }
}

fn read_event(row: &Row) -> Result<Event> {
    let fields = row.of("events");
    Ok(Event {
        id: fields.id("id")?,
        workspace_id: fields.id("workspace_id")?,
        kind: fields.get("kind")?,
        payload: fields.json("payload")?,
        created_at: fields.time("created_at")?,
    })
}
