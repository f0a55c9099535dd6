//! Arguments → access → a command → a report → an exit code.

mod args;
mod auth;
mod bars;
mod completions;
mod doctor;
mod environment;
mod find;
mod folders;
mod global;
mod keyring;
mod keys;
mod media;
mod moment;
mod open;
mod person;
mod platforms;
mod posts;
mod profile;
mod report;
mod resume;
mod screen;
mod session;
mod slides;
mod spelling;
mod usage;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use playout_client::{Error, Kind};

use args::{Cli, Command};
use environment::Environment;
use profile::Access;
use report::Outcome;
use screen::Screen;
use session::Session;

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let environment = Environment::read();
    let arguments = spelling::split_colons(std::env::args_os().collect());
    let screen = Screen::detect(&environment, spelling::asks_for_json(&arguments));
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return explain(&screen, &error),
    };
    let screen = Screen::detect(&environment, cli.global.json);
    let outcome = match start(cli, environment, screen.clone()) {
        Ok(outcome) => outcome,
        Err(error) => Err(error),
    };
    finish(&screen, outcome)
}

fn start(cli: Cli, environment: Environment, screen: Screen) -> Result<Outcome, Error> {
    if let Command::Completions(wanted) = &cli.command {
        return Ok(completions::run(wanted, Cli::command()));
    }
    let access = match Access::find(&cli.global, &environment) {
        Err(error) if matches!(cli.command, Command::Doctor) => {
            return Ok(Ok(doctor::without_settings(&screen, &error)));
        }
        access => access?,
    };
    let session = Session {
        environment,
        screen,
        access,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::new(Kind::Server, "internal_error", error.to_string()))?;
    Ok(runtime.block_on(run(cli.command, &session)))
}

async fn run(command: Command, session: &Session) -> Outcome {
    match command {
        Command::Auth(task) => Box::pin(auth::run(task, session)).await,
        Command::Platforms(task) => Box::pin(platforms::run(task, session)).await,
        Command::Media(task) => Box::pin(media::run(task, session)).await,
        Command::Folders(task) => Box::pin(folders::run(task, session)).await,
        Command::Posts(task) => Box::pin(posts::run(task, session)).await,
        Command::Slides(task) => Box::pin(slides::run(task, session)).await,
        Command::Keys(task) => Box::pin(keys::run(task, session)).await,
        Command::Usage => usage::run(session).await,
        Command::Doctor => doctor::run(session).await,
        Command::Open(wanted) => open::run(wanted, session).await,
        Command::Completions(wanted) => completions::run(&wanted, Cli::command()),
    }
}

fn finish(screen: &Screen, outcome: Outcome) -> ExitCode {
    let error = match outcome {
        Ok(report) => {
            screen.show(&report);
            report.error
        }
        Err(error) => Some(error),
    };
    let Some(error) = error else {
        return ExitCode::SUCCESS;
    };
    screen.complain(&error);
    ExitCode::from(error.kind.exit_code())
}

/// Help and version are printed as text on standard output, on a terminal or not; errors go where all errors go.
fn explain(screen: &Screen, error: &clap::Error) -> ExitCode {
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_answer || !screen.is_json {
        let _closed = error.print();
        return ExitCode::from(if is_answer { 0 } else { Kind::Usage.exit_code() });
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or(&text);
    let message = message.trim_start_matches("error: ").trim();
    screen.complain(&Error::usage(message));
    ExitCode::from(Kind::Usage.exit_code())
}
