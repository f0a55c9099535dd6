//! `GET /key`.

use playout_wire::keys::OwnKeyBody;

use crate::api::auth::{Caller, missing_key};
use crate::api::error::ApiError;
use crate::api::json::Json;

/// Get the key
///
/// The key of this request: what it may do, on which accounts, and until when. Needs no scope.
#[utoipa::path(get, path = "/key", operation_id = "getKey", tag = "Usage",
    responses((status = 200, description = "The key, without its secret.", body = OwnKeyBody)))]
pub async fn read(caller: Caller) -> Result<Json<OwnKeyBody>, ApiError> {
    let key = caller.key_record().ok_or_else(missing_key)?;
    Ok(Json(OwnKeyBody::new(key, caller.workspace().id)))
}
