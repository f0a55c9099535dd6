//! The fuzzer: libFuzzer and all targets in one program; `--target=NAME` selects the one to run. libFuzzer ignores
//! options that begin with two hyphens.

#![no_main]

use std::panic::{set_hook, take_hook};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use playout_fuzz::{TARGETS, Target};

static CHOSEN: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::args().find_map(|argument| argument.strip_prefix("--target=").map(str::to_owned));
    let chosen = TARGETS.iter().find(|target| Some(target.name) == name.as_deref());
    chosen.expect("--target= names a target")
});

/// The reader of colour profiles, whose panics the product catches: the picture keeps its colours.
const CAUGHT: &str = "moxcms";

/// Leaves those panics to the product; the hook of libFuzzer, which all others go to, ends the process.
fn ignore_caught_panics() {
    let abort = take_hook();
    set_hook(Box::new(move |panic| {
        let is_caught = panic
            .location()
            .is_some_and(|location| location.file().contains(CAUGHT));
        if !is_caught {
            abort(panic);
        }
    }));
}

fuzz_target!(init: ignore_caught_panics(), |data: &[u8]| (CHOSEN.run)(data));
