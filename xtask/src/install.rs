//! What a command needs on the machine, found or installed. Prints nothing and requests nothing when all is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, has_apt, is_root, program};

/// The oldest PostgreSQL that the store supports.
pub const OLDEST_POSTGRES: u32 = 15;

/// A program outside the workspace that some command needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A C and C++ compiler and make: the codecs and SQLite are compiled from source.
    Compiler,
    /// pkg-config.
    PkgConfig,
    /// cmake: builds libjpeg-turbo.
    Cmake,
    /// nasm: libjpeg-turbo's SIMD code is assembly.
    Nasm,
    /// ffmpeg: takes the poster frame of a video.
    Ffmpeg,
    /// A PostgreSQL server, [`OLDEST_POSTGRES`] or newer, of which the tests run one of their own.
    Postgres,
    /// PgBouncer: what may stand between the service and PostgreSQL.
    PgBouncer,
    /// curl: runs the commands that the reference shows.
    Curl,
    /// jq: reads IDs out of responses, in samples of the guides.
    Jq,
    /// openssl: verifies a webhook, in a sample of the guides.
    OpenSsl,
    /// Python with venv: programs from PyPI.
    Python,
    /// Node.js and npm: programs from npm.
    Node,
    /// nginx: what uploads are compared with.
    Nginx,
    /// HAProxy: what balances between nodes.
    HaProxy,
    /// docker-compose, without an engine: reads a compose file.
    DockerCompose,
    /// A session bus, which a desktop's programs talk over. This and the next two are of Linux alone.
    SessionBus,
    /// gnome-keyring: the desktop's keyring.
    Keyring,
    /// secret-tool: how the client speaks to it.
    SecretTool,
    /// Chromium: a person's browser.
    Chromium,
    /// Chromium without a window, as a program of its own: the same pages in two thirds of the time.
    HeadlessShell,
    /// chromedriver: speaks WebDriver for it.
    Chromedriver,
    /// ImageMagick: what slides are compared with. This and the next two are for the bench of slides alone.
    ImageMagick,
    /// The headers of Pango and Cairo, of which node-canvas is compiled.
    Pango,
    /// The headers of libjpeg, of which node-canvas is compiled, too.
    LibJpeg,
}

/// What the tests run.
pub const TO_TEST: [Need; 9] = [
    Need::Ffmpeg,
    Need::Postgres,
    Need::PgBouncer,
    Need::Curl,
    Need::SessionBus,
    Need::Keyring,
    Need::SecretTool,
    Need::Chromium,
    Need::Chromedriver,
];

/// Everything that compiling the workspace takes.
pub const TO_BUILD: [Need; 4] = [Need::Compiler, Need::PkgConfig, Need::Cmake, Need::Nasm];

impl Need {
    /// Whether the machine has it.
    pub fn is_met(self) -> bool {
        match self {
            Self::Compiler => ["cc", "c++", "make"].iter().all(|name| program(name).is_some()),
            Self::PkgConfig => program("pkg-config").is_some(),
            Self::Cmake => program("cmake").is_some(),
            Self::Nasm => program("nasm").is_some(),
            Self::Ffmpeg => program("ffmpeg").is_some(),
            Self::Postgres => postgres_programs().is_some(),
            Self::PgBouncer => program("pgbouncer").is_some(),
            Self::Curl => program("curl").is_some(),
            Self::Jq => program("jq").is_some(),
            Self::OpenSsl => program("openssl").is_some(),
            Self::Python => has_venv(),
            Self::Node => ["node", "npm"].iter().all(|name| program(name).is_some()),
            Self::Nginx => program("nginx").is_some(),
            Self::HaProxy => program("haproxy").is_some(),
            Self::DockerCompose => program("docker-compose").is_some(),
            Self::SessionBus => cfg!(not(target_os = "linux")) || program("dbus-run-session").is_some(),
            Self::Keyring => cfg!(not(target_os = "linux")) || program("gnome-keyring-daemon").is_some(),
            Self::SecretTool => cfg!(not(target_os = "linux")) || program("secret-tool").is_some(),
            Self::Chromium => program("chromium").is_some(),
            Self::HeadlessShell => program("chromium-headless-shell").is_some(),
            Self::Chromedriver => program("chromedriver").is_some(),
            Self::ImageMagick => imagemagick().is_some(),
            Self::Pango => has_headers("pangocairo"),
            Self::LibJpeg => has_headers("libjpeg"),
        }
    }

