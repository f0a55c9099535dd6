//! How the business API refuses: a number and a message.

/// The number and the message of a refusal.
pub(in crate::sim) type Refused = (u32, String);

pub(super) const NO_PERMISSION: u32 = 40_001;
pub(in crate::sim) const BAD_PARAMETER: u32 = 40_002;
pub(super) const TOO_FAST: u32 = 40_100;
pub(super) const BAD_TOKEN: u32 = 40_105;

/// A parameter is wrong.
pub(super) fn bad(message: &str) -> Refused {
    (BAD_PARAMETER, message.to_owned())
}
