//! The engine: what becomes of posts, seen through the API and the simulator.

mod at_most_once;
mod business;
mod calendar;
mod clocks;
mod comment_errors;
mod comments;
mod error_cases;
mod errors;
mod fairness;
mod inbox;
mod internal;
mod limits;
mod links;
mod news;
mod news_races;
mod notices;
mod publishing;
mod pulls;
mod removed;
mod scheduling;
mod tokens;
mod unclear;
mod ways;
mod webhook_failures;
mod webhooks;
