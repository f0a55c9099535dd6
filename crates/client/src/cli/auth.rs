//! `auth`: signing in and out. A key is tried before it is kept.

mod device;

use std::io::{IsTerminal, Read};

use playout_client::{Error, Kind};
use playout_domain::key::is_well_formed;
use playout_domain::secret::Secret;
use serde_json::{Value, json};

use super::Session;
use super::profile::{Kept, Source, Store};
use super::report::{Outcome, Report};
use super::screen::clean;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Get a key by approving in the browser, or bring one, and keep it for later commands.
    ///
    /// Without --api-key this program shows a code and opens the page where you approve it. The key is kept in a file that only you can read, under the profile's name, for the service at --api-url (else
    /// PLAYOUT_API_URL, else the profile's).
    #[command(
        after_help = "Examples:\n  echo \"$KEY\" | playout auth login --api-key=-\n  playout auth login --api-key=$KEY --profile studio"
    )]
    Login(Login),
    /// Show who is signed in, where, and whether the key works.
    #[command(after_help = "Examples:\n  playout auth status\n  playout auth:status --profile default")]
    Status,
    /// Forget a profile's key. The key itself stays valid.
    #[command(after_help = "Examples:\n  playout auth logout")]
    Logout,
}

#[derive(Debug, clap::Args)]
pub(super) struct Login {
    /// The API key; without one, or with `-`, it is read from standard input.
    #[arg(long, id = "api_key", value_name = "KEY", num_args = 0..=1, default_missing_value = "-")]
    pub(super) api_key: Option<String>,
    /// Do not open the browser; the address is shown all the same.
    #[arg(long, conflicts_with = "api_key")]
    no_browser: bool,
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    match task {
        Task::Login(login) => match &login.api_key {
            Some(given) => with_key(given, session).await,
            None => device::run(session, !login.no_browser).await,
        },
        Task::Status => status(session).await,
        Task::Logout => logout(session),
    }
}

async fn with_key(given: &str, session: &Session) -> Outcome {
    let key = match given {
        "-" => ask_for_key(session)?,
        key => key.trim().to_owned(),
    };
    if !is_well_formed(&key) {
        let message = "That is no API key: keys begin with svc_sk_ and end with a checksum, which does not fit. \
            Was it copied whole?";
        return Err(Error::usage(message));
    }
    keep(session, Secret::new(key)).await
}

/// Tries a key, and keeps it under the profile's name.
pub(super) async fn keep(session: &Session, key: Secret) -> Outcome {
    let usage = session.api_with(Some(key.clone()))?.usage().await?;
    let store = Store::at(&session.environment);
    let mut profiles = store.read()?;
    let access = &session.access;
    let kept = Kept {
        api_url: access.url.to_string(),
        api_key: key.expose().to_owned(),
    };
    profiles.profiles.insert(access.profile.clone(), kept);
    store.write(&profiles)?;
    let json = json!({
        "profile": access.profile,
        "apiUrl": access.url.as_str(),
        "keyLastFour": last_four(&key),
        "plan": usage.value.plan,
        "storedIn": store.path,
    });
    let text = format!(
        "Signed in to {} as profile {}; the key is in {}.",
        access.url,
        clean(&access.profile),
        store.path.display()
    );
    Ok(Report::new(json, text))
}

/// A key that is typed or pasted, unseen, or that a program writes.
fn ask_for_key(session: &Session) -> Result<String, Error> {
    let unreadable = |error: std::io::Error| Error::usage(format!("Cannot read the key: {error}."));
    if std::io::stdin().is_terminal() {
        session
            .screen
            .remark("Paste the API key and press Enter (it is not shown):");
        let typed = console::Term::stderr().read_secure_line();
        return Ok(typed.map_err(unreadable)?.trim().to_owned());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(unreadable)?;
    Ok(text.trim().to_owned())
}

async fn status(session: &Session) -> Outcome {
    let usage = session.api()?.usage().await?;
    let access = &session.access;
    let source = access.source.map_or("", Source::as_str);
    let last_four = access.key.as_ref().map(last_four);
    let json = json!({
        "signedIn": true,
        "profile": access.profile,
        "apiUrl": access.url.as_str(),
        "keySource": source,
        "keyLastFour": last_four,
        "plan": usage.value.plan,
    });
    let text = session.screen.facts(&[
        ("Service", Some(access.url.to_string())),
        ("Profile", Some(clean(&access.profile))),
        ("Key", last_four.map(|four| format!("…{four}, from the {source}"))),
        ("Plan", Some(clean(&usage.value.plan))),
    ]);
    Ok(Report::new(json, text))
}

fn logout(session: &Session) -> Outcome {
    let store = Store::at(&session.environment);
    let mut profiles = store.read()?;
    let profile = &session.access.profile;
    if profiles.profiles.remove(profile).is_none() {
        let message = format!("No key is kept under the profile {profile}.");
        return Err(Error::new(Kind::NotSignedIn, "not_signed_in", message));
    }
    store.write(&profiles)?;
    let still_set = matches!(session.access.source, Some(Source::Environment));
    let json: Value = json!({ "profile": profile, "signedOut": true, "keyInEnvironment": still_set });
    let mut text = format!("Forgot the key of profile {}.", clean(profile));
    if still_set {
        text.push_str(" PLAYOUT_API_KEY is still set, and goes on being used.");
    }
    Ok(Report::new(json, text))
}

/// Enough of a key to recognise it by.
pub(super) fn last_four(key: &Secret) -> String {
    let characters: Vec<char> = key.expose().chars().collect();
    characters[characters.len().saturating_sub(4)..].iter().collect()
}
