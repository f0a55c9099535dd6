//! How many files and sockets this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What stays for the database, storage, mails and programs.
const RESERVED: u64 = 128;
/// What a connection may hold: its socket, and the file that it reads or writes.
const PER_CONNECTION: u64 = 2;
/// So many connections there are however few descriptors.
const LEAST: usize = 16;

/// Raises the limit of open files to the highest that the system allows this process.
pub fn raise() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    if limit.current != limit.maximum && setrlimit(Resource::Nofile, raised).is_err() {
        tracing::debug!("the limit of open files stays at {:?}", limit.current);
    }
}

/// `wanted` connections, or as many as the descriptors allow beside an engine whose jobs hold `held`. Logs a warning
/// when there are fewer.
pub(super) fn affordable(wanted: usize, held: usize) -> usize {
    let Some(limit) = getrlimit(Resource::Nofile).current else {
        return wanted;
    };
    let affordable = affordable_of(limit, held);
    if affordable < wanted {
        tracing::warn!(
            "at most {affordable} connections, not PLAYOUT_MAX_CONNECTIONS={wanted}: this process may open {limit} files"
        );
    }
    wanted.min(affordable)
}

fn affordable_of(limit: u64, held: usize) -> usize {
    let reserved = RESERVED + held as u64;
    let left = limit.saturating_sub(reserved) / PER_CONNECTION;
    usize::try_from(left).unwrap_or(usize::MAX).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_to_the_engine() {
        assert_eq!(affordable_of(1024, 128), 384);
        assert_eq!(affordable_of(1024, 2000), LEAST);
        assert_eq!(affordable_of(0, 128), LEAST);
        assert!(affordable_of(1 << 20, 128) > 4096);
    }
}
