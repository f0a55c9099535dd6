//! What commands print.

/// Prints a line for the user.
#[expect(clippy::print_stdout, reason = "this is what commands are for")]
pub(super) fn say(line: impl std::fmt::Display) {
    println!("{line}");
}

/// Prints a line that is no result: what the user must not overlook, although the command succeeded.
#[expect(clippy::print_stderr, reason = "the standard output is for results")]
pub(super) fn warn(line: impl std::fmt::Display) {
    eprintln!("playoutd: {line}");
}
