//! Captions written by a language model: one request, and a second one if the answer is not usable. The request's
//! texts and images are sent as material; the answer is read as captions and nothing else. A credit is charged only
//! when there are captions.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::WorkspaceId;
use playout_domain::media::Media;
use playout_domain::workspace::Workspace;
use playout_media::{FitLimits, RenditionError, fit_jpeg};
use playout_store::{CreditCharge, SpendCredits};
use playout_wire::slides::{ProposeCaptions, ProposedCaptions};
use serde_json::{Value, json};

use super::{insufficient_credits, proposal};
use crate::app::once::Kept;
use crate::app::{App, AppError};
use crate::llm::{LanguageModel, LlmError, Question, Said};

/// What captions cost, in AI credits (`docs/contract.md#captions`).
const PRICE: u64 = 1;
/// The rules that the model writes by.
const PROMPT: &str = include_str!("prompt.md");
/// The budget of one answer: ten long captions in a script that takes a token a character, and some thinking.
const MAX_TOKENS: u32 = 6000;
/// The size at which a model gets an image: details do not matter, and every pixel costs.
const SHOWN: FitLimits = FitLimits {
    max_short_side: 512,
    max_long_side: 768,
    max_bytes: 150_000,
};
/// How much of an unusable answer the model is shown again.
const MOST_REPEATED_CHARS: usize = 8000;

impl App {
    /// Has captions for a slideshow written.
    pub async fn propose_captions(
        &self,
        workspace: &Workspace,
        request: ProposeCaptions,
        kept: &Kept<ProposedCaptions>,
    ) -> Result<ProposedCaptions, AppError> {
        let wanted = request.media_ids.iter().enumerate();
        let wanted = wanted.map(|(at, id)| (*id, vec!["mediaIds".into(), at.into()]));
        let images = self.images(workspace.id, &wanted.collect::<Vec<_>>()).await?;
        let model = self.model.as_ref().ok_or_else(not_configured)?;
        self.check_credits(workspace, PRICE).await?;
        let end = self.now().plus(model.timeout());
        let written = async {
            let shown = self.shown(workspace.id, images).await?;
            write(model, &request, &shown).await
        };
        let proposed = tokio::select! {
            biased;
            written = written => written?,
            () = self.clock.sleep_until(end) => return Err(too_slow().into()),
        };
        self.pay_for(workspace, proposed, kept).await
    }

    /// The images as a model is shown them, as `data:` addresses.
    async fn shown(&self, workspace: WorkspaceId, images: Vec<Media>) -> Result<Vec<String>, AppError> {
        let _entered = self.press.enter(workspace)?;
        let mut shown = Vec::with_capacity(images.len());
        for (at, image) in images.into_iter().enumerate() {
            let turn = self.press.turn(workspace).await?;
            let (picture, memory) = self.picture(workspace, &image.storage_key).await?;
            let drawn = self.press.draw(turn, move |_| {
                let _memory = memory;
                fit_jpeg(&picture, image.mime, SHOWN)
            });
            let jpeg = drawn.await?.map_err(|error| unreadable(at, error))?;
            shown.push(format!("data:image/jpeg;base64,{}", STANDARD.encode(jpeg)));
        }
        Ok(shown)
    }

    async fn pay_for(
        &self,
        workspace: &Workspace,
        proposed: ProposedCaptions,
        kept: &Kept<ProposedCaptions>,
    ) -> Result<ProposedCaptions, AppError> {
        let limit = self.plan_of(&workspace.plan).ai_credits_per_month;
        let keep = kept.keep(ProposedCaptions::clone);
        let charge = CreditCharge {
            credits: PRICE,
            limit,
        };
        let spent = self
            .store
            .spend_ai_credits_once(workspace.id, charge, keep, &proposed, self.now());
        match spent.await? {
            SpendCredits::Spent => Ok(proposed),
            SpendCredits::LimitReached(reached) => Err(insufficient_credits(reached).into()),
        }
    }
}

/// Asks until there are captions, twice at most.
async fn write(
    model: &LanguageModel,
    request: &ProposeCaptions,
    shown: &[String],
) -> Result<ProposedCaptions, AppError> {
    let mut question = question(request, shown);
    let (text, problem) = match attempt(model, &question, request).await? {
        Attempt::Usable(proposed) => return Ok(proposed),
        Attempt::Unusable { text, problem } => (text, problem),
    };
    let text: String = text.chars().take(MOST_REPEATED_CHARS).collect();
    question
        .messages
        .push(json!({ "role": "assistant", "content": text }));
    let again =
        format!("That cannot be used: {problem}. Answer again, with the JSON document and nothing else.");
    question
        .messages
        .push(json!({ "role": "user", "content": again }));
    match attempt(model, &question, request).await? {
        Attempt::Usable(proposed) => Ok(proposed),
        Attempt::Unusable { problem, .. } => {
            tracing::warn!("the language model gave no usable captions twice: {problem}");
            let message = "The language model gave no usable captions. Nothing was paid; try again.";
            Err(unavailable("unusable_answer", message, None).into())
        }
    }
}

