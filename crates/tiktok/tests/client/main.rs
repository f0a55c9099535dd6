//! The client over real HTTP: against answers written by hand, as the provider was seen to give them, and against the
//! simulator.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod business;
mod business_comments;
mod canned;
mod connecting;
mod handing_over;
mod limits;
mod looking;
mod policy;
mod setting;
#[cfg(feature = "sim")]
mod simulator;
mod uploading;
