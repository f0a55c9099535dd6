//! Names that other services have for fields of requests.

const OTHER_NAMES: [(&str, &[&str]); 4] = [
    ("content", &["caption", "text", "message", "description", "body"]),
    (
        "platformIds",
        &[
            "accounts",
            "accountids",
            "integrations",
            "integrationids",
            "channels",
        ],
    ),
    (
        "mediaIds",
        &["files", "attachments", "images", "photos", "videos", "video"],
    ),
    (
        "scheduledFor",
        &[
            "date",
            "time",
            "when",
            "at",
            "publishat",
            "publishdate",
            "posttime",
        ],
    ),
];

/// The field that is probably meant by a name that is no other spelling of it: `caption` is `content`.
pub fn field_called(name: &str) -> Option<&'static str> {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let found = OTHER_NAMES
        .iter()
        .find(|(_, names)| names.contains(&letters.as_str()));
    found.map(|(field, _)| *field)
}
