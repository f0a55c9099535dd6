//! `auth`: signing in and out. A key is verified before it is stored.

mod device;

use std::io::{IsTerminal, Read};

use playout_client::{Api, Error, Kind};
use playout_domain::key::is_well_formed;
use playout_domain::secret::Secret;
use serde_json::{Value, json};

use super::keyring::{Entry, Keyring};
use super::profile::{Kept, Source, Store, parse_url};
use super::report::{Outcome, Report};
use super::scopes::{INSUFFICIENT_SCOPE, ScopeName, asked};
use super::screen::clean;
use super::session::Session;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Get a key by approving in the browser, or enter one, and store it for later commands.
    ///
    /// Without --api-key this program shows a code and opens the page where you approve it. The key is stored in your desktop's
    /// keyring, or without one in a file that only you can read, under the profile's name, for the service at --api-url (else
    /// PLAYOUT_API_URL, else the profile's).
    #[command(
        after_help = "Examples:\n  echo \"$KEY\" | playout auth login --api-key=-\n  playout auth login --api-key=$KEY --profile studio\n  playout auth login --scope drafts,media --no-browser"
    )]
    Login(Login),
    /// Show the profile, the service, and whether the key works.
    #[command(after_help = "Examples:\n  playout auth status\n  playout auth:status --profile default")]
    Status,
    /// Delete a profile's stored key. The key itself stays valid, unless it is revoked as well.
    #[command(after_help = "Examples:\n  playout auth logout\n  playout auth logout --revoke")]
    Logout(Logout),
}

#[derive(Debug, clap::Args)]
pub(super) struct Logout {
    /// Revoke the key at the service first: no copy of it works any more.
    #[arg(long)]
    revoke: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Login {
    /// The API key; without one, or with `-`, it is read from standard input.
    #[arg(long, id = "api_key", value_name = "KEY", num_args = 0..=1, default_missing_value = "-")]
    pub(super) api_key: Option<String>,
    /// What the key is to be allowed; repeatable, or separated by commas. You may grant less when you approve. Without it, everything.
    /// `publish` includes `drafts`, and these and `media` include `read`.
    #[arg(
        long,
        value_name = "SCOPE",
        value_enum,
        value_delimiter = ',',
        conflicts_with = "api_key"
    )]
    scope: Vec<ScopeName>,
    /// Do not open the browser; the address is still printed.
    #[arg(long, conflicts_with = "api_key")]
    no_browser: bool,
    /// Store the key in the file, even if there is a keyring.
    #[arg(long)]
    no_keyring: bool,
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    match task {
        Task::Login(login) => match &login.api_key {
            Some(given) => with_key(given, &login, session).await,
            None => {
                let scopes = asked(&login.scope);
                let key = device::approved_key(session, &scopes, !login.no_browser).await?;
                let kept = keep(session, &login, key.key.clone()).await?;
                Ok(device::with_scopes(kept, &key, &scopes))
            }
        },
        Task::Status => status(session).await,
        Task::Logout(wanted) => logout(wanted, session).await,
    }
}

async fn with_key(given: &str, login: &Login, session: &Session) -> Outcome {
    let key = match given {
        "-" => ask_for_key(session)?,
        key => key.trim().to_owned(),
    };
    if !is_well_formed(&key) {
        let message = "That is no API key: keys begin with svc_sk_ and end with a checksum, which does not fit. \
            Was it copied whole?";
        return Err(Error::usage(message));
    }
    keep(session, login, Secret::new(key)).await
}

/// Verifies a key, and stores it under the profile's name.
async fn keep(session: &Session, login: &Login, key: Secret) -> Outcome {
    let plan = plan(&session.api_with(Some(key.clone()))?).await?;
    let store = Store::at(&session.environment);
    let access = &session.access;
    let mut kept = Kept {
        api_url: access.url.to_string(),
        api_key: Some(key.expose().to_owned()),
    };
    let keyring = Keyring::find(&session.environment).filter(|_| !login.no_keyring);
    if keyring.is_some_and(|keyring| is_in_keyring(session, keyring, kept.entry(&access.profile), &key)) {
        kept.api_key = None;
    }
    let place = match kept.api_key {
        Some(_) => store.path.display().to_string(),
        None => "keyring".to_owned(),
    };
    replace(session, Some(kept))?;
    let json = json!({
        "profile": access.profile,
        "apiUrl": access.url.as_str(),
        "keyLastFour": last_four(&key),
        "plan": plan,
        "storedIn": place,
    });
    let place = if place == "keyring" {
        "your keyring"
    } else {
        &place
    };
    let text = format!(
        "Signed in to {} as profile {}; the key is in {place}.",
        access.url,
        clean(&access.profile),
    );
    Ok(Report::new(json, text))
}

