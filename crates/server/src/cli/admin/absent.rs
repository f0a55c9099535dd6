//! What a command names and the database does not hold.

use crate::app::App;
use crate::config::mask_password;
use crate::open_error::OpenError;

/// The error for a missing row. It names the database: with the wrong data directory everything is missing.
pub(super) fn absent(app: &App, problem: String) -> OpenError {
    let database = mask_password(app.config.database_url.expose().to_owned());
    format!("{problem}, in the database {database}").into()
}
