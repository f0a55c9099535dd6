//! Which node this process is. The name is kept in the data directory under a lock that ends with the process, so that a process that
//! starts there again knows that no running process holds the leases of its name. A copy of the directory is another node: the name counts
//! only in the file, and on the host, that it was written for.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::chance;

/// The file with the name.
const FILE: &str = "node";
/// No such file is longer.
const LONGEST: u64 = 512;
/// What the system calls itself; see proc_sys_kernel(5).
const HOST: &str = "/proc/sys/kernel/hostname";

/// The identity of a process among the nodes.
#[derive(Debug)]
pub struct Node {
    /// Part of every lease.
    pub name: String,
    /// Open, and so locked, as long as the process lives. `None` if another process has the name of this directory.
    lock: Option<File>,
}

impl Node {
    /// A node with a new name.
    pub fn new() -> Self {
        Self {
            name: chance::token(),
            lock: None,
        }
    }

    /// The node of this data directory; a new one where another process is that, or the name cannot be kept.
    pub fn of(data_dir: &Path) -> Self {
        let path = data_dir.join(FILE);
        Self::named(&path).unwrap_or_else(|error| {
            tracing::debug!("{}: {error}; this process has a name of its own", path.display());
            Self::new()
        })
    }

    /// Whether what this name holds was left by a process that has ended.
    pub fn is_successor(&self) -> bool {
        self.lock.is_some()
    }

    fn named(path: &Path) -> std::io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        file.try_lock()?;
        let mut kept = String::new();
        Read::by_ref(&mut file).take(LONGEST).read_to_string(&mut kept)?;
        let host = std::fs::read_to_string(HOST).unwrap_or_default();
        let place = format!("{} {}", file.metadata()?.ino(), host.trim());
        let name = match kept.split_once(' ') {
            Some((name, written_for)) if written_for.trim() == place => name.to_owned(),
            _ => {
                let name = chance::token();
                file.rewind()?;
                file.set_len(0)?;
                writeln!(file, "{name} {place}")?;
                name
            }
        };
        Ok(Self {
            name,
            lock: Some(file),
        })
    }
}

impl Default for Node {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_directory_has_one_node_at_a_time_and_the_next_has_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let first = Node::of(dir.path());
        let beside = Node::of(dir.path());
        assert!(first.is_successor() && !beside.is_successor());
        assert_ne!(first.name, beside.name);
        let name = first.name.clone();
        drop(first);
        let next = Node::of(dir.path());
        assert!(next.is_successor());
        assert_eq!(next.name, name);
    }

    #[test]
    fn a_copy_of_a_data_directory_is_another_node() {
        let (dir, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = Node::of(dir.path());
        std::fs::copy(dir.path().join(FILE), copy.path().join(FILE)).unwrap();
        let other = Node::of(copy.path());
        assert!(other.is_successor());
        assert_ne!(first.name, other.name);
        drop(other);
        assert_ne!(Node::of(copy.path()).name, first.name);
    }
}
