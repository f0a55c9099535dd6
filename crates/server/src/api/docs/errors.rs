//! `docs/errors.md`: every error code of the API, and every code that an attempt can end with, from the tables in the code. A
//! test writes the page.

use playout_domain::error::Code;
use playout_domain::explanation::{OWN, Row, WhoActs};
use playout_tiktok::errors::{Place, table};

use crate::api::error::status_of;

const HEAD: &str = "<!-- Made from crates/domain/src/error.rs, crates/domain/src/explanation.rs and crates/tiktok/src/catalogue.rs. -->

# Errors

A request that is rejected has an error of the API, at once. A post that was accepted and does not go out has attempts, and each of them a code. Branch on
codes: texts are for people and may change.

## Errors of the API

Every error is `{ code, message, details? }`. In `results` of a created or validated post the same codes are given with the platform they
are about. `invalid_request` has the status 431 where the head of a request, its first line and headers, is larger than 64 KiB.

| Status | Code | When |
|---|---|---|
";

const ATTEMPTS: &str = "
## Warnings

A request that succeeds may have `warnings`, each `{ code, message }`: in `results` of created and validated posts, in the responses of editing, scheduling and publishing a
post, and in the slides of `POST /slides/composite`. They change nothing.

| Code | When |
|---|---|
| `ignored_field` | The body has a field that there is not, or `scheduledFor` with the `mode` `now`; it is ignored. `path` is its place, `suggestion` the field that was probably meant. |
| `unknown_setting` | `settings` has a name that the platform does not know; it is kept, and has no effect. `path` is its place, `suggestion` the setting that was probably meant. |
| `held` | Publications are held, as after a restore. |
| `account_restricted` | The provider has refused posts of this account lately, and may go on. |
| `daily_posts_likely_used_up` | The account's posts of 24 hours are likely used up at that time. |
| `inbox_shares_likely_used_up` | The unfinished posts in the creator's inbox are likely used up at that time. |
| `starts_later` | More posts of the account go out at about that time than the provider takes in a minute. |
| `caption_not_sent` | A video for the inbox goes there without its text and settings. |
| `missing_glyphs` | No font has some characters of a slide's caption; `characters` lists them. |

## Codes of the command-line client

`playout` prints the error of the API that it received, or one of its own:

| Exit code | Code | When |
|---|---|---|
| 1 | `post_failed` | A post that was waited for is in ERROR; `message` is its `errorText`. |
| 1 | `post_action_required` | A post that was waited for is in ACTION_REQUIRED; `message` is its `errorText`. |
| 1 | `still_queued` | A post that was waited for is still in QUEUE at the end of `--timeout`. |
| 1 | `post_is_draft` | A post that was waited for is a draft. |
| 1 | `post_has_no_time` | A post has no time that `--by` could move. |
| 1 | `no_public_page` | A post has no page to open. |
| 1 | `not_connected` | No account was connected in time. |
| 1 | `not_delivered` | The receiver of a webhook did not take the test event. |
| 1 | `workspace_not_found` | The person has no such workspace. |
| 1 | `expired_token` | A code for signing in was not approved in time. |
| 2 | `usage` | The command is not one that can be run; nothing was done. |
| 2 | `file_error` | A file cannot be read or written. Exit code 6: the output could not be written, and the command was done. |
| 2 | `invalid_filter` | The program of `--jq` cannot be run; nothing was done. |
| 2 | `import_running` | Another import runs on this machine. |
| 2 | `import_interrupted` | An import has not ended, and began so long ago that its rows could be created twice. |
| 3 | `not_signed_in` | There is no key. |
| 2, 3 | `keyring_error` | The keyring of the desktop does not store the key (2), or does not return it (3). |
| 4 | `network_error` | The service was not reached, or the connection broke. |
| 5 | `unexpected_answer` | The response is not one of Playout: another program may be at the address. |
| 5 | `internal_error` | The client failed, or the service did. |
| 6 | `filter_failed` | The program of `--jq` failed; the command was done. |
| 6 | `unknown_field` | A field of `--json=` is not in the output; the command was done. |
| 6 | `not_sent` | Rows of an import were not sent, or have no response. |
| 1, 6 | `invalid_row` | A row of an import cannot be read, or names a file that cannot. |
| of the first problem | `problems_found` | `doctor` has found something. |
| 130 | `interrupted` | Ctrl-C; `message` has what was done. |

