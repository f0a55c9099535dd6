//! The engine: claims what is due and runs it. `run` is the loop, the rest is one file per kind of job.

mod check;
pub mod comment;
mod doubt;
pub mod link;
pub mod publish;
pub mod refresh;
pub mod revoke;
pub mod run;
pub mod submit;
pub mod sweep;
pub mod unavailable;
pub mod verdicts;

pub use run::Worker;
