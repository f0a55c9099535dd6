//! What every code of the provider means: the one table from codes and signals to fates and sentences.
//!
//! Codes are matched whole: `internal` is part of `internal_error`, and `spam_risk` of every spam code. What is not in
//! the table is [`unknown_code`]. Other crates read no code of this provider.

use playout_domain::explanation::{Explanation, WhoActs};
use playout_domain::provider::{Fate, ProviderError};

pub use crate::entry::{Entry, Place};

/// Every code and signal we know.
pub fn table() -> &'static [Entry] {
    crate::catalogue::ENTRIES
}

/// The error for `code`. `said` is the provider's own message, quoted where the code alone explains nothing.
pub(crate) fn error(code: &str, said: &str, log_id: Option<String>) -> ProviderError {
    let (fate, quotes) = match entry(code) {
        Some(entry) => (entry.row.fate, quotes(code)),
        // A code that is not in the table was an explicit rejection: it is final, and never repeated blindly.
        None => (Fate::Rejected, true),
    };
    let explanation = explain(code);
    let message = explanation.message();
    ProviderError {
        fate,
        code: code.to_owned(),
        message: if quotes { quoted(&message, said) } else { message },
        next_step: explanation.next_step,
        log_id,
    }
}

/// The error for one of our own codes, where the provider sent no message.
pub(crate) fn ours(code: &'static str) -> ProviderError {
    error(code, "", None)
}

/// The row of `code`.
pub(crate) fn entry(code: &str) -> Option<&'static Entry> {
    table().iter().find(|entry| entry.row.code == code)
}

/// `code` in plain words, also where it is not in the table.
pub(crate) fn explain(code: &str) -> Explanation {
    if let Some(entry) = entry(code) {
        return entry.row.explanation();
    }
    let (what, next) = if code.starts_with("spam_risk") {
        (
            format!("TikTok judged this post or account risky ({code})."),
            "Change the post, and check in the TikTok app whether the account is restricted, before you try again.",
        )
    } else {
        (
            format!("TikTok refused with a code this service does not know ({code})."),
            "Check the post before you try again.",
        )
    };
    Explanation {
        what_happened: what.into(),
        who_acts: WhoActs::User,
        next_step: next.into(),
        retries: false,
    }
}

/// Codes that mean "something in the request": only the provider's message names it.
fn quotes(code: &str) -> bool {
    matches!(
        code,
        "invalid_param"
            | "invalid_params"
            | "invalid_request"
            | "business_40000"
            | "business_40001"
            | "business_40002"
    )
}

fn quoted(sentence: &str, said: &str) -> String {
    let said = said.trim();
    if said.is_empty() {
        return sentence.to_owned();
    }
    let shortened: String = said.chars().take(300).collect();
    format!("{sentence} TikTok said: \"{shortened}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::COOL_DOWN;
    use std::collections::HashSet;
    use std::time::Duration;

    #[test]
    fn no_code_is_in_the_table_twice() {
        let mut seen = HashSet::new();
        let twice: Vec<_> = table().iter().filter(|e| !seen.insert(e.row.code)).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn every_sentence_is_one_that_a_person_can_act_on() {
        for entry in table() {
            let row = entry.row;
            for sentence in [row.what_happened, row.next_step] {
                assert!(sentence.ends_with('.'), "{}: no sentence: {sentence}", row.code);
                assert!(sentence.len() >= 25, "{}: says too little: {sentence}", row.code);
                assert!(!sentence.contains("  "), "{} has a double space", row.code);
            }
            let names_the_operator = row.next_step.contains("operator");
            let operator_acts = row.who_acts == WhoActs::Operator;
            assert_eq!(operator_acts, names_the_operator, "{}", row.code);
        }
    }

    #[test]
    fn every_code_of_the_reference_has_its_fate() {
        const HOUR: Fate = Fate::Capped(Duration::from_secs(3600));
        for (code, fate) in [
            ("access_token_invalid", Fate::StaleToken),
            ("scope_not_authorized", Fate::Reauthorize),
            ("scope_permission_missed", Fate::Reauthorize),
            ("auth_removed", Fate::Reauthorize),
            ("authorization.removed", Fate::Reauthorize),
            ("invalid_grant", Fate::Reauthorize),
            ("rate_limit_exceeded", Fate::Throttled(COOL_DOWN)),
            ("spam_risk_too_many_posts", HOUR),
            ("reached_active_user_cap", HOUR),
            ("spam_risk_too_many_pending_share", HOUR),
            ("internal", Fate::Repeatable),
            ("video_pull_failed", Fate::Repeatable),
            ("photo_pull_failed", Fate::Repeatable),
            ("internal_error", Fate::Unknown),
            ("server_error", Fate::Unavailable),
            ("temporarily_unavailable", Fate::Unavailable),
            ("connect_error", Fate::Unavailable),
            ("network_error", Fate::Unknown),
            ("timeout", Fate::Unknown),
            ("unreadable_answer", Fate::Unknown),
            ("file_format_check_failed", Fate::Rejected),
            ("duration_check_failed", Fate::Rejected),
            ("frame_rate_check_failed", Fate::Rejected),
            ("picture_size_check_failed", Fate::Rejected),
            ("publish_cancelled", Fate::Rejected),
            ("publish_not_cancellable", Fate::Rejected),
            ("spam_risk_user_banned_from_posting", Fate::Rejected),
            ("spam_risk_text", Fate::Rejected),
            ("spam_risk", Fate::Rejected),
            (
                "unaudited_client_can_only_post_to_private_accounts",
                Fate::Rejected,
            ),
            ("privacy_level_option_mismatch", Fate::Rejected),
            ("app_version_check_failed", Fate::Rejected),
            ("url_ownership_unverified", Fate::Rejected),
            ("invalid_param", Fate::Rejected),
            ("invalid_params", Fate::Rejected),
            ("invalid_file_upload", Fate::Rejected),
            ("invalid_publish_id", Fate::Rejected),
            ("token_not_authorized_for_specified_publish_id", Fate::Rejected),
            ("access_denied", Fate::Rejected),
            ("invalid_client", Fate::Rejected),
            ("unauthorized_client", Fate::Rejected),
            ("invalid_scope", Fate::Rejected),
            ("invalid_request", Fate::Rejected),
            ("unsupported_grant_type", Fate::Rejected),
            ("unsupported_response_type", Fate::Rejected),
        ] {
            assert_eq!(entry(code).map(|e| e.row.fate), Some(fate), "{code}");
        }
    }

    #[test]
    fn codes_are_matched_whole() {
        assert_eq!(error("spam_risk_of_tomorrow", "", None).fate, Fate::Rejected);
        assert!(error("spam_risk_of_tomorrow", "", None).message.contains("risky"));
        assert_eq!(error("internal_errors", "", None).fate, Fate::Rejected);
        assert_ne!(
            error("internal", "", None).message,
            error("internal_error", "", None).message
        );
    }

    #[test]
    fn the_providers_words_are_quoted_where_the_code_explains_nothing() {
        let vague = error("invalid_params", "The chunk size is invalid", None);
        assert!(
            vague
                .message
                .ends_with("TikTok said: \"The chunk size is invalid\"")
        );
        let clear = error("spam_risk_text", "see https://developers.tiktok.com/", None);
        assert!(!clear.message.contains("https://"));
        let long = error("invalid_param", &"x".repeat(10_000), None);
        assert!(long.message.len() < 600);
    }

    #[test]
    fn the_inbox_cap_says_where_to_look() {
        let error = error("spam_risk_too_many_pending_share", "", None);
        assert!(error.message.contains("inbox"), "{}", error.message);
    }
}
