//! `keys`: the workspace's API keys, for its admins.

mod create;

use playout_client::{CreateKey, Error, Key, Kind};
use serde_json::json;

use super::doubt;
use super::find::is_id;
use super::moment::Here;
use super::moment::here;
use super::person::{In, Who, enter, leave};
use super::report::{Outcome, Report};
use super::scopes::summary;
use super::screen::{brief, clean};
use super::session::Session;
use super::table::Column;

const COLUMNS: [Column; 7] = [
    Column::cut("NAME", 10, 7),
    Column::whole("ENDS IN", 6),
    Column::wrap("SCOPES", 12, 5),
    Column::whole("MADE", 1),
    Column::whole("LAST USED", 3),
    Column::whole("EXPIRES", 4),
    Column::whole("ID", 2),
];

/// The command that shows keys.
const SHOWN_BY: &str = "playout keys list";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// List the keys that are not revoked.
    ///
    /// A key cannot manage keys: each of these commands signs you in with your address and password.
    #[command(after_help = "Examples:\n  echo \"$PASSWORD\" | playout keys list --email ada@example.org")]
    List {
        #[command(flatten)]
        who: Who,
    },
    /// Create a key. It is shown only once.
    #[command(
        override_usage = "playout keys create [OPTIONS] <NAME>",
        after_help = "Examples:\n  echo \"$PASSWORD\" | playout keys create \"Render farm\" --email ada@example.org --expires \"2027-12-31 18:00\"\n  echo \"$PASSWORD\" | playout keys create \"Drafting agent\" --email ada@example.org --scope drafts,media --platform kitestudio"
    )]
    Create(create::Wanted),
    /// Revoke a key: it stops working at once.
    #[command(
        override_usage = "playout keys revoke [OPTIONS] <KEY|--all>",
        after_help = "Examples:\n  echo \"$PASSWORD\" | playout keys revoke \"Old laptop\" --email ada@example.org\n  echo \"$PASSWORD\" | playout keys revoke --all --email ada@example.org"
    )]
    Revoke {
        /// The key: its ID, its name, or its last four characters.
        #[arg(required_unless_present = "all")]
        key: Option<String>,
        /// All keys of the workspace, also those of programs that were approved and have not fetched theirs.
        #[arg(long, conflicts_with = "key")]
        all: bool,
        #[command(flatten)]
        who: Who,
    },
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let (Task::List { who } | Task::Create(create::Wanted { who, .. }) | Task::Revoke { who, .. }) = &task;
    // Wrong arguments are reported before a password is typed.
    let new = match &task {
        Task::Create(wanted) => wanted.key()?,
        _ => CreateKey::default(),
    };
    let inside = enter(who, session).await?;
    let outcome = match &task {
        Task::List { .. } => list(session, &inside).await,
        Task::Create(wanted) => create::run(session, wanted, new, &inside).await,
        Task::Revoke { key: Some(key), .. } => revoke(session, key, &inside).await,
        Task::Revoke { key: None, .. } => revoke_all(session, &inside).await,
    };
    leave(&inside.person).await;
    outcome
}

async fn list(session: &Session, inside: &In) -> Outcome {
    let reply = inside.person.keys(&inside.workspace).await?;
    let here = here();
    let rows: Vec<Vec<String>> = reply.value.keys.iter().map(|key| row(key, &here)).collect();
    let text = match rows.is_empty() {
        true => "No keys.".to_owned(),
        false => session.screen.table(&COLUMNS, &rows),
    };
    Ok(Report::new(reply.json, text))
}

fn row(key: &Key, here: &Here) -> Vec<String> {
    let time = |time: Option<playout_domain::time::Time>, never: &str| match time {
        Some(time) => here.show(time),
        None => never.to_owned(),
    };
    vec![
        brief(&key.name, 30),
        format!("…{}", clean(&key.last_four)),
        allowed(key),
        here.show(key.created_at),
        time(key.last_used_at, "never"),
        time(key.expires_at, "never"),
        clean(&key.id),
    ]
}

/// What a key may do, and on how many accounts if not on all.
fn allowed(key: &Key) -> String {
    let scopes = summary(key.scopes.as_deref());
    match key.platform_ids.as_ref().map(Vec::len) {
        None => scopes,
        Some(1) => format!("{scopes} (1 account)"),
        Some(count) => format!("{scopes} ({count} accounts)"),
    }
}

async fn revoke(session: &Session, name: &str, inside: &In) -> Outcome {
    let keys = inside.person.keys(&inside.workspace).await?.value.keys;
    let key = find(&keys, name)?;
    let request = inside.person.revoke_key(&inside.workspace, &key.id);
    doubt::change(session, "The key may have been revoked.", SHOWN_BY, request).await?;
    let json = json!({ "id": key.id, "name": key.name, "revoked": true });
    Ok(Report::new(
        json,
        format!("Revoked {} (…{}).", clean(&key.name), clean(&key.last_four)),
    ))
}

async fn revoke_all(session: &Session, inside: &In) -> Outcome {
    let request = inside.person.revoke_all_keys(&inside.workspace);
    let reply = doubt::change(session, "The keys may have been revoked.", SHOWN_BY, request).await?;
    let text = match reply.value.revoked {
        0 => "There was no key.".to_owned(),
        1 => "Revoked 1 key.".to_owned(),
        count => format!("Revoked {count} keys."),
    };
    Ok(Report::new(reply.json, text))
}

fn find<'a>(keys: &'a [Key], name: &str) -> Result<&'a Key, Error> {
    let last_four = name.trim_start_matches('…');
    let is_it = |key: &&Key| match is_id(name) {
        true => key.id == name,
        false => key.name == name || key.last_four == last_four,
    };
    let found: Vec<&Key> = keys.iter().filter(is_it).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Error::new(
            Kind::Refused,
            "not_found",
            format!("No key is called {name:?} or ends like that; `playout keys list` shows all."),
        )),
        _ => Err(Error::usage(format!(
            "Several keys are called {name:?}: use the ID, as `playout keys list` shows it."
        ))),
    }
}
