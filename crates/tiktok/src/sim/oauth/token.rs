//! The token endpoint, and the end of a grant.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::grants::{App, Code, TokenPair};
use crate::sim::knobs::Pkce;
use crate::sim::world::World;

/// The reason in `authorization.removed` when the developer revokes.
const DEVELOPER_REVOKED: u8 = 5;

/// `/v2/oauth/token/`: exchange, refresh, client credentials.
pub(in crate::sim) fn token(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    check_client(world, call)?;
    match call.form("grant_type").as_deref() {
        Some("authorization_code") => exchange(world, call),
        Some("refresh_token") => refresh(world, call),
        Some("client_credentials") => Ok(
            json!({ "access_token": world.ids.token("clt."), "expires_in": 7_200, "token_type": "Bearer" }),
        ),
        Some(_) => Err(refuse(
            world,
            "unsupported_grant_type",
            "The grant type is not supported.",
        )),
        None => Err(refuse(
            world,
            "invalid_request",
            "The request parameters are malformed.",
        )),
    }
}

/// `/v2/oauth/revoke/`: all tokens of the account die.
pub(in crate::sim) fn revoke(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    check_client(world, call)?;
    let token = call.form("token").unwrap_or_default();
    let Some(open_id) = world.grants.owner_at(App::Creator, &token).map(str::to_owned) else {
        return Err(refuse(world, "invalid_grant", "The token is invalid or expired."));
    };
    world.disconnect(&open_id, DEVELOPER_REVOKED);
    Ok(Value::Null)
}

fn check_client(world: &World, call: &Call) -> Result<(), Refusal> {
    if !call.is_form() {
        return Err(refuse(
            world,
            "invalid_request",
            "The request parameters are malformed.",
        ));
    }
    let Some(secret) = call.form("client_secret") else {
        return Err(refuse(
            world,
            "invalid_request",
            "Client secret is missed in request.",
        ));
    };
    if call.form("client_key").is_none_or(|key| key != world.client_key) || secret != world.client_secret {
        return Err(refuse(
            world,
            "invalid_client",
            "Client key or secret is incorrect.",
        ));
    }
    Ok(())
}

fn exchange(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let code = call.form("code").unwrap_or_default();
    // Single use: whether this attempt succeeds or fails, the code is spent.
    let waiting = world
        .grants
        .codes
        .remove(&code)
        .filter(|code| code.grant.app == App::Creator && code.grant.expires_at > world.now);
    let Some(waiting) = waiting else {
        return Err(refuse(world, "invalid_grant", "Authorization code is expired."));
    };
    if call.form("redirect_uri").as_deref() != Some(&waiting.redirect_uri) {
        let message = "Redirect_uri is not matched with the uri when requesting code.";
        return Err(refuse(world, "invalid_request", message));
    }
    if !verified(world.knobs.pkce, &waiting, call.form("code_verifier").as_deref()) {
        return Err(refuse(
            world,
            "invalid_request",
            "Code verifier or code challenge is invalid.",
        ));
    }
    let pair = world.issue(App::Creator, &waiting.grant.open_id, waiting.grant.scopes);
    Ok(tokens(&pair))
}

/// Whether the verifier belongs to the challenge: lower-case hex of its SHA-256, not base64url.
fn verified(mode: Pkce, waiting: &Code, verifier: Option<&str>) -> bool {
    let Some(challenge) = &waiting.challenge else {
        return true;
    };
    let digest = Sha256::digest(verifier.unwrap_or("").as_bytes());
    let well_formed = verifier.is_some_and(|verifier| (43..=128).contains(&verifier.len()));
    let base64 = mode == Pkce::Both && *challenge == URL_SAFE_NO_PAD.encode(digest);
    mode == Pkce::Off || well_formed && (*challenge == hex::encode(digest) || base64)
}

fn refresh(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let token = call.form("refresh_token").unwrap_or_default();
    match world.renew(App::Creator, &token) {
        Some(pair) => Ok(tokens(&pair)),
        None => Err(refuse(
            world,
            "invalid_grant",
            "Refresh token is invalid or expired.",
        )),
    }
}

fn tokens(pair: &TokenPair) -> Value {
    json!({
        "access_token": pair.access_token,
        "expires_in": pair.expires_in,
        "open_id": pair.open_id,
        "refresh_token": pair.refresh_token,
        "refresh_expires_in": pair.refresh_expires_in,
        "scope": pair.scope,
        "token_type": "Bearer",
    })
}

fn refuse(world: &World, code: &str, message: &str) -> Refusal {
    Refusal::new(world.knobs.oauth_error_http, code, message)
}