    /// Its package on Debian and Ubuntu.
    fn apt_package(self) -> &'static str {
        match self {
            Self::Compiler => "build-essential",
            Self::PkgConfig => "pkg-config",
            Self::Cmake => "cmake",
            Self::Nasm => "nasm",
            Self::Ffmpeg => "ffmpeg",
            Self::Postgres => "postgresql",
            Self::PgBouncer => "pgbouncer",
            Self::Curl => "curl",
            Self::Jq => "jq",
            Self::OpenSsl => "openssl",
            Self::Python => "python3-venv",
            Self::Node => "npm",
            Self::Nginx => "nginx",
            Self::HaProxy => "haproxy",
            Self::DockerCompose => "docker-compose",
            Self::SessionBus => "dbus",
            Self::Keyring => "gnome-keyring",
            Self::SecretTool => "libsecret-tools",
            Self::Chromium => "chromium",
            Self::HeadlessShell => "chromium-headless-shell",
            Self::Chromedriver => "chromium-driver",
            Self::ImageMagick => "imagemagick",
            Self::Pango => "libpango1.0-dev",
            Self::LibJpeg => "libjpeg-dev",
        }
    }

    /// The advice that is printed on a machine without apt.
    fn advice(self) -> &'static str {
        match self {
            Self::Compiler => {
                "a C and C++ compiler and make (macOS: xcode-select --install; Fedora: dnf install gcc-c++ make)"
            }
            Self::PkgConfig => "pkg-config (macOS: brew install pkgconf; Fedora: dnf install pkgconf)",
            Self::Cmake => "cmake (macOS: brew install cmake; Fedora: dnf install cmake)",
            Self::Nasm => "nasm (macOS: brew install nasm; Fedora: dnf install nasm)",
            Self::Ffmpeg => "ffmpeg (macOS: brew install ffmpeg; Fedora: dnf install ffmpeg-free)",
            Self::Postgres => {
                "a PostgreSQL server, 15 or newer, with initdb and pg_ctl on PATH (macOS: brew install postgresql@17; \
                 Fedora: dnf install postgresql-server; older Debian and Ubuntu: https://www.postgresql.org/download/)"
            }
            Self::PgBouncer => "pgbouncer (macOS: brew install pgbouncer; Fedora: dnf install pgbouncer)",
            Self::Curl => "curl (macOS: brew install curl; Fedora: dnf install curl)",
            Self::Jq => "jq (macOS: brew install jq; Fedora: dnf install jq)",
            Self::OpenSsl => "openssl (macOS: brew install openssl; Fedora: dnf install openssl)",
            Self::Python => {
                "python3 with venv and pip (macOS: brew install python; Fedora: dnf install python3)"
            }
            Self::Node => {
                "node 18 or newer and npm (macOS: brew install node; Fedora: dnf install nodejs-npm)"
            }
            Self::Nginx => "nginx (macOS: brew install nginx; Fedora: dnf install nginx)",
            Self::HaProxy => "haproxy (macOS: brew install haproxy; Fedora: dnf install haproxy)",
            Self::DockerCompose => {
                "docker-compose (macOS: brew install docker-compose; Fedora: dnf install docker-compose)"
            }
            Self::SessionBus => "dbus-run-session (Fedora: dnf install dbus-daemon)",
            Self::Keyring => "gnome-keyring-daemon (Fedora: dnf install gnome-keyring)",
            Self::SecretTool => "secret-tool (Fedora: dnf install libsecret)",
            Self::Chromium => "chromium (macOS: brew install chromium; Fedora: dnf install chromium)",
            Self::HeadlessShell => "chromium-headless-shell (Debian)",
            Self::Chromedriver => {
                "chromedriver (macOS: brew install chromedriver; Fedora: dnf install chromedriver)"
            }
            Self::ImageMagick => {
                "ImageMagick (macOS: brew install imagemagick; Fedora: dnf install ImageMagick)"
            }
            Self::Pango => "Pango's headers (macOS: brew install pango; Fedora: dnf install pango-devel)",
            Self::LibJpeg => {
                "libjpeg's headers (macOS: brew install jpeg; Fedora: dnf install libjpeg-turbo-devel)"
            }
        }
    }
}

/// Makes sure that every need is met: installs with apt as root or through sudo.
///
/// # Errors
/// When something is missing and cannot be installed here; the failure names each thing and how to get it.
pub fn ensure(needs: &[Need]) -> Outcome<()> {
    let missing = unmet(needs);
    if missing.is_empty() {
        return Ok(());
    }
    if has_apt() {
        apt_install(&missing)?;
    }
    match unmet(&missing).as_slice() {
        [] => Ok(()),
        rest => Err(Failure::new(advise(rest))),
    }
}

/// Installs what is faster to have, where apt knows it; without it everything works.
pub fn ensure_if_possible(need: Need) {
    if has_apt() && !need.is_met() && apt_install(&[need]).is_err() {
        eprintln!("going on without it");
    }
}