## Why a media object has failed

`failure` of a PENDING media object is the reason why it will never be READY: the code of a refusal from the table above, such as
`invalid_media_file`, or one of its own. It is removed after a day.

| Code | What happened | What next |
|---|---|---|
| `import_failed` | The file could not be fetched; `message` says why: the address does not answer, answers with an error, needs longer than 10 minutes, or is a private one, which the service does not connect to. | Open the address in a browser without signing in. Import it again, or upload the file (`POST /media`, `playout media upload`), as is to be done with one at a private address. |
| `processing_failed` | The service tried twice to process the file, and each time the process ended or an internal error occurred. | Upload the file again; if that fails too, export it again. The operator finds the upload in the log by its ID. |

## Codes of attempts

`GET /posts/{id}/attempts` shows each with `code` and `explanation`. The post's `errorText` describes its present state, for people: often
in the same sentences with the code behind them, but it may add the time of the next try, quote the last error after 24 hours of
tries, or say only what to do, as for a post in the creator's inbox. Programs read the code of the last attempt; a post that
waits for a limit of its account before anything was sent has none yet. *By itself*: the engine
retries it automatically, for 24 hours at most. A code that is not listed here is unknown to this version: it counts as a
refusal, and the provider's own words are in `message`.

";

/// The page.
fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| (status_of(*code).as_u16(), code.as_str()));
    for code in &codes {
        let status = status_of(*code).as_u16();
        page.push_str(&format!(
            "| {status} | `{}` | {} |\n",
            code.as_str(),
            code.meaning()
        ));
    }
    page.push_str(ATTEMPTS);
    page.push_str(&section("Found by this service", OWN.iter().copied()));
    for (place, title) in PLACES {
        let rows = table()
            .iter()
            .filter(|entry| entry.place == place)
            .map(|entry| &entry.row);
        page.push_str(&section(title, rows));
    }
    page
}

const PLACES: [(Place, &str); 7] = [
    (Place::Anywhere, "TikTok, at any call"),
    (Place::Init, "TikTok, when a post is submitted"),
    (Place::Upload, "TikTok, while a video is sent"),
    (Place::Status, "TikTok, when it reports a post's status"),
    (Place::OAuth, "TikTok, while connecting or renewing access"),
    (Place::Business, "TikTok, by the business connection"),
    (Place::Transport, "TikTok does not answer clearly"),
];

fn section<'a>(title: &str, rows: impl Iterator<Item = &'a Row>) -> String {
    let mut text = format!(
        "### {title}\n\n| Code | What happened | Who acts | What next | By itself |\n|---|---|---|---|---|\n"
    );
    for row in rows {
        let explanation = row.explanation();
        let who = match row.who_acts {
            WhoActs::User => "you",
            WhoActs::Operator => "the operator",
            WhoActs::Nobody => "nobody",
        };
        let retries = if explanation.retries { "yes" } else { "no" };
        text.push_str(&format!(
            "| `{}` | {} | {who} | {} | {retries} |\n",
            row.code, row.what_happened, row.next_step
        ));
    }
    text.push('\n');
    text
}

/// Rewrites the page when a table has changed, and fails once, so that the change is seen and committed.
#[test]
fn the_page_of_errors_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let page = page();
    let page = format!("{}\n", page.trim_end());
    if std::fs::read_to_string(path).unwrap_or_default() != page {
        std::fs::write(path, page).unwrap();
        panic!("docs/errors.md was out of date and is rewritten now; commit it");
    }
}

#[test]
fn every_place_of_the_providers_table_is_on_the_page_and_no_code_is_there_twice() {
    let mut codes: Vec<&str> = OWN.iter().map(|row| row.code).collect();
    for entry in table() {
        assert!(
            PLACES.iter().any(|(place, _)| *place == entry.place),
            "{}",
            entry.row.code
        );
        codes.push(entry.row.code);
    }
    let all = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all);
}
