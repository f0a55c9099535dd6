//! The variables of the samples: what each stands for, below the samples that have it.

use super::markdown::Markdown;

/// A variable of a sample.
pub(super) struct Variable {
    pub name: &'static str,
    pub meaning: Markdown,
}

/// Those of the service's address and the key, which the page explains once.
const EXPLAINED_ONCE: [&str; 2] = ["PLAYOUT_API_URL", "PLAYOUT_API_KEY"];

const VARIABLES: [(&str, &str); 18] = [
    (
        "PLATFORM_ID",
        "A connected account: an `id` of [`GET /platforms`](/docs#listPlatforms).",
    ),
    (
        "MEDIA_ID",
        "A file of yours: the `id` that [uploading](/docs#uploadMedia) it returns. For slides it is a photo.",
    ),
    ("OTHER_MEDIA_ID", "A second photo, uploaded like the first."),
    (
        "UPLOAD_ID",
        "A resumable upload: the `id` that [creating](/docs#createUpload) it returns.",
    ),
    (
        "FOLDER_ID",
        "A folder: the `id` that [creating](/docs#createFolder) it returns.",
    ),
    (
        "FILE_URL",
        "The public address of a photo or video, such as `https://example.org/clip.mp4`.",
    ),
    (
        "POST_ID",
        "A post: `results[0].post.root.id` of the response that [created](/docs#createPost) it.",
    ),
    (
        "DRAFT_ID",
        "A post that was created with the `mode` `draft`; its ID as that of every post.",
    ),
    (
        "INBOX_ID",
        "A post that is `ACTION_REQUIRED`, such as one with the setting `post_mode` `MEDIA_UPLOAD`, which the creator finishes in the provider's app.",
    ),
    (
        "WEBHOOK_ID",
        "A webhook: the `id` that [creating](/docs#createWebhook) it returns.",
    ),
    (
        "RECEIVER_URL",
        "An https address of your server, which receives the events, such as `https://example.org/playout`.",
    ),
    (
        "DELIVERY_ID",
        "A delivery: an `id` of the webhook's [deliveries](/docs#listDeliveries).",
    ),
    (
        "DEVICE_CODE",
        "The `device_code` that [beginning](/docs#startDevice) returned.",
    ),
    (
        "USER_CODE",
        "The `user_code` that [beginning](/docs#startDevice) returned, which the program shows.",
    ),
    ("OTHER_CODE", "The `user_code` of another program."),
    (
        "DEVICE_KEY",
        "An API key, such as the `api_key` that [polling](/docs#pollDevice) returned.",
    ),
    (
        "ORGANIZATION_ID",
        "The ID of a workspace, as the dashboard shows it under Settings.",
    ),
    (
        "PLAYOUT_SESSION",
        "The session of a person: the `token` that `POST /app/v1/auth/sign-in` returns. An API key cannot decide this.",
    ),
];

/// The variables of a command for a shell, in the order of the table.
pub(super) fn variables_of(command: &str) -> Vec<Variable> {
    let names: Vec<&str> = names_in(command).collect();
    let used = VARIABLES.iter().filter(|(name, _)| names.contains(name));
    used.map(|(name, meaning)| Variable {
        name,
        meaning: Markdown(meaning),
    })
    .collect()
}

/// The names after each `$`.
fn names_in(command: &str) -> impl Iterator<Item = &str> {
    let after = command.split('$').skip(1);
    let names = after.map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    names.filter(|name| !EXPLAINED_ONCE.contains(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::operations::sections;
    use super::*;

    #[test]
    fn every_variable_of_a_sample_is_explained_and_no_other() {
        let sections = sections();
        let operations = sections.iter().flat_map(|section| &section.operations);
        let commands: Vec<&str> = operations
            .filter_map(|operation| Some(operation.sample.as_ref()?.command()))
            .collect();
        let used: BTreeSet<&str> = commands.iter().flat_map(|command| names_in(command)).collect();
        let explained: BTreeSet<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
        assert_eq!(used, explained);
    }

    #[test]
    fn the_variables_of_a_command_are_those_after_a_dollar_sign() {
        let of = |command| -> Vec<&str> {
            let variables = variables_of(command).into_iter();
            variables.map(|variable| variable.name).collect()
        };
        let command = "curl \"$PLAYOUT_API_URL/x/$OTHER_MEDIA_ID\" -d '[\"$MEDIA_ID\", \"$MEDIA_ID\"]'";
        assert_eq!(of(command), ["MEDIA_ID", "OTHER_MEDIA_ID"]);
        assert!(of("curl \"$PLAYOUT_API_URL\"").is_empty());
    }
}
