//! The options of a run on the command line.

use std::path::PathBuf;

use super::campaign::round;
use super::posts;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::epoch_micros;

/// The posts of a round with a restore, unless the command line sets another number.
const POSTS_A_ROUND: usize = 14;

/// What `cargo xtask crash-lab` takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How often a process ends.
    pub kills: usize,
    /// How many rounds with a restore there are; 0: the ordinary laboratory.
    pub restores: usize,
    /// How many posts there are; in rounds with a restore, in each.
    pub posts: usize,
    /// What makes the plan.
    pub seed: u64,
    /// Where the posts are kept.
    pub db: Db,
    /// Where the media are kept.
    pub storage: Storage,
    /// How many processes run at the same time.
    pub nodes: usize,
    /// The program; `None`: the release build.
    pub playoutd: Option<PathBuf>,
}

/// A database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Db {
    /// A file.
    Sqlite,
    /// A server of the run's own, which crashes now and then too.
    Postgres,
}

/// Where media are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// In a folder, which vanishes now and then.
    Folder,
    /// In a bucket, which does not answer now and then.
    S3,
}

impl Storage {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::S3 => "s3",
        }
    }
}

impl Db {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

impl Options {
    /// A run of this size on a new seed, from the clock.
    pub fn new(kills: usize, posts: usize) -> Self {
        let seed = epoch_micros().unsigned_abs() % 1_000_000_000;
        Self {
            kills,
            restores: 0,
            posts,
            seed,
            db: Db::Sqlite,
            storage: Storage::Folder,
            nodes: 1,
            playoutd: None,
        }
    }

    /// Reads the command line.
    ///
    /// # Errors
    /// When it names something unknown or a figure is none.
    pub fn parse(words: &[String]) -> Outcome<Self> {
        let mut options = match words.iter().any(|word| word == "--restores") {
            true => Self::new(0, POSTS_A_ROUND),
            false => Self::new(100, 500),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| Failure::new(format!("{word} takes a value")))?;
            let figure = || value.parse::<usize>().doing(word);
            match word.as_str() {
                "--kills" => options.kills = figure()?,
                "--restores" => options.restores = figure()?.max(1),
                "--posts" => options.posts = figure()?.max(1),
                "--nodes" => options.nodes = figure()?.max(1),
                "--seed" => options.seed = value.parse().doing(word)?,
                "--playoutd" => options.playoutd = Some(PathBuf::from(value)),
                "--db" => options.db = database(value)?,
                "--storage" => options.storage = storage(value)?,
                other => return Err(Failure::new(format!("crash-lab knows no {other}"))),
            }
        }
        Ok(options)
    }

    /// How many accounts the posts go to.
    pub fn accounts(&self) -> usize {
        (self.posts / 25).clamp(10, 100)
    }

    /// How many videos for the inbox there are, each with a file of its own.
    pub fn inbox_videos(&self) -> usize {
        match self.restores {
            0 => posts::inbox_videos(self.posts),
            rounds => round::inbox_videos(rounds),
        }
    }
}

fn database(name: &str) -> Outcome<Db> {
    let known = [Db::Sqlite, Db::Postgres]
        .into_iter()
        .find(|db| db.name() == name);
    known.ok_or_else(|| Failure::new(format!("there is no database {name}: sqlite or postgres")))
}

fn storage(name: &str) -> Outcome<Storage> {
    let known = [Storage::Folder, Storage::S3]
        .into_iter()
        .find(|storage| storage.name() == name);
    known.ok_or_else(|| Failure::new(format!("there is no storage {name}: folder or s3")))
}

/// The command that has this run again.
impl std::fmt::Display for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            kills,
            restores,
            posts,
            seed,
            db,
            storage,
            nodes,
            ..
        } = self;
        let (db, storage) = (db.name(), storage.name());
        let (what, count) = match restores {
            0 => ("kills", kills),
            _ => ("restores", restores),
        };
        write!(
            f,
            "cargo xtask crash-lab --{what} {count} --posts {posts} --seed {seed} --db {db} --storage {storage} --nodes {nodes}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_can_be_had_again_by_the_command_that_it_prints() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let options = Options::parse(&words(
            "--kills 7 --posts 30 --seed 42 --db postgres --storage s3 --nodes 2",
        ))
        .unwrap();
        assert_eq!((options.kills, options.posts, options.seed), (7, 30, 42));
        assert_eq!((options.db, options.nodes), (Db::Postgres, 2));
        assert_eq!(options.storage, Storage::S3);
        let shown = options.to_string();
        assert_eq!(Options::parse(&words(&shown)[3..]).unwrap(), options);
        let rounds = Options::parse(&words("--restores 5 --seed 42")).unwrap();
        assert_eq!(
            (rounds.restores, rounds.posts, rounds.kills),
            (5, POSTS_A_ROUND, 0)
        );
        let shown = rounds.to_string();
        assert_eq!(Options::parse(&words(&shown)[3..]).unwrap(), rounds);
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for words in ["--kills", "--kills many", "--db oracle", "--fast 1"] {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert!(Options::parse(&words).is_err(), "{words:?}");
        }
    }
}
