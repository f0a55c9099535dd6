//! An nginx that stores what is PUT to it: the plainest way to get a file onto a disk over HTTP, to compare uploads with.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::Process;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{free_port, is_root, program};

/// A running nginx.
#[derive(Debug)]
pub struct Nginx {
    /// Where it listens.
    pub address: SocketAddr,
    files: PathBuf,
    _process: Process,
}

impl Nginx {
    /// Starts one that keeps everything below `folder`.
    ///
    /// # Errors
    /// When it is not installed or does not answer.
    pub fn start(folder: &Path) -> Outcome<Self> {
        Self::start_with(folder, storing)
    }

    /// Starts one that keeps connections to the service at `upstream` and passes everything on to it.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn in_front_of(upstream: SocketAddr, folder: &Path) -> Outcome<Self> {
        std::fs::create_dir_all(folder).doing(folder.display())?;
        Self::start_with(folder, |folder, address| passing(folder, address, upstream))
    }

    fn start_with(folder: &Path, settings: impl Fn(&Path, SocketAddr) -> String) -> Outcome<Self> {
        let nginx = program("nginx").ok_or_else(|| Failure::new("nginx is missing"))?;
        let files = folder.join("files");
        std::fs::create_dir_all(&files).doing(files.display())?;
        std::fs::write(files.join("ready"), "yes").doing(files.display())?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let config = folder.join("nginx.conf");
        std::fs::write(&config, settings(folder, address)).doing(config.display())?;
        let mut command = Command::new(nginx);
        command
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(&config)
            .args(["-e", "error.log"]);
        let mut process = Process::start(&mut command, &folder.join("nginx.log"))?;
        process.wait_for(address, "/ready")?;
        Ok(Self {
            address,
            files,
            _process: process,
        })
    }

    /// Where the file that was PUT to `/{name}` is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.files.join(name)
    }
}

/// Bodies are received beside the files, so that storing one is a rename.
fn storing(folder: &Path, address: SocketAddr) -> String {
    let files = folder.display();
    settings(
        folder,
        &format!(
            "server {{\nlisten {address};\nlocation / {{\nroot {files}/files;\ndav_methods PUT;\n}}\n}}\n"
        ),
    )
}

/// The proxy of nginx's manual with kept connections. A request that fails is not sent again.
fn passing(folder: &Path, address: SocketAddr, upstream: SocketAddr) -> String {
    let files = folder.display();
    settings(
        folder,
        &format!(
            "upstream playout {{\nserver {upstream};\nkeepalive 16;\n}}\n\
             server {{\nlisten {address};\nlocation /ready {{\nroot {files}/files;\n}}\n\
             location / {{\nproxy_pass http://playout;\nproxy_http_version 1.1;\nproxy_set_header Connection \"\";\n\
             proxy_set_header Host $http_host;\nproxy_next_upstream off;\n}}\n}}\n"
        ),
    )
}

/// One process, in the foreground, so that it ends with us.
fn settings(folder: &Path, servers: &str) -> String {
    let folder = folder.display();
    let user = if is_root() { "user root;\n" } else { "" };
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {folder}/{kind};\n"))
        .concat();
    format!(
        "{user}daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n\
         client_max_body_size 0;\n{temporary}{servers}}}\n"
    )
}
