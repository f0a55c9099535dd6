//! Tokens of the business app: JSON in, the business API's envelope out.

use serde_json::{Value, json};

use crate::sim::api::business::refused::{BAD_PARAMETER, Refused};
use crate::sim::call::Call;
use crate::sim::grants::{App, TokenPair};
use crate::sim::world::World;

const BAD_CLIENT: u32 = 40_101;
const REFRESH_ENDED: u32 = 40_103;
const BAD_TOKEN: u32 = 40_105;
const BAD_CODE: u32 = 40_110;

/// `/tt_user/oauth2/token/`: a code, once, for tokens.
pub(in crate::sim) fn token(world: &mut World, call: &Call) -> Result<Value, Refused> {
    check_client(world, call)?;
    check_grant_type(call, "authorization_code")?;
    let code = required(call, "auth_code")?;
    // Single use: whether this attempt succeeds or fails, the code is spent.
    let waiting = world
        .grants
        .codes
        .remove(&code)
        .filter(|waiting| waiting.grant.app == App::Business && waiting.grant.expires_at > world.now);
    let Some(waiting) = waiting else {
        return Err((BAD_CODE, "Auth code is invalid or has expired.".to_owned()));
    };
    if required(call, "redirect_uri")? != waiting.redirect_uri {
        return Err((BAD_PARAMETER, "redirect_uri: Does not match.".to_owned()));
    }
    let pair = world.issue(App::Business, &waiting.grant.open_id, waiting.grant.scopes);
    Ok(tokens(&pair))
}

/// `/tt_user/oauth2/refresh_token/`.
pub(in crate::sim) fn refresh(world: &mut World, call: &Call) -> Result<Value, Refused> {
    check_client(world, call)?;
    check_grant_type(call, "refresh_token")?;
    let token = required(call, "refresh_token")?;
    let pair = world.renew(App::Business, &token);
    pair.map(|pair| tokens(&pair)).ok_or_else(|| {
        let message = "Refresh token is invalid or has expired.";
        (REFRESH_ENDED, message.to_owned())
    })
}

/// `/tt_user/oauth2/revoke/`: what was granted to this app ends; the other app keeps what it got.
pub(in crate::sim) fn revoke(world: &mut World, call: &Call) -> Result<Value, Refused> {
    check_client(world, call)?;
    let token = required(call, "access_token")?;
    let grant = world.grants.bearer(&token, App::Business, world.now);
    let Some(open_id) = grant.map(|grant| grant.open_id.clone()) else {
        let message = "Access token is incorrect or has been revoked.";
        return Err((BAD_TOKEN, message.to_owned()));
    };
    world.disconnect_business(&open_id);
    Ok(json!({}))
}

fn check_client(world: &World, call: &Call) -> Result<(), Refused> {
    let (id, secret) = (required(call, "client_id")?, required(call, "client_secret")?);
    match id == world.business_client_id && secret == world.business_client_secret {
        true => Ok(()),
        false => Err((BAD_CLIENT, "Client id or secret is incorrect.".to_owned())),
    }
}

fn check_grant_type(call: &Call, wanted: &str) -> Result<(), Refused> {
    match required(call, "grant_type")? == wanted {
        true => Ok(()),
        false => Err((BAD_PARAMETER, format!("grant_type: Must be {wanted}."))),
    }
}

fn required(call: &Call, field: &str) -> Result<String, Refused> {
    let missing = || {
        (
            BAD_PARAMETER,
            format!("{field}: Missing data for required field."),
        )
    };
    call.json_text(field).ok_or_else(missing)
}

fn tokens(pair: &TokenPair) -> Value {
    json!({
        "access_token": pair.access_token,
        "token_type": "Bearer",
        "scope": pair.scope,
        "expires_in": pair.expires_in,
        "refresh_token": pair.refresh_token,
        "refresh_token_expires_in": pair.refresh_expires_in,
        "open_id": pair.open_id,
    })
}
