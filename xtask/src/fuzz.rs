//! `cargo xtask fuzz`: fuzzes every reader of untrusted bytes, for as long as wanted; and two minutes of all of them in the
//! test command. The targets are in `fuzz/`.
//!
//! libFuzzer is linked into one program, and the crates of the workspace are compiled by `fuzz/rustc`, which counts what an input
//! reaches. That takes the stable compiler, nothing that has to be installed, and the dependencies that the tests have compiled.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use crate::failure::{Doing, Failure, Outcome};
use crate::install;
use crate::machine::{done, program, said, shown};

/// One target and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Target {
    name: &'static str,
    /// What one input may make the process take in all. It takes 60 to 120 itself.
    memory_mb: u32,
    /// The longest input.
    bytes: u32,
    /// A file in `fuzz/dictionaries`.
    dictionary: &'static str,
    /// Whether the sanitized program has it: those that need the service are left out.
    is_sanitized: bool,
}

/// A target with the limits of most.
const fn target(name: &'static str, dictionary: &'static str) -> Target {
    Target {
        name,
        memory_mb: 300,
        bytes: 65_536,
        dictionary,
        is_sanitized: true,
    }
}

/// A target that needs the service.
const fn of_service(name: &'static str, dictionary: &'static str) -> Target {
    Target {
        is_sanitized: false,
        ..target(name, dictionary)
    }
}

/// A target whose pictures are decoded: what the decoder takes comes on top.
const fn of_pictures(name: &'static str, memory_mb: u32) -> Target {
    Target {
        memory_mb,
        ..target(name, name)
    }
}

/// A target that reads header fields, of which the service takes no more.
const fn with_bytes(target: Target, bytes: u32) -> Target {
    Target { bytes, ..target }
}

const TARGETS: [Target; 12] = [
    target("mp4", "mp4"),
    target("webm", "webm"),
    of_pictures("jpeg", 400),
    of_pictures("webp", 400),
    of_service("multipart", "multipart"),
    with_bytes(of_service("range", "headers"), 1_024),
    with_bytes(target("tus", "headers"), 16_384),
    of_service("json", "json"),
    of_service("form", "headers"),
    target("signature", "json"),
    with_bytes(target("layout", "layout"), 4_096),
    of_pictures("bake", 1_000),
];

/// Seconds that one input may take, checks included, on a machine that is busy with much else.
const PATIENCE_SECONDS: u32 = 60;

/// The stack of the process. A thread of the service has twice as much.
const STACK_KIB: u32 = 1024;

/// Seconds of all targets together in the test command.
const SUITE_SECONDS: usize = 120;

/// Fuzzers that run at once in the test command, if there are processors for them.
const SUITE_PROCESSES: usize = 4;

/// What to fuzz, and how.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    targets: Vec<Target>,
    minutes: u32,
    is_sanitized: bool,
    /// One input to run instead, a finding.
    input: Option<PathBuf>,
}

/// Runs the targets named, or all one after the other, each for `--minutes N` (10 unless given). The corpus stays in
/// `target/fuzz`, findings in `fuzz/artifacts`; `--input FILE` runs one again.
///
/// # Errors
/// When the program cannot be built, or an input was found that a reader cannot take.
pub fn run(arguments: &[String]) -> Outcome<()> {
    let order = Order::parse(arguments)?;
    install::ensure(&install::TO_BUILD)?;
    let fuzzer = if order.is_sanitized {
        build_sanitized()?
    } else {
        build()?
    };
    for target in order.targets {
        let mut command = match &order.input {
            Some(input) => one_input(&fuzzer, target, input),
            None => fuzz(&fuzzer, target, order.minutes.saturating_mul(60))?,
        };
        done(&mut command)?;
    }
    Ok(())
}

