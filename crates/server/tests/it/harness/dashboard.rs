//! A dashboard as small as can be: tests hold how it is served, whether or not the real one was built.

use playout_server::web::{Asset, Content, Web};

/// The page that starts it.
pub(crate) const INDEX: &str = "<!doctype html><a href=\"%PLAIN%\">plain</a>";
/// Its script, uncompressed and as clients that accept compression get it; the tests compare bytes.
pub(crate) const SCRIPT: [&[u8]; 3] = [
    b"console.log('playout')",
    b"brotli of it",
    b"\x1f\x8b\x08\0\0\0\0\0\x02\xffK\xce\xcf+\xce\xcfI\xd5\xcb\xc9O\xd7P/\xc8I\xac\xcc/-Q\xd7\x04\0F&\x87x\x16\0\0\0",
];

pub(super) const DASHBOARD: Web = Web::new(INDEX, &ASSETS);

const ASSETS: [Asset; 2] = [
    Asset {
        name: "index-AbC123.js",
        content: Content::Packed {
            brotli: SCRIPT[1],
            gzip: SCRIPT[2],
        },
    },
    Asset {
        name: "inter-latin-wght-XyZ.woff2",
        content: Content::Plain(b"wOF2"),
    },
];
