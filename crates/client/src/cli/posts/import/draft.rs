//! Turns a row into a post of the API, with the names of accounts and files that are still to be resolved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playout_client::{Error, Kind, Platform};
use playout_domain::time::Time;
use serde_json::{Map, Value, json};

use super::columns::Column;
use super::file::Row;
use crate::cli::find::{is_id, platform_id};
use crate::cli::moment::Here;
use crate::cli::posts::body::guess;

/// The most bytes of a request, which the service accepts (`docs/contract.md#batches`).
pub(super) const MAX_BYTES: usize = 8 * 1024 * 1024;
/// The bytes around the posts of a request, and at most around each.
pub(super) const FRAME_BYTES: usize = 64;
/// A media ID, with its quotation marks and a comma.
const ID_BYTES: usize = 39;
/// The most bytes of a post.
const MAX_POST_BYTES: usize = MAX_BYTES - FRAME_BYTES;

/// What the schemas of all accounts of a file say of settings.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// The type of each, by its name.
    pub(super) types: BTreeMap<String, String>,
    /// By account, what each is if it is absent.
    pub(super) defaults: BTreeMap<String, Map<String, Value>>,
}

/// A post of a row.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The accounts, as the row names them.
    pub(super) accounts: Vec<String>,
    /// The IDs of the accounts, in the same order.
    pub(super) platform_ids: Vec<String>,
    /// Media IDs and files, in order.
    pub(super) media: Vec<MediaName>,
    /// When it is published.
    pub(super) when: When,
    /// The other fields of the API's document.
    fields: Map<String, Value>,
}

/// A media object of a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MediaName {
    Id(String),
    File(PathBuf),
}

/// The time of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Now,
    Draft(Option<Time>),
    At(Time),
}

/// What is needed to read a row.
pub(super) struct Reader<'a> {
    /// The column of each name in the file.
    pub(super) columns: &'a BTreeMap<String, Column>,
    pub(super) platforms: &'a [Platform],
    pub(super) schemas: &'a Schemas,
    /// Where relative paths begin.
    pub(super) folder: &'a Path,
    pub(super) here: &'a Here,
}

impl Reader<'_> {
    /// The post of a row.
    ///
    /// # Errors
    /// If a cell is invalid, an account is unknown or a file is missing.
    pub(super) fn draft(&self, row: &Row) -> Result<Draft, Error> {
        let mut fields = Map::new();
        let settings = self.settings(row)?;
        if let Some(content) = self.cell(row, &Column::Content) {
            fields.insert("content".to_owned(), content.clone());
        }
        if let Some(comments) = self.cell(row, &Column::Comments) {
            fields.insert("comments".to_owned(), comments_of(comments));
        }
        if !settings.is_empty() {
            fields.insert("settings".to_owned(), Value::Object(settings));
        }
        let accounts = listed(self.cell(row, &Column::Accounts), "accounts")?;
        if accounts.is_empty() {
            return Err(Error::usage("accounts: names no account."));
        }
        let ids = accounts.iter().map(|name| platform_id(self.platforms, name));
        let draft = Draft {
            platform_ids: ids.collect::<Result<_, Error>>()?,
            accounts,
            media: self.media(row)?,
            when: self.when(row)?,
            fields,
        };
        match draft.size_bytes() > MAX_POST_BYTES {
            true => Err(too_large(draft.size_bytes())),
            false => Ok(draft),
        }
    }

    /// The settings of a row.
    pub(super) fn settings(&self, row: &Row) -> Result<Map<String, Value>, Error> {
        let mut settings = match self.cell(row, &Column::Settings) {
            None => Map::new(),
            Some(Value::Object(settings)) => settings.clone(),
            Some(_) => {
                return Err(Error::usage(
                    "settings: must be an object; in a table use settings.NAME.",
                ));
            }
        };
        for (name, value) in &row.cells {
            if let Some(Column::Setting(setting)) = self.columns.get(name) {
                settings.insert(setting.clone(), self.setting(setting, value));
            }
        }
        Ok(settings)
    }

    pub(super) fn cell<'a>(&self, row: &'a Row, column: &Column) -> Option<&'a Value> {
        let mut cells = row.cells.iter();
        let found = cells.find(|(name, _)| self.columns.get(*name) == Some(column));
        found.map(|(_, value)| value)
    }

    pub(super) fn text(&self, row: &Row, column: &Column) -> Option<String> {
        self.cell(row, column)
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .map(|text| text.trim().to_owned())
    }

    /// Text of a table has the type that the account's schema has for it.
    fn setting(&self, name: &str, value: &Value) -> Value {
        match (value, self.schemas.types.get(name).map(String::as_str)) {
            (Value::String(text), Some("string" | "enum")) => json!(text),
            (Value::String(text), _) => guess(&text.trim().to_lowercase()),
            (value, _) => value.clone(),
        }
    }

    fn media(&self, row: &Row) -> Result<Vec<MediaName>, Error> {
        let named = |name: String| match is_id(&name) {
            true => Ok(MediaName::Id(name.to_lowercase())),
            false => {
                let path = self.folder.join(&name);
                let found = std::fs::metadata(&path).map_err(|error| Error::file(&path, &error))?;
                match found.is_file() {
                    true => Ok(MediaName::File(path)),
                    false => Err(Error::usage(format!("{} is no file.", path.display()))),
                }
            }
        };
        listed(self.cell(row, &Column::Media), "media")?
            .into_iter()
            .map(named)
            .collect()
    }

    pub(super) fn when(&self, row: &Row) -> Result<When, Error> {
        let mode = self.text(row, &Column::Mode).map(|mode| mode.to_lowercase());
        let when = self.text(row, &Column::When);
        let word = when.as_ref().map(|when| when.to_lowercase());
        let word = word.as_deref().filter(|word| matches!(*word, "now" | "draft"));
        let (word, time) = match when.as_deref() {
            Some(_) if word.is_some() => (word, None),
            Some(text) => (None, Some(self.here.read(text)?)),
            None => (None, None),
        };
        match (mode.as_deref().or(word), time) {
            (Some("now"), None) => Ok(When::Now),
            (Some("draft"), time) => Ok(When::Draft(time)),
            (None | Some("schedule"), Some(time)) => Ok(When::At(time)),
            (Some("now"), Some(_)) => Err(Error::usage("when: a post with the mode now has no time.")),
            (Some("schedule"), None) => Err(Error::usage("when: a post with the mode schedule has a time.")),
            (Some(mode), _) => Err(Error::usage(format!(
                "mode: {mode:?} is none of draft, now and schedule."
            ))),
            (None, None) => Err(Error::usage("when: say now, draft, or a time.")),
        }
    }
}