/// Two minutes of all targets together, as many at once as there are processors.
///
/// # Errors
/// With what was found, where it is and how to run it again.
pub fn short(fuzzer: &Path) -> Outcome<()> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let processes = processors.min(SUITE_PROCESSES);
    let seconds = u32::try_from(SUITE_SECONDS * processes / TARGETS.len()).unwrap_or(u32::MAX);
    let waiting = Mutex::new(TARGETS.iter());
    let next = || waiting.lock().ok()?.next();
    let findings = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| {
                while let Some(target) = next() {
                    if let (Err(finding), Ok(mut findings)) =
                        (logged(fuzzer, *target, seconds), findings.lock())
                    {
                        findings.push(finding.to_string());
                    }
                }
            });
        }
    });
    let findings = findings.into_inner().unwrap_or_default();
    if findings.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(findings.join("\n")))
    }
}

/// Runs one target with its output in a file, the end of which is in the failure.
fn logged(fuzzer: &Path, target: Target, seconds: u32) -> Outcome<()> {
    const SHOWN_LINES: usize = 30;
    let name = target.name;
    let path = crate::root().join(format!("target/fuzz/{name}.log"));
    let mut command = fuzz(fuzzer, target, seconds)?;
    let log = File::create(&path).doing(path.display())?;
    command.stdout(log.try_clone().doing(path.display())?).stderr(log);
    let status = command.status().doing(shown(&command))?;
    if status.success() {
        return Ok(());
    }
    let text = std::fs::read(&path).doing(path.display())?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let end = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
    Err(Failure::new(format!(
        "fuzzing {name}: {status}\n{end}\nthe input is fuzz/artifacts/{name}-…; run it again with: \
         cargo xtask fuzz {name} --input fuzz/artifacts/{name}-…"
    )))
}

/// Compiles the fuzzer; answers where it is.
///
/// # Errors
/// When it does not compile.
pub fn build() -> Outcome<PathBuf> {
    // As the test command does, so that dependencies have the same features and are compiled already.
    let mut cargo = cargo_test();
    cargo.args(["--workspace", "--all-features"]);
    compiled(&mut cargo)
}

/// The same with AddressSanitizer.
fn build_sanitized() -> Outcome<PathBuf> {
    let mut cargo = cargo_test();
    sanitize(&mut cargo)?;
    compiled(&mut cargo)
}

fn cargo_test() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-run", "--test", "fuzzer"]);
    cargo.arg("--message-format=json-render-diagnostics");
    cargo.env("RUSTC_WORKSPACE_WRAPPER", crate::root().join("fuzz/rustc"));
    cargo.current_dir(crate::root());
    cargo
}

fn compiled(cargo: &mut Command) -> Outcome<PathBuf> {
    let messages = said(cargo)?;
    let mut parsed = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let executable = parsed.find_map(|message| {
        let is_fuzzer = message["target"]["name"] == "fuzzer";
        message["executable"]
            .as_str()
            .filter(|_| is_fuzzer)
            .map(PathBuf::from)
    });
    executable.ok_or_else(|| Failure::new("cargo built no fuzzer"))
}

/// Everything compiled anew with AddressSanitizer, C included where clang is installed. The compiler takes that option of its
/// nightly versions alone unless it is asked to make an exception.
fn sanitize(cargo: &mut Command) -> Outcome<()> {
    let version = said(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Failure::new("rustc names no host"))?;
    cargo.args(["--package", "playout-fuzz", "--no-default-features"]);
    cargo.args(["--target", host, "--target-dir", "target/fuzz-address"]);
    cargo.env("RUSTC_BOOTSTRAP", "1");
    cargo.env("RUSTFLAGS", "-Zsanitizer=address -Copt-level=2");
    if let Some(clang) = program("clang") {
        let host = host.replace('-', "_");
        cargo.env(format!("CC_{host}"), clang);
        cargo.env(format!("CFLAGS_{host}"), "-fsanitize=address");
    }
    Ok(())
}

