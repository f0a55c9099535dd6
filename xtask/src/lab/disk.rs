//! A disk that can be full: a file system in memory, made smaller until nothing more fits, and larger again.
//!
//! Mounting takes root. Without it the run goes on with an ordinary folder that is never full, and reports that.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::{Doing, Outcome};
use crate::machine::{is_root, said};

/// More than any run fills.
const ROOMY: &str = "4g";
/// How often a disk on which others write is made full.
const FILL_TRIES: usize = 20;
/// Waits for the pipe from us to close, however we end, and then takes the file system away.
const GUARDIAN: &str = "cat >/dev/null; umount -l \"$1\"";

/// A folder on a disk of its own, or just a folder.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    guardian: Option<Child>,
}

impl Disk {
    /// Makes the folder, and mounts the file system there if that is allowed.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn at(folder: PathBuf) -> Outcome<Self> {
        std::fs::create_dir_all(&folder).doing(folder.display())?;
        let mut mount = Command::new("mount");
        mount
            .args([
                "-t",
                "tmpfs",
                "-o",
                &format!("size={ROOMY},mode=755"),
                "playout-lab",
            ])
            .arg(&folder);
        let guardian = match is_root() && said(&mut mount).is_ok() {
            true => Some(guard(&folder)?),
            false => None,
        };
        Ok(Self { folder, guardian })
    }

    /// Whether it can be full.
    pub fn has_an_end(&self) -> bool {
        self.guardian.is_some()
    }

    /// Nothing more fits.
    ///
    /// # Errors
    /// When the file system cannot be resized.
    pub fn fill(&self) -> Outcome<()> {
        // Fails when another process has written since it was measured.
        let mut filled = self.fill_as_measured();
        for _ in 1..FILL_TRIES {
            if filled.is_ok() {
                break;
            }
            filled = self.fill_as_measured();
        }
        filled
    }

    fn fill_as_measured(&self) -> Outcome<()> {
        let used = said(
            Command::new("df")
                .args(["--block-size=1", "--output=used"])
                .arg(&self.folder),
        )?;
        let used: u64 = used
            .lines()
            .last()
            .unwrap_or_default()
            .trim()
            .parse()
            .doing("reading df")?;
        self.resize(&used.max(4096).to_string())
    }

    /// There is space again.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn free(&self) -> Outcome<()> {
        self.resize(ROOMY)
    }

    fn resize(&self, size: &str) -> Outcome<()> {
        if !self.has_an_end() {
            return Ok(());
        }
        let options = format!("remount,size={size}");
        said(Command::new("mount").args(["-o", &options]).arg(&self.folder)).map(drop)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if let Some(guardian) = &mut self.guardian {
            drop(guardian.stdin.take());
            // Fails only when the process has been waited for elsewhere.
            let _ = guardian.wait();
        }
    }
}

fn guard(folder: &Path) -> Outcome<Child> {
    let mut guardian = Command::new("sh");
    guardian.args(["-c", GUARDIAN, "guardian"]).arg(folder);
    guardian.stdin(Stdio::piped()).process_group(0).current_dir("/");
    guardian.spawn().doing("starting the guardian of the disk")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_takes_nothing_until_there_is_space_again() {
        let folder = std::env::temp_dir().join(format!("playout-lab-disk-{}", std::process::id()));
        let disk = Disk::at(folder.clone()).unwrap();
        let block = vec![1; 1 << 20];
        std::fs::write(folder.join("first"), &block).unwrap();
        if disk.has_an_end() {
            disk.fill().unwrap();
            assert!(std::fs::write(folder.join("second"), &block).is_err());
            disk.free().unwrap();
        }
        std::fs::write(folder.join("second"), &block).unwrap();
        drop(disk);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
