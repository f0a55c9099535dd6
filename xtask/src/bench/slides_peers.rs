//! What others' slides cost beside ours: each peer is a script of `xtask/peers`, run between two runs of our own on the same
//! photos and captions, and compared picture by picture.

mod figures;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::figures::{Cost, Pictures, costs, row};
use super::row::{Limit, Row};
use super::slides_example::example;
use crate::failure::{Doing, Outcome};
use crate::install::{self, Need, imagemagick};
use crate::machine::{done, program, said};

/// Every tool on one thread, as far as it listens to the environment.
const ONE_THREAD: [(&str, &str); 5] = [
    ("UV_THREADPOOL_SIZE", "1"),
    ("VIPS_CONCURRENCY", "1"),
    ("MAGICK_THREAD_LIMIT", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("RAYON_NUM_THREADS", "1"),
];

/// What others bake captions with.
struct Peer {
    name: &'static str,
    script: &'static str,
    /// What must be on the machine before the script's language is looked for.
    needs: &'static [Need],
    /// What the script imports, to see whether it was installed.
    imports: &'static str,
}

const fn peer(name: &'static str, script: &'static str, imports: &'static str) -> Peer {
    Peer {
        name,
        script,
        imports,
        needs: &[],
    }
}

const PEERS: [Peer; 9] = [
    peer("Pillow", "pillow.py", "PIL"),
    peer("Pillow + pilmoji", "pillow_emoji.py", "pilmoji"),
    peer("node-canvas", "canvas.mjs", "canvas"),
    peer("@napi-rs/canvas", "napi_canvas.mjs", "@napi-rs/canvas"),
    peer("sharp, SVG tuned", "sharp_tuned.mjs", "sharp"),
    peer("sharp, SVG as commonly written", "sharp_usual.mjs", "sharp"),
    peer("satori + resvg", "satori.mjs", "@resvg/resvg-js"),
    Peer {
        needs: &[Need::Chromium],
        ..peer("headless Chromium", "chromium.mjs", "playwright-core")
    },
    Peer {
        needs: &[Need::ImageMagick],
        ..peer("ImageMagick", "magick.py", "json")
    },
];

/// Where the scripts run, and with what.
struct Place {
    scripts: PathBuf,
    photos: PathBuf,
    fonts: PathBuf,
    python: PathBuf,
}

/// A row for each peer: its CPU, ours being 1.
///
/// # Errors
/// When a script fails although what it needs is there, or our own path does.
pub fn compared() -> Outcome<Vec<Row>> {
    let place = Place::prepare()?;
    PEERS.iter().map(|peer| place.compare(peer)).collect()
}

impl Place {
    /// Installs the peers below `target/`, and writes what they are given.
    fn prepare() -> Outcome<Self> {
        let scripts = crate::root().join("target/peers");
        let place = Self {
            photos: scripts.join("photos"),
            fonts: crate::root().join("crates/captions/fonts"),
            python: scripts.join("python/bin/python"),
            scripts,
        };
        std::fs::create_dir_all(&place.photos).doing(place.photos.display())?;
        copy(&crate::root().join("xtask/peers"), &place.scripts)?;
        std::fs::write(place.scripts.join("fonts.conf"), place.fontconfig()).doing("writing fonts.conf")?;
        // Whatever cannot be installed is missed by the peers that import it.
        let steps = [place.install_npm(), place.install_python()];
        steps
            .into_iter()
            .filter_map(Result::err)
            .for_each(|failure| eprintln!("{failure}"));
        let photos = place.photos.display().to_string();
        done(&mut example(&["write", &photos]))?;
        done(
            place
                .node()
                .arg("prepare.mjs")
                .args([&place.photos, &place.fonts]),
        )?;
        Ok(place)
    }

    /// The packages from npm. node-canvas is compiled, unless that fails.
    fn install_npm(&self) -> Outcome<()> {
        install::ensure(&[Need::Node])?;
        if let Err(failure) = install::ensure(&[Need::Compiler, Need::PkgConfig, Need::Pango, Need::LibJpeg])
        {
            eprintln!("{failure}");
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--silent", "--no-audit", "--no-fund"]);
        // Of what node-canvas can read, photos are enough: so it needs the headers of no more libraries.
        npm.env("GYP_DEFINES", "with_gif=false with_rsvg=false");
        let lock = self.scripts.join("package-lock.json");
        once(
            npm.current_dir(&self.scripts),
            (&lock, &self.scripts.join("node_modules")),
        )
    }

    fn install_python(&self) -> Outcome<()> {
        install::ensure(&[Need::Python])?;
        let venv = self.scripts.join("python");
        if !self.python.exists() {
            done(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        }
        let list = self.scripts.join("requirements.txt");
        let mut pip = Command::new(&self.python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        once(pip.arg("--requirement").arg(&list), (&list, &venv))
    }

    /// No font but ours, for those that ask the system for fonts.
    fn fontconfig(&self) -> String {
        let (fonts, cache) = (self.fonts.display(), self.scripts.join("font-cache"));
        let cache = cache.display();
        format!("<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>\n")
    }

    fn node(&self) -> Command {
        self.started("node".as_ref())
    }

    fn started(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.scripts).envs(ONE_THREAD);
        command.env("FONTCONFIG_FILE", self.scripts.join("fonts.conf"));
        command
    }

    fn compare(&self, peer: &Peer) -> Outcome<Row> {
        let what = format!("peer {}: CPU", peer.name);
        if let Err(failure) = self.find(peer) {
            let why = failure.to_string();
            let why = format!(
                "is not on this machine: {}",
                why.lines().next().unwrap_or_default()
            );
            return Ok(Row::new(what, f64::NAN, Limit::None, "ours").remark(why));
        }
        let before = self.ours()?;
        let theirs = costs(&said(&mut self.script(peer))?)?;
        let pictures = Pictures {
            before,
            theirs,
            after: self.ours()?,
        };
        row(what, &pictures).doing(peer.name)
    }

    /// Whether a peer can be run.
    fn find(&self, peer: &Peer) -> Outcome<()> {
        install::ensure(peer.needs)?;
        let import = peer.imports;
        if peer.script.ends_with(".py") {
            return said(Command::new(&self.python).args(["-c", &format!("import {import}")])).map(drop);
        }
        let import = format!("await import('{import}')");
        said(self.node().args(["--input-type=module", "--eval", &import])).map(drop)
    }

    fn script(&self, peer: &Peer) -> Command {
        let is_python = peer.script.ends_with(".py");
        let mut command = if is_python {
            self.started(&self.python)
        } else {
            self.node()
        };
        let name = peer.script.split('.').next().unwrap_or_default();
        command
            .arg(peer.script)
            .args([&self.photos, &self.fonts])
            .arg(name);
        // Each takes the program that it runs, if it runs one.
        let runs = if is_python {
            imagemagick()
        } else {
            program("chromium")
        };
        command.args(runs);
        command
    }

    /// Our path on the pictures that the peers get.
    fn ours(&self) -> Outcome<Vec<Cost>> {
        costs(&said(&mut example(&[
            "beside",
            &self.photos.display().to_string(),
        ]))?)
    }
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Outcome<()> {
    for entry in std::fs::read_dir(from).doing(from.display())? {
        let path = entry.doing(from.display())?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            std::fs::copy(&path, to.join(name)).doing(path.display())?;
        }
    }
    Ok(())
}

/// Runs a command unless it ran for the same list before; a stamp in the folder records that.
fn once(command: &mut Command, (list, folder): (&Path, &Path)) -> Outcome<()> {
    let (wanted, stamp) = (
        std::fs::read(list).doing(list.display())?,
        folder.join("installed.txt"),
    );
    if std::fs::read(&stamp).ok().as_ref() == Some(&wanted) {
        return Ok(());
    }
    done(command)?;
    std::fs::write(&stamp, wanted).doing(stamp.display())
}
