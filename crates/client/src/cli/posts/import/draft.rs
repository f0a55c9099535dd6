//! Turns a row into a post of the API, with the names of accounts and files that are still to be resolved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playout_client::{Error, Platform};
use playout_domain::time::Time;
use serde_json::{Map, Value, json};

use super::columns::Column;
use super::file::Row;
use super::notes::{Digests, digest_of};
use crate::cli::find::{is_id, platform_id};
use crate::cli::moment::Here;
use crate::cli::posts::body::guess;

/// The types of the settings of all accounts of a file, by name.
pub(super) type SettingTypes = BTreeMap<String, String>;

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
    pub(super) types: &'a SettingTypes,
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
        Ok(Draft {
            platform_ids: ids.collect::<Result<_, Error>>()?,
            accounts,
            media: self.media(row)?,
            when: self.when(row)?,
            fields,
        })
    }

    /// The digests of the posts of a row. Cells that mean the same, as times with and without seconds, have the same digest; a time that
    /// counts from the import, such as `+3d`, is taken as it is written.
    pub(super) fn digests(&self, row: &Row) -> Digests {
        let mut settings: BTreeMap<String, String> = BTreeMap::new();
        if let Some(Value::Object(given)) = self.cell(row, &Column::Settings) {
            settings.extend(
                given
                    .iter()
                    .map(|(name, value)| (name.clone(), value.to_string())),
            );
        }
        for (name, value) in &row.cells {
            if let Some(Column::Setting(setting)) = self.columns.get(name) {
                settings.insert(setting.clone(), self.setting(setting, value).to_string());
            }
        }
        let when = self.text(row, &Column::When).unwrap_or_default();
        let when = match (self.when(row), when.starts_with('+')) {
            (Ok(at), false) => format!("{at:?}"),
            (Ok(When::Draft(_)), true) => format!("draft {}", when.to_lowercase()),
            (_, _) => when.to_lowercase(),
        };
        let post = json!({
            "content": self.text(row, &Column::Content).map(|text| of_lines(&text)),
            "comments": self.cell(row, &Column::Comments).map(comments_of),
            "settings": settings,
            "media": self.media_names(row),
            "when": when,
        });
        let post = post.to_string();
        let accounts = listed(self.cell(row, &Column::Accounts), "accounts").unwrap_or_default();
        let accounts = accounts.into_iter().map(|name| {
            let digest = digest_of(&[self.handle(&name).as_bytes(), post.as_bytes()]);
            (name, digest)
        });
        accounts.collect()
    }

    /// The media of a row: IDs as they are, files by their names, wherever they are.
    fn media_names(&self, row: &Row) -> Vec<String> {
        let names = listed(self.cell(row, &Column::Media), "media").unwrap_or_default();
        let name_of = |name: String| match Path::new(&name).file_name() {
            Some(file) => file.to_string_lossy().into_owned(),
            None => name,
        };
        names.into_iter().map(name_of).collect()
    }

    /// The handle of an account that is named otherwise, by its ID or its name, and connected.
    fn handle(&self, name: &str) -> String {
        let id = platform_id(self.platforms, name).ok();
        let mut platforms = self.platforms.iter();
        let found = platforms.find(|platform| Some(&platform.id) == id.as_ref());
        let handle = found.map_or(name, |platform| {
            platform.display_handle.as_deref().unwrap_or(&platform.id)
        });
        handle.trim_start_matches('@').to_lowercase()
    }

    fn cell<'a>(&self, row: &'a Row, column: &Column) -> Option<&'a Value> {
        let mut cells = row.cells.iter();
        let found = cells.find(|(name, _)| self.columns.get(*name) == Some(column));
        found.map(|(_, value)| value)
    }

    fn text(&self, row: &Row, column: &Column) -> Option<String> {
        self.cell(row, column)
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .map(|text| text.trim().to_owned())
    }

    /// Text of a table has the type that the account's schema has for it.
    fn setting(&self, name: &str, value: &Value) -> Value {
        match (value, self.types.get(name).map(String::as_str)) {
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

    fn when(&self, row: &Row) -> Result<When, Error> {
        let mode = self.text(row, &Column::Mode).map(|mode| mode.to_lowercase());
        let when = self.text(row, &Column::When);
        let (word, time) = match when.as_deref() {
            Some(word @ ("now" | "draft")) => (Some(word), None),
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

impl MediaName {
    pub(super) fn id(&self) -> Option<String> {
        match self {
            Self::Id(id) => Some(id.clone()),
            Self::File(_) => None,
        }
    }
}

impl Draft {
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
        let (mode, at) = match self.when {
            When::Now => ("now", None),
            When::Draft(at) => ("draft", at),
            When::At(at) => ("schedule", Some(at)),
        };
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

/// A text whose lines end as on every system.
fn of_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Comments: the API's own, texts, or the lines of a cell.
fn comments_of(value: &Value) -> Value {
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
