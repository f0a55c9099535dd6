//! `cargo xtask <command>`: reads the command, runs it, turns a failure into one line and an exit code.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands talk to the person who runs them"
)]

use std::process::ExitCode;

use xtask::failure::{Failure, Outcome};
use xtask::{bench, cluster, conformance, demo, deploy, fuzz, lab, playoutd, sdk, suite, tidy};

const USAGE: &str = "\
usage: cargo xtask <command>

  demo [--once] [ARGS…]         build playoutd quickly and run `playoutd demo` with ARGS
  build                         build playoutd with the dashboard, to be deployed: target/release/playoutd
  test [-p PACKAGE] [FILTER…]   format, lints and all tests, on SQLite and on a PostgreSQL of its own;
                                with a package or a filter, only the tests that match
  conformance [--minutes N]     schemathesis, openapi-spec-validator, tus-js-client and a generated client against the
                                service; with minutes, schemathesis alone for that long
  sdk [--test]                  the packages for Python and TypeScript, in target/sdk; with --test, their tests against the service
                                (`--playoutd PATH` after it: against that program)
  deploy                        the chart and the compose file of deploy/, read by Helm, docker-compose and HAProxy
  tidy                          crate arrows, file and function sizes, forbidden words, lost links
  bench <NAME…|all>             start, idle, requests, api, upload, schedule, burst, due, hostile, growth, latency and others: measure and
                                compare with the limits (docs/performance.md);
                                `--playoutd PATH` before the names measures that program instead of building one,
                                then `--short` tries long ones out with less
  cluster [--kill|--upload|--upgrade REVISION] [--storage garage|s3s-fs|folder] [--once] [--playoutd PATH]
                                three nodes with PostgreSQL, a bucket and HAProxy on this machine: publishes through the balancer and shows where
                                to look; nodes are killed while posts go out, or while tus-js-client uploads 1 GB, or those of a revision (or of
                                the program at a path) are replaced under load; with --once, it ends then
  crash-lab [--kills N] [--posts M] [--seed S] [--db sqlite|postgres] [--storage folder|s3] [--nodes K] [--playoutd PATH]
                                kills processes while posts go out and the provider misbehaves, and counts what went out;
                                `--restores N` instead of `--kills`: rounds in which a copy of the database is put back
  fuzz [TARGET…] [--minutes N] [--sanitizer address] [--input FILE]
                                hostile bytes for every reader of uploads, requests and notifications, a target after the
                                other; with an input, that one alone

demo, build, test, deploy, bench, cluster and crash-lab install what they need on Debian and Ubuntu, and name what is missing elsewhere.";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    match run(&command, &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask {command}: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, rest: &[String]) -> Outcome<()> {
    match command {
        "demo" => demo::run(rest),
        "build" => playoutd::run(),
        "test" => suite::run(rest),
        "conformance" => conformance::run(rest),
        "sdk" => sdk::run(rest),
        "deploy" => deploy::run(rest),
        "tidy" => tidy::run(),
        "bench" => bench::run(rest),
        "cluster" => cluster::run(rest),
        "crash-lab" => lab::run(rest),
        "fuzz" => fuzz::run(rest),
        // A process that `bench hostile` starts.
        bench::hostile::CLIENTS => bench::hostile::clients::run(rest),
        "" | "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => Err(Failure::new(format!("there is no command {other:?}\n\n{USAGE}"))),
    }
}
