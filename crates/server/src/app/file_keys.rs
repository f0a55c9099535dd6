//! The names of a media object's files in the storage.

use playout_domain::media::MimeType;
use playout_domain::provider::PhotoLimits;

/// The digits of a storage key ([`crate::chance::token`]).
const KEY_DIGITS: usize = 32;

/// What the names of previews end with: JPEGs, and WebPs that earlier versions made.
const PREVIEW_ENDINGS: [&str; 2] = [".preview.jpg", ".preview.webp"];

/// Where the preview of the file under `storage_key` is kept.
pub(crate) fn preview_key(storage_key: &str) -> String {
    format!("{storage_key}{}", PREVIEW_ENDINGS[0])
}

/// Everywhere that the preview of the file under `storage_key` may be.
pub(crate) fn preview_keys(storage_key: &str) -> [String; 2] {
    PREVIEW_ENDINGS.map(|ending| format!("{storage_key}{ending}"))
}

/// The type of the preview under that key.
pub(crate) fn preview_mime(preview_key: &str) -> MimeType {
    match preview_key.ends_with(PREVIEW_ENDINGS[0]) {
        true => MimeType::Jpeg,
        false => MimeType::Webp,
    }
}

/// Where the rendition of the photo under `storage_key` under these limits is kept.
pub fn rendition_key(storage_key: &str, limits: PhotoLimits) -> String {
    let (long, short) = (limits.max_long_side, limits.max_short_side);
    format!("{storage_key}.{long}x{short}.jpg")
}

/// The storage key of the media object that a file belongs to by its name; `None` for files that the service did not write.
/// A media object has its own file, a preview ([`preview_key`]) and renditions ([`rendition_key`]).
pub(crate) fn storage_key_of(file_key: &str) -> Option<&str> {
    let (storage_key, ending) = file_key.split_at_checked(KEY_DIGITS)?;
    let is_key = storage_key
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_ours = match ending {
        "" => true,
        _ if PREVIEW_ENDINGS.contains(&ending) => true,
        _ => ending
            .strip_prefix('.')
            .and_then(|ending| ending.strip_suffix(".jpg"))
            .is_some_and(is_size),
    };
    (is_key && is_ours).then_some(storage_key)
}

/// Whether the text is two numbers such as `1920x1080`.
fn is_size(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('x')
        .is_some_and(|(long, short)| is_number(long) && is_number(short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;

    #[test]
    fn every_kind_of_file_leads_to_its_media_object() {
        let key = chance::token();
        let limits = PhotoLimits {
            max_short_side: 1080,
            max_long_side: 1920,
            max_bytes: 20_000_000,
        };
        let [preview, old_preview] = preview_keys(&key);
        for file in [key.clone(), preview, old_preview, rendition_key(&key, limits)] {
            assert_eq!(storage_key_of(&file), Some(key.as_str()), "{file}");
        }
    }

    #[test]
    fn a_preview_has_the_type_that_it_was_made_with() {
        let [preview, old_preview] = preview_keys("0123456789abcdef0123456789abcdef");
        assert_eq!(preview_key("0123456789abcdef0123456789abcdef"), preview);
        assert_eq!(preview_mime(&preview), MimeType::Jpeg);
        assert_eq!(preview_mime(&old_preview), MimeType::Webp);
    }

    #[test]
    fn other_files_lead_to_none() {
        let key = "0123456789abcdef0123456789abcdef";
        for file in [
            "",
            "notes.txt",
            &key[..31],
            &format!("{key}0"),
            &format!("{key}.jpg"),
            &format!("{key}.1920x.jpg"),
            &format!("{key}.1920x1080.png"),
            &format!("{key}.preview.webp.bak"),
            &format!("{key}#0"),
            &format!("media/{key}"),
            &key.to_uppercase(),
            "ü123456789abcdef0123456789abcdef",
            "0123456789abcdef0123456789abcdeü",
        ] {
            assert_eq!(storage_key_of(file), None, "{file}");
        }
    }
}
