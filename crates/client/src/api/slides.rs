//! Slides: captions baked onto images, and captions proposed by a language model.

use serde_json::Value;

use super::Api;
use crate::answers::{BakedSlides, ProposedCaptions, Reply};
use crate::error::Error;

impl Api {
    /// `POST /slides/composite`
    ///
    /// # Errors
    /// As every operation.
    pub async fn composite(&self, body: &Value) -> Result<Reply<BakedSlides>, Error> {
        self.post("/slides/composite", body, None).await
    }

    /// `POST /slides/captions`
    ///
    /// # Errors
    /// `captions_unavailable`, `insufficient_credits`, and as every operation.
    pub async fn propose_captions(&self, body: &Value) -> Result<Reply<ProposedCaptions>, Error> {
        self.post("/slides/captions", body, None).await
    }
}
