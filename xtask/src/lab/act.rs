//! What can be done to a run while its posts go out.

use super::bucket_fault::BucketFault;
use super::connection_fault::ConnectionFault;
use super::copies::Way;
use super::trouble::Trouble;

/// What can be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The process of a node is killed, and another takes its place.
    Kill {
        /// Its place.
        node: usize,
        /// The next process there.
        next: Start,
    },
    /// It is stopped in the middle of what it does, and another takes its place at once.
    Stall {
        /// Its place.
        node: usize,
        /// The next process there.
        next: Start,
        /// The number that identifies the stopped one from now on.
        number: usize,
    },
    /// The stopped one goes on, beside its successor.
    Wake {
        /// As in `Stall`.
        number: usize,
    },
    /// It is killed at last.
    Bury {
        /// As in `Stall`.
        number: usize,
    },
    /// The provider misbehaves.
    Trouble(Trouble),
    /// PostgreSQL crashes and starts again.
    RestartDatabase,
    /// There is no space left.
    FillDisk,
    /// There is again.
    FreeDisk,
    /// People connect the accounts again for which posts wait.
    Reconnect,
    /// Connections to PostgreSQL freeze, are cut or are slow.
    DisturbConnections(ConnectionFault),
    /// Connections to the bucket are slow or cut, or requests are refused.
    DisturbBucket(BucketFault),
    /// The process of the bucket is killed.
    StopBucket,
    /// It starts again.
    StartBucket,
    /// The folder of the media vanishes; a bucket freezes.
    TakeMediaAway,
    /// It is there again.
    BringMediaBack,
    /// A process with a secret key that is not the database's starts beside the nodes.
    StartWithWrongKey {
        /// The number that identifies it.
        number: usize,
    },
    /// It is killed.
    EndWithWrongKey {
        /// As in `StartWithWrongKey`.
        number: usize,
    },
    /// A copy of the database is made.
    Copy(Way),
    /// The nodes are killed, and the copy takes the place of the database.
    PutBack,
    /// People look after the posts that a restore left to them.
    Attend,
}

/// How a process is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    /// `PLAYOUT_TIKTOK_TRANSFER`; `None`: as configured by default.
    pub transfer: Option<&'static str>,
    /// Where it is to die by itself.
    pub failpoint: Option<&'static str>,
    /// By how many milliseconds its clock is fast; below 0: slow.
    pub clock_offset_ms: i64,
}
