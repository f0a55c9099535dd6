//! The headers of tus 1.0.0, the protocol of resumable uploads (tus.io).
//!
//! Limits: lengths and offsets up to 2⁵⁰, 8 KiB of metadata, each pair of which is compared with those before it.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use playout_domain::error::{Issue, IssueCode, PathStep, Violation};
use playout_domain::id::FolderId;
use playout_domain::media::{MediaType, clean_file_name};

use crate::read::parse_uuid;

/// The supported version of the protocol.
pub const VERSION: &str = "1.0.0";
/// The supported extensions.
pub const EXTENSIONS: &str = "creation,creation-with-upload,termination,checksum,expiration";
/// The algorithms of `Upload-Checksum`.
pub const CHECKSUM_ALGORITHMS: &str = "sha1,sha256";
/// The content type of appended bytes.
pub const OFFSET_OCTET_STREAM: &str = "application/offset+octet-stream";

/// No file is larger, whatever the plan: sums of lengths must not overflow.
const MAX_LENGTH: u64 = 1 << 50;
/// The longest `Upload-Metadata`, in bytes.
const MAX_METADATA_BYTES: usize = 8192;

/// Some clients omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A request to begin an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateUpload {
    /// The file's length in bytes.
    pub length: u64,
    /// `Upload-Metadata`, verbatim.
    pub metadata: Option<String>,
    /// The parsed metadata.
    pub about: Metadata,
}

/// The contents of `Upload-Metadata`: the same as the parts of an upload form, under the names that clients of the protocol use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// `filename`, `fileName` or `name`, cleaned.
    pub file_name: Option<String>,
    /// `filetype` or `mimeType`, as given.
    pub mime_type: Option<String>,
    /// `mediaType`.
    pub media_type: Option<MediaType>,
    /// `folderId`.
    pub folder_id: Option<FolderId>,
}

impl CreateUpload {
    /// Parses the headers that `header` returns by name; all problems at once.
    pub fn read(header: impl Fn(&'static str) -> Option<String>) -> Result<Self, Vec<Issue>> {
        let mut issues = Vec::new();
        for (name, problem) in NOT_SPOKEN {
            if header(name).is_some() {
                issues.push(Issue::field(name, IssueCode::NotSupported.with(problem)));
            }
        }
        let length = match header("Upload-Length").map(|text| parse_size(&text)) {
            Some(Some(length)) => length,
            None if header("Upload-Defer-Length").is_some() => 0,
            _ => {
                let violation = IssueCode::Format.with("must be the file's length in bytes");
                issues.push(Issue::field("Upload-Length", violation));
                0
            }
        };
        let metadata = header("Upload-Metadata").filter(|text| !text.trim().is_empty());
        let about = Metadata::read(metadata.as_deref().unwrap_or_default());
        match about {
            Ok(about) if issues.is_empty() => Ok(Self {
                length,
                metadata,
                about,
            }),
            about => {
                issues.extend(about.err().unwrap_or_default());
                Err(issues)
            }
        }
    }
}

/// Headers of unsupported extensions. They are rejected, because ignoring them would change the upload.
const NOT_SPOKEN: [(&str, &str); 2] = [
    (
        "Upload-Defer-Length",
        "is not supported; name the length in Upload-Length",
    ),
    (
        "Upload-Concat",
        "is not supported; send the parts one after another",
    ),
];

impl Metadata {
    /// Parses an `Upload-Metadata` header; all problems at once.
    pub fn read(header: &str) -> Result<Self, Vec<Issue>> {
        if header.len() > MAX_METADATA_BYTES {
            let problem = format!("must have at most {MAX_METADATA_BYTES} bytes");
            return Err(vec![Issue::field(METADATA, IssueCode::TooLong.with(problem))]);
        }
        if !header.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(vec![Issue::field(
                METADATA,
                IssueCode::Format.with("must be visible ASCII"),
            )]);
        }
        let (mut pairs, mut issues) = (Vec::<(&str, String)>::new(), Vec::new());
        for pair in header.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            match BASE64.decode(value.trim()) {
                _ if pairs.iter().any(|(known, _)| *known == key) => {
                    issues.push(issue(key, IssueCode::Duplicate.with("is there twice")));
                }
                Ok(bytes) => pairs.push((key, String::from_utf8_lossy(&bytes).trim().to_owned())),
                Err(_) => issues.push(issue(key, IssueCode::Format.with("must be base64"))),
            }
        }
        let about = Self::of(&pairs, &mut issues);
        if issues.is_empty() { Ok(about) } else { Err(issues) }
    }

    /// Empty values count as absent, as in a form.
    fn of(pairs: &[(&str, String)], issues: &mut Vec<Issue>) -> Self {
        let find = |names: &[&str]| {
            let given = |name: &&str| pairs.iter().find(|(key, text)| key == name && !text.is_empty());
            names.iter().find_map(given).map(|(_, text)| text.as_str())
        };
        let media_type = match find(&["mediaType"]) {
            Some("image") => Some(MediaType::Image),
            Some("video") => Some(MediaType::Video),
            Some(_) => {
                issues.push(issue("mediaType", Violation::one_of(&["image", "video"])));
                None
            }
            None => None,
        };
        let folder = find(&["folderId"]).filter(|text| *text != "null");
        let folder_id = folder.and_then(parse_uuid);
        if folder.is_some() && folder_id.is_none() {
            issues.push(issue(
                "folderId",
                IssueCode::Format.with("must be a UUID or null"),
            ));
        }
        let name = find(&["filename", "fileName", "name"]).map(clean_file_name);
        Self {
            file_name: name.filter(|name| !name.is_empty()),
            mime_type: find(&["filetype", "mimeType"]).map(str::to_owned),
            media_type,
            folder_id,
        }
    }
}

