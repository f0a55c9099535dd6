//! What goes into a statement: one type for the values of both databases.

use playout_domain::id::{
    AuditId, DeliveryId, DeviceId, EventId, FolderId, GroupId, InvitationId, JobId, KeyId, MediaId,
    PlatformId, PostId, SessionId, SubmissionId, UserId, WebhookId, WorkspaceId,
};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

/// A parameter of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Param {
    Uuid(Option<Uuid>),
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Bool(bool),
    /// A JSON text.
    Json(Option<Box<RawValue>>),
}

/// The parameters of a statement, in order.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::db::param::Param::from($value)),*]
    };
}
pub(crate) use params;

/// `value` as a JSON parameter. All our own types serialise.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Param {
    Param::Json(Some(text(value)))
}

fn text<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

macro_rules! from {
    ($($variant:ident: $($type:ty => $convert:expr),+;)*) => {$($(
        impl From<$type> for Param {
            fn from(value: $type) -> Self {
                Self::$variant(Some($convert(value)))
            }
        }

        impl From<Option<$type>> for Param {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map($convert))
            }
        }
    )+)*};
}

from! {
    Uuid: Uuid => |id| id, DeviceId => |id: DeviceId| id.0, EventId => |id: EventId| id.0,
        FolderId => |id: FolderId| id.0, GroupId => |id: GroupId| id.0, JobId => |id: JobId| id.0,
        KeyId => |id: KeyId| id.0, MediaId => |id: MediaId| id.0, PlatformId => |id: PlatformId| id.0,
        PostId => |id: PostId| id.0, SubmissionId => |id: SubmissionId| id.0, UserId => |id: UserId| id.0,
        WorkspaceId => |id: WorkspaceId| id.0, SessionId => |id: SessionId| id.0,
        InvitationId => |id: InvitationId| id.0, AuditId => |id: AuditId| id.0,
        WebhookId => |id: WebhookId| id.0, DeliveryId => |id: DeliveryId| id.0;
    Int: i64 => |number| number, u32 => i64::from, u16 => i64::from, Time => Time::as_micros,
        u64 => |number| i64::try_from(number).unwrap_or(i64::MAX);
    Text: String => |text| text, &str => |text: &str| text.to_owned(), &String => |text: &String| text.clone();
    Bytes: Vec<u8> => |bytes| bytes, &[u8] => |bytes: &[u8]| bytes.to_vec(),
        [u8; 32] => |bytes: [u8; 32]| bytes.to_vec(), &[u8; 32] => |bytes: &[u8; 32]| bytes.to_vec();
    Json: Value => |value| text(&value);
}

impl From<bool> for Param {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