/// The fuzzer on one target, for so many seconds.
fn fuzz(fuzzer: &Path, target: Target, seconds: u32) -> Outcome<Command> {
    let root = crate::root();
    let learned = root.join("target/fuzz").join(target.name);
    let artifacts = root.join("fuzz/artifacts");
    for folder in [&learned, &artifacts] {
        std::fs::create_dir_all(folder).doing(folder.display())?;
    }
    let folder = root.join("fuzz");
    let mut command = limited(fuzzer, target);
    command
        .arg(learned)
        .arg(folder.join("seeds").join(target.name))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={}", target.bytes))
        .arg(format!(
            "-dict={}/dictionaries/{}.dict",
            folder.display(),
            target.dictionary
        ))
        .arg(format!(
            "-artifact_prefix={}/{}-",
            artifacts.display(),
            target.name
        ))
        .arg("-print_final_stats=1");
    Ok(command)
}

/// The fuzzer on one input of a target.
fn one_input(fuzzer: &Path, target: Target, input: &Path) -> Command {
    let mut command = limited(fuzzer, target);
    command.arg(input);
    command
}

/// The fuzzer with the limits of a target.
fn limited(fuzzer: &Path, target: Target) -> Command {
    let mut command = Command::new("sh");
    let script = format!(r#"ulimit -s {STACK_KIB} && exec "$0" "$@""#);
    command.arg("-c").arg(script).arg(fuzzer);
    command.arg(format!("--target={}", target.name));
    command.arg(format!("-rss_limit_mb={}", target.memory_mb));
    command.arg(format!("-timeout={PATIENCE_SECONDS}"));
    command.current_dir(crate::root());
    command
}

impl Order {
    fn parse(words: &[String]) -> Outcome<Self> {
        let mut order = Self {
            targets: Vec::new(),
            minutes: 10,
            is_sanitized: false,
            input: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| Failure::new(format!("{word} takes a value")))
            };
            match word.as_str() {
                "--minutes" => order.minutes = value()?.parse().doing(word)?,
                "--input" => order.input = Some(PathBuf::from(value()?)),
                "--sanitizer" if value()? == "address" => order.is_sanitized = true,
                "--sanitizer" => return Err(Failure::new("the one sanitizer is address")),
                name => order.targets.push(known(name)?),
            }
        }
        if order.targets.is_empty() {
            order.targets = TARGETS.to_vec();
            order
                .targets
                .retain(|target| target.is_sanitized || !order.is_sanitized);
        }
        let left_out = order
            .targets
            .iter()
            .find(|target| order.is_sanitized && !target.is_sanitized);
        if let Some(target) = left_out {
            return Err(Failure::new(format!("{} runs without a sanitizer", target.name)));
        }
        if order.input.is_some() && order.targets.len() > 1 {
            return Err(Failure::new("--input takes the name of one target besides"));
        }
        Ok(order)
    }
}

fn known(name: &str) -> Outcome<Target> {
    let names = TARGETS.map(|target| target.name).join(", ");
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.ok_or_else(|| Failure::new(format!("fuzz knows {names}, not {name}")))
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
        assert_eq!(parse("layout").unwrap().targets, [known("layout").unwrap()]);
        let sanitized = parse("--sanitizer address").unwrap();
        assert!(sanitized.targets.iter().all(|target| target.is_sanitized));
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for words in [
            "paint",
            "--minutes",
            "--minutes long",
            "--sanitizer thread",
            "json --sanitizer address",
            "--input file",
        ] {
            assert!(parse(words).is_err(), "{words}");
        }
    }

    #[test]
    fn every_target_has_its_function_its_seeds_and_its_words() {
        let folder = crate::root().join("fuzz");
        let table = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        assert_eq!(table.matches("name: \"").count(), TARGETS.len());
        for target in TARGETS {
            assert!(
                table.contains(&format!("name: \"{}\"", target.name)),
                "{target:?}"
            );
            assert!(folder.join("seeds").join(target.name).is_dir(), "{target:?}");
            let words = folder.join(format!("dictionaries/{}.dict", target.dictionary));
            assert!(words.is_file(), "{target:?}");
        }
    }
}
