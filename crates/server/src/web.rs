//! The dashboard as `web/` was built: the one page that starts it, and files of immutable names with their packed variants.
//! `api/web.rs` serves them.

include!(concat!(env!("OUT_DIR"), "/dashboard.rs"));

/// A file of the build, under `/assets`. Its name changes with its content.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub content: Content,
}

/// What a file holds.
#[derive(Debug, Clone, Copy)]
pub enum Content {
    /// As it is: packing it gains nothing.
    Plain(&'static [u8]),
    /// Packed in two ways. Clients that take neither are rare enough to unpack it for each of them.
    Packed {
        /// For most browsers.
        brotli: &'static [u8],
        /// For others.
        gzip: &'static [u8],
    },
}

/// The built dashboard.
#[derive(Debug, Clone, Copy)]
pub struct Web {
    pub(crate) index: &'static str,
    pub(crate) assets: &'static [Asset],
}

impl Web {
    /// What was built into this program, if anything was.
    pub fn embedded() -> Option<Self> {
        let index = INDEX?;
        Some(Self::new(index, ASSETS))
    }

    /// This page and these files.
    pub const fn new(index: &'static str, assets: &'static [Asset]) -> Self {
        Self { index, assets }
    }

    /// The file of the dashboard's typeface for Latin text, if it is among them.
    pub fn typeface(self) -> Option<&'static str> {
        let names = self.assets.iter().map(|asset| asset.name);
        let mut latin =
            names.filter(|name| name.starts_with("inter-latin-wght-") && name.ends_with(".woff2"));
        latin.next()
    }
}
