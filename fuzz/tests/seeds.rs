//! Every target runs on its seeds: valid files, and hostile ones that once caused a failure.

use std::path::Path;

use playout_fuzz::TARGETS;

#[test]
fn every_target_reads_its_seeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    for target in TARGETS {
        let mut seeds = 0;
        for entry in std::fs::read_dir(root.join(target.name)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            (target.run)(&bytes);
            seeds += 1;
        }
        assert!(seeds > 0, "{} has no seeds", target.name);
    }
}

#[test]
fn every_target_reads_its_seeds_cut_anywhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let quick = TARGETS
        .iter()
        .filter(|target| !["bake", "layout", "jpeg", "webp"].contains(&target.name));
    for target in quick {
        for entry in std::fs::read_dir(root.join(target.name)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            for length in (0..bytes.len()).step_by(1 + bytes.len() / 100) {
                (target.run)(&bytes[..length]);
            }
        }
    }
}
