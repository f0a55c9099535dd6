//! Forms with files (`multipart/form-data`, RFC 7578), read as they come in.
//!
//! What a part holds is handed on in the pieces in which it arrived, without a copy and one at a time: whoever reads
//! sets the pace, and nothing gathers here but the few bytes of a part's head.
//!
//! Bounds, whatever the body: 32 parts ([`MAX_PARTS`]), 8 KiB of a part's head ([`MAX_HEAD_BYTES`]), 75 bytes of a boundary that
//! began at the end of a piece. Each byte is searched once. How long a part may be is the caller's to bound.

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
/// The end of a head.
const EMPTY_LINE: &[u8] = b"\r\n\r\n";

/// A form on its way in.
#[derive(Debug)]
pub struct Form {
    body: Body,
    scan: Scan,
    place: Place,
    parts: usize,
}

/// Where in the form we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the content of a part, or before the first boundary.
    Content,
    /// Behind a boundary.
    Boundary,
    /// Behind the last one.
    End,
}

/// One part, its content yet to be read. What is not read is skipped.
#[derive(Debug)]
pub struct Part<'form> {
    /// What it is called.
    pub name: String,
    /// What the file in it is called on the client's side.
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

    /// The next part; `None` behind the last. What was not read of the one before is skipped.
    ///
    /// # Errors
    /// Any but those of [`Form::of`].
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

    /// The next piece of the content that we are in; `None` at its end.
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

    /// All that stands between a boundary and the content behind it; `None` if the boundary was the last.
    async fn head(&mut self) -> Result<Option<Vec<u8>>, FormError> {
        let mut head = Vec::new();
        loop {
            self.scan.take_through(EMPTY_LINE, MAX_HEAD_BYTES, &mut head);
            if head.starts_with(b"--") {
                return Ok(None);
            }
            // Before its end is looked for: what is wrong with a head does not depend on the pieces in which it comes.
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
                // A frame of trailers says nothing about a form.
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
    /// The next bytes of its content, as many as came at once; `None` at its end.
    ///
    /// # Errors
    /// [`FormError::Cut`] and [`FormError::Body`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FormError> {
        self.form.chunk().await
    }
}

#[cfg(test)]
mod tests;
