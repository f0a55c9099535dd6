//! The HTTP API, a file per noun.

mod platforms;
