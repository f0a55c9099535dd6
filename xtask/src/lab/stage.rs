//! The environment of a run: the simulator that judges it, the database, the disk, and one address for all nodes.

use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::act::Start;
use super::bucket::Bucket;
use super::bucket_fault::BucketFault;
use super::connection_fault::ConnectionFault;
use super::consent;
use super::disk::Disk;
use super::fault_proxy::FaultProxy;
use super::fault_proxy::link::Protocol;
use super::media_folder::{MediaFolder, Return};
use super::options::{Db, Options, Storage};
use super::posts::{self, Media};
use super::proxy::Proxy;
use super::skewed_clock::SkewedClock;
use super::trouble;
use crate::bench::app::{BUSINESS_ID, BUSINESS_SECRET, CLIENT_KEY, CLIENT_SECRET};
use crate::bench::http::{Connection, Request};
use crate::bench::process::Process;
use crate::bench::simulator::Simulator;
use crate::bench::world::{Seeded, World};
use crate::bench::{timestamp, video};
use crate::failure::{Doing, Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::{epoch_micros, free_port};
use crate::postgres::Postgres;

/// How long a dead process keeps its posts from the others; short, so that much happens in little time.
const LEASE_SECONDS: &str = "2";
/// A secret key that no database of a run was written with.
const WRONG_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
/// Longer than the provider is at work on a post in any run, processing and moderation together, and the clocks of nodes differ. Those of
/// SQLite's processes are not corrected, and one that is slow dates a search back.
const RESTORE_PATIENCE_SECONDS: &str = "50";
/// A person is asked after two minutes, when the simulator has long ended.
const PROVIDER_PATIENCE_SECONDS: &str = "60";
/// A video that travels in several pieces.
const LARGE_BYTES: u64 = 66_000_000;

/// Everything but the processes.
#[derive(Debug)]
pub struct Stage {
    /// The one address of all nodes.
    pub proxy: Proxy,
    /// The judge.
    pub simulator: Simulator,
    /// PostgreSQL, if the run is on it.
    pub postgres: Option<Postgres>,
    /// What the nodes reach PostgreSQL by.
    pub database_proxy: Option<FaultProxy>,
    /// Where the data lie.
    pub disk: Disk,
    /// Where the media lie, on that disk, unless they are in a bucket.
    pub media_folder: MediaFolder,
    /// The bucket that holds the media, if the run is on one.
    pub bucket: Option<Bucket>,
    /// What gives each node a clock of its own.
    pub clock: SkewedClock,
    /// Workspace, key and accounts.
    pub seeded: Seeded,
    world: World,
}

impl Stage {
    /// Builds it: accounts connected, the last of them as a business, media uploaded, no post yet.
    ///
    /// # Errors
    /// When something does not start.
    pub fn set(playoutd: &Path, options: &Options) -> Outcome<Self> {
        let world = World::new(playoutd, &format!("crash-lab-{}", options.db.name()))?;
        let disk = Disk::at(world.path("data"))?;
        let media_folder = MediaFolder::at(world.path("data/media"));
        let postgres = match options.db {
            Db::Sqlite => None,
            Db::Postgres => {
                let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
                Some(Postgres::durable(&programs)?)
            }
        };
        let world = match &postgres {
            Some(postgres) => world.on(postgres.url()),
            None => world,
        };
        let bucket = match options.storage {
            Storage::Folder => None,
            Storage::S3 => Some(Bucket::start(&world.path(""))?),
        };
        let world = match &bucket {
            Some(bucket) => world.with(bucket.settings().into()),
            None => world,
        };
        let by_proxy = |postgres: &Postgres| FaultProxy::start(postgres.address(), Protocol::Opaque);
        let database_proxy = postgres.as_ref().map(by_proxy).transpose()?;
        let (proxy, mut simulator) = (Proxy::start()?, Simulator::start(&world)?);
        let webhooks = format!("http://{}/webhooks/tiktok", proxy.address);
        let mut control = simulator.control()?;
        trouble::beginning(&webhooks).befall(&mut control)?;
        trouble::doom().befall(&mut control)?;
        let accounts = (0..options.accounts()).map(|number| simulator.account(number));
        let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
        let files = files(&world, options.inbox_videos())?;
        let none =
            json!({ "count": 0, "firstAt": timestamp::written(0), "stepSeconds": 1, "mediaPerPost": 0 });
        let seeded = world.seed(&json!({ "accounts": accounts, "files": files, "posts": none }))?;
        let mut stage = Self {
            proxy,
            simulator,
            postgres,
            database_proxy,
            disk,
            media_folder,
            bucket,
            clock: SkewedClock::build(&world.path(""))?,
            seeded,
            world,
        };
        stage.connect_businesses(options.accounts())?;
        Ok(stage)
    }

    /// Connects accounts behind the others as businesses, by the way that people take.
    fn connect_businesses(&mut self, accounts: usize) -> Outcome<()> {
        let (address, process) = self.api()?;
        self.proxy.add(address);
        for account in accounts..accounts + posts::BUSINESSES {
            self.simulator.stranger(account)?;
            let platform = self.connect(account, "business")?;
            self.seeded.platforms.push(platform);
        }
        self.proxy.remove(address);
        process.stop()
    }

    /// Connects an account by one of its connections. Answers the platform's ID.
    ///
    /// # Errors
    /// As [`consent::connect`].
    pub fn connect(&self, account: usize, connection: &str) -> Outcome<String> {
        let admin = self.command("admin", self.proxy.address);
        consent::connect(admin, &self.seeded.workspace, account, connection)
    }

    /// Where logs, media and an SQLite database are.
    pub fn folder(&self) -> PathBuf {
        self.world.path("")
    }

    /// The media as posts use them.
    pub fn media(&self) -> Media<'_> {
        Media::of(&self.seeded.media)
    }

    /// Starts a process of the service, without waiting for it.
    ///
    /// # Errors
    /// When it cannot start.
    pub fn node(&self, address: SocketAddr, start: Start) -> Outcome<Process> {
        let mut command = self.disturbed(address);
        self.clock.skew(&mut command, start.clock_offset_ms);
        if let Some(transfer) = start.transfer {
            command.env("PLAYOUT_TIKTOK_TRANSFER", transfer);
        }
        if let Some(point) = start.failpoint {
            command.env("PLAYOUT_FAILPOINT", point);
        }
        Process::start(&mut command, &self.world.path("nodes.log"))
    }

    /// Starts a process of the service whose secret key is not the database's.
    ///
    /// # Errors
    /// When it cannot start.
    pub fn node_with_wrong_key(&self, address: SocketAddr) -> Outcome<Process> {
        let mut command = self.disturbed(address);
        command.env("PLAYOUT_SECRET_KEY", WRONG_KEY);
        Process::start(&mut command, &self.world.path("wrong-key.log"))
    }

    /// A process whose connections to PostgreSQL and the bucket can be disturbed.
    fn disturbed(&self, address: SocketAddr) -> Command {
        let mut command = self.command("serve", address);
        if let (Some(postgres), Some(proxy)) = (&self.postgres, &self.database_proxy) {
            command.env("PLAYOUT_DATABASE_URL", postgres.url_by(proxy.address));
        }
        if let Some(bucket) = &self.bucket {
            let (name, endpoint) = bucket.endpoint_by_proxy();
            command.env(name, endpoint);
        }
        command
    }

    /// Starts the HTTP half alone and waits for it: nothing is published while it runs.
    ///
    /// # Errors
    /// When it does not become ready.
    pub fn api(&self) -> Outcome<(SocketAddr, Process)> {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let mut command = self.command("serve", address);
        command.args(["--role", "api"]);
        let mut process = Process::start(&mut command, &self.world.path("api.log"))?;
        process.wait_for(address, "/readyz")?;
        Ok((address, process))
    }

    /// `playoutd` with all settings of the run.
    pub fn command(&self, subcommand: &str, address: SocketAddr) -> Command {
        let mut command = self.world.playoutd(subcommand);
        let provider = self.simulator.url();
        command
            .env("PLAYOUT_LISTEN", address.to_string())
            .env("PLAYOUT_BASE_URL", format!("http://{}", self.proxy.address))
            .env("PLAYOUT_TIKTOK_API_URL", &provider)
            .env("PLAYOUT_TIKTOK_AUTH_URL", &provider)
            .env("PLAYOUT_TIKTOK_CLIENT_KEY", CLIENT_KEY)
            .env("PLAYOUT_TIKTOK_CLIENT_SECRET", CLIENT_SECRET)
            .env("PLAYOUT_TIKTOK_BUSINESS_CLIENT_ID", BUSINESS_ID)
            .env("PLAYOUT_TIKTOK_BUSINESS_CLIENT_SECRET", BUSINESS_SECRET)
            .env("PLAYOUT_TIKTOK_RATE_LIMITS", "off")
            .env("PLAYOUT_WORKER_LEASE_SECONDS", LEASE_SECONDS)
            .env("PLAYOUT_RESTORE_PATIENCE_SECONDS", RESTORE_PATIENCE_SECONDS)
            .env("PLAYOUT_PROVIDER_PATIENCE_SECONDS", PROVIDER_PATIENCE_SECONDS)
            .env("PLAYOUT_LOG", "info");
        command
    }

    /// Sends a GET to the service, through the proxy, to any node.
    ///
    /// # Errors
    /// When no node answers, or not with 200.
    pub fn get(&self, path: &str) -> Outcome<Value> {
        let mut connection = Connection::open(self.proxy.address, &self.seeded.key)?;
        connection
            .send(Request {
                method: "GET",
                path,
                json: "",
            })?
            .json(200)
    }

    /// PostgreSQL crashes and starts again, if the run is on it.
    ///
    /// # Errors
    /// When it does not start again.
    pub fn restart_database(&self) -> Outcome<()> {
        let Some(postgres) = &self.postgres else {
            return Ok(());
        };
        self.note("PostgreSQL crashes");
        postgres.restart()
    }

    /// Connections to PostgreSQL freeze, are cut or are slow, if the run is on it.
    pub fn disturb_connections(&self, fault: ConnectionFault) {
        if let Some(proxy) = &self.database_proxy {
            let connections = proxy.apply(fault);
            self.note(&format!(
                "{connections} connections to PostgreSQL: {:?}",
                fault.effect
            ));
        }
    }

    /// Connections to the bucket are slow or cut, or requests are refused, if the run is on one.
    pub fn disturb_bucket(&self, fault: BucketFault) {
        if let Some(bucket) = &self.bucket {
            let connections = bucket.disturb(fault);
            self.note(&format!(
                "{connections} connections to the bucket: {:?} for {:?}",
                fault.effect, fault.lasts
            ));
        }
    }

    /// Ends what happens to connections to PostgreSQL and the bucket.
    pub fn calm_connections(&self) {
        if let Some(proxy) = &self.database_proxy {
            proxy.calm();
        }
        if let Some(bucket) = &self.bucket {
            bucket.calm();
        }
    }

    /// The process of the bucket is killed, if the run is on one.
    pub fn stop_bucket(&self) {
        if let Some(bucket) = &self.bucket {
            self.note("the bucket is stopped");
            bucket.stop();
        }
    }

    /// It starts again, unless it runs.
    ///
    /// # Errors
    /// When it does not listen.
    pub fn start_bucket(&self) -> Outcome<()> {
        if let Some(bucket) = &self.bucket
            && bucket.start_again()?
        {
            self.note("the bucket runs again");
        }
        Ok(())
    }

    /// The folder of the media vanishes; a bucket freezes.
    ///
    /// # Errors
    /// As [`MediaFolder::take_away`].
    pub fn take_media_away(&self) -> Outcome<()> {
        self.note("the media vanish");
        match &self.bucket {
            Some(bucket) => {
                bucket.freeze();
                Ok(())
            }
            None => self.media_folder.take_away(),
        }
    }

    /// It is there again. A bucket that is stopped starts.
    ///
    /// # Errors
    /// As [`MediaFolder::bring_back`] and [`Bucket::bring_back`].
    pub fn bring_media_back(&self) -> Outcome<()> {
        if let Some(bucket) = &self.bucket {
            bucket.bring_back()?;
            self.note("the bucket answers again");
            return Ok(());
        }
        match self.media_folder.bring_back()? {
            Return::WasThere => {}
            Return::PlaceWasFree => self.note("the media are back"),
            Return::PlaceWasTaken { files } => {
                self.note(&format!(
                    "the media are back in place of a new folder with {files:?}"
                ));
            }
        }
        Ok(())
    }

    /// The disk is full.
    ///
    /// # Errors
    /// As [`Disk::fill`].
    pub fn fill_disk(&self) -> Outcome<()> {
        self.note("the disk is full");
        self.disk.fill()
    }

    /// There is space again.
    ///
    /// # Errors
    /// As [`Disk::free`].
    pub fn free_disk(&self) -> Outcome<()> {
        self.note("there is space on the disk");
        self.disk.free()
    }

    /// Writes a line into the log of the nodes, so that their lines can be understood.
    pub fn note(&self, line: &str) {
        let log = File::options()
            .append(true)
            .create(true)
            .open(self.world.path("nodes.log"));
        // A log that cannot be written spoils no run.
        let _ = log.and_then(|mut log| writeln!(log, "{} LAB {line}", timestamp::written(epoch_micros())));
    }

    /// What the nodes logged after the last line that ends with `note`.
    pub fn log_since(&self, note: &str) -> String {
        let log = self.log();
        let since = log.rfind(&format!("{note}\n")).unwrap_or(0);
        log[since..].to_owned()
    }

    /// Whether a node is ready and publishes.
    pub fn is_ready_and_not_held(&self) -> bool {
        self.get("/readyz").is_ok_and(|ready| ready["hold"] == false)
    }

    /// What the nodes logged.
    pub fn log(&self) -> String {
        let bytes = std::fs::read(self.world.path("nodes.log")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Removes everything.
    ///
    /// # Errors
    /// When a folder cannot be removed.
    pub fn clear(self) -> Outcome<()> {
        let Self {
            world,
            disk,
            simulator,
            postgres,
            bucket,
            ..
        } = self;
        drop((simulator, postgres, bucket, disk));
        world.remove()
    }
}

/// The files of [`Media`], in its order.
fn files(world: &World, inbox_videos: usize) -> Outcome<Vec<String>> {
    let clip = World::demo_asset("clip.mp4");
    let mut files = vec![
        clip.clone(),
        World::demo_asset("photo-1.jpg"),
        World::demo_asset("photo-2.jpg"),
    ];
    let large = world.path("large.mp4");
    video::write_padded(&clip, &large, LARGE_BYTES)?;
    files.push(large);
    for number in 0..inbox_videos {
        let path = world.path(&format!("inbox-{number}.mp4"));
        video::write_padded(&clip, &path, posts::inbox_video_bytes(number))?;
        files.push(path);
    }
    let shown = |path: &PathBuf| path.to_str().map(str::to_owned);
    let shown: Option<Vec<String>> = files.iter().map(shown).collect();
    shown
        .ok_or_else(|| Failure::new("the path of the checkout is no text"))
        .doing("naming files")
}
