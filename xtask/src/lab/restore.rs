//! Copies of the database, and what is lost when one is put back: `playoutd backup` and `restore`, and the ways in which
//! people copy databases without Playout's own commands. The provider keeps what it has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::copies::{Restored, Way};
use super::nodes::Nodes;
use super::stage::Stage;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{epoch_micros, now, path_with, said};

/// The SQLite database in the data directory, and the two files that may lie beside it.
const DATABASE: &str = "playout.db";
const BESIDE: [&str; 2] = ["playout.db-wal", "playout.db-shm"];
/// The other files that distinguish a database from its copy: in the data directory, and in the storage.
const PULSE: [&str; 2] = ["pulse", "media/playout-storage.json"];
/// Where copies are kept, in the data directory: on the same disk as the media, so that a backup links them.
const COPIES: &str = "copies";
/// What a node logs that finds publications held.
const HELD: &str = "publications are held, because";
/// What the node logs that ends a hold.
const END_OF_HOLD: &str = "publications go on; left to a person";
/// How long a hold may last while the provider answers: it asks again every twenty seconds about posts that the provider is at
/// work on, and a busy machine adds to that.
const LONGEST_HOLD: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(20);

/// A copy that may be put back.
#[derive(Debug, Clone, Copy)]
struct Copied {
    way: Way,
    began_at: i64,
}

/// The copies of a run.
#[derive(Debug)]
pub struct Restores<'a> {
    stage: &'a Stage,
    copied: Option<Copied>,
    /// Those that were put back.
    pub done: Vec<Restored>,
    /// Copies that could not be made, because a disk was full or a database away.
    pub failed: usize,
}

impl<'a> Restores<'a> {
    /// None yet.
    pub fn none(stage: &'a Stage) -> Self {
        Self {
            stage,
            copied: None,
            done: Vec::new(),
            failed: 0,
        }
    }

    /// Makes a copy. One that fails is counted, and there is none then.
    ///
    /// # Errors
    /// When the nodes do not start again.
    pub fn copy(&mut self, nodes: &mut Nodes<'_>, way: Way) -> Outcome<()> {
        self.stage.note(&format!("copying: {}", way.name()));
        self.stage.bring_media_back()?;
        let began_at = epoch_micros();
        let copied = match way {
            Way::Backup | Way::NewPlace => self.copy_beside_the_nodes(way),
            Way::SamePlace | Way::Snapshot => {
                nodes.end_all();
                nodes.wrong_key.end_all();
                let copied = self.copy_files(way);
                nodes.fill()?;
                copied
            }
        };
        self.copied = match copied {
            Ok(()) => Some(Copied { way, began_at }),
            Err(failure) => {
                self.failed += 1;
                self.stage.note(&format!("no copy: {failure}"));
                None
            }
        };
        self.stage.note("copied");
        Ok(())
    }

    /// Kills the nodes, puts the last copy back if there is one, and starts the nodes. Whether there was one.
    ///
    /// # Errors
    /// When the copy cannot be put back, or the nodes do not start.
    pub fn put_back(&mut self, nodes: &mut Nodes<'_>) -> Outcome<bool> {
        let Some(Copied { way, began_at }) = self.copied.take() else {
            return Ok(false);
        };
        nodes.end_all();
        nodes.wrong_key.end_all();
        let ended_at = epoch_micros();
        self.stage.free_disk()?;
        self.stage.bring_media_back()?;
        self.stage.calm_connections();
        self.stage.note(&format!("putting back: {}", way.name()));
        match way {
            Way::Backup => self.restore()?,
            Way::NewPlace => self.replace()?,
            Way::SamePlace => self.overwrite()?,
            Way::Snapshot => {
                self.overwrite()?;
                for file in PULSE {
                    copy_file(&self.copies().join(name_of(file)), &self.data(file))?;
                }
                let mut hold = self.stage.command("admin", self.stage.proxy.address);
                said(hold.args(["engine", "hold"]))?;
            }
        }
        self.stage.note("put back");
        self.done.push(Restored {
            way,
            copied_at: began_at,
            ended_at,
        });
        nodes.fill()?;
        Ok(true)
    }

    /// Waits until the hold of the last restore is over. `false`: no node noticed that the database is a copy.
    ///
    /// # Errors
    /// When it lasts too long, or no node starts.
    pub fn wait_for_the_end(&self, nodes: &mut Nodes<'_>) -> Outcome<bool> {
        let began = now();
        while began.elapsed() < LONGEST_HOLD {
            nodes.fill()?;
            let log = self.stage.log_since("LAB put back");
            if log.contains(END_OF_HOLD) {
                return Ok(true);
            }
            if self.stage.is_ready_and_not_held() {
                // A node sees that the hold is over before the one that has ended it logs so.
                let log = self.stage.log_since("LAB put back");
                return Ok(log.contains(HELD) || log.contains(END_OF_HOLD));
            }
            std::thread::sleep(PAUSE);
        }
        Err(Failure::new("the hold after a restore does not end"))
    }

