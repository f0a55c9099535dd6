//! Which of some names was probably meant, for a name that is none of them.

/// From this likeness on a name is suggested, of 1 for the same.
const ALIKE: f64 = 0.6;

/// A shorter beginning of a name is no hint of it.
const SHORTEST_BEGINNING: usize = 4;

/// The name that is most like `key`, if one is like it: `privacyLevel` is `privacy_level`.
pub(crate) fn nearest<'a>(key: &str, names: &[&'a str]) -> Option<&'a str> {
    let key = folded(key);
    let alike = names.iter().map(|name| (likeness(&key, &folded(name)), *name));
    alike
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// How like two names are: 1 for the same. The beginning of a name is like it.
fn likeness(key: &str, name: &str) -> f64 {
    let alike = strsim::normalized_damerau_levenshtein(key, name);
    match key.len() >= SHORTEST_BEGINNING && name.starts_with(key) {
        true => alike.max(ALIKE),
        false => alike,
    }
}

/// Without what differs between ways of writing names of several words.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_suggested_for_another_spelling_or_a_slip_and_for_nothing_else() {
        let names = &["privacy_level", "allow_comment", "allow_duet", "is_aigc", "title"];
        for (key, name) in [
            ("privacyLevel", Some("privacy_level")),
            ("PRIVACY-LEVEL", Some("privacy_level")),
            ("privacy_lvel", Some("privacy_level")),
            ("privacy", Some("privacy_level")),
            ("isAigc", Some("is_aigc")),
            ("allowComments", Some("allow_comment")),
            ("titel", Some("title")),
            ("location", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(key, names), name, "{key:?}");
        }
    }
}