/// The plan of the key's workspace; `None` for a key that works, and whose scopes do not allow reading it.
///
/// # Errors
/// `invalid_api_key`, and those of every operation.
pub(super) async fn plan(api: &Api) -> Result<Option<String>, Error> {
    match api.usage().await {
        Ok(usage) => Ok(Some(usage.value.plan)),
        Err(error) if error.code == INSUFFICIENT_SCOPE => Ok(None),
        Err(error) => Err(error),
    }
}

/// Stores a key in the keyring, and checks that it is there. If the keyring fails, the key is stored in the file.
fn is_in_keyring(session: &Session, keyring: Keyring, entry: Entry<'_>, key: &Secret) -> bool {
    let found = keyring.keep(entry, key).and_then(|()| keyring.look_up(entry));
    match found {
        Ok(found) => found.is_some_and(|found| found.expose() == key.expose()),
        Err(problem) => {
            session.screen.remark(&problem.message);
            false
        }
    }
}

/// Replaces the profile's entry, or removes it; returns the previous one.
fn replace(session: &Session, new: Option<Kept>) -> Result<Option<Kept>, Error> {
    let profile = &session.access.profile;
    let stays = new
        .as_ref()
        .filter(|new| new.api_key.is_none())
        .map(|new| new.api_url.clone());
    let before = Store::at(&session.environment).change(|stored| {
        let before = stored.profiles.remove(profile);
        stored.profiles.extend(new.map(|new| (profile.clone(), new)));
        before
    })?;
    if let (Some(before), Some(keyring)) = (&before, Keyring::find(&session.environment))
        && before.api_key.is_none()
        && stays.as_ref() != Some(&before.api_url)
    {
        keyring.forget(before.entry(profile))?;
    }
    Ok(before)
}

/// A key that is typed or pasted without echo, or written by a program.
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
    let plan = plan(&session.api()?).await?;
    let access = &session.access;
    let source = access.source.map_or("", Source::as_str);
    let last_four = access.key.as_ref().map(last_four);
    let json = json!({
        "signedIn": true,
        "profile": access.profile,
        "apiUrl": access.url.as_str(),
        "keySource": source,
        "keyLastFour": last_four,
        "plan": plan,
    });
    let text = session.screen.facts(&[
        ("Service", Some(access.url.to_string())),
        ("Profile", Some(clean(&access.profile))),
        ("Key", last_four.map(|four| format!("…{four}, from the {source}"))),
        ("Plan", plan.map(|plan| clean(&plan))),
    ]);
    Ok(Report::new(json, text))
}

async fn logout(wanted: Logout, session: &Session) -> Outcome {
    let profile = &session.access.profile;
    let Some(kept) = Store::at(&session.environment).read()?.profiles.remove(profile) else {
        let message = format!("No key is stored under the profile {profile}.");
        return Err(Error::new(Kind::NotSignedIn, "not_signed_in", message));
    };
    if wanted.revoke {
        revoke(&kept, session).await?;
    }
    replace(session, None)?;
    let still_set = matches!(session.access.source, Some(Source::Environment));
    let json: Value = json!({ "profile": profile, "signedOut": true, "revoked": wanted.revoke, "keyInEnvironment": still_set });
    let mut text = format!("Deleted the key of profile {}.", clean(profile));
    if wanted.revoke {
        text = format!("Revoked and deleted the key of profile {}.", clean(profile));
    }
    if still_set {
        text.push_str(" PLAYOUT_API_KEY is still set, and is still used.");
    }
    Ok(Report::new(json, text))
}

/// Revokes the key at the service that it belongs to, regardless of the other settings. A key that no longer works needs no
/// revocation.
async fn revoke(kept: &Kept, session: &Session) -> Result<(), Error> {
    let key = kept.key(&session.access.profile, &session.environment)?;
    let Some(key) = key else {
        return Ok(());
    };
    let api = session.api_at(parse_url(&kept.api_url)?, None)?;
    api.revoke_key(&key).await
}

/// The part of a key by which people recognize it.
pub(super) fn last_four(key: &Secret) -> String {
    let characters: Vec<char> = key.expose().chars().collect();
    characters[characters.len().saturating_sub(4)..].iter().collect()
}
