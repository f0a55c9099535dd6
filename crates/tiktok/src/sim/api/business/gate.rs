//! Authenticates and authorizes a call: token, scope, the account it names, rate, in this order.

use serde_json::Value;

use super::refused::{BAD_TOKEN, NO_PERMISSION, Refused, TOO_FAST, bad};
use crate::sim::call::Call;
use crate::sim::fault::Endpoint;
use crate::sim::grants::App;
use crate::sim::world::World;

/// Lets a call through whose token the business app got, whose grant has `scope`, and which names its own account; answers
/// that account's open_id.
pub(super) fn admit(
    world: &mut World,
    call: &Call,
    scope: &str,
    business_id: Option<&str>,
) -> Result<String, Refused> {
    let token = call.header("access-token").unwrap_or_default();
    let Some(grant) = world.grants.bearer(token, App::Business, world.now) else {
        let message = "Access token is incorrect or has been revoked.";
        return Err((BAD_TOKEN, message.to_owned()));
    };
    let open_id = grant.open_id.clone();
    if !grant.scopes.iter().any(|granted| granted == scope) {
        return Err((NO_PERMISSION, format!("No permission to operate: {scope}")));
    }
    let named = business_id.ok_or_else(|| bad("business_id: Missing data for required field."))?;
    if world.account(&open_id).is_none_or(|own| own.business_id != named) {
        let message = "No permission to operate this business account.";
        return Err((NO_PERMISSION, message.to_owned()));
    }
    let endpoint = call.endpoint.unwrap_or(Endpoint::BusinessGet);
    if world.knobs.rate_limits && !world.rates.admit(&open_id, endpoint, world.now) {
        let message = "Too many requests. Please retry in some time.";
        return Err((TOO_FAST, message.to_owned()));
    }
    Ok(open_id)
}

/// The same for a GET, which names the account in its query.
pub(super) fn admit_asking(world: &mut World, call: &Call, scope: &str) -> Result<String, Refused> {
    let business_id = call.query("business_id");
    admit(world, call, scope, business_id.as_deref())
}

/// The same for a POST, with its body.
pub(super) fn admit_telling(world: &mut World, call: &Call, scope: &str) -> Result<(String, Value), Refused> {
    let body: Value =
        serde_json::from_slice(&call.body).map_err(|_| bad("The request body is not valid JSON"))?;
    let business_id = body.get("business_id").and_then(Value::as_str);
    let open_id = admit(world, call, scope, business_id)?;
    Ok((open_id, body))
}

/// A text that must be in the query.
pub(super) fn asked(call: &Call, name: &str) -> Result<String, Refused> {
    let given = call.query(name).filter(|text| !text.is_empty());
    given.ok_or_else(|| bad(&format!("{name}: Missing data for required field.")))
}
