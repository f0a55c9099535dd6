//! `keys create`: a key with everything, or limited to scopes and accounts.

use playout_client::{CreateKey, Error, NewKey};
use playout_domain::access::Scope;

use crate::cli::doubt;
use crate::cli::find::{Handles, is_id, platform_id};
use crate::cli::moment::here;
use crate::cli::person::{In, Who};
use crate::cli::report::{Outcome, Report};
use crate::cli::scopes::{ScopeName, asked, summary};
use crate::cli::screen::clean;
use crate::cli::session::Session;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wanted {
    /// Its name; `--name NAME` means the same.
    #[arg(required_unless_present = "named")]
    name: Option<String>,
    /// The same, for those who write it as an option.
    #[arg(long = "name", value_name = "NAME", conflicts_with = "name", hide = true)]
    named: Option<String>,
    /// What it may do; repeatable, or separated by commas. Without it, everything. `publish` includes `drafts`, and these and `media`
    /// include `read`.
    #[arg(long, value_name = "SCOPE", value_enum, value_delimiter = ',')]
    scope: Vec<ScopeName>,
    /// An account that it sees, with its posts: ID, handle or name; repeatable. Without it, all, also those that are connected later. Not
    /// with the scope `webhooks`.
    #[arg(long, value_name = "ACCOUNT")]
    platform: Vec<String>,
    /// When it expires, as with `posts create --at`; without it, never.
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    #[command(flatten)]
    pub(super) who: Who,
}

impl Wanted {
    /// The key, without its accounts, which the service has to name.
    ///
    /// # Errors
    /// `usage` if the time cannot be read, or the scopes do not go together with accounts.
    pub(super) fn key(&self) -> Result<CreateKey, Error> {
        let scopes = asked(&self.scope);
        if scopes.contains(&Scope::Webhooks) && !self.platform.is_empty() {
            let message = "A key with the scope webhooks cannot be limited to accounts, because a webhook reports on every account: leave out \
                           webhooks or --platform.";
            return Err(Error::usage(message));
        }
        let expires_at = self.expires.as_deref().map(|text| here().read(text));
        Ok(CreateKey {
            name: self
                .name
                .clone()
                .or_else(|| self.named.clone())
                .unwrap_or_default(),
            scopes,
            platform_ids: Vec::new(),
            expires_at: expires_at.transpose()?,
        })
    }
}

pub(super) async fn run(session: &Session, wanted: &Wanted, key: CreateKey, inside: &In) -> Outcome {
    let (platform_ids, handles) = accounts(&wanted.platform, inside).await?;
    let key = CreateKey { platform_ids, ..key };
    let request = inside.person.create_key(&inside.workspace, &key);
    let in_doubt = format!(
        "A key {:?} may exist that was never shown. `playout keys list` shows it: revoke it by its ID with `playout keys revoke` before you \
         create another.",
        key.name
    );
    let reply = doubt::send(session, &in_doubt, request).await?;
    if is_wider(&key, &reply.value) {
        return Err(refused_as_wider(&reply.value, inside).await);
    }
    Ok(Report::new(reply.json, text(session, &reply.value, &handles)))
}

/// The IDs of accounts that are named by ID, handle or name, each once, and their handles if a name had to be looked up.
async fn accounts(names: &[String], inside: &In) -> Result<(Vec<String>, Handles), Error> {
    let platforms = match names.iter().all(|name| is_id(name)) {
        true => Vec::new(),
        false => inside.person.platforms(&inside.workspace).await?.value.platforms,
    };
    let mut ids = Vec::new();
    for name in names {
        let id = platform_id(&platforms, name)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok((ids, Handles::of(platforms)))
}

/// Whether a service without scopes created a key that may do more than was requested.
fn is_wider(wanted: &CreateKey, key: &NewKey) -> bool {
    (!wanted.scopes.is_empty() && key.scopes.is_none())
        || (!wanted.platform_ids.is_empty() && key.platform_ids.is_none())
}

/// Revokes a key that may do too much, before it was shown.
async fn refused_as_wider(key: &NewKey, inside: &In) -> Error {
    let id = clean(&key.id);
    let end = match inside.person.revoke_key(&inside.workspace, &key.id).await {
        Ok(()) => "It was revoked again.".to_owned(),
        Err(error) => {
            format!(
                "It could not be revoked: run `playout keys revoke {id}`. {}",
                error.message
            )
        }
    };
    Error::unexpected(format!(
        "This service is of an earlier version, and knows no scopes: the new key may do everything. {end}"
    ))
}

fn text(session: &Session, key: &NewKey, handles: &Handles) -> String {
    let until = match key.expires_at {
        Some(time) => format!(", until {}", here().show(time)),
        None => String::new(),
    };
    let accounts = match &key.platform_ids {
        None => "all".to_owned(),
        Some(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| handles.with_id(id)).collect();
            ids.join(", ")
        }
    };
    let allowed = session.screen.facts(&[
        ("Scopes", Some(summary(key.scopes.as_deref()))),
        ("Accounts", Some(accounts)),
    ]);
    format!(
        "{}\nThat is the key {}{until}. It is shown only once.\n{allowed}",
        clean(&key.key),
        clean(&key.name)
    )
}
