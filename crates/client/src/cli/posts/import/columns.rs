//! The columns of an import file: of a table, and the names of a JSON line.

use playout_client::Error;

/// The meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Accounts,
    Content,
    Mode,
    When,
    Media,
    Comments,
    /// A whole object of settings, in a JSON line.
    Settings,
    /// `settings.NAME`
    Setting(String),
    /// Of a row that failed in an earlier import, its row in that file.
    Row,
    /// Why the row failed in an earlier import.
    Error,
}

/// The names of each column: its own first, then those of the API and of the options of `posts create`.
const NAMES: [(Column, &[&str]); 9] = [
    (
        Column::Accounts,
        &["accounts", "account", "platforms", "platform", "platformIds"],
    ),
    (Column::Content, &["content", "caption"]),
    (Column::Mode, &["mode"]),
    (Column::When, &["when", "scheduledFor", "at"]),
    (Column::Media, &["media", "mediaIds"]),
    (Column::Comments, &["comments", "comment"]),
    (Column::Settings, &["settings"]),
    (Column::Row, &["row"]),
    (Column::Error, &["error"]),
];

const SETTING: &str = "settings.";

/// From this likeness on a name is suggested, of 1 for the same.
const ALIKE: f64 = 0.5;

impl Column {
    /// The column with this name.
    ///
    /// # Errors
    /// If there is none; the message names the one that is most like it.
    pub(super) fn named(name: &str, settings: &[String]) -> Result<Self, Error> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::usage("The column has cells and no name."));
        }
        if let Some(setting) = name.strip_prefix(SETTING)
            && settings.iter().any(|known| known == setting)
        {
            return Ok(Self::Setting(setting.to_owned()));
        }
        let is_it = |names: &&[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let found = NAMES.iter().find(|(_, names)| is_it(names));
        found
            .map(|(column, _)| column.clone())
            .ok_or_else(|| unknown(name, settings))
    }

    /// Whether it is the column with this name.
    pub(super) fn is(&self, name: &str) -> bool {
        name.trim().eq_ignore_ascii_case(&self.name())
    }

    /// Its own name.
    pub(super) fn name(&self) -> String {
        if let Self::Setting(name) = self {
            return format!("{SETTING}{name}");
        }
        let found = NAMES.iter().find(|(column, _)| column == self);
        found.map_or_else(String::new, |(_, names)| names[0].to_owned())
    }
}

fn unknown(name: &str, settings: &[String]) -> Error {
    let settings = settings.iter().map(|setting| format!("{SETTING}{setting}"));
    let known: Vec<String> = NAMES
        .iter()
        .flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned()))
        .chain(settings)
        .collect();
    let folded = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    let alike = |name: &str, known: &str| strsim::normalized_damerau_levenshtein(name, known);
    let likeness = |known: &str| {
        let (name, known) = (folded(name), folded(known));
        match (name.strip_prefix(SETTING), known.strip_prefix(SETTING)) {
            // What both begin with makes no two settings alike.
            (Some(name), Some(known)) => alike(name, known),
            (Some(name), None) => alike(name, &known),
            (None, Some(bare)) => alike(&name, &known).max(alike(&name, bare)),
            (None, None) => alike(&name, &known),
        }
    };
    let nearest = known
        .iter()
        .map(|known| (likeness(known), known))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .filter(|(likeness, _)| *likeness >= ALIKE);
    let meant = nearest.map_or_else(String::new, |(_, known)| format!(" Did you mean {known:?}?"));
    let message = format!(
        "There is no column {name:?}.{meant} The columns are accounts, content, mode, when, media, comments and settings.NAME, with the \
         names of `playout platforms schema`."
    );
    Error::usage(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Result<Column, String> {
        let settings = ["privacy_level".to_owned(), "title".to_owned()];
        Column::named(name, &settings).map_err(|error| error.message)
    }

    #[test]
    fn columns_have_the_names_of_the_api_and_of_the_options_too() {
        assert_eq!(named("accounts"), Ok(Column::Accounts));
        assert_eq!(named(" Caption "), Ok(Column::Content));
        assert_eq!(named("scheduledFor"), Ok(Column::When));
        let privacy = Column::Setting("privacy_level".to_owned());
        assert_eq!(named("settings.privacy_level"), Ok(privacy.clone()));
        assert_eq!(privacy.name(), "settings.privacy_level");
        assert_eq!(Column::Media.name(), "media");
    }

    #[test]
    fn an_unknown_column_names_the_one_that_is_most_like_it() {
        for (wrong, meant) in [
            ("contnet", "\"content\"?"),
            ("acounts", "\"accounts\"?"),
            ("settings.privacyLevel", "\"settings.privacy_level\"?"),
            ("privacy level", "\"settings.privacy_level\"?"),
            ("setting.title", "\"settings.title\"?"),
            ("settings.caption", "\"caption\"?"),
        ] {
            let message = named(wrong).unwrap_err();
            assert!(message.contains(meant), "{wrong}: {message}");
        }
        for unlike in ["xyzzyxyzzy", "settings.colour", "settings.xyzzy"] {
            let message = named(unlike).unwrap_err();
            assert!(!message.contains("Did you mean"), "{unlike}: {message}");
        }
    }
}
