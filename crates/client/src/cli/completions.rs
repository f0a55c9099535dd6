//! `completions`: a script for a shell.

use clap::Command;
use clap_complete::Shell;
use serde_json::json;

use super::report::{Outcome, Report};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  playout completions bash\n  playout completions zsh > _playout")]
pub(super) struct Wanted {
    /// The shell.
    shell: Shell,
}

/// The script that completes `arguments`, as it is, or with `--json` inside a document.
pub(super) fn run(wanted: &Wanted, mut arguments: Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut arguments, "playout", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = json!({ "shell": wanted.shell.to_string(), "script": script });
    Ok(Report {
        is_script: true,
        ..Report::new(json, script)
    })
}
