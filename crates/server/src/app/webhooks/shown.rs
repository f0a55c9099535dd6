//! What webhooks show of a subject.

use std::sync::Arc;

use playout_domain::provider::Provider;
use playout_store::{Show, Subject};
use playout_wire::media::MediaBody;
use playout_wire::platforms::PlatformBody;
use playout_wire::posts::PostBody;
use serde_json::json;

use crate::config::Config;

/// How the API shows what events are about.
pub fn show(config: &Config, providers: &[Arc<dyn Provider>]) -> Show {
    let media_url = format!("{}/media", config.base_url);
    let providers = providers.to_vec();
    Box::new(move |subject| match subject {
        Subject::Post(post) => json!(PostBody::from(post)),
        Subject::Media(media) => json!(MediaBody::new(media, &media_url)),
        Subject::Platform(platform) => {
            let is_of = |provider: &&Arc<dyn Provider>| {
                provider.id() == platform.provider && provider.connection() == platform.connection
            };
            let name = providers
                .iter()
                .find(is_of)
                .map_or("", |provider| provider.name());
            json!(PlatformBody::new(platform, name))
        }
    })
}
