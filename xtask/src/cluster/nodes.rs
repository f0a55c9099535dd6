//! The nodes, and what they share.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::balancer::Balancer;
use super::options::Options;
use super::pooler::Pooler;
use crate::bench::app::{CLIENT_KEY, CLIENT_SECRET};
use crate::bench::http::{Answer, Connection, Request};
use crate::bench::object_storage::ObjectStorage;
use crate::bench::process::Process;
use crate::bench::simulator::Simulator;
use crate::bench::timestamp;
use crate::bench::world::{Seeded, World};
use crate::failure::{Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::{free_port, now};
use crate::postgres::Postgres;

/// How many nodes there are.
pub(super) const NODES: usize = 3;
/// Accounts that posts go to.
pub(super) const ACCOUNTS: usize = 5;
/// How long a killed node is away.
const AWAY: Duration = Duration::from_secs(2);
/// How long the balancer may take to find them.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a dead node keeps its posts from the others.
const LEASE_SECONDS: &str = "5";
/// How long a node that stops still answers requests; the balancer sends nothing more after two looks, 300 ms apart.
const DRAIN_SECONDS: &str = "2";

/// Everything that runs.
pub(super) struct Cluster {
    pub(super) world: World,
    // In the order in which they end.
    nodes: Vec<Node>,
    balancer: Balancer,
    pub(super) simulator: Simulator,
    storage: Option<ObjectStorage>,
    _pooler: Option<Pooler>,
    _postgres: Postgres,
    pub(super) seeded: Seeded,
}

struct Node {
    number: usize,
    address: SocketAddr,
    program: PathBuf,
    process: Process,
}

impl Cluster {
    /// Starts nodes of `program`.
    pub(super) fn start(world: World, program: PathBuf, options: &Options) -> Outcome<Self> {
        let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
        let postgres = Postgres::durable(&programs)?;
        let pooler = options
            .pooled
            .then(|| Pooler::start(postgres.address(), &world.path("pgbouncer")));
        let pooler = pooler.transpose()?;
        let database = pooler
            .as_ref()
            .map_or(postgres.address(), |pooler| pooler.address);
        let world = world.on(postgres.url_by(database));
        let storage = options
            .storage
            .map(|kind| ObjectStorage::start(kind, &world.path("")));
        let storage = storage.transpose()?;
        let settings = match &storage {
            Some(storage) => storage.settings().into(),
            None => vec![(
                "PLAYOUT_STORAGE_URL",
                format!("file://{}", world.path("media").display()),
            )],
        };
        let world = world.with(settings);
        let mut simulator = Simulator::start(&world)?;
        let accounts = (0..ACCOUNTS).map(|number| simulator.account(number));
        let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
        let clip = World::demo_asset("clip.mp4");
        let none =
            json!({ "count": 0, "firstAt": timestamp::written(0), "stepSeconds": 1, "mediaPerPost": 0 });
        let seed = json!({ "accounts": accounts, "files": [clip], "posts": none });
        let seeded = world.by(&program).seed(&seed)?;
        let addresses = (0..NODES).map(|_| Ok(SocketAddr::from(([127, 0, 0, 1], free_port()?))));
        let addresses = addresses.collect::<Outcome<Vec<SocketAddr>>>()?;
        let balancer = Balancer::start(&addresses, &world.path("balancer"))?;
        let mut cluster = Self {
            world,
            nodes: Vec::new(),
            balancer,
            simulator,
            storage,
            _pooler: pooler,
            _postgres: postgres,
            seeded,
        };
        for (number, address) in addresses.into_iter().enumerate() {
            let process = cluster.serve(number, address, &program)?;
            cluster.nodes.push(Node {
                number,
                address,
                program: program.clone(),
                process,
            });
        }
        cluster.wait_for_all()?;
        Ok(cluster)
    }

    /// Waits until the balancer sends requests to every node.
    fn wait_for_all(&self) -> Outcome<()> {
        let ready = Request {
            method: "GET",
            path: "/readyz",
            json: "",
        };
        let (began, mut answered) = (now(), 0);
        while answered < 2 * NODES {
            if began.elapsed() > PATIENCE {
                return Err(Failure::new("the balancer does not find the nodes"));
            }
            answered = match self.ask(ready)?.status {
                200 => answered + 1,
                _ => 0,
            };
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Starts a node and waits until it is ready.
    fn serve(&self, number: usize, address: SocketAddr, program: &Path) -> Outcome<Process> {
        let mut command: Command = self.world.by(program).playoutd("serve");
        let provider = self.simulator.url();
        command
            .env("PLAYOUT_DATA_DIR", self.world.path(&format!("node-{number}")))
            .env("PLAYOUT_LISTEN", address.to_string())
            .env("PLAYOUT_BASE_URL", self.url())
            .env("PLAYOUT_TIKTOK_API_URL", &provider)
            .env("PLAYOUT_TIKTOK_AUTH_URL", &provider)
            .env("PLAYOUT_TIKTOK_CLIENT_KEY", CLIENT_KEY)
            .env("PLAYOUT_TIKTOK_CLIENT_SECRET", CLIENT_SECRET)
            .env("PLAYOUT_TIKTOK_RATE_LIMITS", "off")
            .env("PLAYOUT_WORKER_LEASE_SECONDS", LEASE_SECONDS)
            .env("PLAYOUT_DRAIN_SECONDS", DRAIN_SECONDS)
            .env("PLAYOUT_LOG", "info");
        let log = self.world.path(&format!("node-{number}.log"));
        let mut process = Process::start(&mut command, &log)?;
        process.wait_for(address, "/readyz")?;
        Ok(process)
    }

    /// The address of the balancer.
    pub(super) fn address(&self) -> SocketAddr {
        self.balancer.address
    }

    /// The same as a URL.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.balancer.address)
    }

    /// Prints where everything is.
    pub(super) fn show(&self) {
        println!("balancer         {}", self.url());
        for node in &self.nodes {
            println!("node {}           http://{}", node.number, node.address);
        }
        println!("TikTok           {} (a simulator)", self.simulator.url());
        match &self.storage {
            Some(storage) => {
                let [(_, bucket), (_, endpoint), ..] = storage.settings();
                println!(
                    "bucket           {bucket} at {endpoint} ({})",
                    storage.kind().name()
                );
            }
            None => println!("media            {}", self.world.path("media").display()),
        }
        println!("key              {}", self.seeded.key);
        println!("logs             {}", self.world.path("").display());
    }

    /// A node dies, is away for a while, and comes back.
    pub(super) fn kill(&mut self, number: usize) -> Outcome<()> {
        let Node {
            address,
            program,
            process,
            ..
        } = self.nodes.remove(number);
        println!("node {number} is killed");
        process.kill();
        thread::sleep(AWAY);
        self.come_back(number, address, program)
    }

    /// A node is stopped, and comes back as another program.
    pub(super) fn replace(&mut self, number: usize, program: &Path) -> Outcome<()> {
        let Node { address, process, .. } = self.nodes.remove(number);
        println!("node {number} stops");
        process.stop()?;
        self.come_back(number, address, program.to_owned())
    }

    fn come_back(&mut self, number: usize, address: SocketAddr, program: PathBuf) -> Outcome<()> {
        let process = self.serve(number, address, &program)?;
        println!("node {number} is back");
        let node = Node {
            number,
            address,
            program,
            process,
        };
        self.nodes.insert(number, node);
        self.wait_for_all()
    }

    /// Sends a request through the balancer.
    pub(super) fn ask(&self, request: Request<'_>) -> Outcome<Answer> {
        Connection::open(self.address(), &self.seeded.key)?.send(request)
    }

    /// Stops everything and removes its files.
    pub(super) fn end(self) -> Outcome<()> {
        let Self { world, nodes, .. } = self;
        nodes.into_iter().try_for_each(|node| node.process.stop())?;
        world.remove()
    }
}
