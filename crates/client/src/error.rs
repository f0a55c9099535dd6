//! Errors of the client and the service, by who can act on them.

use serde_json::{Value, json};

/// Who can act on an error. Each kind is an exit code of `playout`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The service rejected the request.
    Refused,
    /// The request was not sent, because it is invalid.
    Usage,
    /// There is no key, or the service does not accept it.
    NotSignedIn,
    /// The service could not be reached, or did not respond in time.
    Network,
    /// The service failed, or sent an invalid response.
    Server,
    /// Some of several things were done, and others not.
    Partial,
    /// A part of the service is not set up, or does not answer, such as its language model.
    Unavailable,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Kind {
    /// The exit code. 0 is success.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NotSignedIn => 3,
            Self::Network => 4,
            Self::Server => 5,
            Self::Partial => 6,
            Self::Unavailable => 7,
            Self::Interrupted => 130,
        }
    }
}

/// An error with a stable code: the service's own, or one of the client's (`usage`, `not_signed_in`, `network_error`,
/// `unexpected_answer` and others with descriptive names).
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// Who can act on it.
    pub kind: Kind,
    /// The code for programs.
    pub code: String,
    /// The message for people: what happened and, where it helps, what to do.
    pub message: String,
    /// Structured detail from the service.
    pub details: Option<Box<Value>>,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Whether the request may have taken effect all the same: it was sent, then or before, without a response that says.
    pub may_be_done: bool,
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
            may_be_done: false,
        }
    }

    /// The arguments are invalid.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, "usage", message)
    }

    /// The same error with details.
    pub fn with_details(self, details: Value) -> Self {
        let details = Some(Box::new(details));
        Self { details, ..self }
    }

    /// The same error; where other things of the same command were done, it is [`Kind::Partial`].
    pub fn with_done(self, is_other_done: bool) -> Self {
        let kind = if is_other_done { Kind::Partial } else { self.kind };
        Self { kind, ..self }
    }

    /// A file of this machine could not be read or written.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(Kind::Usage, "file_error", format!("{}: {error}", path.display()))
    }

    /// The service sent a response that this client cannot parse.
    pub fn unexpected(message: impl Into<String>) -> Self {
        let error = Self::new(Kind::Server, "unexpected_answer", message);
        Self {
            may_be_done: true,
            ..error
        }
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
