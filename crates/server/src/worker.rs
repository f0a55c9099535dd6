//! The engine: claims what is due and runs it. `run` is the loop, and most of the rest is one file per kind of job.
//!
//! Two parts run in every process, also in one without the engine: `keeper` compares key, storage and database, and `provider_events`
//! processes what providers report.

pub mod comment;
mod earlier_tries;
pub mod hold;
pub mod imports;
mod internal;
mod job_end;
pub mod keeper;
pub mod link;
pub mod news;
mod overdue;
mod provider_events;
pub mod publish;
pub mod refresh;
pub mod revoke;
pub mod run;
pub mod sweep;
pub mod verdicts;
pub mod webhooks;

pub use run::Worker;
