//! The error of a start and of a command: its text is for the operator.

/// Why a start or a command fails.
pub type OpenError = Box<dyn std::error::Error + Send + Sync>;
