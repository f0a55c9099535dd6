//! Arguments → access → a command → a report → an exit code.

mod args;
mod auth;
mod bars;
mod completions;
mod doctor;
mod doubt;
mod effect;
mod environment;
mod fields;
mod filter;
mod find;
mod folders;
mod global;
mod interrupts;
mod jq;
mod keyring;
mod keys;
mod lock;
mod media;
mod moment;
mod open;
mod person;
mod platforms;
mod posts;
mod profile;
mod report;
mod request;
mod resume;
mod sandbox;
mod scopes;
mod screen;
mod session;
mod slides;
mod spelling;
mod table;
mod text;
mod usage;
mod version;
mod webhooks;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use playout_client::{Error, Kind};

use args::{Cli, Command};
use environment::Environment;
use filter::Filter;
use interrupts::Interrupts;
use profile::Access;
use report::{Outcome, Report};
use screen::Screen;
use session::Session;

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(program) = sandbox::program_of(&arguments) {
        return sandbox::serve(program);
    }
    let environment = Environment::read();
    let arguments = spelling::split_colons(arguments);
    let screen = Screen::detect(&environment, spelling::asks_for_json(&arguments));
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => return explain(&screen, &error),
    };
    if let Command::Help { command } = &cli.command {
        return help(&screen, command);
    }
    let screen = Screen::detect(&environment, cli.global.asks_for_json());
    let (outcome, filter) = start(cli, environment, screen.clone());
    finish(&screen, outcome, &filter)
}

/// Reads the arguments. Where they mean nothing as they are, the word after `--json` is its fields.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments).or_else(|error| match (error.kind(), spelling::join_fields(arguments)) {
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, _) | (_, None) => Err(error),
        (_, Some(joined)) => Cli::try_parse_from(joined).map_err(|_| error),
    })
}

/// `playout help COMMAND` is `playout COMMAND --help`.
fn help(screen: &Screen, command: &[String]) -> ExitCode {
    let words = command.iter().flat_map(|word| word.split(':'));
    let words = std::iter::once("playout").chain(words).chain(["--help"]);
    match Cli::try_parse_from(words) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => explain(screen, &error),
    }
}

fn start(cli: Cli, environment: Environment, screen: Screen) -> (Outcome, Filter) {
    let filter = match Filter::new(&cli.global, cli.command.only_reads()) {
        Ok(filter) => filter,
        Err(error) => return (Err(error), Filter::default()),
    };
    if let Command::Completions(wanted) = &cli.command {
        return (completions::run(wanted, Cli::command()), filter);
    }
    let access = match Access::find(&cli.global, &environment) {
        Err(error) if matches!(cli.command, Command::Doctor) => {
            return (Ok(doctor::without_settings(&screen, &error)), filter);
        }
        Err(error) => return (Err(error), filter),
        Ok(access) => access,
    };
    let session = Session {
        environment,
        screen,
        access,
        filter,
        interrupts: Interrupts::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(run(cli.command, &session)),
        Err(error) => Err(Error::new(Kind::Server, "internal_error", error.to_string())),
    };
    if outcome.is_ok() {
        session.interrupts.ended();
    }
    (outcome, session.filter)
}

async fn run(command: Command, session: &Session) -> Outcome {
    match command {
        Command::Auth(task) => Box::pin(auth::run(task, session)).await,
        Command::Platforms(task) => Box::pin(platforms::run(task, session)).await,
        Command::Media(task) => Box::pin(media::run(task, session)).await,
        Command::Folders(task) => Box::pin(folders::run(task, session)).await,
        Command::Posts(task) => Box::pin(posts::run(task, session)).await,
        Command::Slides(task) => Box::pin(slides::run(task, session)).await,
        Command::Webhooks(task) => Box::pin(webhooks::run(task, session)).await,
        Command::Keys(task) => Box::pin(keys::run(task, session)).await,
        Command::Usage => usage::run(session).await,
        Command::Doctor => doctor::run(session).await,
        Command::Api(wanted) => Box::pin(request::run(wanted, session)).await,
        Command::Open(wanted) => open::run(wanted, session).await,
        // Both are printed before there is a session.
        Command::Completions(_) | Command::Help { .. } => Ok(Report::default()),
    }
}

fn finish(screen: &Screen, outcome: Outcome, filter: &Filter) -> ExitCode {
    let error = match outcome {
        Ok(report) => {
            let shown = screen.show(&report, filter);
            both(report.error, shown.err())
        }
        Err(error) => Some(error),
    };
    let Some(error) = error.map(scopes::explained) else {
        return ExitCode::SUCCESS;
    };
    screen.complain(&error);
    ExitCode::from(error.kind.exit_code())
}

/// The error of a command with that of its output, whose details have what the command did.
fn both(error: Option<Error>, of_output: Option<Error>) -> Option<Error> {
    match (error, of_output) {
        (Some(error), Some(of_output)) => Some(Error {
            message: format!("{} {}", error.message, of_output.message),
            details: of_output.details.or(error.details),
            ..error
        }),
        (error, of_output) => error.or(of_output),
    }
}

/// Help and version are printed as text on standard output, on a terminal or not, and so is, on standard error, the help of a group that is
/// named without a command; errors go where all errors go.
fn explain(screen: &Screen, error: &clap::Error) -> ExitCode {
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let is_bare = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_answer || is_bare || !screen.is_json {
        let _closed = error.print();
        return ExitCode::from(if is_answer { 0 } else { Kind::Usage.exit_code() });
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or(&text);
    let message = message.trim_start_matches("error: ").trim();
    screen.complain(&Error::usage(message));
    ExitCode::from(Kind::Usage.exit_code())
}