impl When {
    /// The API's mode, and its time.
    pub(super) fn mode(self) -> (&'static str, Option<Time>) {
        match self {
            Self::Now => ("now", None),
            Self::Draft(at) => ("draft", at),
            Self::At(at) => ("schedule", Some(at)),
        }
    }
}

impl MediaName {
    pub(super) fn id(&self) -> Option<String> {
        match self {
            Self::Id(id) => Some(id.clone()),
            Self::File(_) => None,
        }
    }
}

impl Draft {
    /// The most bytes that its post has in a request.
    pub(super) fn size_bytes(&self) -> usize {
        let post = self.post(&self.platform_ids, &[]).to_string().len();
        post + FRAME_BYTES + ID_BYTES * self.media.len()
    }

    /// The files among its media.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.media.iter().filter_map(|media| match media {
            MediaName::File(path) => Some(path),
            MediaName::Id(_) => None,
        })
    }

    /// The API's document for some of its accounts.
    pub(super) fn post(&self, platform_ids: &[String], media_ids: &[String]) -> Value {
        let mut post = Map::from_iter([("platformIds".to_owned(), json!(platform_ids))]);
        post.extend(self.fields.clone());
        let (mode, at) = self.when.mode();
        post.insert("mode".to_owned(), json!(mode));
        if let Some(at) = at {
            post.insert("scheduledFor".to_owned(), json!(at));
        }
        if !media_ids.is_empty() {
            post.insert("mediaIds".to_owned(), json!(media_ids));
        }
        Value::Object(post)
    }
}

fn too_large(size_bytes: usize) -> Error {
    let message =
        format!("The post has {size_bytes} bytes, and a request may have 8 MiB ({MAX_BYTES} bytes).");
    Error::new(Kind::Refused, "payload_too_large", message)
}

/// The names of a list: an array, or text with commas, semicolons or line breaks between them.
pub(super) fn listed(value: Option<&Value>, column: &str) -> Result<Vec<String>, Error> {
    let names: Vec<String> = match value {
        None => Vec::new(),
        Some(Value::String(text)) => text.split([',', ';', '\n']).map(str::to_owned).collect(),
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| Error::usage(format!("{column}: must be a list of texts.")))?,
        Some(_) => return Err(Error::usage(format!("{column}: must be a list of texts."))),
    };
    let names = names.into_iter().map(|name| name.trim().to_owned());
    Ok(names.filter(|name| !name.is_empty()).collect())
}

/// Comments: the API's own, texts, or the lines of a cell.
pub(super) fn comments_of(value: &Value) -> Value {
    let comment = |text: &str| json!({ "content": text });
    match value {
        Value::String(text) => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(comment).collect()
        }
        Value::Array(comments) => comments
            .iter()
            .map(|given| given.as_str().map_or_else(|| given.clone(), comment))
            .collect(),
        other => other.clone(),
    }
}
