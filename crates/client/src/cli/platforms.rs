//! `platforms`: the connected accounts.

mod connect;
pub(super) mod health;

use playout_client::{Platform, PlatformWithSchema, SettingField};

use super::find;
use super::report::{Outcome, Report};
use super::screen::{Colour, Screen, brief, clean};
use super::session::Session;
use super::table::Column;

/// The last column is that of `--all`.
const LIST: [Column; 6] = [
    Column::whole("HANDLE", 6),
    Column::cut("NAME", 10, 2),
    Column::whole("PROVIDER", 1),
    Column::wrap("CAN", 12, 3),
    Column::whole("ID", 5),
    Column::whole("STATE", 4),
];
const SETTINGS: [Column; 4] = [
    Column::whole("SETTING", 4),
    Column::wrap("VALUES", 14, 3),
    Column::whole("DEFAULT", 2),
    Column::wrap("MEANING", 16, 1),
];

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// List the connected accounts that can be posted to.
    #[command(
        after_help = "Examples:\n  playout platforms list\n  playout platforms list --all --json=id,displayHandle,refreshNeeded"
    )]
    List {
        /// Also those that must be connected again or are disabled, which posts may still name.
        #[arg(long)]
        all: bool,
    },
    /// Connect an account, or connect one again: opens the page and waits until the account is connected.
    ///
    /// You do this signed in to the service, and approve at the provider. An account that was connected before keeps its ID, and
    /// its waiting posts continue.
    #[command(after_help = "Examples:\n  playout platforms connect --no-wait")]
    Connect(connect::Wanted),
    /// Show the problems that block an account's posts, and who must act.
    #[command(
        after_help = "Examples:\n  playout platforms health kitestudio\n  playout platforms health @kitestudio --refresh"
    )]
    Health(health::Wanted),
    /// Show what an account accepts: limits and settings.
    #[command(
        after_help = "Examples:\n  playout platforms schema kitestudio\n  playout platforms schema @kitestudio --json"
    )]
    Schema {
        /// The account: its ID, handle or name.
        platform: String,
    },
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    match task {
        Task::List { all } => list(session, all).await,
        Task::Connect(wanted) => connect::run(wanted, session).await,
        Task::Health(wanted) => health::run(wanted, session).await,
        Task::Schema { platform } => schema(session, platform).await,
    }
}

async fn list(session: &Session, all: bool) -> Outcome {
    let api = session.api()?;
    let reply = match all {
        true => api.all_platforms().await?,
        false => api.platforms().await?,
    };
    let rows: Vec<Vec<String>> = reply
        .value
        .platforms
        .iter()
        .map(|found| row(found, all))
        .collect();
    let columns = if all { &LIST[..] } else { &LIST[..LIST.len() - 1] };
    let text = match rows.is_empty() {
        true => "No account is connected.".to_owned(),
        false => session.screen.table(columns, &rows),
    };
    Ok(Report::new(reply.json, text))
}

fn row(platform: &Platform, has_state: bool) -> Vec<String> {
    let state = match (platform.refresh_needed, platform.disabled) {
        (true, _) => "connect again",
        (false, true) => "disabled",
        (false, false) => "ready",
    };
    let mut row = vec![
        clean(platform.display_handle.as_deref().unwrap_or("-")),
        brief(platform.display_name.as_deref().unwrap_or("-"), 30),
        clean(&platform.provider_name),
        clean(&platform.capabilities.join(" ")),
        clean(&platform.id),
    ];
    row.extend(has_state.then(|| state.to_owned()));
    row
}

async fn schema(session: &Session, platform: String) -> Outcome {
    let api = session.api()?;
    let ids = find::platform_ids(&api, &[platform]).await?;
    let reply = api.platform_schema(&ids[0]).await?;
    let text = describe(&session.screen, &reply.value);
    Ok(Report::new(reply.json, text))
}

fn describe(screen: &Screen, found: &PlatformWithSchema) -> String {
    let name = found
        .platform
        .display_name
        .as_deref()
        .unwrap_or(&found.platform.id);
    let mut lines = vec![screen.paint(Colour::Strong, &clean(name))];
    if let Some(longest) = found.schema.content.max_length {
        lines.push(format!("Captions have at most {longest} characters."));
    }
    let rules = found.schema.media.rules.iter();
    lines.extend(rules.map(|rule| screen.paragraph(&clean(rule))));
    let rows: Vec<Vec<String>> = found.schema.settings.fields.iter().map(field_row).collect();
    lines.push(String::new());
    lines.push(screen.table(&SETTINGS, &rows));
    lines.join("\n")
}

fn field_row(field: &SettingField) -> Vec<String> {
    let values = match field.r#enum.is_empty() {
        true => field.r#type.clone(),
        false => field.r#enum.join(" | "),
    };
    let default = match &field.default {
        _ if field.required => "must be given".to_owned(),
        serde_json::Value::Null => "-".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    vec![
        clean(&field.name),
        clean(&values),
        clean(&default),
        clean(&field.description),
    ]
}