    fn data(&self, name: &str) -> PathBuf {
        self.stage.folder().join("data").join(name)
    }

    fn copies(&self) -> PathBuf {
        self.data(COPIES)
    }

    fn copy_beside_the_nodes(&self, way: Way) -> Outcome<()> {
        empty(&self.copies())?;
        match (&self.stage.postgres, way) {
            (Some(postgres), Way::NewPlace) => postgres.dump_to(&self.copies().join("dump")),
            _ => said(self.playoutd("backup")?.arg(self.copies().join("backup"))).map(drop),
        }
    }

    /// What is committed is in the files; no node has them open.
    fn copy_files(&self, way: Way) -> Outcome<()> {
        empty(&self.copies())?;
        match &self.stage.postgres {
            Some(postgres) => postgres.copy_cluster()?,
            None => {
                for file in std::iter::once(DATABASE).chain(BESIDE) {
                    if self.data(file).exists() {
                        copy_file(&self.data(file), &self.copies().join(file))?;
                    }
                }
            }
        }
        for file in PULSE.iter().filter(|_| way == Way::Snapshot) {
            copy_file(&self.data(file), &self.copies().join(name_of(file)))?;
        }
        Ok(())
    }

    /// Throws everything away and restores the backup.
    fn restore(&self) -> Outcome<()> {
        let data = self.data("");
        for entry in fs::read_dir(&data).doing(data.display())? {
            let entry = entry.doing(data.display())?;
            if entry.file_name() != COPIES {
                remove(&entry.path())?;
            }
        }
        if let Some(postgres) = &self.stage.postgres {
            postgres.empty_database()?;
        }
        said(self.playoutd("restore")?.arg(self.copies().join("backup"))).map(drop)
    }

    fn replace(&self) -> Outcome<()> {
        if let Some(postgres) = &self.stage.postgres {
            postgres.empty_database()?;
            return postgres.load_from(&self.copies().join("dump"));
        }
        self.remove_beside()?;
        let copy = self.copies().join("backup").join(DATABASE);
        fs::rename(&copy, self.data(DATABASE)).doing(copy.display())
    }

    fn overwrite(&self) -> Outcome<()> {
        if let Some(postgres) = &self.stage.postgres {
            return postgres.put_cluster_back();
        }
        self.remove_beside()?;
        for file in std::iter::once(DATABASE).chain(BESIDE) {
            let copy = self.copies().join(file);
            if copy.exists() {
                copy_file(&copy, &self.data(file))?;
            }
        }
        Ok(())
    }

    fn remove_beside(&self) -> Outcome<()> {
        BESIDE
            .iter()
            .map(|file| self.data(file))
            .filter(|file| file.exists())
            .try_for_each(|file| remove(&file))
    }

    /// `playoutd`, which finds the programs of PostgreSQL.
    fn playoutd(&self, subcommand: &str) -> Outcome<Command> {
        let mut command = self.stage.command(subcommand, self.stage.proxy.address);
        if let Some(postgres) = &self.stage.postgres {
            command.env("PATH", path_with(postgres.bin())?);
        }
        Ok(command)
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// An existing file keeps its inode.
fn copy_file(from: &Path, to: &Path) -> Outcome<()> {
    fs::copy(from, to)
        .doing(format!("{} to {}", from.display(), to.display()))
        .map(drop)
}

fn empty(folder: &Path) -> Outcome<()> {
    if folder.exists() {
        remove(folder)?;
    }
    fs::create_dir_all(folder).doing(folder.display())
}

fn remove(path: &Path) -> Outcome<()> {
    match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
    .doing(path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_over_keeps_its_inode() {
        use std::os::unix::fs::MetadataExt;
        let folder = std::env::temp_dir().join(format!("playout-lab-restore-{}", std::process::id()));
        empty(&folder).unwrap();
        let (old, copy) = (folder.join("old"), folder.join("copy"));
        fs::write(&old, "longer than the copy").unwrap();
        fs::write(&copy, "copy").unwrap();
        let inode = fs::metadata(&old).unwrap().ino();
        copy_file(&copy, &old).unwrap();
        assert_eq!(fs::metadata(&old).unwrap().ino(), inode);
        assert_eq!(fs::read_to_string(&old).unwrap(), "copy");
        remove(&folder).unwrap();
    }
}
