//! `playoutd`: arguments → configuration → world → run.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    playout_server::memory::without_huge_pages();
    playout_server::memory::returned_at_once();
    playout_server::cli::main()
}
