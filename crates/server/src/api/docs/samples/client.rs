//! The commands of `playout` that call an operation, with what its example sends.

/// The command; `None` for an operation that has none of its own, which the test below lists.
pub(super) fn sample(operation: &str) -> Option<&'static str> {
    let found = COMMANDS.iter().find(|(known, _)| *known == operation);
    found.map(|(_, command)| *command)
}

const COMMANDS: [(&str, &str); 34] = [
    ("listPlatforms", "playout platforms list"),
    ("getPlatformSchema", "playout platforms schema \"$PLATFORM_ID\""),
    ("getPlatformHealth", "playout platforms health \"$PLATFORM_ID\""),
    ("uploadMedia", "playout media upload photo.jpg --name kite-1.jpg"),
    (
        "importMedia",
        "playout media import \"$FILE_URL\" --name kite.mp4 --no-wait",
    ),
    ("listMedia", "playout media list --type image --limit 1"),
    ("getMedia", "playout media get \"$MEDIA_ID\""),
    (
        "updateMedia",
        "playout media move \"$MEDIA_ID\" \"$FOLDER_ID\" --name first-flight.jpg",
    ),
    ("deleteMedia", "playout media delete \"$OTHER_MEDIA_ID\""),
    ("createFolder", "playout folders create Kites"),
    ("listFolders", "playout folders list"),
    (
        "renameFolder",
        "playout folders rename \"$FOLDER_ID\" \"Kites 2026\"",
    ),
    ("deleteFolder", "playout folders delete \"$FOLDER_ID\""),
    (
        "validatePost",
        "playout posts validate --platform \"$PLATFORM_ID\" --caption \"First flight #kites\" \\\n  \
         --media \"$MEDIA_ID\" --setting privacy_level=FOLLOWER_OF_CREATOR --now",
    ),
    (
        "createPost",
        "playout posts create --platform \"$PLATFORM_ID\" --caption \"First flight #kites\" \\\n  \
         --media \"$MEDIA_ID\" --setting privacy_level=SELF_ONLY \\\n  \
         --at 2026-11-21T18:30:00+01:00 --idempotency-key \"first-flight-$MEDIA_ID\"",
    ),
    (
        "listPosts",
        "playout posts list --from 2026-11-16T00:00:00Z --to 2026-11-23T00:00:00Z --state QUEUE",
    ),
    ("getPost", "playout posts get \"$POST_ID\""),
    (
        "updatePost",
        "playout posts edit \"$POST_ID\" --caption \"First flight, second try #kites\"",
    ),
    (
        "schedulePost",
        "playout posts reschedule \"$POST_ID\" --at 2026-11-22T09:00:00+01:00",
    ),
    ("unschedulePost", "playout posts unschedule \"$POST_ID\""),
    ("publishPost", "playout posts publish \"$DRAFT_ID\""),
    ("listAttempts", "playout posts attempts \"$DRAFT_ID\""),
    ("markPostPublished", "playout posts mark-published \"$INBOX_ID\""),
    ("deletePost", "playout posts delete \"$POST_ID\""),
    ("getKey", "playout api GET /key"),
    ("getUsage", "playout usage"),
    (
        "createWebhook",
        "playout webhooks create \"$RECEIVER_URL\" --events post.published,post.failed,post.action_required \\\n  \
         --idempotency-key \"first-webhook-$RECEIVER_URL\"",
    ),
    ("listWebhooks", "playout webhooks list"),
    ("testWebhook", "playout webhooks trigger \"$WEBHOOK_ID\""),
    ("deleteWebhook", "playout webhooks delete \"$WEBHOOK_ID\""),
    ("followEvents", "playout webhooks listen --events post.published"),
    (
        "compositeSlides",
        "playout slides composite \"$MEDIA_ID\" \"$OTHER_MEDIA_ID\" --style box \\\n  \
         --caption \"Three kites, one wind\" --caption \"Guess which one came down first\"",
    ),
    (
        "previewSlide",
        "playout slides preview \"$MEDIA_ID\" --caption \"Three kites, one wind\" \\\n  \
         --position bottom --width 270 --output answer.jpg",
    ),
    (
        "proposeCaptions",
        "playout slides captions \"Why kites fly, for children\" --count 3 --language en \\\n  \
         --length short --media \"$MEDIA_ID\"",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::COMMANDS;
    use crate::api::openapi::document;

    /// The operations that have no command of their own: `playout api` sends any request.
    const WITHOUT_COMMAND: [&str; 17] = [
        "appendToUpload",
        "approveDevice",
        "createPosts",
        "createUpload",
        "denyDevice",
        "getDevice",
        "getServerMetadata",
        "getWebhook",
        "listDeliveries",
        "pollDevice",
        "readUpload",
        "redeliver",
        "revokeToken",
        "rotateWebhookSecret",
        "startDevice",
        "terminateUpload",
        "updateWebhook",
    ];

    #[test]
    fn every_operation_has_a_command_or_is_listed_as_one_without() {
        let paths = document()["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|methods| methods.as_object().unwrap().values());
        let described: BTreeSet<&str> = operations
            .filter_map(|operation| operation["operationId"].as_str())
            .collect();
        let with_command = COMMANDS.iter().map(|(operation, _)| *operation);
        let listed: BTreeSet<&str> = with_command.chain(WITHOUT_COMMAND).collect();
        assert_eq!(described, listed, "left: the reference, right: the tables");
        assert_eq!(
            listed.len(),
            COMMANDS.len() + WITHOUT_COMMAND.len(),
            "one is in both"
        );
    }
}
