//! What clients ask of media and folders: rename, move.

use playout_domain::error::Issue;
use playout_domain::id::FolderId;
use playout_domain::media::{MAX_FILE_NAME_CHARS, MimeType, clean_file_name};
use serde_json::{Value, json};

use crate::read::{ObjectReader, read_body};
use crate::schema;

/// The longest name of a folder, in characters.
const MAX_FOLDER_NAME_CHARS: usize = 255;

/// A request to change a media object; `None` leaves a part as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateMedia {
    /// Its name, cleaned as at upload.
    pub file_name: Option<String>,
    /// Its folder; `Some(None)` is the root (contract §10.6).
    pub folder_id: Option<Option<FolderId>>,
}

impl UpdateMedia {
    /// Reads the body of a change.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let file_name = reader.given("fileName", read_file_name);
            let folder_id = reader.id_or_null("folderId");
            Some(Self {
                file_name: file_name?,
                folder_id: folder_id?,
            })
        })
    }
}

fn read_file_name(reader: &mut ObjectReader<'_>) -> Option<String> {
    let name = clean_file_name(&reader.trimmed_text("fileName", MAX_FILE_NAME_CHARS)?);
    if name.is_empty() {
        reader.problem("fileName", "must name a file");
        return None;
    }
    Some(name)
}

/// A request to make a folder, or to give one another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameFolder {
    /// 1–255 characters, without white space around them.
    pub name: String,
}

impl NameFolder {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            reader
                .trimmed_text("name", MAX_FOLDER_NAME_CHARS)
                .map(|name| Self { name })
        })
    }
}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("UploadForm", upload_schema()),
        ("UpdateMedia", update_schema()),
        ("NameFolder", folder_schema()),
    ]
}

fn upload_schema() -> Value {
    let types = MimeType::ALL.map(MimeType::as_str);
    let file = json!({ "type": "string", "format": "binary", "description": "The file." });
    let folder = json!({
        "type": "string", "pattern": schema::UUID_OR_NULL,
        "description": "Its folder: a UUID, or the word `null` for the root."
    });
    let properties = json!({
        "file": file,
        "fileName": { "type": "string", "description": "The name to keep it under, instead of the file's own." },
        "mimeType": schema::word("What it claims to be; its bytes decide.", &types),
        "mediaType": schema::word("Which kind it claims to be.", &["image", "video"]),
        "folderId": folder,
    });
    schema::object("A file and what is said about it.", &["file"], properties)
}

fn update_schema() -> Value {
    let name = "Its name. Only the last part of a path is kept, without control characters.";
    let folder =
        "The folder to move it to; null, or the word `null`, is the root. Absent: it stays where it is.";
    let properties = json!({
        "fileName": schema::nullable(schema::text(name, (1, MAX_FILE_NAME_CHARS))),
        "folderId": { "type": ["string", "null"], "description": folder, "pattern": schema::UUID_OR_NULL },
    });
    schema::object("What is absent stays as it is.", &[], properties)
}

fn folder_schema() -> Value {
    let name = "Unique in the workspace, ignoring case. White space around it is dropped.";
    let properties = json!({ "name": schema::text(name, (1, MAX_FOLDER_NAME_CHARS)) });
    schema::object("A folder's name.", &["name"], properties)
}
