//! `cargo xtask test`: everything that must hold before a change is accepted.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, available_parallelism};

use crate::compile::{cargo, linted_tests};
use crate::conformance;
use crate::deploy;
use crate::failure::{Doing, Failure, Outcome};
use crate::fuzz;
use crate::install::{self, Need};
use crate::lab::{self, options::Db};
use crate::machine::{done, now, path_with, shown};
use crate::postgres::Postgres;
use crate::web;

/// The variable that names the PostgreSQL in which tests may create databases.
const POSTGRES: &str = "PLAYOUT_TEST_POSTGRES";
/// The variable that names what the tests of the service keep media in: `s3`, or a folder where it is not set.
const STORAGE: &str = "PLAYOUT_TEST_STORAGE";
/// The tests of the service that are run a second time, with media in a bucket.
const OF_MEDIA: [&str; 7] = [
    "api::media",
    "api::renditions::",
    "api::slide",
    "api::tus::",
    "api::unnamed_files::",
    "api::upload",
    "engine::cut_files::",
];

/// How many tests run at once on small machines.
const LEAST_THREADS: usize = 4;

/// How many lines of a failed test are printed again at the end, where they are found among thousands.
const LINES_OF_A_FAILURE: usize = 25;

/// The size of the crash laboratory's run in the test command.
const KILLS: usize = 90;
const POSTS: usize = 300;

/// How many tests passed and failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were not run because they are marked so.
    pub ignored: u64,
}

/// What cargo's output says of the tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    counts: Counts,
    /// What each failed test printed, without the stack, and cut after [`LINES_OF_A_FAILURE`].
    failures: Vec<String>,
}

impl Report {
    fn add(&mut self, other: Self) {
        self.counts.passed += other.counts.passed;
        self.counts.failed += other.counts.failed;
        self.counts.ignored += other.counts.ignored;
        self.failures.extend(other.failures);
    }
}

/// Which tests to run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Selection {
    packages: Vec<String>,
    filters: Vec<String>,
    /// Whether media are kept in a bucket.
    in_bucket: bool,
}

/// Checks format and lints and runs all tests, or, with `-p PACKAGE` or filters, runs the tests that match. The last line printed is
/// `N passed, N failed`.
///
/// # Errors
/// When something is missing, any step fails, or nothing matches.
pub fn run(arguments: &[String]) -> Outcome<()> {
    let selection = Selection::parse(arguments)?;
    let is_all = selection == Selection::default();
    let needs: &[&[Need]] = if is_all {
        &[&conformance::NEEDS, &deploy::NEEDS]
    } else {
        &[]
    };
    install::ensure(&[install::TO_BUILD.as_slice(), &install::TO_TEST, &needs.concat()].concat())?;
    let mut failed_steps = Vec::new();
    if is_all {
        install::ensure_rust_components()?;
        failed_steps.extend(done(&mut cargo(&["fmt", "--all", "--check"])).err());
        // Before the service, which carries it.
        timed("the dashboard's build", web::build)?;
    }
    let (mut report, outcome) = timed("Rust tests with their build", || tests(&selection))?;
    failed_steps.extend(outcome.err());
    if is_all {
        let in_bucket = Selection::of_media_in_a_bucket();
        let (again, outcome) = timed("tests of media in a bucket", || tests(&in_bucket))?;
        report.add(again);
        failed_steps.extend(outcome.err());
    }
    let mut counts = report.counts;
    if is_all {
        failed_steps.extend(timed("the dashboard and the programs of others", || {
            conform(&mut counts)
        }));
        failed_steps.extend(laboratory_and_fuzzing(&mut counts));
    }
    for failure in &report.failures {
        eprintln!("{failure}");
    }
    for step in &failed_steps {
        eprintln!("failed: {step}");
    }
    if counts.ignored > 0 {
        println!("{} ignored", counts.ignored);
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    if failed_steps.is_empty() {
        Ok(())
    } else {
        Err(Failure::new("not everything is right, see above"))
    }
}

/// Does this, and prints how long it took: the command has an hour and a half in all.
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let begun = now();
    let result = work();
    println!("{what}: {} s", begun.elapsed().as_secs());
    result
}

/// Runs the checks of the dashboard and of other programs, each counted as a test; returns what failed.
fn conform(counts: &mut Counts) -> Vec<Failure> {
    let steps = match conformance::built_playoutd().and_then(|playoutd| foreign_steps(&playoutd)) {
        Ok(steps) => steps,
        Err(failure) => {
            counts.failed += 1;
            return vec![failure];
        }
    };
    let outcomes = steps.into_iter();
    outcomes
        .filter_map(|(name, outcome)| counted(name, outcome, counts))
        .collect()
}

