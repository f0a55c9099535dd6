//! Refusals that several steps of an upload make.

use playout_domain::error::{Code, Refusal};

pub(super) fn too_many(missing: u64) -> Refusal {
    let message = format!("The body has more than the {missing} bytes that are still missing of the upload.");
    Refusal::new(Code::PayloadTooLarge, message)
}

pub(super) fn not_found() -> Refusal {
    let message = "No upload with this ID exists in this workspace; it may have expired.";
    Refusal::new(Code::MediaNotFound, message)
}

pub(super) fn locked(message: &str) -> Refusal {
    Refusal::new(Code::UploadLocked, message)
}
