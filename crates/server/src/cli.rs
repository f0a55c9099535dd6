//! The command line of `playoutd` (`docs/contract.md#commands`).

mod admin;
mod backup;
mod check;
mod confine;
mod demo;
mod load;
mod print;
mod seed;
mod simulator;
mod start;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};

use crate::api::openapi;
use crate::logs::in_full;
use crate::open_error::OpenError;
use crate::serve::Role;
use crate::settings::{SETTINGS, Setting, Sources};
use load::load;
use print::say;

/// A self-hostable publishing service for short-video accounts.
#[derive(Debug, Subcommand)]
enum Task {
    /// Run the service; migrates its database first.
    Serve {
        /// Which part to run.
        #[arg(long, value_enum, default_value = "all")]
        role: Role,
        /// Do not migrate the database's schema.
        #[arg(long)]
        no_migrate: bool,
    },
    /// Fill a workspace with a month of posts, publish a video and a captioned slideshow through the provider simulator, on
    /// embedded defaults, and keep serving. Its data are in ./data/demo, unless `--data-dir` says where: `playoutd admin --data-dir ./data/demo …`
    /// is about them.
    Demo {
        /// Exit when both have ended: 0 if both are published, else 1.
        #[arg(long)]
        once: bool,
        /// Address of the simulator.
        #[arg(long, default_value = "127.0.0.1:9100")]
        simulator_listen: std::net::SocketAddr,
    },
    /// Run the provider simulator alone.
    Simulator(simulator::Options),
    /// Bring the database's schema up to date.
    Migrate,
    /// Copy database, files and secret key into a directory, whether or not the service runs.
    Backup {
        /// A directory that does not exist or is empty.
        directory: PathBuf,
    },
    /// Restore a backup to the configured database and storage; before anything is published, posts that may be out are searched
    /// for at the provider.
    Restore {
        /// The directory of a backup.
        directory: PathBuf,
        /// Link the files of the backup instead of copying them, which takes no space where storage and backup are on the same file system.
        /// Storage and backup then have the same files, and a user who can write to those of the service can change the backup.
        #[arg(long)]
        link: bool,
    },
    /// Verify the configuration and the connections.
    Check,
    /// Print the OpenAPI document.
    Openapi,
    /// Create users, workspaces and keys without a browser; prints one JSON object.
    #[command(subcommand)]
    Admin(admin::Task),
    /// Drop all rights that a decoder does not need, and execute the given program.
    #[command(hide = true)]
    Confine(confine::Options),
    /// Fill a database for the benches: see xtask/src/bench/SEED.md.
    #[command(hide = true)]
    BenchSeed,
}

/// Parses the arguments, runs the command, and reports a failure as one sentence.
pub fn main() -> ExitCode {
    let matches = command().get_matches();
    match run(&matches) {
        Ok(code) => code,
        Err(error) => {
            say_error(error.as_ref());
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let command = Command::new("playoutd")
        .about("Playout: a self-hostable publishing service for short-video accounts")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true);
    let command = SETTINGS
        .iter()
        .fold(command, |command, setting| command.arg(flag_of(setting)));
    Task::augment_subcommands(command)
}

/// Every setting is a flag, valid with every command.
fn flag_of(setting: &'static Setting) -> Arg {
    let default = if setting.default.is_empty() {
        String::new()
    } else {
        format!(" [default: {}]", setting.default)
    };
    Arg::new(setting.name)
        .long(setting.name.replace('_', "-"))
        .global(true)
        .value_name("VALUE")
        .help_heading("Settings")
        .hide_short_help(true)
        .help(format!("{} [env: {}]{default}", setting.doc, setting.env))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, OpenError> {
    let task = Task::from_arg_matches(matches)?;
    if let Task::Confine(options) = task {
        return confine::run(options);
    }
    crate::listen::descriptors::raise();
    let sources = Sources::gather(flags(matches))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(perform(task, sources))
}

async fn perform(task: Task, sources: Sources) -> Result<ExitCode, OpenError> {
    match task {
        Task::Serve { role, no_migrate } => start::serve(load(&sources)?, role, !no_migrate).await,
        Task::Demo {
            once,
            simulator_listen,
        } => demo::run(sources, once, simulator_listen).await,
        Task::Simulator(options) => simulator::run(options, &sources).await,
        Task::Migrate => start::migrate(load(&sources)?).await,
        Task::Backup { directory } => backup::back_up(load(&sources)?, &directory).await,
        Task::Restore { directory, link } => {
            let means = match link {
                true => backup::Means::LinksOrCopies,
                false => backup::Means::Copies,
            };
            backup::restore(load(&sources)?, &directory, means).await
        }
        Task::Check => check::run(&sources).await,
        Task::Openapi => {
            say(openapi::text().trim_end());
            Ok(ExitCode::SUCCESS)
        }
        Task::Confine(_) => unreachable!("it runs before the runtime has threads"),
        Task::Admin(task) => admin::run(load(&sources)?, task).await,
        Task::BenchSeed => seed::run(load(&sources)?).await,
    }
}

/// The settings given as flags, before or after the command.
fn flags(matches: &ArgMatches) -> BTreeMap<String, String> {
    let of = |matches: &ArgMatches| -> BTreeMap<String, String> {
        let given = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        SETTINGS
            .iter()
            .filter_map(|setting| Some((setting.name.to_owned(), given(setting.name)?)))
            .collect()
    };
    let mut flags = of(matches);
    let mut level = matches.subcommand();
    while let Some((_, inner)) = level {
        flags.extend(of(inner));
        level = inner.subcommand();
    }
    flags
}

#[expect(clippy::print_stderr, reason = "the last word of a failed command")]
fn say_error(error: &dyn std::error::Error) {
    eprintln!("playoutd: {}", in_full(error));
}