/// The dashboard's steps, then the conformance programs and what operators run.
fn foreign_steps(playoutd: &Path) -> Outcome<Vec<(&'static str, Outcome<()>)>> {
    let steps = [
        web::steps(playoutd)?,
        conformance::steps(playoutd)?,
        deploy::steps()?,
    ];
    Ok(steps.into_iter().flatten().collect())
}

/// The crash laboratory, which waits most of the time, while the fuzzer is compiled; then fuzzing. Answers what failed.
fn laboratory_and_fuzzing(counts: &mut Counts) -> Vec<Failure> {
    // Before the compiler has the folder of the build for itself.
    let playoutd = conformance::built_playoutd();
    thread::scope(|scope| {
        let compiling = scope.spawn(|| timed("the fuzzer's build", fuzz::build));
        let in_laboratory = timed("the crash laboratory", || laboratory(playoutd, counts));
        let panicked = |_| Err(Failure::new("compiling the fuzzer panicked"));
        let fuzzer = compiling.join().unwrap_or_else(panicked);
        let in_fuzzing = timed("fuzzing", || fuzzing(fuzzer, counts));
        [in_laboratory, in_fuzzing].into_iter().flatten().collect()
    })
}

/// About two minutes in the crash laboratory, on a plan from a new seed, counted as one test; returns what failed.
fn laboratory(playoutd: Outcome<PathBuf>, counts: &mut Counts) -> Option<Failure> {
    let mut options = lab::options::Options::new(KILLS, POSTS);
    options.db = [Db::Sqlite, Db::Postgres][usize::from(options.seed % 2 == 1)];
    options.nodes = [1, 2][usize::from(options.seed % 4 > 1)];
    let outcome = playoutd.and_then(|playoutd| lab::run_with(&playoutd, &options));
    let name = format!(
        "the crash laboratory, seed {}, loses and doubles no post",
        options.seed
    );
    counted(&name, outcome, counts)
}

/// Two minutes of hostile bytes for every reader, counted as one test; answers what failed.
fn fuzzing(fuzzer: Outcome<PathBuf>, counts: &mut Counts) -> Option<Failure> {
    let outcome = fuzzer.and_then(|fuzzer| fuzz::short(&fuzzer));
    counted(
        "fuzzing every reader, two minutes together, finds nothing",
        outcome,
        counts,
    )
}

/// Prints how a step went and counts it as a test; returns what failed.
fn counted(name: &str, outcome: Outcome<()>, counts: &mut Counts) -> Option<Failure> {
    println!("{name} ... {}", if outcome.is_ok() { "ok" } else { "FAILED" });
    match outcome {
        Ok(()) => counts.passed += 1,
        Err(_) => counts.failed += 1,
    }
    outcome.err()
}

impl Selection {
    fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut selection = Self::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-p" | "--package" => {
                    let name = words
                        .next()
                        .ok_or_else(|| Failure::new("-p takes the name of a package"))?;
                    selection.packages.push(name.clone());
                }
                option if option.starts_with('-') => {
                    return Err(Failure::new(format!("test knows no option {option}")));
                }
                filter => selection.filters.push(filter.to_owned()),
            }
        }
        Ok(selection)
    }

    fn of_media_in_a_bucket() -> Self {
        Self {
            filters: OF_MEDIA.map(str::to_owned).to_vec(),
            in_bucket: true,
            ..Self::default()
        }
    }

    /// The cargo command that runs these tests, all features on, so that the simulator's own tests are among them. Where nothing is
    /// selected everything is linted, too.
    fn command(&self) -> Command {
        let is_of_all = self == &Self::default() || self.in_bucket;
        let mut cargo = match (is_of_all, self.packages.is_empty()) {
            (true, _) => linted_tests(),
            (false, true) => cargo(&["test", "--workspace", "--all-features"]),
            (false, false) => cargo(&["test", "--all-features"]),
        };
        cargo.arg("--no-fail-fast");
        if self.in_bucket {
            cargo.args(["--test", "it"]).env(STORAGE, "s3");
        }
        for package in &self.packages {
            cargo.args(["--package", package]);
        }
        cargo
            .args(["--", &format!("--test-threads={}", threads())])
            .args(&self.filters);
        cargo
    }
}

/// How many tests run at once. Most of them wait for a database, a process or a clock: they use a third of a processor each.
fn threads() -> usize {
    available_parallelism().map_or(LEAST_THREADS, |cores| cores.get().max(LEAST_THREADS))
}

