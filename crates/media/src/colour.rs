//! Converts wide-gamut pictures to sRGB, so that they keep their colours when the profile is stripped.
//!
//! Bounds: a profile of 10 MB or more is ignored, and so are tables larger than moxcms takes (10,000,000 entries of a cube,
//! 40,000 of a curve).

use std::panic::{AssertUnwindSafe, catch_unwind};

use moxcms::{ColorProfile, Layout, TransformOptions};
use playout_domain::media::MimeType;

use crate::raster::Raster;
use crate::webp_chunks;

/// The embedded profile of a file whose pixels are not sRGB already.
pub(crate) fn foreign_profile(mime: MimeType, file: &[u8]) -> Option<Vec<u8>> {
    let profile = match mime {
        MimeType::Jpeg => playout_jpeg::icc_profile(file),
        MimeType::Webp => webp_chunks::profile(file).map(<[u8]>::to_vec),
        MimeType::Mp4 | MimeType::Webm | MimeType::QuickTime => None,
    };
    profile.filter(|profile| !calls_itself_srgb(profile))
}

/// `raster` in sRGB. A profile that is damaged, or for another kind of colour, changes nothing.
pub(crate) fn to_srgb(mut raster: Raster, profile: &[u8]) -> Raster {
    // Third-party code on hostile input: better the wrong shade than no picture.
    let converted = catch_unwind(AssertUnwindSafe(|| convert(&raster.rgb, profile)));
    if let Ok(Some(rgb)) = converted {
        raster.rgb = rgb;
    }
    raster
}

fn convert(rgb: &[u8], profile: &[u8]) -> Option<Vec<u8>> {
    let source = ColorProfile::new_from_slice(profile).ok()?;
    let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
    let transform = source
        .create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, options)
        .ok()?;
    let mut converted = vec![0; rgb.len()];
    transform.transform(rgb, &mut converted).ok()?;
    Some(converted)
}

/// Profiles of sRGB have that name in their description, in ASCII or UTF-16.
fn calls_itself_srgb(profile: &[u8]) -> bool {
    let says = |name: &[u8]| profile.windows(name.len()).any(|window| window == name);
    says(b"sRGB") || says(b"s\0R\0G\0B")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn red() -> Raster {
        Raster {
            width: 1,
            height: 1,
            rgb: vec![200, 60, 50],
        }
    }

    #[test]
    fn a_display_p3_red_becomes_a_stronger_srgb_red() {
        let profile = ColorProfile::new_display_p3().encode().unwrap();
        let converted = to_srgb(red(), &profile).rgb;
        assert!(converted[0] > 205 && converted[1] < 60, "{converted:?}");
    }

    #[test]
    fn a_damaged_profile_changes_nothing() {
        assert_eq!(to_srgb(red(), b"no profile at all").rgb, red().rgb);
    }
}
