//! `webhooks`: addresses that receive events, and events on this machine.

mod listen;

use std::time::Duration;

use playout_client::{Api, Delivery, Error, Kind, Reply, SystemClock, Webhook};
use playout_domain::time::Clock;
use serde_json::json;

use super::bars::Spinner;
use super::doubt;
use super::find::is_id;
use super::moment::here;
use super::report::{Outcome, Report};
use super::screen::clean;
use super::session::Session;
use super::table::Column;
use super::version::Version;

const COLUMNS: [Column; 5] = [
    Column::wrap("ADDRESS", 20, 4),
    Column::wrap("EVENTS", 20, 2),
    Column::whole("STATE", 3),
    Column::whole("CREATED", 1),
    Column::whole("ID", 5),
];

/// How often a test delivery is looked for, and for how long: a receiver may take 15 seconds.
const LOOK_EVERY: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(25);

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// List the webhooks.
    #[command(after_help = "Examples:\n  playout webhooks list")]
    List,
    /// Create a webhook. Its secret is shown only once.
    #[command(
        after_help = "Examples:\n  playout webhooks create https://example.org/playout --events post.published,post.failed,post.action_required"
    )]
    Create {
        /// The address that receives the events.
        url: String,
        /// The events, separated by commas, such as post.published,post.failed; the service's page /docs/webhooks lists them.
        #[arg(long, required = true, value_delimiter = ',', value_name = "EVENTS")]
        events: Vec<String>,
        /// Requests with the same key within 24 hours create the webhook once, also across runs; a random key by default.
        #[arg(long, value_name = "KEY")]
        idempotency_key: Option<String>,
    },
    /// Delete a webhook.
    #[command(after_help = "Examples:\n  playout webhooks delete 0196f3a0-7c1e-7d3a-9b5e-000000000006")]
    Delete {
        /// The webhook: its ID or address.
        webhook: String,
        #[command(flatten)]
        version: Version,
    },
    /// Send a webhook the event webhook.test, and show how its address responded.
    #[command(after_help = "Examples:\n  playout webhooks trigger 0196f3a0-7c1e-7d3a-9b5e-000000000006")]
    Trigger {
        /// The webhook: its ID or address.
        webhook: String,
    },
    /// Print events as they happen, and deliver them to an address of this machine.
    ///
    /// Without a webhook, and without a public address: this program reads the events of the workspace and posts each to --forward-to,
    /// once, signed as webhooks are. The secret is printed at the start, on standard error. It runs until Ctrl-C, connects again after a
    /// cut, and goes on after the last event that it read. With --json each event is a line of JSON, with the response of the address.
    #[command(
        after_help = "Examples:\n  playout webhooks listen\n  playout webhooks listen --events post.published,post.failed --forward-to http://localhost:3000/webhooks\n  playout webhooks listen --limit 1 --json"
    )]
    Listen(listen::Listen),
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let api = session.api()?;
    match task {
        Task::List => list(session, &api).await,
        Task::Create {
            url,
            events,
            idempotency_key,
        } => create(session, &api, &url, &events, idempotency_key).await,
        Task::Delete { webhook, version } => {
            let id = webhook_id(&api, &webhook).await?;
            let tag = version.tag();
            let request = api.delete_webhook(&id, tag.as_deref());
            let deleted = "The webhook may have been deleted.";
            doubt::change(session, deleted, "playout webhooks list", request).await?;
            Ok(Report::new(json!({ "id": id, "deleted": true }), "Deleted."))
        }
        Task::Trigger { webhook } => trigger(session, &api, &webhook).await,
        Task::Listen(wanted) => listen::run(wanted, session, &api).await,
    }
}

async fn list(session: &Session, api: &Api) -> Outcome {
    let reply = api.webhooks().await?;
    let here = here();
    let row = |webhook: &Webhook| {
        vec![
            clean(&webhook.url),
            clean(&webhook.events.join(" ")),
            clean(match webhook.disabled {
                false => "on",
                true => webhook.disabled_reason.as_deref().unwrap_or("disabled"),
            }),
            here.show(webhook.created_at),
            clean(&webhook.id),
        ]
    };
    let rows: Vec<Vec<String>> = reply.value.webhooks.iter().map(row).collect();
    let text = match rows.is_empty() {
        true => "No webhooks.".to_owned(),
        false => session.screen.table(&COLUMNS, &rows),
    };
    Ok(Report::new(reply.json, text))
}

async fn create(session: &Session, api: &Api, url: &str, events: &[String], key: Option<String>) -> Outcome {
    let key = key.unwrap_or_else(playout_client::idempotency_key);
    let in_doubt = doubt::with_key("The webhook", &key) + " It shows the secret, within 24 hours.";
    let reply = doubt::send(session, &in_doubt, api.create_webhook(url, events, Some(&key))).await?;
    let webhook = &reply.value;
    let facts = session.screen.facts(&[
        ("ID", Some(clean(&webhook.id))),
        ("Address", Some(clean(&webhook.url))),
        ("Events", Some(clean(&webhook.events.join(" ")))),
        ("Secret", webhook.secret.as_deref().map(clean)),
    ]);
    Ok(Report::new(
        reply.json,
        format!("{facts}\nThe secret is shown only once."),
    ))
}

async fn trigger(session: &Session, api: &Api, webhook: &str) -> Outcome {
    let id = webhook_id(api, webhook).await?;
    let shown_by = format!("playout api GET /webhooks/{id}/deliveries");
    let request = api.test_webhook(&id);
    let sent = doubt::change(session, "The event may have been sent.", &shown_by, request).await?;
    let spinner = Spinner::new(&session.screen);
    spinner.say("waiting for the response".to_owned());
    let end = SystemClock.now().plus(PATIENCE);
    let mut delivery = sent;
    while delivery.value.attempts == 0 && SystemClock.now() < end {
        tokio::time::sleep(LOOK_EVERY).await;
        let mut page = api.deliveries(&id).await?;
        let mut all = page.value.deliveries.iter();
        if let Some(at) = all.position(|found| found.id == delivery.value.id) {
            delivery = Reply::read(page.json["deliveries"][at].take())?;
        }
    }
    let text = format!(
        "{}: {}",
        session.screen.state(&delivery.value.state),
        clean(&described(&delivery.value))
    );
    let error = (delivery.value.state != "delivered").then(|| {
        let message = format!(
            "The test event was not delivered: {}.",
            described(&delivery.value).trim_end_matches('.')
        );
        Error::new(Kind::Refused, "not_delivered", message)
    });
    Ok(Report::new(delivery.json, text).but(error))
}

fn described(delivery: &Delivery) -> String {
    match (delivery.response_status, &delivery.problem) {
        (Some(status), _) => format!("the address responded with {status}"),
        (None, Some(problem)) => problem.clone(),
        (None, None) => "there is no response yet".to_owned(),
    }
}

/// The ID of a webhook that is named by ID or address.
async fn webhook_id(api: &Api, name: &str) -> Result<String, Error> {
    if is_id(name) {
        return Ok(name.to_owned());
    }
    let webhooks = api.webhooks().await?.value.webhooks;
    let mut found = webhooks.into_iter().filter(|webhook| webhook.url == name);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.id),
        (Some(_), Some(_)) => Err(Error::usage(format!(
            "Several webhooks have the address {name}: use the ID, as `playout webhooks list` shows it."
        ))),
        (None, _) => Err(Error::new(
            Kind::Refused,
            "webhook_not_found",
            format!("No webhook has the address {name}; `playout webhooks list` shows all."),
        )),
    }
}