/// Runs the tests with a PostgreSQL beside them: what they say, and whether all is well.
fn tests(selection: &Selection) -> Outcome<(Report, Outcome<()>)> {
    let programs = install::postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
    let postgres = Postgres::start(&programs)?;
    let mut cargo = selection.command();
    cargo
        .env(POSTGRES, postgres.url())
        .env("PATH", path_with(&programs)?)
        .stdout(Stdio::piped());
    let name = shown(&cargo);
    let mut child = cargo.spawn().doing(&name)?;
    let output = child
        .stdout
        .take()
        .ok_or_else(|| Failure::new("cargo test has no output"))?;
    let report = follow(BufReader::new(output))?;
    let status = child.wait().doing(&name)?;
    let outcome = match report.counts {
        _ if !status.success() => Err(Failure::new(format!("{name}: {status}"))),
        Counts { failed: 1.., .. } => Err(Failure::new(name)),
        Counts { passed: 0, .. } => Err(Failure::new(format!("{name}: no test matches"))),
        _ => Ok(()),
    };
    Ok((report, outcome))
}

/// Passes cargo's output on, line by line, adds up the results in it and keeps what failed tests printed.
fn follow(output: impl BufRead) -> Outcome<Report> {
    let mut report = Report::default();
    let total = &mut report.counts;
    // The lines that are still kept of the failed test whose output is being read.
    let mut kept = 0;
    for line in output.split(b'\n') {
        let line = line.doing("reading what cargo test says")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        if line.starts_with("---- ") && line.ends_with(" stdout ----") {
            report.failures.push(line.to_string());
            kept = LINES_OF_A_FAILURE;
        } else if line == "failures:" || line == "stack backtrace:" {
            kept = 0;
        } else if let (Some(failure), 1.., false) = (report.failures.last_mut(), kept, line.is_empty()) {
            failure.push('\n');
            failure.push_str(&line);
            kept -= 1;
        }
        if let Some(counts) = parse_result(&line) {
            total.passed += counts.passed;
            total.failed += counts.failed;
            total.ignored += counts.ignored;
        }
    }
    Ok(report)
}

/// Reads `test result: ok. 5 passed; 0 failed; 1 ignored; …`, the line that ends each test program.
pub fn parse_result(line: &str) -> Option<Counts> {
    let (_, figures) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let figure = |name: &str| {
        let part = figures.split("; ").find(|part| part.trim_end().ends_with(name))?;
        part.split_whitespace().next()?.parse().ok()
    };
    Some(Counts {
        passed: figure(" passed")?,
        failed: figure(" failed")?,
        ignored: figure(" ignored")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_result_line_is_read() {
        let ok =
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.05s";
        assert_eq!(
            parse_result(ok),
            Some(Counts {
                passed: 12,
                failed: 0,
                ignored: 1
            })
        );
        let failed = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        assert_eq!(
            parse_result(failed),
            Some(Counts {
                passed: 3,
                failed: 2,
                ignored: 0
            })
        );
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(parse_result("test a_chunk_out_of_order_is_refused ... ok"), None);
        assert_eq!(parse_result("running 3 tests"), None);
    }

    #[test]
    fn the_results_of_all_programs_are_added_up() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\
                      \ntest result: FAILED. 1 passed; 1 failed; 4 ignored; 0 measured\n";
        let report = follow(output.as_bytes()).unwrap();
        assert_eq!(
            report.counts,
            Counts {
                passed: 3,
                failed: 1,
                ignored: 4
            }
        );
    }

    #[test]
    fn what_a_failed_test_printed_is_kept_and_cut() {
        let many = "a line\n".repeat(LINES_OF_A_FAILURE + 1);
        let output = format!(
            "test first ... FAILED\ntest second ... FAILED\n\nfailures:\n\n---- first stdout ----\n\npanicked at a.rs:1:\nno\n\
             stack backtrace:\n   0: a frame\n\n---- second stdout ----\n{many}\n\nfailures:\n    first\n    second\n\n\
             test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured\n"
        );
        let failures = follow(output.as_bytes()).unwrap().failures;
        assert_eq!(failures[0], "---- first stdout ----\npanicked at a.rs:1:\nno");
        assert_eq!(failures[1].lines().count(), 1 + LINES_OF_A_FAILURE);
        assert_eq!(failures.len(), 2);
    }

    #[test]
    fn packages_and_filters_select_tests() {
        let selection = Selection::parse(&words("-p playout-store queue lease")).unwrap();
        let command = shown(&selection.command());
        assert_eq!(
            command,
            format!(
                "cargo test --all-features --no-fail-fast --package playout-store -- --test-threads={} queue lease",
                threads()
            )
        );
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert!(Selection::parse(&words("--fast")).is_err());
        assert!(Selection::parse(&words("-p")).is_err());
    }
}
