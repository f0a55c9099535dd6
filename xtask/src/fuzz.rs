//! `cargo xtask fuzz`: hostile pictures and hostile captions for the renderer of slides, for as long as wanted.

use std::process::Command;

use crate::failure::{Doing, Failure, Outcome};
use crate::install;
use crate::machine::{done, program};

/// Each target: its name, and the most megabytes that it may take.
const TARGETS: [(&str, u32); 2] = [("bake", 900), ("layout", 300)];

/// Seconds that one input may take, checks included.
const PATIENCE_SECONDS: u32 = 10;

/// The longest input in bytes; a slide of few details has less.
const LONGEST_BYTES: u32 = 65_536;

/// What to fuzz, and for how long.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    targets: Vec<(&'static str, u32)>,
    minutes: u32,
}

/// Writes the first inputs and runs the targets named, or all one after the other, each for `--minutes N` (10 unless told).
/// What is learned stays in `crates/captions/fuzz/corpus`, findings in `artifacts` beside it.
///
/// # Errors
/// When something is missing, or an input was found that the renderer cannot take.
pub fn run(arguments: &[String]) -> Outcome<()> {
    let order = Order::parse(arguments)?;
    install::ensure(&install::TO_BUILD)?;
    if program("cargo-fuzz").is_none() {
        return Err(Failure::new(
            "cargo-fuzz is missing: cargo install cargo-fuzz --locked",
        ));
    }
    let folder = crate::root().join("crates/captions/fuzz");
    // The versions that the service is built with, not the newest ones.
    std::fs::copy(crate::root().join("Cargo.lock"), folder.join("Cargo.lock")).doing("copying Cargo.lock")?;
    let mut seeds = Command::new("cargo");
    seeds.args([
        "run",
        "--quiet",
        "--package",
        "playout-captions",
        "--example",
        "seeds",
    ]);
    done(seeds.current_dir(crate::root()))?;
    order
        .targets
        .iter()
        .try_for_each(|target| done(&mut fuzz(*target, order.minutes)))
}

/// cargo-fuzz on the stable compiler, which counts what is reached if told to.
///
/// A slide has three million samples. Where every access and comparison of theirs calls back, an input takes half a second; so
/// there is no sanitizer, as the crates under test have no unsafe code and those of others in C are built without it anyway,
/// and the dictionary says what comparisons would. Overflows and broken assertions are found all the same.
fn fuzz((target, megabytes): (&str, u32), minutes: u32) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["fuzz", "run", "--fuzz-dir", "crates/captions/fuzz"]);
    cargo.args([
        "--sanitizer",
        "none",
        "--no-trace-compares",
        "--disable-branch-folding=false",
    ]);
    cargo.args([target, "--"]);
    cargo.arg(format!("-dict=crates/captions/fuzz/{target}.dict"));
    cargo.arg(format!("-max_total_time={}", minutes.saturating_mul(60)));
    cargo
        .arg(format!("-max_len={LONGEST_BYTES}"))
        .arg(format!("-timeout={PATIENCE_SECONDS}"));
    cargo
        .arg(format!("-rss_limit_mb={megabytes}"))
        .arg("-print_final_stats=1");
    cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(crate::root());
    cargo
}

impl Order {
    fn parse(words: &[String]) -> Outcome<Self> {
        let mut order = Self {
            targets: Vec::new(),
            minutes: 10,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--minutes" {
                let value = words
                    .next()
                    .ok_or_else(|| Failure::new("--minutes takes a value"))?;
                order.minutes = value.parse().doing(word)?;
                continue;
            }
            let known = TARGETS.into_iter().find(|(name, _)| name == word);
            order
                .targets
                .push(known.ok_or_else(|| Failure::new(format!("fuzz knows bake and layout, not {word}")))?);
        }
        if order.targets.is_empty() {
            order.targets = TARGETS.to_vec();
        }
        Ok(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Outcome<Order> {
        Order::parse(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        let order = parse("--minutes 60").unwrap();
        assert_eq!((order.targets.as_slice(), order.minutes), (&TARGETS[..], 60));
        assert_eq!(parse("layout").unwrap().targets, [TARGETS[1]]);
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for words in ["paint", "--minutes", "--minutes long"] {
            assert!(parse(words).is_err(), "{words}");
        }
    }

    #[test]
    fn every_target_has_its_program_and_its_words() {
        for (target, _) in TARGETS {
            let folder = crate::root().join("crates/captions/fuzz");
            assert!(folder.join(format!("fuzz_targets/{target}.rs")).is_file());
            assert!(folder.join(format!("{target}.dict")).is_file());
        }
    }
}
