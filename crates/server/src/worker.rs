//! The engine: claims what is due and runs it. `run` is the loop, the rest is one file per kind of job.

mod check;
pub mod comment;
mod doubt;
pub mod hold;
mod internal;
pub mod link;
pub mod news;
mod overdue;
pub mod publish;
pub mod refresh;
pub mod revoke;
pub mod run;
pub mod slots;
pub mod starts;
pub mod submit;
pub mod sweep;
mod take_back;
pub mod unavailable;
pub mod verdicts;
pub mod webhooks;

pub use run::Worker;