/// An answer of the model.
enum Attempt {
    Usable(ProposedCaptions),
    /// Its text, and what is wrong with it.
    Unusable {
        text: String,
        problem: String,
    },
}

async fn attempt(
    model: &LanguageModel,
    question: &Question,
    request: &ProposeCaptions,
) -> Result<Attempt, AppError> {
    match model.ask(question).await {
        Ok(Said::Text { text, is_cut }) => {
            let read = proposal::read(&text, request.slide_count, request.slide_length);
            Ok(match read {
                Ok(proposed) => Attempt::Usable(proposed),
                Err(_) if is_cut => Attempt::Unusable {
                    text,
                    problem: "it was cut off because it is too long".to_owned(),
                },
                Err(problem) => Attempt::Unusable { text, problem },
            })
        }
        Ok(Said::Declined) => {
            let message =
                "The language model declined to write captions for this request. Ask for something else.";
            Err(Refusal::new(Code::CaptionsRefused, message).into())
        }
        Err(error) => Err(failed(&error).into()),
    }
}

fn question(request: &ProposeCaptions, shown: &[String]) -> Question {
    let document = json!({
        "about": request.user_request,
        "slideCount": request.slide_count,
        "language": request.language,
        "charactersPerSlide": proposal::wanted_chars(request.slide_length),
        "images": shown.len(),
    });
    let document = document.to_string();
    let content = match shown {
        // Some endpoints know texts only.
        [] => Value::String(document),
        images => with_images(document, images),
    };
    Question {
        messages: vec![
            json!({ "role": "system", "content": PROMPT }),
            json!({ "role": "user", "content": content }),
        ],
        schema: ("captions", proposal::schema()),
        max_tokens: MAX_TOKENS,
    }
}

fn with_images(document: String, images: &[String]) -> Value {
    let text = json!({ "type": "text", "text": document });
    let images = images
        .iter()
        .map(|url| json!({ "type": "image_url", "image_url": { "url": url, "detail": "low" } }));
    std::iter::once(text).chain(images).collect()
}

fn not_configured() -> Refusal {
    let message =
        "This service has no language model to write captions: its operator must set PLAYOUT_LLM_URL.";
    unavailable("not_configured", message, None)
}

fn too_slow() -> Refusal {
    tracing::warn!("the language model did not answer in time");
    let message = "The language model did not answer in time. Nothing was paid; try again.";
    unavailable("timeout", message, None)
}

/// The refusal for a failure of the endpoint. Details that only the operator can act on are only logged.
fn failed(error: &LlmError) -> Refusal {
    tracing::warn!("no captions were written: {error}");
    match error {
        LlmError::Busy { retry_after, .. } => {
            let message = "The language model has too much to do. Nothing was paid; try again later.";
            unavailable("busy", message, *retry_after)
        }
        LlmError::Unreachable(_) => {
            let message = "The language model cannot be reached. Nothing was paid; try again.";
            unavailable("unreachable", message, None)
        }
        LlmError::Refused { .. } => {
            let message =
                "The language model does not take our requests; the service's operator finds why in the log.";
            unavailable("rejected", message, None)
        }
        LlmError::Unreadable(_) => {
            let message = "The language model's answer cannot be read. Nothing was paid; try again.";
            unavailable("unusable_answer", message, None)
        }
    }
}

fn unavailable(reason: &str, message: &str, retry_after: Option<u64>) -> Refusal {
    let mut details = json!({ "reason": reason });
    if let Some(seconds) = retry_after {
        details["retryAfter"] = seconds.into();
    }
    Refusal::new(Code::CaptionsUnavailable, message).with_details(details)
}

fn unreadable(at: usize, error: RenditionError) -> AppError {
    match error {
        RenditionError::Input(problem) if !problem.is_internal() => {
            let path = ["mediaIds".into(), at.into()];
            let violation = IssueCode::NotSupported.with(problem.to_string());
            Refusal::invalid(vec![Issue::at(path, violation)]).into()
        }
        other => other.into(),
    }
}
