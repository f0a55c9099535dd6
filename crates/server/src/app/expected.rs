//! Versions of resources: an entity tag names one, and a change may be asked for only if the resource still has it
//! (RFC 9110 §8.8.3, §13.1.1).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use playout_domain::error::{Code, Refusal};
use playout_store::OnlyIf;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// So many bytes of the hash are in a tag.
const TAG_BYTES: usize = 16;

/// The entity tag of a resource as the API shows it, with its quotation marks. Every node makes the same one.
pub fn tag_of(shown: &impl Serialize) -> String {
    let json = serde_json::to_vec(shown).unwrap_or_default();
    let hash = Sha256::digest(json);
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&hash[..TAG_BYTES]))
}

/// Which version of a resource a change is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// Whatever it is by now.
    #[default]
    Any,
    /// One of those with these tags.
    OneOf(Vec<String>),
}

impl Expected {
    /// Whether a resource that is shown like this has the version.
    pub fn allows(&self, shown: &impl Serialize) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => tags.contains(&tag_of(shown)),
        }
    }

    /// The condition of a change in the store; `None` where there is none, so that nothing is read for it.
    pub fn only_if<'a, T>(&self, allows: &'a (dyn Fn(&T) -> bool + Send + Sync)) -> OnlyIf<'a, T> {
        match self {
            Self::Any => None,
            Self::OneOf(_) => Some(allows),
        }
    }

    /// Refuses a change of another version.
    ///
    /// # Errors
    /// `precondition_failed`.
    pub fn check(&self, shown: &impl Serialize) -> Result<(), Refusal> {
        if self.allows(shown) { Ok(()) } else { Err(stale()) }
    }
}

/// The resource has another version than the one that was named.
pub fn stale() -> Refusal {
    Refusal::new(
        Code::PreconditionFailed,
        "Its version is not the one in If-Match: it was changed since it was read, or this is no tag of it. Read it again, and decide again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tag_names_what_is_shown_and_nothing_else() {
        let (one, other) = (json!({ "a": 1, "b": "x" }), json!({ "a": 1, "b": "y" }));
        assert_eq!(tag_of(&one), tag_of(&one.clone()));
        assert_ne!(tag_of(&one), tag_of(&other));
        assert_eq!(tag_of(&one).len(), 24);
        let expected = Expected::OneOf(vec!["\"?\"".to_owned(), tag_of(&one)]);
        assert!(expected.allows(&one) && !expected.allows(&other));
        assert!(Expected::Any.allows(&other));
        assert_eq!(expected.check(&other).unwrap_err().code, Code::PreconditionFailed);
    }
}
