//! Runs the service: listens, works, and stops without cutting anything in the middle.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::router;
use crate::app::App;
use crate::listen::listen;
use crate::worker::{Worker, sweep};

/// Which halves of the service a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// Both.
    All,
    /// HTTP only.
    Api,
    /// The engine only; it still answers `/healthz` and `/readyz`.
    Worker,
}

/// A running service.
pub struct Service {
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Service {
    /// Starts the halves of `role` on an open listener.
    pub fn start(app: &Arc<App>, listener: TcpListener, role: Role) -> Self {
        let stop = CancellationToken::new();
        let mut tasks = vec![tokio::spawn(listen(
            listener,
            router(Arc::clone(app)),
            stop.clone(),
        ))];
        if role != Role::Api {
            app.heart.beat(app.now());
            tasks.push(tokio::spawn(Worker::new(Arc::clone(app)).run(stop.clone())));
            tasks.push(tokio::spawn(sweep::run(Arc::clone(app), stop.clone())));
            tasks.push(tokio::spawn(hear_other_nodes(Arc::clone(app), stop.clone())));
        }
        Self { stop, tasks }
    }

    /// Asks everything to stop, and waits until what was begun has ended.
    pub async fn stop(self) {
        self.stop.cancel();
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::error!("a part of the service ended badly: {error}");
            }
        }
    }
}

/// Wakes the engine when another node adds a job. Losing the connection costs only time: the engine also polls.
async fn hear_other_nodes(app: Arc<App>, stop: CancellationToken) {
    loop {
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            heard = app.store.listen() => heard,
        };
        match heard {
            Ok(()) => return,
            Err(error) => tracing::warn!("no longer hear other nodes, polling instead: {error}"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(app.now().plus(std::time::Duration::from_secs(5))) => {}
        }
    }
}
