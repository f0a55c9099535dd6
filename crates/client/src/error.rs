//! What can go wrong between a client and the service, in five kinds.

use serde_json::{Value, json};

/// Who has to do something about an error. Each kind is an exit code of `playout`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The service understood, and said no.
    Refused,
    /// The request was never sent, because it makes no sense.
    Usage,
    /// There is no key, or the service does not take it.
    NotSignedIn,
    /// The service was not reached, or did not answer in time.
    Network,
    /// The service failed, or answered what it never should.
    Server,
}

impl Kind {
    /// The exit code: 1 to 5. 0 is success.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NotSignedIn => 3,
            Self::Network => 4,
            Self::Server => 5,
        }
    }
}

/// An error with a stable code: the service's own, or one of the client's (`usage`, `not_signed_in`, `network_error`,
/// `unexpected_answer` and others that say what they are about).
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// Who has to do something about it.
    pub kind: Kind,
    /// What a program branches on.
    pub code: String,
    /// What a person reads: what happened and, where it helps, what to do.
    pub message: String,
    /// Structured detail, as the service gave it.
    pub details: Option<Box<Value>>,
    /// The HTTP status, where the service said it.
    pub status: Option<u16>,
}

impl Error {
    /// An error without details.
    pub fn new(kind: Kind, code: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: code.to_owned(),
            message: message.into(),
            details: None,
            status: None,
        }
    }

    /// The caller asked for something that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, "usage", message)
    }

    /// The same error with details.
    pub fn with_details(self, details: Value) -> Self {
        let details = Some(Box::new(details));
        Self { details, ..self }
    }

    /// A file of this machine could not be read or written.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(Kind::Usage, "file_error", format!("{}: {error}", path.display()))
    }

    /// The service answered something that this client cannot read.
    pub fn unexpected(message: impl Into<String>) -> Self {
        Self::new(Kind::Server, "unexpected_answer", message)
    }

    /// `{ "error": { code, message, details? } }`
    pub fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = (**details).clone();
        }
        json!({ "error": error })
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
