//! `playout`: the command-line client.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
