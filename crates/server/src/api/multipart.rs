//! Forms with files (`multipart/form-data`, RFC 7578), parsed as they arrive.
//!
//! The content of a part is passed on in the pieces in which it arrives, without a copy and one at a time: the reader sets the
//! pace, and only the few bytes of a part's head are buffered.
//!
//! Limits of every body: 32 parts ([`MAX_PARTS`]), 8 KiB of a part's head ([`MAX_HEAD_BYTES`]), 75 bytes of a boundary that began
//! at the end of a piece. Each byte is searched once. The caller limits the length of a part.

mod error;
mod header;
mod scan;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use http_body_util::BodyExt;

pub use error::FormError;

use error::MAX_PARTS;
use header::Disposition;
use scan::{Found, Scan};

/// The longest head of a part: the rest of the boundary's line, the header fields, and the empty line.
const MAX_HEAD_BYTES: usize = 8 * 1024;
/// The end of a part's head.
const EMPTY_LINE: &[u8] = b"\r\n\r\n";

/// A form that is being received.
#[derive(Debug)]
pub struct Form {
    body: Body,
    scan: Scan,
    place: Place,
    parts: usize,
}

/// The position in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the content of a part, or before the first boundary.
    Content,
    /// After a boundary.
    Boundary,
    /// After the last boundary.
    End,
}

/// One part, whose content is not read yet. Unread content is skipped.
#[derive(Debug)]
pub struct Part<'form> {
    /// The field's name.
    pub name: String,
    /// The file's name on the client.
    pub file_name: Option<String>,
    form: &'form mut Form,
}

impl Form {
    /// The form in the body of `request`.
    ///
    /// # Errors
    /// [`FormError::NoForm`] and [`FormError::Boundary`], by the content type.
    pub fn of(request: Request) -> Result<Self, FormError> {
        let content_type = request.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let boundary = header::boundary(content_type.unwrap_or_default())?;
        Ok(Self {
            scan: Scan::new(&boundary),
            body: request.into_body(),
            place: Place::Content,
            parts: 0,
        })
    }

    /// The next part; `None` after the last. Unread content of the part before is skipped.
    ///
    /// # Errors
    /// All except those of [`Form::of`].
    pub async fn next_part(&mut self) -> Result<Option<Part<'_>>, FormError> {
        while self.chunk().await?.is_some() {}
        if self.place == Place::End {
            return Ok(None);
        }
        let Some(head) = self.head().await? else {
            self.place = Place::End;
            return Ok(None);
        };
        self.place = Place::Content;
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(FormError::TooManyParts);
        }
        let Disposition { name, file_name } = header::disposition(&head)?;
        Ok(Some(Part {
            name,
            file_name,
            form: self,
        }))
    }

    /// The next piece of the current content; `None` at its end.
    async fn chunk(&mut self) -> Result<Option<Bytes>, FormError> {
        while self.place == Place::Content {
            match self.scan.next() {
                Found::Content(bytes) => return Ok(Some(bytes)),
                Found::Boundary => self.place = Place::Boundary,
                Found::Nothing => self.receive().await?,
            }
        }
        Ok(None)
    }

    /// The bytes between a boundary and the content after it; `None` if the boundary was the last.
    async fn head(&mut self) -> Result<Option<Vec<u8>>, FormError> {
        let mut head = Vec::new();
        loop {
            self.scan.take_through(EMPTY_LINE, MAX_HEAD_BYTES, &mut head);
            if head.starts_with(b"--") {
                return Ok(None);
            }
            // Checked before its end is searched: whether a head is valid must not depend on the pieces in which it arrives.
            if header::has_bare_line_feed(&head) {
                return Err(FormError::Head("has lines that do not end in CR LF"));
            }
            if head.ends_with(EMPTY_LINE) {
                return Ok(Some(head));
            }
            if head.len() >= MAX_HEAD_BYTES {
                return Err(FormError::Head("is longer than 8 KiB"));
            }
            self.receive().await?;
        }
    }

    /// Waits for more of the body.
    async fn receive(&mut self) -> Result<(), FormError> {
        match self.body.frame().await {
            Some(Ok(frame)) => {
                // A frame of trailers has no form data.
                if let Ok(bytes) = frame.into_data() {
                    self.scan.push(bytes);
                }
                Ok(())
            }
            Some(Err(error)) => Err(FormError::Body(error)),
            None => Err(FormError::Cut),
        }
    }
}

impl Part<'_> {
    /// The next bytes of its content, as many as arrived together; `None` at its end.
    ///
    /// # Errors
    /// [`FormError::Cut`] and [`FormError::Body`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FormError> {
        self.form.chunk().await
    }
}

#[cfg(test)]
mod tests;
