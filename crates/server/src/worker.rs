//! The engine: claims what is due and runs it. `run` is the loop, the rest is one file per kind of job.

pub mod comment;
mod events;
pub mod hold;
mod internal;
mod job_end;
pub mod link;
pub mod news;
mod overdue;
pub mod publish;
pub mod refresh;
pub mod revoke;
pub mod run;
pub mod sweep;
pub mod verdicts;
pub mod webhooks;

pub use run::Worker;
