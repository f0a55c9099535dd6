//! Requests per minute: sliding windows of 60 seconds, one for each token and endpoint.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use playout_domain::time::Time;

use super::fault::Endpoint;

const WINDOW: Duration = Duration::from_secs(60);

/// How many requests a token may make to an endpoint in a minute; `None`: no limit is known.
pub(super) fn per_minute(endpoint: Endpoint) -> Option<usize> {
    match endpoint {
        Endpoint::VideoInit | Endpoint::InboxInit | Endpoint::ContentInit => Some(6),
        Endpoint::CreatorInfo => Some(20),
        Endpoint::Status => Some(30),
        endpoint if endpoint.is_business_data() => Some(40),
        Endpoint::UserInfo | Endpoint::VideoList | Endpoint::VideoQuery => Some(600),
        _ => None,
    }
}

/// The windows of all tokens.
#[derive(Debug, Default)]
pub(super) struct Rates(HashMap<(String, Endpoint), VecDeque<Time>>);

impl Rates {
    /// Counts a request, unless the window is full: then it is not counted, and the answer is no.
    pub(super) fn admit(&mut self, token: &str, endpoint: Endpoint, now: Time) -> bool {
        let Some(limit) = per_minute(endpoint) else {
            return true;
        };
        let window = self.0.entry((token.to_owned(), endpoint)).or_default();
        while window.front().is_some_and(|first| first.plus(WINDOW) <= now) {
            window.pop_front();
        }
        if window.len() >= limit {
            return false;
        }
        window.push_back(now);
        true
    }
}
