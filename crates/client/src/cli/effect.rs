//! Which commands only read: run again, they print the same, and nothing is lost with their output.

use super::args::Command;
use super::{auth, folders, keys, media, platforms, webhooks};

impl Command {
    /// Whether it changes nothing, at the service or on this machine. An event of `webhooks listen` is not sent again.
    pub(super) fn only_reads(&self) -> bool {
        match self {
            Self::Auth(task) => matches!(task, auth::Task::Status),
            Self::Platforms(task) => !matches!(task, platforms::Task::Connect(_)),
            Self::Media(task) => matches!(task, media::Task::List(_) | media::Task::Get { .. }),
            Self::Folders(task) => matches!(task, folders::Task::List),
            Self::Posts(task) => task.only_reads(),
            Self::Webhooks(task) => matches!(task, webhooks::Task::List),
            Self::Keys(task) => matches!(task, keys::Task::List { .. }),
            Self::Api(wanted) => wanted.only_reads(),
            Self::Slides(_) => false,
            Self::Usage | Self::Doctor | Self::Open(_) | Self::Help { .. } | Self::Completions(_) => true,
        }
    }
}
