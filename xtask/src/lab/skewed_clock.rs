//! A clock of its own for each process: a small library, loaded before the C library, adds an offset to the time of day.
//!
//! It is ours because libfaketime ends in a segmentation fault in programs that bring an allocator of their own, and leaves
//! shared memory behind for each process that is killed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Doing, Outcome};
use crate::machine::said;

const SOURCE: &str = include_str!("skewed_clock.c");

/// The compiled library; nothing where the system is not Linux, and clocks cannot be skewed.
#[derive(Debug)]
pub struct SkewedClock(Option<PathBuf>);

impl SkewedClock {
    /// Compiles the library in a folder.
    ///
    /// # Errors
    /// When it does not compile.
    pub fn build(folder: &Path) -> Outcome<Self> {
        if !cfg!(target_os = "linux") {
            return Ok(Self(None));
        }
        let (source, library) = (folder.join("skewed_clock.c"), folder.join("skewed_clock.so"));
        std::fs::write(&source, SOURCE).doing(source.display())?;
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-shared", "-fPIC", "-o"]);
        said(compiler.arg(&library).arg(&source)).doing("compiling the skewed clock")?;
        Ok(Self(Some(library)))
    }

    /// Whether clocks can differ.
    pub fn is_possible(&self) -> bool {
        self.0.is_some()
    }

    /// Lets the clock of a process that is about to start be fast by so much; below 0: slow.
    pub fn skew(&self, command: &mut Command, offset_ms: i64) {
        if let Some(library) = &self.0
            && offset_ms != 0
        {
            command
                .env("LD_PRELOAD", library)
                .env("LAB_CLOCK_OFFSET_MS", offset_ms.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::epoch_micros;

    #[test]
    fn a_skewed_process_sees_another_time() {
        let folder = std::env::temp_dir().join(format!("playout-lab-clock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let clock = SkewedClock::build(&folder).unwrap();
        let offsets: &[i64] = if clock.is_possible() {
            &[-15_300, 0, 15_300]
        } else {
            &[]
        };
        for offset_ms in offsets {
            let mut date = Command::new("date");
            date.arg("+%s%3N");
            clock.skew(&mut date, *offset_ms);
            let shown: i64 = said(&mut date).unwrap().trim().parse().unwrap();
            let off_by_ms = shown - epoch_micros() / 1000 - offset_ms;
            assert!((-5000..=1).contains(&off_by_ms), "{off_by_ms}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
