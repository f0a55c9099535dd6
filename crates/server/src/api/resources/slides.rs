//! `/slides`: captions rendered onto images, a preview, and captions proposed by a language model.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use playout_domain::error::Refusal;
use playout_store::Stored;
use playout_wire::canonical::Canonical;
use playout_wire::slides::{
    CompositeResult, CompositeSlides, PreviewSlide, ProposeCaptions, ProposedCaptions, SlidePicture,
    SlideWarning,
};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::app::App;
use crate::app::slides::Seen;

/// The header that lists the characters of a previewed caption that no font has.
pub const MISSING_GLYPHS: HeaderName = HeaderName::from_static("missing-glyphs");

/// Create slides
///
/// Renders a caption onto each image: a JPEG of 1080 by 1920 pixels, upright, in sRGB, without metadata, named
/// `<image>-captioned.jpg`, in the image's folder. The text wraps and shrinks to fit the area that the provider's buttons leave
/// free. All or nothing: if one slide fails, none is stored, and every reason is returned.
#[utoipa::path(post, path = "/slides/composite", operation_id = "compositeSlides", tag = "Slides",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/CompositeSlides"), content_type = "application/json"),
    responses((status = 201, description = "The slides, READY, for posts.", body = CompositeResult)),
    extensions(("x-error-codes" = json!(["insufficient_credits", "storage_limit_reached"]))))]
pub async fn composite(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| CompositeSlides::read(&body);
    let request = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, "POST /slides/composite", now, || request.canonical());
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let work = move |kept| async move { worker.composite_slides(&workspace, request, &kept).await };
    same.once(&app, made, work).await
}

fn made(_: &App, result: &CompositeResult) -> Stored {
    in_json(StatusCode::CREATED, result)
}

/// Preview a slide
///
/// The slide that `POST /slides/composite` would create, for an editor that previews every change. It is not stored and costs no
/// credits.
#[utoipa::path(post, path = "/slides/preview", operation_id = "previewSlide", tag = "Slides",
    request_body(content = ref("#/components/schemas/PreviewSlide"), content_type = "application/json"),
    responses((status = 200, description = "The slide.", body = SlidePicture, content_type = "image/jpeg",
        headers(("Missing-Glyphs" = String, description = "The code points that no font has, such as `U+E000 U+E001`; the slide is drawn without them.")))))]
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = PreviewSlide::read(&body).map_err(Refusal::invalid)?;
    let seen = app.preview_slide(caller.workspace().id, request).await?;
    Ok(picture(seen))
}

fn picture(Seen { jpeg, warnings }: Seen) -> Response {
    let content = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = (content, jpeg).into_response();
    let characters: Vec<String> = warnings
        .into_iter()
        .flat_map(|warning: SlideWarning| warning.characters)
        .collect();
    if let Ok(value) = HeaderValue::try_from(characters.join(" "))
        && !value.is_empty()
    {
        response.headers_mut().insert(MISSING_GLYPHS, value);
    }
    response
}

/// Propose captions
///
/// A language model writes a caption for each slide and the content of the post. With `mediaIds` it sees the images. Costs one AI
/// credit if captions are returned, otherwise none. Also at `/slides/caption`.
#[utoipa::path(post, path = "/slides/captions", operation_id = "proposeCaptions", tag = "Slides",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/ProposeCaptions"), content_type = "application/json"),
    responses((status = 200, description = "The captions, one for each requested slide.", body = ProposedCaptions)),
    extensions(("x-error-codes" = json!(["insufficient_credits", "captions_refused", "captions_unavailable"]))))]
pub async fn captions(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| ProposeCaptions::read(&body);
    let request = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, "POST /slides/captions", now, || request.canonical());
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let work = move |kept| async move { worker.propose_captions(&workspace, request, &kept).await };
    same.once(&app, proposed, work).await
}

fn proposed(_: &App, captions: &ProposedCaptions) -> Stored {
    in_json(StatusCode::OK, captions)
}
