//! The two databases that the service runs on, for benches that measure both.

use std::time::Duration;

use super::process::cpu_with_children;
use super::world::{Served, World};
use crate::failure::{Failure, Outcome};
use crate::install::postgres_programs;
use crate::postgres::Postgres;

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file beside the service.
    Sqlite,
    /// A server of its own.
    Postgresql,
}

/// Both, in the order of tables.
pub const BOTH: [Kind; 2] = [Kind::Sqlite, Kind::Postgresql];

impl Kind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgresql => "PostgreSQL",
        }
    }

    /// A world on an empty database of this kind, in a folder of its own.
    ///
    /// # Errors
    /// When PostgreSQL is missing or does not start.
    pub fn world(self, world: &World, part: &str) -> Outcome<On> {
        let world = world.part(&format!("{}-{part}", self.name()))?;
        if self == Self::Sqlite {
            let postgres = None;
            return Ok(On { world, postgres });
        }
        let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
        let postgres = Postgres::start(&programs)?;
        Ok(On {
            world: world.on(postgres.url()),
            postgres: Some(postgres),
        })
    }
}

/// A world and its database, whose server lives as long.
#[derive(Debug)]
pub struct On {
    /// The world.
    pub world: World,
    postgres: Option<Postgres>,
}

impl On {
    /// CPU time so far of the service, and of the server of its database with all its processes.
    ///
    /// # Errors
    /// When one of them is gone.
    pub fn cpu(&self, served: &Served) -> Outcome<Duration> {
        let database = match &self.postgres {
            None => Duration::ZERO,
            Some(postgres) => cpu_with_children(postgres.process_id()?)?,
        };
        Ok(served.process.cpu()? + database)
    }
}
