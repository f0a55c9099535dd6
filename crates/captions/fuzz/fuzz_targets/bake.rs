//! Any bytes as a picture, with a caption's patch over it: a slide that can be decoded, or a refusal.
//!
//! The first byte says how the picture fills the canvas and where the patch lies; the others are the file. Begin with real
//! pictures, or the fuzzer spends its time on inventing headers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use playout_captions::{Compositor, Fit, Patch};

fuzz_target!(|data: &[u8]| {
    let Some((how, file)) = data.split_first() else {
        return;
    };
    let fit = if how & 1 == 0 { Fit::Cover } else { Fit::Contain };
    let patch = Patch {
        left: u32::from(how & 0b1110) * 40,
        top: u32::from(how >> 4) * 120,
        width: 160,
        height: 96,
        rgba: [[0; 4], [90, 60, 30, 90], [255; 4]].concat().repeat(160 * 96 / 3),
    };
    if let Ok(slide) = Compositor::new().bake_patch(file, &patch, fit) {
        let header = turbojpeg::read_header(&slide).expect("a slide is a JPEG");
        assert_eq!((header.width, header.height), (1080, 1920));
    }
});