const METADATA: &str = "Upload-Metadata";

fn issue(key: &str, violation: Violation) -> Issue {
    Issue::at([METADATA.into(), PathStep::from(key.to_owned())], violation)
}

/// The algorithm of an `Upload-Checksum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// `sha1`
    Sha1,
    /// `sha256`
    Sha256,
}

/// An `Upload-Checksum` header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The expected digest.
    pub expected: Vec<u8>,
}

/// A request to append bytes to an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendToUpload {
    /// Their position.
    pub offset: u64,
    /// Their checksum.
    pub checksum: Option<Checksum>,
}

impl AppendToUpload {
    /// Parses the headers that `header` returns by name; all problems at once.
    pub fn read(header: impl Fn(&'static str) -> Option<String>) -> Result<Self, Vec<Issue>> {
        let offset = header("Upload-Offset").and_then(|text| parse_size(&text));
        let offset = offset.ok_or_else(|| {
            Issue::field(
                "Upload-Offset",
                IssueCode::Format.with("must be a number of bytes"),
            )
        });
        match (offset, Checksum::read(header("Upload-Checksum").as_deref())) {
            (Ok(offset), Ok(checksum)) => Ok(Self { offset, checksum }),
            (offset, checksum) => Err(offset.err().into_iter().chain(checksum.err()).collect()),
        }
    }
}

impl Checksum {
    /// Parses an `Upload-Checksum` header, if there is one.
    pub fn read(header: Option<&str>) -> Result<Option<Self>, Issue> {
        let Some(header) = header else { return Ok(None) };
        let (name, value) = header.trim().split_once(' ').unwrap_or((header, ""));
        let (algorithm, length) = match name {
            "sha1" => (Algorithm::Sha1, 20),
            "sha256" => (Algorithm::Sha256, 32),
            _ => {
                let problem = format!("must be computed by one of {CHECKSUM_ALGORITHMS}");
                return Err(Issue::field(
                    "Upload-Checksum",
                    IssueCode::UnknownValue.with(problem),
                ));
            }
        };
        match BASE64.decode(value.trim()) {
            Ok(expected) if expected.len() == length => Ok(Some(Self { algorithm, expected })),
            _ => {
                let problem = format!("must be {length} bytes in base64");
                Err(Issue::field("Upload-Checksum", IssueCode::Format.with(problem)))
            }
        }
    }
}

/// Digits only, up to the largest length of a file.
fn parse_size(text: &str) -> Option<u64> {
    let digits = Some(text.trim()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|size| *size <= MAX_LENGTH)
}

#[cfg(test)]
mod tests {
    use playout_domain::error::Refusal;
    use proptest::prelude::*;

