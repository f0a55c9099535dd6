//! The version of what a command changes.

use playout_client::Error;

/// Which version of a resource is changed.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Version {
    /// Change it only if it still has this version: the `etag` with which it was shown, with or without its quotation marks.
    #[arg(long, value_name = "ETAG", allow_hyphen_values = true)]
    if_match: Option<String>,
}

impl Version {
    /// The value of `If-Match`.
    pub(super) fn tag(&self) -> Option<String> {
        let text = self.if_match.as_ref()?.trim();
        Some(match text.contains('"') || text == "*" {
            true => text.to_owned(),
            // A shell has taken the quotation marks away.
            false => format!("\"{text}\""),
        })
    }

    pub(super) fn is_given(&self) -> bool {
        self.if_match.is_some()
    }
}

/// The error of a change; where the resource has another version (412), with what is to be done. `read` is the command that shows it.
pub(super) fn explained(error: Error, read: &str) -> Error {
    match error.status {
        Some(412) => Error {
            message: format!(
                "{} `{read}` shows it as it is now. Repeat the command with its new `etag` as --if-match, or without --if-match to change it \
                 whatever it has become.",
                error.message
            ),
            ..error
        },
        _ => error,
    }
}

/// The command that shows a post.
pub(super) fn of_post(id: &str) -> String {
    format!("playout posts get {id}")
}
