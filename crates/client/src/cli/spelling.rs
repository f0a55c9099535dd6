//! Alternative spellings that are accepted: `posts:create` for `posts create`.

use std::ffi::OsString;

/// The words with subcommands.
const GROUPS: [&str; 8] = [
    "auth",
    "platforms",
    "media",
    "folders",
    "posts",
    "slides",
    "webhooks",
    "keys",
];

/// The options before a command that have a value.
const WITH_VALUE: [&str; 4] = ["--profile", "--api-url", "--api-key", JQ];

const JSON: &str = "--json";
const JQ: &str = "--jq";

/// Splits the command `group:task` in two; other arguments stay unchanged.
pub(super) fn split_colons(arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(at) = command_at(&arguments) else {
        return arguments;
    };
    let text = arguments[at].to_string_lossy().into_owned();
    let Some((group, task)) = text.split_once(':').filter(|(group, _)| GROUPS.contains(group)) else {
        return arguments;
    };
    let mut split = arguments;
    split.splice(at..=at, [OsString::from(group), OsString::from(task)]);
    split
}

/// The index of the first word that is neither an option nor an option's value.
fn command_at(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(argument) = arguments.get(at) {
        let text = argument.to_string_lossy();
        match text.as_ref() {
            "--" => return None,
            option if WITH_VALUE.contains(&option) => at += 2,
            option if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
    None
}

/// Whether `--json` or `--jq` is among the arguments, also if they are invalid otherwise.
pub(super) fn asks_for_json(arguments: &[OsString]) -> bool {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    options.any(|argument| {
        let text = argument.to_string_lossy();
        matches!(text.split('=').next(), Some(JSON | JQ))
    })
}

/// `--json id,state` as `--json=id,state`, for arguments that mean nothing otherwise; `None` if there is no such pair.
pub(super) fn join_fields(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let at = arguments.iter().position(|argument| argument == JSON)?;
    let fields = arguments.get(at + 1)?.to_str()?;
    if fields.starts_with('-') || arguments[..at].iter().any(|argument| argument == "--") {
        return None;
    }
    let mut joined = arguments.to_vec();
    joined.splice(at..at + 2, [OsString::from(format!("{JSON}={fields}"))]);
    Some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        let words = split_colons(arguments).into_iter();
        let words: Vec<String> = words.map(|word| word.into_string().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn a_command_may_be_written_with_a_colon() {
        assert_eq!(split("playout posts:create --now"), "playout posts create --now");
        assert_eq!(
            split("playout --json --profile media:list media:list"),
            "playout --json --profile media:list media list"
        );
    }

    #[test]
    fn nothing_but_the_command_is_split() {
        for line in [
            "playout posts create --caption posts:create",
            "playout open posts:create",
            "playout nonsense:create",
            "playout -- posts:create",
            "playout",
        ] {
            assert_eq!(split(line), line);
        }
    }

    #[test]
    fn fields_may_follow_in_a_word_of_their_own() {
        let join = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let words = join_fields(&arguments)?.into_iter();
            let words: Vec<String> = words.map(|word| word.into_string().unwrap()).collect();
            Some(words.join(" "))
        };
        assert_eq!(
            join("playout posts list --json id,state --limit 1").unwrap(),
            "playout posts list --json=id,state --limit 1"
        );
        for line in [
            "playout posts list --json",
            "playout posts list --json --limit 1",
            "playout usage",
        ] {
            assert_eq!(join(line), None);
        }
    }
}
