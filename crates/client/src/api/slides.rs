//! Slides: captions rendered onto images, and captions proposed by a language model.

use reqwest::Method;
use serde_json::Value;

use super::{Api, PREFIX};
use crate::answers::{BakedSlides, ProposedCaptions, Reply, SlidePreview};
use crate::error::Error;
use crate::http::Answer;

impl Api {
    /// `POST /slides/composite`. With the caller's own idempotency key, it takes effect once even if the program runs again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn composite(&self, body: &Value, key: Option<&str>) -> Result<Reply<BakedSlides>, Error> {
        self.post("/slides/composite", body, key).await
    }

    /// `POST /slides/preview`. It stores nothing, so it is sent again like a GET.
    ///
    /// # Errors
    /// `unexpected_answer` if the response is not a JPEG, and those of every operation.
    pub async fn preview_slide(&self, body: &Value) -> Result<SlidePreview, Error> {
        let path = format!("{PREFIX}/slides/preview");
        let build = async || Ok(self.http.request(Method::POST, &path).json(body));
        picture(self.http.send(true, build).await?)
    }

    /// `POST /slides/captions`. With the caller's own idempotency key, it costs a credit once even if the program runs again.
    ///
    /// # Errors
    /// `captions_unavailable`, `insufficient_credits`, and those of every operation.
    pub async fn propose_captions(
        &self,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Reply<ProposedCaptions>, Error> {
        self.post("/slides/captions", body, key).await
    }
}

fn picture(answer: Answer) -> Result<SlidePreview, Error> {
    if answer.header("content-type") != Some("image/jpeg") {
        return Err(Error::unexpected(
            "The service's response is not a JPEG. Is this address a Playout service?",
        ));
    }
    let missing = answer.header("missing-glyphs").unwrap_or_default();
    Ok(SlidePreview {
        missing_glyphs: missing.split_whitespace().map(str::to_owned).collect(),
        jpeg: answer.body,
    })
}
