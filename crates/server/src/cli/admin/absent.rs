//! What a command names and the database does not hold.

use crate::app::App;
use crate::config::mask_password;
use crate::world::OpenError;

/// The error for what the database does not hold. It names the database, because `admin` makes a new one where there is none:
/// with the wrong data directory everything is absent.
pub(super) fn absent(app: &App, problem: String) -> OpenError {
    let database = mask_password(app.config.database_url.expose().to_owned());
    format!("{problem}, in the database {database}").into()
}
