//! An S3 storage of our own, for one run: Garage, or s3s-fs where Garage was never compiled, which takes ten times as long.
//!
//! Neither is part of the workspace: their programs are compiled by `cargo install` into `target/tools` when a command first needs them, so
//! that nothing else waits for them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::process::Process;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, free_port, now};

/// The bucket, and the only key, in the form that Garage wants.
const BUCKET: &str = "media";
const KEY_ID: &str = "GK706c61796f75742d6f776e00";
const SECRET: &str = "6f6e6c79206f6e2074686973206d616368696e652c206e6f7420612073656372";
/// How long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// Which program it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A storage that people run: <https://garagehq.deuxfleurs.fr>.
    Garage,
    /// A folder behind the protocol of S3, in the version that the tests use (`Cargo.toml`).
    S3sFs,
}

impl Kind {
    /// Garage if it was compiled before.
    pub fn at_hand() -> Self {
        match Self::Garage.place().1.is_file() {
            true => Self::Garage,
            false => Self::S3sFs,
        }
    }

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Garage => "garage",
            Self::S3sFs => "s3s-fs",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Garage, Self::S3sFs]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    fn version(self) -> &'static str {
        match self {
            Self::Garage => "2.5.0",
            Self::S3sFs => "0.14.1",
        }
    }

    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Garage => &["--no-default-features", "--features", "bundled-libs,lmdb"],
            Self::S3sFs => &["--features", "binary"],
        }
    }

    /// Its folder among the tools, and the program there.
    fn place(self) -> (PathBuf, PathBuf) {
        let folder = format!("{}-{}", self.name(), self.version());
        let folder = crate::root().join("target/tools").join(folder);
        let program = folder.join("bin").join(self.name());
        (folder, program)
    }

    /// The program, which is compiled the first time.
    ///
    /// # Errors
    /// When it does not compile.
    pub fn program(self) -> Outcome<PathBuf> {
        let (folder, program) = self.place();
        if program.is_file() {
            return Ok(program);
        }
        let (name, version) = (self.name(), self.version());
        println!("compiling {name} {version}, once");
        let build = folder.join("build");
        let mut install = Command::new("cargo");
        install
            .args(["install", "--quiet", "--locked", "--version", version])
            .args(self.features())
            .arg("--root")
            .arg(&folder)
            .arg(name)
            // Not into the folder of the workspace's build, which another command may hold.
            .env("CARGO_TARGET_DIR", &build);
        done(&mut install)?;
        std::fs::remove_dir_all(&build).doing(build.display())?;
        Ok(program)
    }
}

/// A running storage. It ends when dropped.
#[derive(Debug)]
pub struct ObjectStorage {
    kind: Kind,
    program: PathBuf,
    folder: PathBuf,
    address: SocketAddr,
    /// `None` while it is stopped.
    process: Mutex<Option<Process>>,
}

impl ObjectStorage {
    /// Starts one that keeps everything below `folder`.
    ///
    /// # Errors
    /// When it does not compile or does not listen.
    pub fn start(kind: Kind, folder: &Path) -> Outcome<Self> {
        let (program, folder) = (kind.program()?, folder.join("objects"));
        let made = std::fs::create_dir_all(folder.join(BUCKET));
        made.doing(folder.display())?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        if kind == Kind::Garage {
            let settings = garage_settings(&folder, address, free_port()?);
            std::fs::write(folder.join("garage.toml"), settings).doing(folder.display())?;
        }
        let process = start(kind, &program, &folder, address)?;
        Ok(Self {
            kind,
            program,
            folder,
            address,
            process: Mutex::new(Some(process)),
        })
    }

    /// Which program it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its key as curl takes it.
    pub fn user_and_secret(&self) -> String {
        format!("{KEY_ID}:{SECRET}")
    }

    /// The address of the bucket.
    pub fn bucket_url(&self) -> String {
        format!("http://{}/{BUCKET}", self.address)
    }

    /// What a node needs to use it.
    pub fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("PLAYOUT_STORAGE_URL", format!("s3://{BUCKET}")),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ACCESS_KEY_ID", KEY_ID.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
        ]
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a setting of a node that reaches it by a proxy.
    pub fn endpoint_by(&self, proxy: SocketAddr) -> (&'static str, String) {
        ("AWS_ENDPOINT_URL", format!("http://{proxy}"))
    }

    /// Freezes it in the middle of what it does, as a storage that is gone; [`Self::go_on`] ends that.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// It answers again.
    pub fn go_on(&self) {
        self.signal("CONT");
    }

    /// Kills it. [`Self::start_again`] ends that.
    pub fn stop(&self) {
        if let Some(process) = self.process().take() {
            process.kill();
        }
    }

    /// Starts it on the same objects and port, if it is stopped. Whether it was.
    ///
    /// # Errors
    /// When it does not listen.
    pub fn start_again(&self) -> Outcome<bool> {
        let mut process = self.process();
        if process.is_some() {
            return Ok(false);
        }
        *process = Some(start(self.kind, &self.program, &self.folder, self.address)?);
        Ok(true)
    }

    fn signal(&self, name: &str) {
        if let Some(process) = self.process().as_ref() {
            process.signal(name);
        }
    }

    fn process(&self) -> MutexGuard<'_, Option<Process>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One node that is the whole cluster; it need not survive a power cut.
fn garage_settings(folder: &Path, address: SocketAddr, rpc: u16) -> String {
    let folder = folder.display();
    format!(
        "metadata_dir = \"{folder}/metadata\"\ndata_dir = \"{folder}/data\"\ndb_engine = \"lmdb\"\nmetadata_fsync = false\n\
         data_fsync = false\ncompression_level = \"none\"\nreplication_factor = 1\nrpc_bind_addr = \"127.0.0.1:{rpc}\"\n\
         rpc_public_addr = \"127.0.0.1:{rpc}\"\nrpc_secret = \"{SECRET}\"\n\n[s3_api]\ns3_region = \"us-east-1\"\n\
         api_bind_addr = \"{address}\"\n"
    )
}

fn start(kind: Kind, program: &Path, folder: &Path, address: SocketAddr) -> Outcome<Process> {
    let mut command = Command::new(program);
    match kind {
        Kind::Garage => command
            .arg("-c")
            .arg(folder.join("garage.toml"))
            .args(["server", "--single-node", "--default-bucket"])
            .env("GARAGE_DEFAULT_BUCKET", BUCKET)
            .env("GARAGE_DEFAULT_ACCESS_KEY", KEY_ID)
            .env("GARAGE_DEFAULT_SECRET_KEY", SECRET)
            .env("RUST_LOG", "warn"),
        Kind::S3sFs => command
            .args(["--host", &address.ip().to_string()])
            .args(["--port", &address.port().to_string()])
            .args(["--access-key", KEY_ID, "--secret-key", SECRET])
            .arg(folder)
            .env("RUST_LOG", "error"),
    };
    let log = folder.with_extension("log");
    let mut process = Process::start(&mut command, &log)?;
    let began = now();
    while std::net::TcpStream::connect(address).is_err() {
        if process.has_ended() || began.elapsed() > PATIENCE {
            return Err(Failure::new(format!(
                "the object storage does not listen at {address}, see {}",
                log.display()
            )));
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(process)
}
