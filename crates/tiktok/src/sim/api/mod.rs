//! The endpoints with JSON in and out.

pub(super) mod business;
mod creator;
mod gate;
mod init;
mod init_body;
mod params;
mod rules;
mod status;
mod user;

use super::answer::Answer;
use super::call::Call;
use super::fault::Endpoint;
use super::world::World;

/// Answers a request to an API endpoint.
pub(super) fn answer(world: &mut World, call: &Call, endpoint: Endpoint) -> Answer {
    if let Some(result) = business::answer(world, call, endpoint) {
        return Answer::Business(result);
    }
    let result = match endpoint {
        Endpoint::UserInfo => user::info(world, call),
        Endpoint::VideoList => user::list(world, call),
        Endpoint::VideoQuery => user::query(world, call),
        Endpoint::CreatorInfo => creator::info(world, call),
        Endpoint::VideoInit => init::video(world, call),
        Endpoint::InboxInit => init::inbox(world, call),
        Endpoint::ContentInit => init::content(world, call),
        Endpoint::Status => status::fetch(world, call),
        Endpoint::Cancel => return Answer::Api(status::cancel(world, call).map(|()| None)),
        _ => return Answer::Nowhere,
    };
    Answer::Api(result.map(Some))
}
