//! A dashboard as small as can be: tests hold how it is served, whether or not the real one was built.

use playout_server::web::{Asset, Web};

/// The page that starts it.
pub(crate) const INDEX: &str = "<!doctype html><a href=\"%PLAIN%\">plain</a>";
/// Its script, uncompressed and as clients that accept compression get it; the tests compare bytes, and decompress
/// nothing.
pub(crate) const SCRIPT: [&[u8]; 3] = [b"console.log('playout')", b"brotli of it", b"gzip of it"];

pub(super) const DASHBOARD: Web = Web::new(INDEX, &ASSETS);

const ASSETS: [Asset; 2] = [
    Asset {
        name: "index-AbC123.js",
        bytes: SCRIPT[0],
        brotli: Some(SCRIPT[1]),
        gzip: Some(SCRIPT[2]),
    },
    Asset {
        name: "inter-latin-wght-XyZ.woff2",
        bytes: b"wOF2",
        brotli: None,
        gzip: None,
    },
];
