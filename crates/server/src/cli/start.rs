//! `serve` and `migrate`.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::print::say;
use crate::clock::{NodeClock, SystemClock};
use crate::config::Config;
use crate::open_error::OpenError;
use crate::serve::{Role, Service};
use crate::world;

/// The length of the accept queue, if the system allows it. With the standard library's 128, a client that connects in bursts
/// makes others wait a second before they try again.
const WAITING: u32 = 4096;

/// Serves until SIGINT or SIGTERM; a second signal ends the process at once.
pub(super) async fn serve(config: Config, role: Role, migrate: bool) -> Result<ExitCode, OpenError> {
    let listener = bind(&config).await?;
    let made = world::made_anew(&config)?;
    let app = world::open(config, Arc::new(NodeClock::default()), migrate).await?;
    if let Some(made) = made {
        tracing::warn!("{made}");
    }
    if let Err(error) = app.announce_setup_code().await {
        // Another process may be responsible for the schema.
        tracing::warn!("could not check whether a user has signed up: {error}");
    }
    // Before the port answers: what sees it answer may send a signal.
    let mut signals = Signals::listen()?;
    let service = Service::start(&app, listener, role);
    tracing::info!(
        "listening on {}, reachable as {}",
        app.config.listen,
        app.config.base_url
    );
    super::confine::warn_of_gaps(&app);
    // Ctrl-C is pressed by a person who waits; and on SQLite no other node would answer instead.
    let drain = match signals.next().await {
        Stop::Terminated if app.store.is_shared() => app.config.drain,
        Stop::Terminated | Stop::Interrupted => Duration::ZERO,
    };
    tracing::info!("stopping; a second signal stops at once");
    tokio::select! {
        () = service.leave(drain) => {}
        _ = signals.next() => return Ok(ExitCode::FAILURE),
    }
    app.store.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Migrates the schema.
pub(super) async fn migrate(config: Config) -> Result<ExitCode, OpenError> {
    let app = world::open(config, Arc::new(SystemClock), false).await?;
    let pending = app.store.pending_migrations().await?;
    app.store.migrate().await?;
    world::make_first_storage(&app.store, &app.blobs).await?;
    app.store.build_indexes().await?;
    say(format!("{pending} migrations applied; the schema is up to date"));
    Ok(ExitCode::SUCCESS)
}

/// Binds the configured port.
pub(super) async fn bind(config: &Config) -> Result<TcpListener, OpenError> {
    let listener = open_port(config.listen);
    listener.map_err(|error| format!("cannot listen on {}: {error}", config.listen).into())
}

fn open_port(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// How a process is asked to stop.
enum Stop {
    /// By SIGINT, as Ctrl-C sends it.
    Interrupted,
    /// By SIGTERM, as supervisors send it.
    Terminated,
}

/// SIGINT and SIGTERM, which end the process by themselves until they are listened for.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> Stop {
        tokio::select! {
            _ = self.interrupt.recv() => Stop::Interrupted,
            _ = self.terminate.recv() => Stop::Terminated,
        }
    }
}

/// Waits for SIGINT or SIGTERM.
pub(super) async fn stop_signal() -> std::io::Result<()> {
    Signals::listen()?.next().await;
    Ok(())
}
