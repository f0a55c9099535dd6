//! Authenticates and authorizes a call: token, scope, rate, in this order.

use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::fault::Endpoint;
use crate::sim::grants::App;
use crate::sim::world::World;

/// An authorized caller.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) open_id: String,
    pub(super) scopes: Vec<String>,
}

impl Caller {
    pub(super) fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|granted| granted == scope)
    }
}

/// Admits a call whose token is valid, has one of `scopes` (empty: any will do) and is within its rate.
pub(super) fn admit(world: &mut World, call: &Call, scopes: &[&str]) -> Result<Caller, Refusal> {
    let token = call.bearer().unwrap_or("");
    let Some(grant) = world.grants.bearer(token, App::Creator, world.now) else {
        return Err(token_invalid());
    };
    let caller = Caller {
        open_id: grant.open_id.clone(),
        scopes: grant.scopes.clone(),
    };
    let usable = |scope: &&&str| caller.has(scope) && (**scope != "video.publish" || world.knobs.direct_post);
    if !scopes.is_empty() && scopes.iter().find(usable).is_none() {
        return Err(scope_missing());
    }
    let (endpoint, limited) = (call.endpoint.unwrap_or(Endpoint::Status), world.knobs.rate_limits);
    let counted = match endpoint {
        // These are counted for the app, not for the user.
        Endpoint::UserInfo | Endpoint::VideoList | Endpoint::VideoQuery => "app",
        _ => token,
    };
    if limited && !world.rates.admit(counted, endpoint, world.now) {
        return Err(Refusal::new(
            429,
            "rate_limit_exceeded",
            "The API rate limit was exceeded. Please try again later.",
        ));
    }
    Ok(caller)
}

fn token_invalid() -> Refusal {
    Refusal::new(
        401,
        "access_token_invalid",
        "The access token is invalid or not found in the request.",
    )
}

/// The token lacks a scope.
pub(super) fn scope_missing() -> Refusal {
    Refusal::new(
        401,
        "scope_not_authorized",
        "The user did not authorize the scope required for completing this request.",
    )
}
