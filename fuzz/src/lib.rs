//! Every reader of untrusted bytes, as a function of bytes. A target must return: a panic, a stack that grows with the
//! input, memory beyond the target's limit or a minute of work is a finding. `cargo xtask fuzz` runs them.

mod bake;
#[cfg(feature = "service")]
mod bodies;
mod layout;
mod look;
mod media;
#[cfg(feature = "service")]
mod multipart;
#[cfg(feature = "service")]
mod range;
mod signature;
mod tus;

/// One reader, and how to run it.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is also that of its folder of seeds.
    pub name: &'static str,
    /// Reads one input; panics where the reader is wrong.
    pub run: fn(&[u8]),
}

/// All targets. `xtask/src/fuzz.rs` lists them again, with their limits.
pub const TARGETS: &[Target] = &[
    Target {
        name: "mp4",
        run: media::mp4,
    },
    Target {
        name: "webm",
        run: media::webm,
    },
    Target {
        name: "jpeg",
        run: media::jpeg,
    },
    Target {
        name: "webp",
        run: media::webp,
    },
    #[cfg(feature = "service")]
    Target {
        name: "multipart",
        run: multipart::form,
    },
    #[cfg(feature = "service")]
    Target {
        name: "range",
        run: range::range,
    },
    Target {
        name: "tus",
        run: tus::tus,
    },
    #[cfg(feature = "service")]
    Target {
        name: "json",
        run: bodies::json,
    },
    #[cfg(feature = "service")]
    Target {
        name: "form",
        run: bodies::form,
    },
    Target {
        name: "signature",
        run: signature::notification,
    },
    Target {
        name: "layout",
        run: layout::layout,
    },
    Target {
        name: "bake",
        run: bake::bake,
    },
];
