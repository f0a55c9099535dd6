//! The pulse in the data directory: how far the database had come when this node last saw it.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_domain::time::Time;

/// The name of the file: the pulse, a space, and when it was written, as RFC 3339. Earlier versions wrote the pulse alone.
const NAME: &str = "pulse";
/// How long a node may have worked after it last wrote its pulse: it writes one every ten seconds, and its leases end within a minute.
const WORKED_ON: Duration = Duration::from_secs(60);

/// The file in a data directory.
#[derive(Debug)]
pub(crate) struct PulseFile(PathBuf);

/// What it contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// 0 where there is none.
    pub(crate) pulse: i64,
    /// When it was written; `None` where that is not known.
    at: Option<Time>,
}

impl PulseFile {
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self(data_dir.join(NAME))
    }

    pub(crate) fn read(&self) -> Remembered {
        Remembered::parse(&std::fs::read_to_string(&self.0).unwrap_or_default())
    }

    /// Writes the pulse of `now`. A failure is logged: a file that stays behind finds fewer copies, and stops no one.
    pub(crate) fn write(&self, pulse: i64, now: Time) {
        if let Err(error) = self.overwrite(&format!("{pulse} {now}\n")) {
            tracing::warn!("could not write {}: {error}", self.0.display());
        }
    }

    /// In the place that the file has, which needs no room on a full disk. What is left behind a shorter text is not read.
    fn overwrite(&self, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(false).open(&self.0)?;
        file.write_all(text.as_bytes())?;
        file.set_len(text.len() as u64)
    }
}

impl Remembered {
    fn parse(text: &str) -> Self {
        let mut words = text.split_whitespace();
        Self {
            pulse: words.next().and_then(|word| word.parse().ok()).unwrap_or(0),
            at: words.next().and_then(|word| Time::parse(word).ok()),
        }
    }

    /// Whether the node that wrote it had stopped by then. Not where it is unknown when it wrote.
    pub(super) fn is_of_before(&self, time: Time) -> bool {
        self.at.is_some_and(|at| at.plus(WORKED_ON) < time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_is_of_before_a_time_when_its_node_had_stopped_by_then() {
        let remembered = Remembered::parse("50 2026-11-20T12:00:00.000Z\n");
        let at = Time::parse("2026-11-20T12:00:00Z").unwrap();
        assert_eq!(remembered.pulse, 50);
        assert!(!remembered.is_of_before(at.plus(WORKED_ON)));
        assert!(remembered.is_of_before(at.plus(2 * WORKED_ON)));
    }

    #[test]
    fn a_pulse_is_written_in_the_place_of_the_one_before() {
        let directory = tempfile::tempdir().unwrap();
        let file = PulseFile::of(directory.path());
        let now = Time::parse("2026-11-20T12:00:00Z").unwrap();
        assert_eq!(file.read(), Remembered::default());
        file.write(1000, now);
        let same = directory.path().join("same");
        std::fs::hard_link(directory.path().join(NAME), &same).unwrap();
        file.write(50, now);
        assert_eq!((file.read().pulse, file.read().at), (50, Some(now)));
        assert_eq!(std::fs::read_to_string(same).unwrap(), format!("50 {now}\n"));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_pulse_without_a_time_is_of_before_nothing() {
        let remembered = Remembered::parse("50\n");
        assert_eq!(remembered.pulse, 50);
        assert!(!remembered.is_of_before(Time::parse("2099-01-01T00:00:00Z").unwrap()));
        assert_eq!(Remembered::parse(""), Remembered::default());
    }
}
