//! `usage`: the plan's limits and what is used of them.

use playout_client::{AccountUsage, Count, Usage};

use super::find::Handles;
use super::moment::here;
use super::platforms::health::window;
use super::report::{Outcome, Report};
use super::screen::{Screen, clean};
use super::session::Session;
use super::table::Column;

const ACCOUNTS: [Column; 4] = [
    Column::cut("ACCOUNT", 12, 4),
    Column::whole("POSTS IN 24 H", 3),
    Column::whole("IN THE INBOX", 2),
    Column::wrap("WAITS FOR", 16, 1),
];

pub(super) async fn run(session: &Session) -> Outcome {
    let api = session.api()?;
    let reply = api.usage().await?;
    let handles = Handles::find(session, &api).await;
    let text = describe(&session.screen, &reply.value, &handles);
    Ok(Report::new(reply.json, text))
}

fn describe(screen: &Screen, usage: &Usage, handles: &Handles) -> String {
    let storage = match usage.storage.limit_bytes {
        Some(limit) => format!("{} of {}", bytes(usage.storage.used_bytes), bytes(limit)),
        None => format!("{}, no limit", bytes(usage.storage.used_bytes)),
    };
    let facts = screen.facts(&[
        ("Plan", Some(clean(&usage.plan))),
        ("Posts this month", Some(count(&usage.posts))),
        ("AI credits this month", Some(count(&usage.ai_credits))),
        ("Counts start again", Some(here().show(usage.month.resets_at))),
        ("Connected accounts", Some(count(&usage.platforms))),
        ("Storage", Some(storage)),
    ]);
    if usage.accounts.is_empty() {
        return facts;
    }
    let rows = usage.accounts.iter().map(|account| account_row(account, handles));
    let rows: Vec<Vec<String>> = rows.collect();
    format!("{facts}\n\n{}", screen.table(&ACCOUNTS, &rows))
}

fn account_row(account: &AccountUsage, handles: &Handles) -> Vec<String> {
    let restrictions = account.restrictions.iter().map(|said| match said.next_try_at {
        Some(at) => format!("{}, tried at {}", clean(&said.code), here().show(at)),
        None => clean(&said.code),
    });
    let waits: Vec<String> = restrictions.collect();
    vec![
        handles.with_id(&account.platform_id),
        window(&account.direct_posts),
        window(&account.inbox_shares),
        if waits.is_empty() {
            "-".to_owned()
        } else {
            waits.join("; ")
        },
    ]
}

fn count(count: &Count) -> String {
    match count.limit {
        Some(limit) => format!("{} of {limit}", count.used),
        None => format!("{}, no limit", count.used),
    }
}

/// A size for people; a megabyte is 10⁶ bytes.
pub(super) fn bytes(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let value = bytes as f64;
    match units.iter().find(|(_, size)| value >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", value / size),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_are_said_in_powers_of_a_thousand() {
        let said = [0, 999, 1000, 1_500_000, 2_000_000_000].map(super::bytes);
        assert_eq!(said, ["0 B", "999 B", "1.0 kB", "1.5 MB", "2.0 GB"]);
    }
}
