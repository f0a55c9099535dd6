//! Runs the service: listens, works, and stops without interrupting requests or jobs.

use std::sync::Arc;
use std::time::Duration;

use playout_store::StoreError;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::router;
use crate::app::App;
use crate::listen::{Limits, listen};
use crate::outage::Outage;
use crate::worker::{Worker, hold, imports, keeper, revoke, sweep, webhooks};

/// How often a node adds the calls that it has counted to those of the others.
const COUNTS_SHARED_EVERY: Duration = Duration::from_millis(250);

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
    app: Arc<App>,
    stop: CancellationToken,
    /// Ends what the node does by itself; cancelled with `stop` at the latest.
    work: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Service {
    /// Starts the halves of `role` on an open listener.
    pub fn start(app: &Arc<App>, listener: TcpListener, role: Role) -> Self {
        Self::start_within(app, listener, role, Limits::of(&app.config))
    }

    /// [`Service::start`] with other limits of connections than those that are configured.
    pub fn start_within(app: &Arc<App>, listener: TcpListener, role: Role, limits: Limits) -> Self {
        let stop = CancellationToken::new();
        let work = stop.child_token();
        let mut tasks = vec![tokio::spawn(listen(
            listener,
            router(Arc::clone(app)),
            Arc::clone(&app.clock),
            limits,
            stop.clone(),
        ))];
        tasks.push(tokio::spawn(keeper::run(Arc::clone(app), stop.clone())));
        tasks.push(tokio::spawn(end_uploads(Arc::clone(app), stop.clone())));
        if role != Role::Api {
            app.heart.beat(app.now());
            tasks.push(tokio::spawn(Worker::new(Arc::clone(app)).run(work.clone())));
            tasks.push(tokio::spawn(once_it_fits(app, &work, hold::run)));
            tasks.push(tokio::spawn(once_it_fits(app, &work, revoke::run)));
            tasks.push(tokio::spawn(once_it_fits(app, &work, webhooks::run)));
            tasks.push(tokio::spawn(once_it_fits(app, &work, imports::run)));
            tasks.push(tokio::spawn(once_it_fits(app, &work, sweep::run)));
        }
        tasks.push(tokio::spawn(hear_other_nodes(Arc::clone(app), stop.clone())));
        tasks.push(tokio::spawn(tell_other_nodes(Arc::clone(app), stop.clone())));
        tasks.push(tokio::spawn(share_counts(Arc::clone(app), stop.clone())));
        tasks.push(tokio::spawn(once_it_fits(app, &stop, build_indexes)));
        tasks.push(tokio::spawn(once_it_fits(app, &stop, index_texts)));
        let app = Arc::clone(app);
        Self {
            app,
            stop,
            work,
            tasks,
        }
    }

    /// Takes up no more work, and goes on answering requests for so long although `/readyz` asks balancers to send none; then stops.
    pub async fn leave(self, drain: Duration) {
        self.work.cancel();
        if !drain.is_zero() {
            self.app.leaving.cancel();
            let seconds = drain.as_secs();
            tracing::info!(
                seconds,
                "requests are answered for {seconds} s more, and /readyz answers 503"
            );
            self.app.clock.sleep_until(self.app.now().plus(drain)).await;
        }
        self.stop().await;
    }

    /// Asks everything to stop, and waits until what was begun has ended.
    pub async fn stop(mut self) {
        self.stop.cancel();
        for task in std::mem::take(&mut self.tasks) {
            if let Err(error) = task.await {
                tracing::error!("a part of the service ended badly: {error}");
            }
        }
        // What the last runs changed. Without the database other nodes cannot be notified.
        let told = self.app.store.spread_changes_so_far();
        let _ = tokio::time::timeout(Duration::from_secs(1), told).await;
    }
}

/// Begins work once this node is known to belong to its database.
fn once_it_fits<F: Future<Output = ()> + Send>(
    app: &Arc<App>,
    stop: &CancellationToken,
    work: fn(Arc<App>, CancellationToken) -> F,
) -> impl Future<Output = ()> + Send + use<F> {
    let (app, stop) = (Arc::clone(app), stop.clone());
    async move {
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.identity.fits() => {}
        }
        work(app, stop).await;
    }
}

/// Dropping a service asks it to stop, and does not wait until it has.
impl Drop for Service {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Ends uploads in progress so that they do not delay the stop: their clients go on from where they were.
async fn end_uploads(app: Arc<App>, stop: CancellationToken) {
    stop.cancelled().await;
    app.closing.cancel();
    let uploads = app.uploads.count();
    if uploads > 0 {
        tracing::info!(uploads, "stopping: {uploads} uploads are interrupted");
    }
    app.uploads.stop_all();
}

/// Notifies other nodes of changes here, for the pages that are open there.
async fn tell_other_nodes(app: Arc<App>, stop: CancellationToken) {
    let outage = Outage::harmless("other nodes are not told what changes here");
    let again = "other nodes were told again what changes here";
    keep_up(&app, stop, outage, again, || app.store.spread_changes()).await;
}

/// Adds the calls that this node has counted to those of the others, now and then and at the end.
async fn share_counts(app: Arc<App>, stop: CancellationToken) {
    let mut outage = Outage::harmless("each node counts calls for itself");
    while app.store.is_shared() && !stop.is_cancelled() {
        let next = app.now().plus(COUNTS_SHARED_EVERY);
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.clock.sleep_until(next) => {}
        }
        match app.share_counts().await {
            Ok(()) => outage.is_over(app.now(), "calls were counted for all nodes again"),
            Err(error) => outage.goes_on(app.now(), &error),
        }
    }
}

/// Wakes the engine when another node adds a job, and notifies open pages of its changes. Losing the connection costs
/// only time: the engine also polls.
async fn hear_other_nodes(app: Arc<App>, stop: CancellationToken) {
    let outage = Outage::harmless("other nodes are not heard, what they add is found by polling");
    keep_up(&app, stop, outage, "other nodes were heard again", || {
        app.store.listen()
    })
    .await;
}

/// Makes the indexes that this version has added to large tables. What needs them is slower until then. A dump that is being loaded makes
/// those of its own version itself, and fails where they are there.
async fn build_indexes(app: Arc<App>, stop: CancellationToken) {
    let outage = Outage::harmless("new indexes of large tables are not made");
    let again = "new indexes of large tables were made";
    keep_up(&app, stop, outage, again, || app.store.build_indexes()).await;
}

/// Indexes the texts of posts. A search reads those that are not indexed.
async fn index_texts(app: Arc<App>, stop: CancellationToken) {
    let outage = Outage::harmless("the texts of new posts are not indexed, and searches are slower");
    let again = "the texts of new posts were indexed again";
    keep_up(&app, stop, outage, again, || app.store.index_texts()).await;
}

/// Restarts a task that ends only when the connection to the database is lost.
async fn keep_up<F: Future<Output = Result<(), StoreError>>>(
    app: &App,
    stop: CancellationToken,
    mut outage: Outage,
    again: &str,
    begin: impl Fn() -> F,
) {
    loop {
        let begun = app.now();
        let ended = tokio::select! {
            () = stop.cancelled() => return,
            ended = begin() => ended,
        };
        // What lasted so long had begun well.
        if app.now().since(begun) > Duration::from_secs(60) {
            outage.is_over(begun, again);
        }
        match ended {
            Ok(()) => return,
            Err(error) => outage.goes_on(app.now(), &error),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(app.now().plus(Duration::from_secs(5))) => {}
        }
    }
}
