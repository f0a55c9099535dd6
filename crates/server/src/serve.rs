//! Runs the service: listens, works, and stops without cutting anything in the middle.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::router;
use crate::app::App;
use crate::listen::{PATIENCE, listen};
use crate::outage::Outage;
use crate::worker::{Worker, revoke, sweep};

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
            PATIENCE,
        ))];
        tasks.push(tokio::spawn(end_uploads(Arc::clone(app), stop.clone())));
        if role != Role::Api {
            app.heart.beat(app.now());
            tasks.push(tokio::spawn(Worker::new(Arc::clone(app)).run(stop.clone())));
            tasks.push(tokio::spawn(revoke::run(Arc::clone(app), stop.clone())));
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

/// Lets no upload in progress keep a service that is to stop: its client goes on from where it was.
async fn end_uploads(app: Arc<App>, stop: CancellationToken) {
    stop.cancelled().await;
    let uploads = app.uploads.count();
    if uploads > 0 {
        tracing::info!(uploads, "stopping: {uploads} uploads are interrupted");
    }
    app.uploads.stop_all();
}

/// Wakes the engine when another node adds a job. Losing the connection costs only time: the engine also polls.
async fn hear_other_nodes(app: Arc<App>, stop: CancellationToken) {
    let mut outage = Outage::harmless("other nodes are not heard, what they add is found by polling");
    loop {
        let begun = app.now();
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            heard = app.store.listen() => heard,
        };
        // What lasted so long had begun well.
        if app.now().since(begun) > Duration::from_secs(60) {
            outage.is_over(begun, "other nodes were heard again");
        }
        match heard {
            Ok(()) => return,
            Err(error) => outage.goes_on(app.now(), &error),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(app.now().plus(Duration::from_secs(5))) => {}
        }
    }
}
