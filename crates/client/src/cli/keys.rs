//! `keys`: the workspace's API keys, for its admins.

use playout_client::{Error, Key, Kind};
use serde_json::json;

use super::doubt;
use super::find::is_id;
use super::moment::Here;
use super::moment::here;
use super::person::{In, Who, enter, leave};
use super::report::{Outcome, Report};
use super::screen::{brief, clean};
use super::session::Session;
use super::table::Column;

const COLUMNS: [Column; 6] = [
    Column::cut("NAME", 10, 6),
    Column::whole("ENDS IN", 5),
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
        after_help = "Examples:\n  echo \"$PASSWORD\" | playout keys create \"Render farm\" --email ada@example.org --expires \"2027-12-31 18:00\""
    )]
    Create {
        /// Its name; `--name NAME` means the same.
        #[arg(required_unless_present = "named")]
        name: Option<String>,
        /// The same, for those who write it as an option.
        #[arg(long = "name", value_name = "NAME", conflicts_with = "name", hide = true)]
        named: Option<String>,
        /// When it expires, as with `posts create --at`; without it, never.
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
        #[command(flatten)]
        who: Who,
    },
    /// Revoke a key: it stops working at once.
    #[command(
        after_help = "Examples:\n  echo \"$PASSWORD\" | playout keys revoke \"Old laptop\" --email ada@example.org"
    )]
    Revoke {
        /// The key: its ID, its name, or its last four characters.
        key: String,
        #[command(flatten)]
        who: Who,
    },
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let (Task::List { who } | Task::Create { who, .. } | Task::Revoke { who, .. }) = &task;
    // Wrong arguments are reported before a password is typed.
    let expires_at = match &task {
        Task::Create {
            expires: Some(text), ..
        } => Some(here().read(text)?),
        _ => None,
    };
    let inside = enter(who, session).await?;
    let outcome = match &task {
        Task::List { .. } => list(session, &inside).await,
        Task::Create { name, named, .. } => {
            let name = name.as_ref().or(named.as_ref()).map_or("", String::as_str);
            create(session, name, expires_at, &inside).await
        }
        Task::Revoke { key, .. } => revoke(session, key, &inside).await,
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
        here.show(key.created_at),
        time(key.last_used_at, "never"),
        time(key.expires_at, "never"),
        clean(&key.id),
    ]
}

async fn create(
    session: &Session,
    name: &str,
    expires_at: Option<playout_domain::time::Time>,
    inside: &In,
) -> Outcome {
    let request = inside.person.create_key(&inside.workspace, name, expires_at);
    let in_doubt = format!(
        "A key {name:?} may exist that was never shown. `{SHOWN_BY}` shows it: revoke it by its ID with `playout keys revoke` before you \
         create another."
    );
    let reply = doubt::send(session, &in_doubt, request).await?;
    let until = match reply.value.expires_at {
        Some(time) => format!(", until {}", here().show(time)),
        None => String::new(),
    };
    let text = format!(
        "{}\nThat is the key {}{until}. It is shown only once.",
        clean(&reply.value.key),
        clean(&reply.value.name)
    );
    Ok(Report::new(reply.json, text))
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