    use super::*;

    fn paths(issues: Vec<Issue>) -> String {
        let details = Refusal::invalid(issues).details.unwrap();
        let paths = details.as_array().unwrap().iter();
        paths
            .map(|issue| issue["path"].to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn create(headers: &[(&'static str, &str)]) -> Result<CreateUpload, String> {
        let find = |name| headers.iter().find(|(known, _)| *known == name);
        CreateUpload::read(|name| find(name).map(|(_, value)| (*value).to_owned())).map_err(paths)
    }

    #[test]
    fn metadata_speak_of_the_file_under_the_names_that_clients_use() {
        let folder = "0196f3a0-0000-7000-8000-000000000001";
        let header = format!(
            "filename {}, filetype dmlkZW8vbXA0,mediaType dmlkZW8, folderId {},is_confidential,other",
            BASE64.encode("C:\\kites\\Drachen-ä.mp4"),
            BASE64.encode(folder)
        );
        let about = Metadata::read(&header).unwrap();
        assert_eq!(about.file_name.as_deref(), Some("Drachen-ä.mp4"));
        assert_eq!(about.mime_type.as_deref(), Some("video/mp4"));
        assert_eq!(about.media_type, Some(MediaType::Video));
        assert_eq!(about.folder_id, parse_uuid(folder));
        for nothing in [
            "",
            "filename,mediaType,folderId",
            "folderId bnVsbA==",
            "name Lw==",
        ] {
            assert_eq!(
                Metadata::read(nothing).unwrap(),
                Metadata::default(),
                "{nothing:?}"
            );
        }
    }

    #[test]
    fn every_problem_of_a_creation_is_named() {
        let wrong = create(&[
            ("Upload-Length", "-1"),
            ("Upload-Concat", "partial"),
            (
                "Upload-Metadata",
                "a %%,a YQ==,mediaType YXVkaW8=,a YQ==,folderId eA==",
            ),
        ]);
        let expected = r#"["Upload-Concat"] ["Upload-Length"] ["Upload-Metadata","a"] ["Upload-Metadata","a"] ["Upload-Metadata","mediaType"] ["Upload-Metadata","folderId"]"#;
        assert_eq!(wrong.unwrap_err(), expected);
        assert_eq!(create(&[]).unwrap_err(), r#"["Upload-Length"]"#);
        let deferred = create(&[("Upload-Defer-Length", "1")]).unwrap_err();
        assert_eq!(deferred, r#"["Upload-Defer-Length"]"#);
    }

    #[test]
    fn a_length_is_digits_alone() {
        for (text, length) in [
            ("0", Some(0)),
            ("1125899906842624", Some(1 << 50)),
            ("1125899906842625", None),
        ] {
            assert_eq!(parse_size(text), length, "{text}");
        }
        for wrong in [
            "",
            "+1",
            "-1",
            "1.0",
            "1e3",
            "0x1",
            "١",
            "99999999999999999999999",
            "1 1",
        ] {
            assert_eq!(parse_size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_checksum_has_a_known_algorithm_and_its_length() {
        let sha1 = Checksum::read(Some("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="))
            .unwrap()
            .unwrap();
        assert_eq!((sha1.algorithm, sha1.expected.len()), (Algorithm::Sha1, 20));
        for wrong in [
            "",
            "sha1",
            "sha1 Kq5s",
            "md5 XrY7u+Ae7tCTyyK7j1rNww==",
            "SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        ] {
            assert!(Checksum::read(Some(wrong)).is_err(), "{wrong:?}");
        }
        assert_eq!(Checksum::read(None), Ok(None));
    }

    proptest! {
        #[test]
        fn no_header_makes_the_reader_panic(text in ".{0,60}", pairs in "[a-zI ,=+/]{0,60}") {
            let _either = (Metadata::read(&text), Metadata::read(&pairs), Checksum::read(Some(&text)));
        }
    }
}
