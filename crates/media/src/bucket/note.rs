//! What a request that goes on with an unfinished blob must know of those before it.

use bytes::Bytes;
use object_store::MultipartId;
use serde::{Deserialize, Serialize};

/// How far a blob has come: an object of a line of JSON, then the first bytes of the blob, then those after its last full part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// The multipart upload, if there are full parts.
    pub(super) multipart: Option<MultipartId>,
    /// What the bucket calls each full part (its `ETag`), in order.
    pub(super) parts: Vec<String>,
    /// How many of the blob's first bytes follow. Parts cannot be read before the upload is complete.
    head_bytes: usize,
    #[serde(skip)]
    pub(super) head: Bytes,
    #[serde(skip)]
    pub(super) rest: Bytes,
}

impl Note {
    pub(super) fn new(multipart: Option<MultipartId>, parts: Vec<String>, head: Bytes, rest: Bytes) -> Self {
        Self {
            multipart,
            parts,
            head_bytes: head.len(),
            head,
            rest,
        }
    }

    /// The object.
    pub(super) fn to_bytes(&self) -> Bytes {
        // A note is made of strings and numbers, which JSON always has a form for.
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.head);
        bytes.extend_from_slice(&self.rest);
        Bytes::from(bytes)
    }

    /// The note in an object; `None` if it is none.
    pub(super) fn read(bytes: &Bytes) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let note: Self = serde_json::from_slice(&bytes[..end]).ok()?;
        let rest_at = (end + 1).checked_add(note.head_bytes)?;
        if rest_at > bytes.len() {
            return None;
        }
        Some(Self {
            head: bytes.slice(end + 1..rest_at),
            rest: bytes.slice(rest_at..),
            ..note
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written_and_one_that_is_cut_is_none() {
        let (head, rest) = (Bytes::from_static(b"{\"a\"}\n"), Bytes::from_static(b"\n\n{}"));
        let note = Note::new(Some("id".to_owned()), vec!["\"e\"".to_owned()], head, rest);
        let bytes = note.to_bytes();
        assert_eq!(Note::read(&bytes), Some(note));
        let line = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        for end in 0..line + 6 {
            assert_eq!(Note::read(&bytes.slice(..end)), None, "{end}");
        }
    }
}
