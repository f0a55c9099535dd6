//! The business API: its own envelope, HTTP 200 also on errors, JSON in bodies and in queries.

mod account;
mod comments;
mod gate;
mod publish;
pub(in crate::sim) mod refused;

use serde_json::Value;

use crate::sim::call::Call;
use crate::sim::fault::Endpoint;
use crate::sim::oauth::business as oauth;
use crate::sim::world::World;
use refused::Refused;

/// Answers a request to the business API; `None` where the endpoint is none of it.
pub(super) fn answer(world: &mut World, call: &Call, endpoint: Endpoint) -> Option<Result<Value, Refused>> {
    Some(match endpoint {
        Endpoint::BusinessToken => oauth::token(world, call),
        Endpoint::BusinessRefresh => oauth::refresh(world, call),
        Endpoint::BusinessRevoke => oauth::revoke(world, call),
        Endpoint::BusinessGet => account::get(world, call),
        Endpoint::BusinessSettings => account::settings(world, call),
        Endpoint::BusinessPosts => account::posts(world, call),
        Endpoint::BusinessVideo => publish::video(world, call),
        Endpoint::BusinessPhoto => publish::photo(world, call),
        Endpoint::BusinessStatus => publish::status(world, call),
        Endpoint::CommentCreate => comments::create(world, call),
        Endpoint::CommentList => comments::list(world, call),
        _ => return None,
    })
}
