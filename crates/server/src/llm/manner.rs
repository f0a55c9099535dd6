//! How an endpoint is asked: with a schema or without, with the older name of the token budget or the newer.

use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Value, json};

use super::question::Question;

/// How an endpoint is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manner {
    format: Format,
    budget: Budget,
}

/// What the answer is asked to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A document of the schema.
    Schema,
    /// A document.
    Object,
    /// Whatever it is.
    Text,
}

/// What the budget is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Budget {
    /// `max_tokens`, which all but the newest models know.
    Tokens,
    /// `max_completion_tokens`, which the newest models want.
    CompletionTokens,
}

impl Manner {
    const ALL: [Self; 6] = {
        const fn of(format: Format, budget: Budget) -> Manner {
            Manner { format, budget }
        }
        [
            of(Format::Schema, Budget::Tokens),
            of(Format::Object, Budget::Tokens),
            of(Format::Text, Budget::Tokens),
            of(Format::Schema, Budget::CompletionTokens),
            of(Format::Object, Budget::CompletionTokens),
            of(Format::Text, Budget::CompletionTokens),
        ]
    };

    /// Adds to a request what this manner is about.
    pub(super) fn shape(self, body: &mut Value, question: &Question) {
        let budget = match self.budget {
            Budget::Tokens => "max_tokens",
            Budget::CompletionTokens => "max_completion_tokens",
        };
        body[budget] = question.max_tokens.into();
        let (name, schema) = &question.schema;
        match self.format {
            Format::Schema => {
                let schema = json!({ "name": name, "strict": true, "schema": schema });
                body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
            }
            Format::Object => body["response_format"] = json!({ "type": "json_object" }),
            Format::Text => {}
        }
    }

    /// How to ask an endpoint that rejected this manner; `None` where another one would not help, as with a wrong key
    /// or model.
    pub(super) fn simpler(self, status: u16, said: &str) -> Option<Self> {
        if !matches!(status, 400 | 422) {
            return None;
        }
        if self.budget == Budget::Tokens && said.contains("max_completion_tokens") {
            return Some(Self {
                budget: Budget::CompletionTokens,
                ..self
            });
        }
        let format = match self.format {
            Format::Schema => Format::Object,
            Format::Object => Format::Text,
            Format::Text => return None,
        };
        Some(Self { format, ..self })
    }
}

/// The manner that worked last.
#[derive(Debug, Default)]
pub(super) struct Manners(AtomicU8);

impl Manners {
    pub(super) fn best(&self) -> Manner {
        let at = usize::from(self.0.load(Ordering::Relaxed));
        Manner::ALL.get(at).copied().unwrap_or(Manner::ALL[0])
    }

    pub(super) fn remember(&self, manner: Manner) {
        let at = Manner::ALL.iter().position(|known| *known == manner);
        let at = at.and_then(|at| u8::try_from(at).ok()).unwrap_or_default();
        self.0.store(at, Ordering::Relaxed);
    }
}
