//! The names of a media object's files in the storage.

use playout_domain::provider::PhotoLimits;

/// The digits of a storage key ([`crate::chance::token`]).
const KEY_DIGITS: usize = 32;

/// Where the preview of the file under `storage_key` is kept.
pub(crate) fn preview_key(storage_key: &str) -> String {
    format!("{storage_key}.preview.webp")
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
        "" | ".preview.webp" => true,
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
        for file in [key.clone(), preview_key(&key), rendition_key(&key, limits)] {
            assert_eq!(storage_key_of(&file), Some(key.as_str()), "{file}");
        }
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
