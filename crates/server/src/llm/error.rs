//! Why a model gives no answer.

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// It cannot be reached, or the line was cut.
    #[error("the language model cannot be reached: {0}")]
    Unreachable(String),
    /// It has too much to do, or is out of order; with the seconds to wait, if it sent them.
    #[error("the language model answered {status}")]
    Busy {
        /// What it answered.
        status: u16,
        /// When to come back, in seconds.
        retry_after: Option<u64>,
    },
    /// It does not take the request: the key, the model or the address is wrong, or the model cannot do what it is asked.
    #[error("the language model answered {status}: {said}")]
    Refused {
        /// What it answered.
        status: u16,
        /// The beginning of its error message.
        said: String,
    },
    /// What it answered is no answer of such an endpoint.
    #[error("the language model's answer cannot be read: {0}")]
    Unreadable(&'static str),
}
