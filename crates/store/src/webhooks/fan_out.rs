//! From the log to the webhooks. In the transaction that appends an event, each webhook that wants it gets a delivery of its
//! own, with the body that every try will send: neither exists without the other, even after a crash.
//!
//! 1. The statement that adds the event returns whether the workspace has a webhook at all (`events.rs`).
//! 2. Only then the webhooks are read, and what the event is about is read as this transaction leaves it.
//! 3. One delivery for each webhook that subscribes to such events; the senders are woken by the commit.

use playout_domain::change::Noun;
use playout_domain::id::{DeliveryId, EventId, MediaId, PlatformId, PostId, WebhookId, WorkspaceId};
use playout_domain::post::Post;
use playout_domain::time::Time;
use playout_domain::webhook::{WebhookEvent, body_of};
use serde_json::Value;
use uuid::Uuid;

use crate::accounts::platforms::{platform_columns, read_platform};
use crate::db::{Param, Result, Row, Show, Store, Subject, Tx, new_id, params, read_one};
use crate::events::NewEvent;
use crate::media::read::{media_columns, read_media};
use crate::posts::read::FoundGroup;

/// The webhooks of a workspace that are on. They are kept from being deleted until the deliveries that refer to them are
/// committed.
pub(crate) const LISTENING: &str =
    "SELECT id, events FROM webhooks WHERE workspace_id = $1 AND disabled = FALSE";

/// A webhook and the events it subscribes to.
struct Listener {
    id: WebhookId,
    events: Vec<WebhookEvent>,
}

impl Store {
    /// Sets how the subjects of events are shown to webhooks. Only the first call has an effect; without one, deliveries
    /// carry the payload of the log.
    pub fn show_with(&self, show: Show) {
        let _later = self.0.show.set(show);
    }
}

impl Tx {
    /// Makes the deliveries of events of one workspace.
    pub(crate) async fn fan_out(&mut self, events: &[(EventId, NewEvent)], now: Time) -> Result<()> {
        let Some((_, first)) = events.first() else {
            return Ok(());
        };
        let workspace = first.workspace_id;
        let listeners = self.listeners(workspace).await?;
        let mut rows = Vec::new();
        for (id, event) in events {
            let Some(told) = WebhookEvent::of(event.kind) else {
                continue;
            };
            let wanted = listeners
                .iter()
                .filter(|listener| listener.events.contains(&told));
            let wanted: Vec<WebhookId> = wanted.map(|listener| listener.id).collect();
            if wanted.is_empty() {
                continue;
            }
            let data = self.data_of(event).await?;
            let body = body_of(told.as_str(), now, &data);
            let row = |webhook: WebhookId| {
                let delivery = NewDelivery {
                    webhook,
                    event: *id,
                    kind: told.as_str(),
                    body: &body,
                };
                delivery_row(workspace, delivery, now)
            };
            rows.extend(wanted.into_iter().map(row));
        }
        self.add_deliveries(workspace, rows).await
    }

    /// Adds deliveries to be sent at once; see [`delivery_row`].
    pub(crate) async fn add_deliveries(
        &mut self,
        workspace: WorkspaceId,
        rows: Vec<Vec<Param>>,
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.changed(workspace, Noun::Webhook);
        self.wake_senders();
        let into = "INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, kind, body, state, due_at,
            created_at)";
        self.insert(into, rows).await
    }

    async fn listeners(&mut self, workspace: WorkspaceId) -> Result<Vec<Listener>> {
        let rows = self.lock_for_reference(LISTENING, params![workspace]).await?;
        let read = |row: &Row| {
            let fields = row.of("webhooks");
            Ok(Listener {
                id: fields.id("id")?,
                events: WebhookEvent::parse_known(&fields.json::<Vec<String>>("events")?),
            })
        };
        rows.iter().map(read).collect()
    }

    /// The event's subject as the API shows it; the payload of the log where `Store::show_with` was not called.
    async fn data_of(&mut self, event: &NewEvent) -> Result<Value> {
        let is_shown = self.store().0.show.get().is_some();
        let subject = match is_shown {
            true => self.subject(event).await?,
            false => None,
        };
        Ok(match (self.store().0.show.get(), subject) {
            (Some(show), Some(subject)) => show(subject),
            _ => event.payload.clone(),
        })
    }

    async fn subject(&mut self, event: &NewEvent) -> Result<Option<Subject>> {
        let workspace = event.workspace_id;
        Ok(match event.kind.noun() {
            Noun::Post => match named(event, "postId") {
                Some(id) => Some(Subject::Post(self.post(workspace, id.into()).await?)),
                None => None,
            },
            Noun::Media => self.media_of(workspace, named(event, "mediaId")).await?,
            Noun::Platform => self.platform_of(workspace, named(event, "platformId")).await?,
            Noun::Key | Noun::Member | Noun::Webhook => None,
        })
    }

    /// A post with its media: the root of a group, or the comment that is meant.
    async fn post(&mut self, workspace: WorkspaceId, id: PostId) -> Result<Post> {
        let FoundGroup { group, .. } = self.group(workspace, id).await?;
        let comment = group.children.into_iter().find(|comment| comment.id == id);
        Ok(comment.unwrap_or(group.root))
    }

    async fn media_of(&mut self, workspace: WorkspaceId, id: Option<Uuid>) -> Result<Option<Subject>> {
        let sql = concat!(
            "SELECT ",
            media_columns!(),
            " FROM media WHERE id = $2 AND workspace_id = $1"
        );
        let row = self.row(sql, params![workspace, id.map(MediaId)]).await?;
        Ok(read_one(row, read_media)?.map(Subject::Media))
    }

    async fn platform_of(&mut self, workspace: WorkspaceId, id: Option<Uuid>) -> Result<Option<Subject>> {
        let sql = concat!(
            "SELECT ",
            platform_columns!(),
            " FROM platforms WHERE id = $2 AND workspace_id = $1"
        );
        let row = self.row(sql, params![workspace, id.map(PlatformId)]).await?;
        Ok(read_one(row, read_platform)?.map(Subject::Platform))
    }
}

/// A delivery of an event to a webhook.
pub(crate) struct NewDelivery<'a> {
    pub(crate) webhook: WebhookId,
    pub(crate) event: EventId,
    pub(crate) kind: &'a str,
    pub(crate) body: &'a str,
}

/// The row of a delivery that is due.
pub(crate) fn delivery_row(workspace: WorkspaceId, new: NewDelivery<'_>, now: Time) -> Vec<Param> {
    let id: DeliveryId = new_id(now);
    let (webhook, event) = (new.webhook, new.event);
    params![
        id, workspace, webhook, event, new.kind, new.body, "pending", now, now
    ]
}

/// The identifier that an event has under `name`.
fn named(event: &NewEvent, name: &str) -> Option<Uuid> {
    event.payload[name].as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use playout_domain::event::EventKind;

    use super::*;

    #[test]
    fn whatever_is_told_is_about_something_that_can_be_shown() {
        for kind in EventKind::ALL
            .iter()
            .filter(|kind| WebhookEvent::of(**kind).is_some())
        {
            assert!(
                matches!(kind.noun(), Noun::Post | Noun::Media | Noun::Platform),
                "{kind:?}"
            );
        }
    }
}
