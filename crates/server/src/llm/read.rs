//! Reads a model's answer from an endpoint's response.

use serde::Deserialize;

use super::error::LlmError;

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A text, whole or cut where the budget ended.
    Text {
        /// The text.
        text: String,
        /// Whether there would have been more.
        is_cut: bool,
    },
    /// The model refuses to answer.
    Declined,
}

#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

pub(super) fn said(body: &[u8]) -> Result<Said, LlmError> {
    let unreadable = LlmError::Unreadable("it is not what such an endpoint answers");
    let answer: Answer = serde_json::from_slice(body).map_err(|_| unreadable.clone())?;
    let choice = answer.choices.into_iter().next().ok_or(unreadable)?;
    let reason = choice.finish_reason.as_deref();
    let declines = choice
        .message
        .refusal
        .is_some_and(|refusal| !refusal.trim().is_empty());
    if declines || reason == Some("content_filter") {
        return Ok(Said::Declined);
    }
    Ok(Said::Text {
        text: choice.message.content.unwrap_or_default(),
        is_cut: reason == Some("length"),
    })
}
