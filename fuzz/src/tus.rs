//! The header fields of resumable uploads.

use playout_wire::tus::{AppendToUpload, CreateUpload};

/// Bytes of the longest upload (`playout_wire::tus`).
const LONGEST_UPLOAD: u64 = 1 << 50;

/// Each line is a header field, `name: value`.
pub(crate) fn tus(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let fields: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(": ")).collect();
    let field = |name: &'static str| {
        let found = fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| (*value).to_owned())
    };
    if let Ok(create) = CreateUpload::read(field) {
        assert!(create.length <= LONGEST_UPLOAD, "{create:?}");
        let name = create.about.file_name.unwrap_or_default();
        assert!(
            !name.contains(['/', '\\']) && !name.contains(char::is_control),
            "{name:?}"
        );
    }
    if let Ok(append) = AppendToUpload::read(field) {
        assert!(append.offset <= LONGEST_UPLOAD, "{append:?}");
        let length = append.checksum.map_or(20, |checksum| checksum.expected.len());
        assert!([20, 32].contains(&length), "a checksum of {length} bytes");
    }
}
