//! Why a body cannot be read as a form.

/// The most parts a form may have.
pub(super) const MAX_PARTS: usize = 32;

/// Why a body cannot be parsed as a form.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// It has another content type.
    #[error("the body must be multipart/form-data")]
    NoForm,
    /// The content type has no usable boundary.
    #[error("the content type names no boundary of 1 to 70 printable ASCII characters")]
    Boundary,
    /// The body ended before the last boundary.
    #[error("it ends before its closing boundary")]
    Cut,
    /// The head of a part is malformed.
    #[error("the head of a part {0}")]
    Head(&'static str),
    /// It has too many parts.
    #[error("it has more than {MAX_PARTS} parts")]
    TooManyParts,
    /// The connection failed, or the request's framing was wrong.
    #[error("its body could not be received")]
    Body(#[source] axum::Error),
}
