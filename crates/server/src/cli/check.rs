//! `check`: prints every setting with its source, and tests every connection. It changes nothing.

use std::process::ExitCode;
use std::sync::Arc;

use playout_media::confine::Launcher;
use playout_media::{Blobs, Poster};
use playout_store::{Store, StoreError};

use super::load::load;
use super::print::say;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::identity::copies::why_next_start_holds;
use crate::identity::marker;
use crate::identity::messages::{
    MISSING_KEY, explained, is_bucket, lost_storage, missing_storage, wrong_storage,
};
use crate::logs::in_full;
use crate::open_error::OpenError;
use crate::settings::Sources;
use crate::world::{self, Found};

/// Exits 0 when every connection works and key, database and storage belong together.
pub(super) async fn run(sources: &Sources) -> Result<ExitCode, OpenError> {
    for (name, value, origin) in Config::describe(sources) {
        say(format!("{name} = {value:?}  # {origin}"));
    }
    let config = load(sources)?;
    let tiktok = config.tiktok.as_ref();
    let (creators, businesses) = (
        tiktok.is_some_and(|tiktok| !tiktok.client_key.is_empty()),
        tiktok.is_some_and(|tiktok| tiktok.business.is_some()),
    );
    say(format!(
        "tiktok: {}",
        configured(creators, "PLAYOUT_TIKTOK_CLIENT_KEY")
    ));
    let business = configured(businesses, "PLAYOUT_TIKTOK_BUSINESS_CLIENT_ID");
    say(format!("tiktok business: {business}"));
    let writes = configured(config.llm.is_some(), "PLAYOUT_LLM_URL");
    say(format!("captions by a language model: {writes}"));
    let found = world::look(&config, Arc::new(SystemClock)).await?;
    let pending = match &found.store {
        Some(store) => Some(store.pending_migrations().await?),
        None => None,
    };
    let checked = [
        ("database", database(&found, pending).await),
        ("secret key", secret_key(&config, &found, pending).await),
        ("storage", storage(&config, &found, pending).await),
        ("hold", hold(&config, &found, pending).await),
    ];
    let mut problems = Vec::new();
    for (what, checked) in checked {
        match checked {
            Ok(ok) => say(format!("{what}: {ok}")),
            Err(problem) => problems.push(format!("{what}: {}", in_full(problem.as_ref()))),
        }
    }
    let launcher = Launcher::this_program()?;
    let poster = Poster::detect().map(|poster| poster.confined_by(launcher));
    super::confine::check(poster.as_ref());
    match problems.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Err(problems.join("; ").into()),
    }
}

const MAY_MAKE_NO_TABLES: &str = "its role may not make the tables: let it own the database (createdb --owner=ROLE, or ALTER DATABASE … OWNER TO …)";
const NOT_YET: &str = "none yet, the first start creates it";

async fn database(found: &Found, pending: Option<usize>) -> Result<String, OpenError> {
    let is_empty = match &found.store {
        Some(store) => store.is_new().await?,
        None => true,
    };
    match (&found.earlier, &found.store, pending) {
        (Some(problem), _, _) if is_empty => Err(problem.as_str().into()),
        (_, Some(store), Some(pending)) => {
            store.ping().await?;
            store.check_file().await?;
            if pending > 0 && !store.may_make_tables().await? {
                return Err(MAY_MAKE_NO_TABLES.into());
            }
            Ok(format!("ok, {pending} migrations to apply"))
        }
        _ => Ok(NOT_YET.to_owned()),
    }
}

async fn secret_key(config: &Config, found: &Found, pending: Option<usize>) -> Result<String, OpenError> {
    let has_key = match &found.has_key {
        Ok(has_key) => *has_key,
        Err(problem) => return Err(problem.to_string().into()),
    };
    if let Some(store) = up_to_date(found, pending) {
        let looked = store.look_at_canary().await;
        looked.map_err(|error| explained(config, error))?;
        match store.check_keys().await {
            Err(StoreError::WrongKey(_)) => return Err(MISSING_KEY.into()),
            checked => checked?,
        }
    }
    Ok(if has_key { "ok" } else { NOT_YET }.to_owned())
}

async fn storage(config: &Config, found: &Found, pending: Option<usize>) -> Result<String, OpenError> {
    let store = up_to_date(found, pending);
    let Some(blobs) = &found.blobs else {
        let is_known = match store {
            Some(store) => store.storage_id().await?.is_some(),
            None => false,
        };
        return match is_known {
            true => {
                let problem = missing_storage(&config.storage_url);
                Err(format!("{problem}. {}", lost_storage(&config.storage_url)).into())
            }
            false => Ok(NOT_YET.to_owned()),
        };
    };
    belongs(config, store, blobs).await?;
    if !is_bucket(&config.storage_url) {
        return Ok("ok".to_owned());
    }
    let names: Vec<&str> = config.bucket.names().collect();
    Ok(match names.is_empty() {
        true => format!("ok: {} (no variable AWS_… is set)", config.storage_url),
        false => format!("ok: {} by {}", config.storage_url, names.join(", ")),
    })
}

/// Whether publications are held, or the next start holds them. That is no problem.
async fn hold(config: &Config, found: &Found, pending: Option<usize>) -> Result<String, OpenError> {
    let Some(store) = up_to_date(found, pending) else {
        return Ok("not known before the migrations are applied".to_owned());
    };
    if let Some(hold) = store.find_hold().await? {
        return Ok(format!("publications are held, because {}", hold.because));
    }
    let because = why_next_start_holds(store, found.blobs.as_ref(), &config.data_dir).await?;
    Ok(match because {
        Some(because) => format!(
            "the next start holds publications until their posts were searched for at the provider, because {because}. Accounts whose \
             tokens were renewed since are connected first, under `playoutd serve --role api` (docs/backup.md)"
        ),
        None => "none".to_owned(),
    })
}

async fn belongs(config: &Config, store: Option<&Store>, blobs: &Blobs) -> Result<(), OpenError> {
    blobs.check().await?;
    match store {
        Some(store) if !marker::belongs(store, blobs).await? => {
            let problem = wrong_storage(&config.storage_url);
            Err(format!("{problem}. {}", lost_storage(&config.storage_url)).into())
        }
        _ => Ok(()),
    }
}

/// The store, if its schema is up to date: only then its tables show which key and storage belong to it.
fn up_to_date(found: &Found, pending: Option<usize>) -> Option<&Store> {
    found.store.as_ref().filter(|_| pending == Some(0))
}

fn configured(is_there: bool, setting: &str) -> String {
    match is_there {
        true => "configured".to_owned(),
        false => format!("off: {setting} is unset"),
    }
}
