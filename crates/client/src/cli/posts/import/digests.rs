//! What the posts of a row are, so that they are known again.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::columns::Column;
use super::draft::{Reader, When, comments_of, listed};
use super::file::Row;
use super::notes::{Digests, PostDigest, digest_of};
use crate::cli::find::{is_id, platform_id};
use crate::cli::moment::length_from_now;

impl Reader<'_> {
    /// The digests of the posts of a row: of what would be sent, whatever its cells are called and however they are written.
    ///
    /// Texts count without spaces around them and with the same ends of lines, settings without those that have the account's default, and files
    /// by their names. A time that counts from the import, such as `+3d`, is the same as one of the same length, and as the instant that it comes
    /// to. Not seen as the same: a file and the ID under which it was uploaded, a setting whose default the account has changed between two
    /// imports, and what only the service completes, such as the delay of a comment.
    pub(super) fn digests(&self, row: &Row) -> Digests {
        let written = self.text(row, &Column::When).unwrap_or_default().to_lowercase();
        let (when, instant) = match self.when(row).map(When::mode) {
            Err(_) => (json!(written), None),
            Ok((mode, at)) => match (length_from_now(&written), at) {
                (Some(length), Some(at)) => (json!([mode, length]), Some(json!([mode, at]))),
                _ => (json!([mode, at]), None),
            },
        };
        let content = self.text(row, &Column::Content);
        let comments = self.cell(row, &Column::Comments).map(comments_of);
        let settings = match self.settings(row) {
            Ok(settings) => settings
                .iter()
                .map(|(name, value)| (name.clone(), plain(value)))
                .collect(),
            Err(_) => Map::new(),
        };
        let post = |name: &str, when: &Value| {
            let post = json!({
                "account": self.handle(name),
                "content": content,
                "comments": comments,
                "settings": self.besides_defaults(name, &settings),
                "media": self.media_names(row),
                "when": when,
            });
            digest_of(&[plain(&post).to_string().as_bytes()])
        };
        let accounts = listed(self.cell(row, &Column::Accounts), "accounts").unwrap_or_default();
        let digests = accounts.into_iter().map(|name| {
            let digest = PostDigest {
                own: post(&name, &when),
                at: instant.as_ref().map(|instant| post(&name, instant)),
            };
            (name, digest)
        });
        digests.collect()
    }

    /// The settings that are not as they would be if they were absent.
    fn besides_defaults(&self, account: &str, settings: &Map<String, Value>) -> Map<String, Value> {
        let id = platform_id(self.platforms, account).unwrap_or_default();
        let defaults = self.schemas.defaults.get(&id);
        let is_default = |(name, value): &(&String, &Value)| {
            let default = defaults.and_then(|defaults| defaults.get(*name));
            default.is_some_and(|default| plain(default) == **value)
        };
        let settings = settings.iter().filter(|setting| !is_default(setting));
        settings
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The media of a row: IDs as the service writes them, files by their names, wherever they are.
    fn media_names(&self, row: &Row) -> Vec<String> {
        let names = listed(self.cell(row, &Column::Media), "media").unwrap_or_default();
        let name_of = |name: String| match Path::new(&name).file_name() {
            _ if is_id(&name) => name.to_lowercase(),
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
}

/// A value as the service reads it: numbers however they are written, texts without spaces around them and with the same ends of lines, fields in
/// one order, and no empty parts.
fn plain(value: &Value) -> Value {
    let is_there = |value: &Value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    };
    match value {
        Value::String(text) => json!(text.replace("\r\n", "\n").replace('\r', "\n").trim()),
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| value.clone(), |number| json!(number)),
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), plain(value)));
            let in_order: BTreeMap<String, Value> = fields.filter(|(_, value)| is_there(value)).collect();
            in_order.into_iter().collect()
        }
        Value::Null | Value::Bool(_) => value.clone(),
    }
}
