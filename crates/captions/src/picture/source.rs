//! What is known of a picture before its pixels are decoded.

use std::borrow::Cow;

use turbojpeg::DecompressHeader;

use crate::orientation::Orientation;

/// A picture whose header was read and is within the limits; no pixel of it is decoded yet.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a [u8],
    pub(crate) format: Format,
    /// Width and height as stored.
    pub(crate) size: (usize, usize),
    pub(crate) orientation: Orientation,
    /// The colour profile, unless the colours are those of sRGB.
    pub(crate) profile: Option<Cow<'a, [u8]>>,
}

/// What kind of file a picture is.
#[derive(Debug)]
pub(crate) enum Format {
    Jpeg(DecompressHeader),
    Webp,
}

/// Whether a profile is of other colours than sRGB. Profiles of sRGB have that name in their description, in ASCII or UTF-16.
pub(super) fn is_foreign(profile: &[u8]) -> bool {
    let says = |name: &[u8]| memchr::memmem::find(profile, name).is_some();
    !says(b"sRGB") && !says(b"s\0R\0G\0B")
}
