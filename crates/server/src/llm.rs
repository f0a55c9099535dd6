//! The client of a language model behind an OpenAI-compatible endpoint (`POST …/chat/completions`): only this file sends
//! requests there. It sends each request once, without retries, follows no redirect, and bounds the length of the answer.
//!
//! Endpoints differ in their support of JSON. They are asked for a document of a schema; one that does not support that
//! is asked for any document, and one that does not support that either for text. What worked is remembered.

mod error;
mod manner;
mod question;
mod read;

use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, redirect, retry};
use serde_json::json;
use url::Url;

use crate::config::LlmConfig;
pub use error::LlmError;
use manner::{Manner, Manners};
pub use question::Question;
pub use read::Said;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest answer that is read: many times what the budget of tokens can make.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// How much of an endpoint's error message is kept.
const MOST_SAID_CHARS: usize = 300;
/// The longest wait that an endpoint may ask for, in seconds.
const LONGEST_WAIT: u64 = 3600;

/// A language model.
#[derive(Debug)]
pub struct LanguageModel {
    http: Client,
    address: Url,
    config: LlmConfig,
    manners: Manners,
}

impl LanguageModel {
    /// The model that is configured.
    ///
    /// # Errors
    /// When the system's certificates cannot be used.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one home of what goes to a language model"
    )]
    pub fn new(config: LlmConfig) -> Result<Self, reqwest::Error> {
        // Another part of the process may have installed one already; any will do.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder()
            .user_agent(concat!("Playout/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .build()?;
        Ok(Self {
            http,
            address: address(&config.url),
            config,
            manners: Manners::default(),
        })
    }

    /// How long all questions about one thing may take together.
    pub fn timeout(&self) -> Duration {
        self.config.timeout
    }

    /// Sends a question, in a simpler form if the endpoint rejects the better ones.
    pub async fn ask(&self, question: &Question) -> Result<Said, LlmError> {
        let mut manner = self.manners.best();
        loop {
            match self.ask_once(question, manner).await {
                Ok(said) => {
                    self.manners.remember(manner);
                    return Ok(said);
                }
                Err(LlmError::Refused { status, said }) => match manner.simpler(status, &said) {
                    Some(simpler) => manner = simpler,
                    None => return Err(LlmError::Refused { status, said }),
                },
                Err(other) => return Err(other),
            }
        }
    }

    async fn ask_once(&self, question: &Question, manner: Manner) -> Result<Said, LlmError> {
        let mut body = json!({ "model": self.config.model, "messages": question.messages, "stream": false });
        manner.shape(&mut body, question);
        let request = self.http.post(self.address.clone()).json(&body);
        let request = match &self.config.api_key {
            Some(key) => request.bearer_auth(key.expose()),
            None => request,
        };
        let response = request.send().await.map_err(unreachable)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = collect(response).await?;
        if status.is_success() {
            return read::said(&body);
        }
        Err(self.refused(status, &headers, &body))
    }

    fn refused(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
        let code = status.as_u16();
        if matches!(code, 408 | 429) || status.is_server_error() {
            return LlmError::Busy {
                status: code,
                retry_after: retry_after(headers),
            };
        }
        let said = String::from_utf8_lossy(body);
        let said = said.chars().filter(|c| !c.is_control()).take(MOST_SAID_CHARS);
        LlmError::Refused {
            status: code,
            said: self.without_key(said.collect()),
        }
    }

    /// Some endpoints repeat the key that they do not know.
    fn without_key(&self, said: String) -> String {
        match &self.config.api_key {
            Some(key) => said.replace(key.expose(), "…"),
            None => said,
        }
    }
}

/// When to come back, in seconds.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    let seconds: u64 = text.trim().parse().ok()?;
    Some(seconds.clamp(1, LONGEST_WAIT))
}

/// The address that questions are sent to. A configured address that has the whole path is used as it is.
fn address(url: &Url) -> Url {
    const PATH: &str = "/chat/completions";
    let mut address = url.clone();
    let path = url.path().trim_end_matches('/');
    if !path.ends_with(PATH) {
        address.set_path(&format!("{path}{PATH}"));
    }
    address
}

async fn collect(response: Response) -> Result<Vec<u8>, LlmError> {
    let mut pieces = response.bytes_stream();
    let mut body = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(unreachable)?;
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            return Err(LlmError::Unreadable("it is too long"));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The address may hold a password, so it is not repeated.
fn unreachable(error: reqwest::Error) -> LlmError {
    let error = error.without_url();
    let mut causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    let deepest = causes.by_ref().last().map(ToString::to_string);
    LlmError::Unreachable(deepest.unwrap_or_else(|| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_appended_unless_it_is_there() {
        for (url, expected) in [
            (
                "https://api.example/v1",
                "https://api.example/v1/chat/completions",
            ),
            (
                "https://api.example/v1/",
                "https://api.example/v1/chat/completions",
            ),
            (
                "http://localhost:11434",
                "http://localhost:11434/chat/completions",
            ),
            (
                "https://x.example/openai/chat/completions?api-version=1",
                "https://x.example/openai/chat/completions?api-version=1",
            ),
        ] {
            assert_eq!(address(&url.parse().unwrap()).as_str(), expected);
        }
    }
}
