//! What the command line asks for.

use std::path::PathBuf;

use crate::bench::object_storage::Kind;
use crate::failure::{Failure, Outcome};

/// What is done with the cluster.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum What {
    /// Posts go out.
    #[default]
    Publish,
    /// Posts go out while nodes are killed.
    Kill,
    /// A video of 1 GB is uploaded while nodes are killed.
    Upload,
    /// Nodes of this revision, or of the program at this path, are replaced one after the other while posts go out.
    Upgrade(String),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) what: What,
    /// Whether it ends when everything has gone out.
    pub(super) once: bool,
    /// The program; `None`: the release build.
    pub(super) playoutd: Option<PathBuf>,
    /// The program that is the bucket; `None`: a folder that all nodes share.
    pub(super) storage: Option<Kind>,
    /// Whether PgBouncer is between the nodes and PostgreSQL.
    pub(super) pooled: bool,
}

impl Options {
    pub(super) fn parse(words: &[String]) -> Outcome<Self> {
        let mut options = Self {
            what: What::default(),
            once: false,
            playoutd: None,
            storage: Some(Kind::at_hand()),
            pooled: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                let value = words.next().cloned();
                value.ok_or_else(|| Failure::new(format!("{word} needs a value")))
            };
            match word.as_str() {
                "--kill" => options.what = What::Kill,
                "--upload" => options.what = What::Upload,
                "--upgrade" => options.what = What::Upgrade(value()?),
                "--pgbouncer" => options.pooled = true,
                "--once" => options.once = true,
                "--playoutd" => options.playoutd = Some(value()?.into()),
                "--storage" => options.storage = storage(&value()?)?,
                other => return Err(Failure::new(format!("cluster knows no {other}"))),
            }
        }
        Ok(options)
    }
}

fn storage(name: &str) -> Outcome<Option<Kind>> {
    match name {
        "folder" => Ok(None),
        name => match Kind::named(name) {
            None => Err(Failure::new(format!(
                "there is no storage {name}: garage, s3s-fs or folder"
            ))),
            kind => Ok(kind),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Outcome<Options> {
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words)
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        assert!(parse("--nodes").is_err() && parse("--storage tape").is_err() && parse("--upgrade").is_err());
    }

    #[test]
    fn an_upgrade_names_the_version_to_begin_with() {
        let options = parse("--upgrade v1.2.0 --storage folder --pgbouncer --once --playoutd new").unwrap();
        let expected = Options {
            what: What::Upgrade("v1.2.0".to_owned()),
            once: true,
            playoutd: Some("new".into()),
            storage: None,
            pooled: true,
        };
        assert_eq!(options, expected);
    }
}
