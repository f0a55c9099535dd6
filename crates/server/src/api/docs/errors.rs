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
## Why a media object has failed

`failure` of a PENDING media object is the reason why it will never be READY: the code of a refusal from the table above, such as
`invalid_media_file`, or one of its own. It is removed after a day.

| Code | What happened | What next |
|---|---|---|
| `import_failed` | The file could not be fetched; `message` says why: the address does not answer, answers with an error, or needs longer than 10 minutes. | Open the address in a browser without signing in. Import it again, or upload the file. |
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
