//! The engine: what becomes of posts, seen through the API and the simulator.

mod comment_errors;
mod comments;
mod errors;
mod publishing;
