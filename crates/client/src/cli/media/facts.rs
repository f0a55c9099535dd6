//! What is shown of a media object.

use playout_client::{Media, Reply};

use crate::cli::moment::here;
use crate::cli::screen::{Screen, clean};
use crate::cli::usage::bytes;

/// Its fields, a line each.
pub(super) fn describe(screen: &Screen, reply: &Reply<Media>) -> String {
    let media = &reply.value;
    screen.facts(&[
        ("ID", Some(clean(&media.id))),
        ("Name", Some(clean(&media.original_file_name))),
        ("Type", Some(clean(&media.mime_type))),
        ("Size", media.size.map(bytes)),
        ("Status", Some(screen.state(&media.status))),
        ("Why", reason(media)),
        (
            "Folder",
            Some(clean(media.folder_id.as_deref().unwrap_or("root"))),
        ),
        ("Uploaded", Some(here().show(media.created_at))),
        ("Address", Some(clean(&media.public_url))),
        ("ETag", reply.etag.as_deref().map(clean)),
    ])
}

/// Why a file will never be READY.
pub(super) fn reason(media: &Media) -> Option<String> {
    media.failure.as_ref().map(|failure| clean(&failure.message))
}
