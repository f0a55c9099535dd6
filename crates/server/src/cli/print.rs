//! What commands print.

/// Prints a line for the user.
#[expect(clippy::print_stdout, reason = "this is what commands are for")]
pub(super) fn say(line: impl std::fmt::Display) {
    println!("{line}");
}
