//! Turns the options of a post into the API's document.

use std::io::Read;
use std::path::Path;

use playout_client::Error;
use playout_domain::time::Time;
use serde_json::{Map, Value, json};

use crate::cli::moment::here;

/// The parts of a post. A file contains all of them; flags override the file.
#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct Contents {
    /// A JSON document in the API's form, where platformIds may be handles; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<String>,
    /// The caption.
    #[arg(long, alias = "content", value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) caption: Option<String>,
    /// A media ID, or a file to upload; repeatable, in order.
    #[arg(long, value_name = "ID|FILE")]
    pub(super) media: Vec<String>,
    /// A provider setting, as `platforms schema` lists them; repeatable. true, false and numbers are parsed as such, any other
    /// value is text; KEY:=JSON is parsed as JSON.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) setting: Vec<String>,
    /// A comment under the post; repeatable, in order.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) comment: Vec<String>,
}

/// When a post is published.
#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct When {
    /// Publish at once.
    #[arg(long, conflicts_with_all = ["at", "draft"])]
    pub(super) now: bool,
    /// Publish at this time: RFC 3339, or local: 2026-12-01 09:00, tomorrow 09:00, tomorrow 09:00[Europe/Berlin], +90m, +3d, +1w.
    #[arg(long, value_name = "TIME")]
    pub(super) at: Option<String>,
    /// Save a draft; --at is then the planned time.
    #[arg(long)]
    pub(super) draft: bool,
}

impl When {
    /// Sets mode and time in a document; options that are not given leave the document unchanged.
    pub(super) fn put_into(&self, post: &mut Map<String, Value>) -> Result<(), Error> {
        let at: Option<Time> = self.at.as_ref().map(|at| here().read(at)).transpose()?;
        let mode = match (self.now, self.draft, at) {
            (true, ..) => Some("now"),
            (_, true, _) => Some("draft"),
            (_, _, Some(_)) => Some("schedule"),
            _ => None,
        };
        if let Some(mode) = mode {
            post.insert("mode".to_owned(), json!(mode));
        }
        if let Some(at) = at {
            post.insert("scheduledFor".to_owned(), json!(at));
        }
        Ok(())
    }
}

impl Contents {
    /// The file's document, overridden by the flags, without media: those may have to be uploaded first.
    pub(super) fn read(&self) -> Result<Map<String, Value>, Error> {
        let mut post = match &self.file {
            Some(file) => read_document(file)?,
            None => Map::new(),
        };
        if let Some(caption) = &self.caption {
            post.insert("content".to_owned(), json!(caption));
        }
        if !self.comment.is_empty() {
            let comments = self.comment.iter().map(|text| json!({ "content": text }));
            post.insert("comments".to_owned(), comments.collect());
        }
        Ok(post)
    }

    /// The settings of the flags, merged over those of a document.
    pub(super) fn settings_over(&self, present: Option<&Value>) -> Result<Map<String, Value>, Error> {
        let present = present.and_then(Value::as_object);
        let mut settings = present.cloned().unwrap_or_default();
        for text in &self.setting {
            let (key, value) = read_setting(text)?;
            settings.insert(key, value);
        }
        Ok(settings)
    }
}

fn read_document(file: &str) -> Result<Map<String, Value>, Error> {
    let text = match file {
        "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Error::file(Path::new("-"), &error))?;
            text
        }
        path => std::fs::read_to_string(path).map_err(|error| Error::file(Path::new(path), &error))?,
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(post)) => Ok(post),
        Ok(_) => Err(Error::usage(format!("{file} holds no JSON object."))),
        Err(error) => Err(Error::usage(format!("{file} is not JSON: {error}."))),
    }
}

fn read_setting(text: &str) -> Result<(String, Value), Error> {
    let refuse = || Error::usage(format!("{text:?} is not a setting: use KEY=VALUE or KEY:=JSON."));
    let (key, value) = text.split_once('=').ok_or_else(refuse)?;
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => (key, serde_json::from_str(value).map_err(|_| refuse())?),
        None => (key, guess(value)),
    };
    if key.trim().is_empty() {
        return Err(refuse());
    }
    Ok((key.trim().to_owned(), value))
}

/// true, false and numbers as such, any other text as text.
pub(super) fn guess(value: &str) -> Value {
    match serde_json::from_str(value) {
        Ok(known @ (Value::Bool(_) | Value::Number(_))) => known,
        _ => Value::String(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_what_they_look_like_unless_told() {
        let read = |text| read_setting(text).map(|(key, value)| format!("{key} {value}"));
        assert_eq!(read("allow_comment=true").unwrap(), "allow_comment true");
        assert_eq!(read("photo_cover_index=2").unwrap(), "photo_cover_index 2");
        assert_eq!(
            read("privacy_level=SELF_ONLY").unwrap(),
            "privacy_level \"SELF_ONLY\""
        );
        assert_eq!(read("title=a=b").unwrap(), "title \"a=b\"");
        assert_eq!(read("title:=\"2026\"").unwrap(), "title \"2026\"");
        for wrong in ["title", "=x", ":=1", "title:=x"] {
            assert!(
                read(wrong).unwrap_err().message.contains("is not a setting"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn flags_say_the_mode_and_win_over_the_document() {
        let mut post = Map::from_iter([("mode".to_owned(), json!("now"))]);
        When::default().put_into(&mut post).unwrap();
        assert_eq!(post["mode"], "now");
        let at = Some("2026-12-01T09:00:00Z".to_owned());
        let draft = When {
            at,
            draft: true,
            now: false,
        };
        draft.put_into(&mut post).unwrap();
        assert_eq!(post["mode"], "draft");
        assert_eq!(post["scheduledFor"], "2026-12-01T09:00:00.000Z");
    }
}
