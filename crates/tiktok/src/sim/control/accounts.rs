//! Accounts, and what their owners do.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::{Told, answer, done, refuse};
use crate::sim::account::Account;
use crate::sim::core::Core;
use crate::sim::grants::App;
use crate::sim::world::World;

pub(super) fn router() -> Router<Arc<Core>> {
    Router::new()
        .route("/sim/accounts", get(list).post(add))
        .route("/sim/accounts/{name}", get(show).patch(change))
        .route("/sim/accounts/{name}/grant", post(grant))
        .route("/sim/accounts/{name}/revoke", post(revoke))
        .route("/sim/accounts/{name}/expire-token", post(expire))
}

async fn list(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.accounts().cloned().collect::<Vec<_>>()))
}

async fn add(State(core): State<Arc<Core>>, Told(account): Told<Account>) -> Response {
    if account.username.is_empty() {
        return refuse(400, "username is required");
    }
    let account = account.complete();
    core.with(|world| world.put_account(account.clone()));
    answer(&account)
}

async fn show(State(core): State<Arc<Core>>, Path(name): Path<String>) -> Response {
    match core.with(|world| world.find_account(&name).cloned()) {
        Some(account) => answer(&account),
        None => unknown(),
    }
}

/// Changes the flags named in the body; the identity stays.
async fn change(
    State(core): State<Arc<Core>>,
    Path(name): Path<String>,
    Told(changes): Told<serde_json::Map<String, Value>>,
) -> Response {
    core.with(|world| {
        let Some(account) = world.find_account(&name).cloned() else {
            return unknown();
        };
        match patched(&account, changes) {
            Ok(changed) => {
                world.put_account(changed.clone());
                answer(&changed)
            }
            Err(error) => refuse(400, &error.to_string()),
        }
    })
}

fn patched(account: &Account, changes: serde_json::Map<String, Value>) -> Result<Account, serde_json::Error> {
    let mut all = serde_json::to_value(account)?;
    if let Some(all) = all.as_object_mut() {
        all.extend(changes);
        all.insert("openId".to_owned(), account.open_id.clone().into());
    }
    serde_json::from_value(all)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantRequest {
    /// Absent: all that the app may ask for.
    scopes: Option<Vec<String>>,
}

/// Tokens without the consent page.
async fn grant(
    State(core): State<Arc<Core>>,
    Path(name): Path<String>,
    Told(request): Told<GrantRequest>,
) -> Response {
    with_account(&core, &name, |world, open_id| {
        let scopes = request
            .scopes
            .unwrap_or_else(|| world.knobs.approved_scopes.clone());
        answer(&world.issue(App::Creator, open_id, scopes))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Revoke {
    /// Absent: 1, the user disconnected.
    reason: Option<u8>,
}

async fn revoke(
    State(core): State<Arc<Core>>,
    Path(name): Path<String>,
    Told(request): Told<Revoke>,
) -> Response {
    with_account(&core, &name, |world, open_id| {
        world.disconnect(open_id, request.reason.unwrap_or(1));
        done()
    })
}

async fn expire(State(core): State<Arc<Core>>, Path(name): Path<String>) -> Response {
    with_account(&core, &name, |world, open_id| {
        world.grants.expire_access(open_id, world.now);
        answer(&json!({ "now": world.now }))
    })
}

fn with_account(core: &Core, name: &str, act: impl FnOnce(&mut World, &str) -> Response) -> Response {
    core.with(
        |world| match world.find_account(name).map(|account| account.open_id.clone()) {
            Some(open_id) => act(world, &open_id),
            None => unknown(),
        },
    )
}

fn unknown() -> Response {
    refuse(404, "no account has this open_id or handle")
}