/// Makes sure that `cargo fmt` and `cargo clippy` work: asks rustup for them if they do not.
///
/// # Errors
/// When they are missing and rustup is, too, or fails.
pub fn ensure_rust_components() -> Outcome<()> {
    let missing: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(command, _)| {
            crate::machine::said(Command::new("cargo").args([*command, "--version"])).is_err()
        })
        .map(|(_, component)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    done(Command::new("rustup").args(["component", "add"]).args(&missing))
        .doing(format!("adding {} to the Rust toolchain", missing.join(" and ")))
}

/// The folder that holds `initdb` and `pg_ctl` of the newest PostgreSQL that is new enough.
pub fn postgres_programs() -> Option<PathBuf> {
    debian_postgres(Path::new("/usr/lib/postgresql")).or_else(|| {
        let folder = program("initdb")?.parent()?.to_path_buf();
        (folder.join("pg_ctl").is_file() && is_new_enough(&folder)).then_some(folder)
    })
}

/// ImageMagick's program: version 7 calls it `magick`, Debian names that of version 6 after its depth.
pub fn imagemagick() -> Option<PathBuf> {
    ["magick", "convert-im6.q16"].into_iter().find_map(program)
}

fn has_headers(library: &str) -> bool {
    crate::machine::said(Command::new("pkg-config").args(["--exists", library])).is_ok()
}

/// Debian keeps each major version in a folder of its own: `<base>/15/bin`.
fn debian_postgres(base: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(base).ok()?.flatten();
    let newest = versions
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|version| *version >= OLDEST_POSTGRES && base.join(format!("{version}/bin/initdb")).is_file())
        .max()?;
    Some(base.join(format!("{newest}/bin")))
}

fn is_new_enough(folder: &Path) -> bool {
    crate::machine::said(Command::new(folder.join("initdb")).arg("--version"))
        .is_ok_and(|text| major_version(&text).is_some_and(|version| version >= OLDEST_POSTGRES))
}

/// 17 from `initdb (PostgreSQL) 17.2 (Homebrew)`.
fn major_version(text: &str) -> Option<u32> {
    let number = text
        .split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Debian ships Python without the part that makes environments.
fn has_venv() -> bool {
    program("python3").is_some()
        && crate::machine::said(Command::new("python3").args(["-c", "import ensurepip, venv"])).is_ok()
}

fn unmet(needs: &[Need]) -> Vec<Need> {
    needs.iter().copied().filter(|need| !need.is_met()).collect()
}

fn apt_install(missing: &[Need]) -> Outcome<()> {
    let packages: Vec<&str> = missing.iter().map(|need| need.apt_package()).collect();
    if !is_root() && program("sudo").is_none() {
        return Err(Failure::new(format!(
            "missing: {0}. Neither root nor sudo is here; as root run: apt-get install --no-install-recommends {0}",
            packages.join(" ")
        )));
    }
    eprintln!("installing {}", packages.join(" "));
    done(&mut apt(&["update", "-qq"]))?;
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    done(&mut apt(&[install.as_slice(), packages.as_slice()].concat()))
}

/// apt-get, as root or through sudo; what it writes goes to standard error, because standard output is the command's own.
fn apt(arguments: &[&str]) -> Command {
    let mut command = Command::new(if is_root() { "env" } else { "sudo" });
    if !is_root() {
        command.arg("env");
    }
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get"])
        .args(arguments)
        .stdout(std::io::stderr());
    command
}

fn advise(missing: &[Need]) -> String {
    let lines: Vec<String> = missing
        .iter()
        .map(|need| format!("  {}", need.advice()))
        .collect();
    format!("please install, then run this again:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_initdb_says() {
        assert_eq!(
            major_version("initdb (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(major_version("initdb (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major_version("no number"), None);
    }

    #[test]
    fn every_missing_thing_is_named_with_its_remedy() {
        let text = advise(&[Need::Nasm, Need::Postgres]);
        assert!(text.contains("brew install nasm"), "{text}");
        assert!(text.contains("15 or newer"), "{text}");
    }

    #[test]
    fn the_newest_debian_postgres_that_has_a_server_is_chosen() {
        let base = std::env::temp_dir().join(format!("playout-xtask-versions-{}", std::process::id()));
        for version in ["9.6", "14", "15", "16"] {
            std::fs::create_dir_all(base.join(version).join("bin")).unwrap();
        }
        for version in ["14", "15"] {
            std::fs::write(base.join(version).join("bin/initdb"), "").unwrap();
        }
        let found = debian_postgres(&base);
        std::fs::remove_dir_all(&base).unwrap();
        assert_eq!(found, Some(base.join("15/bin")));
    }
}
