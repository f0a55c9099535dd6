//! The single-purpose addresses from which a provider fetches the media of a pull. They answer 404 once the submission is revoked or
//! closed.

use playout_domain::media::{Media, MediaType};
use sha2::{Digest, Sha256};

/// One address for each of the media, in their order.
pub(super) fn pull_urls(base_url: &str, token: &str, media: &[Media]) -> Vec<String> {
    let address = |(index, media): (usize, &Media)| {
        let extension = match media.mime.media_type() {
            MediaType::Image => "jpg",
            _ => media.mime.extension(),
        };
        format!("{base_url}/m/{token}/{index}.{extension}")
    };
    media.iter().enumerate().map(address).collect()
}

/// How the token of a pull is stored and looked up.
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
