//! Time zones by name, as the tz database has it: which hour "nine" is in a workspace is shown to people, and decides nothing
//! here.

use jiff::tz::TimeZoneDatabase;

/// A time zone: its name in the tz database, such as `Europe/Berlin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(String);

impl Zone {
    /// The zone of that name, in any case; `None` if there is none. Names of the past lead to a zone too.
    pub fn parse(name: &str) -> Option<Self> {
        let zone = TimeZoneDatabase::bundled().get(name).ok()?;
        let name = zone.iana_name().filter(|_| !zone.is_unknown())?;
        Some(Self(name.to_owned()))
    }

    /// A name that was a zone's when it was stored.
    pub const fn stored(name: String) -> Self {
        Self(name)
    }

    /// UTC, the default of a workspace.
    pub fn utc() -> Self {
        Self("UTC".to_owned())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_the_names_that_browsers_know() {
        for (text, name) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
            ("Asia/Calcutta", "Asia/Calcutta"),
            ("utc", "UTC"),
            ("Etc/GMT+8", "Etc/GMT+8"),
        ] {
            assert_eq!(Zone::parse(text).unwrap().as_str(), name);
        }
        assert_eq!(Zone::parse("UTC"), Some(Zone::utc()));
    }

    #[test]
    fn offsets_and_inventions_are_no_zones() {
        for text in [
            "",
            " ",
            "+02:00",
            "CET+1",
            "Mars/Olympus",
            "Europe",
            "Etc/Unknown",
            "Europe/Berlin\0",
            "../etc/passwd",
        ] {
            assert_eq!(Zone::parse(text), None, "{text:?}");
        }
    }
}
