//! Lists that the provider returns page by page, newest first: where a list goes on, and when what follows is older than what is wanted.

use std::ops::RangeInclusive;

use playout_domain::time::Time;
use serde_json::Value;

use crate::envelope::integer;

/// What follows a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// Nothing: it was the last.
    End,
    /// The page at this cursor.
    Page(i64),
    /// More, but the provider does not say where; or it does not say whether there are more.
    Unknown,
}

impl After {
    /// By the data of the page that was requested with `cursor`. A cursor that does not move on leads nowhere.
    pub(crate) fn read(data: &Value, cursor: Option<i64>) -> Self {
        let has_more = data.get("has_more").and_then(Value::as_bool);
        let next = data.get("cursor").and_then(integer);
        match (has_more, next.filter(|next| Some(*next) != cursor)) {
            (Some(false), _) => Self::End,
            (Some(true), Some(next)) => Self::Page(next),
            (Some(true), None) | (None, _) => Self::Unknown,
        }
    }
}

/// Whether a list has the newest first, as far as it was read. Pinned entries, for one, may come before newer ones.
#[derive(Debug, Default)]
pub(crate) struct NewestFirst {
    is_broken: bool,
    last: Option<Time>,
}

impl NewestFirst {
    /// Takes in when the next entry was made; `None` if it does not say.
    pub(crate) fn take(&mut self, made: Option<&RangeInclusive<Time>>) {
        let made = made.map(|made| *made.end());
        self.is_broken |= made.is_none() || self.last.is_some_and(|last| made > Some(last));
        self.last = made;
    }

    /// Whether all that follows is from before `since`; the provider's times are whole seconds.
    pub(crate) fn is_past(&self, since: Time) -> bool {
        self.oldest()
            .is_some_and(|oldest| oldest.as_secs() < since.as_secs())
    }

    /// When the last entry was made, which all that follow are older than; `None` if the order does not show that.
    pub(crate) fn oldest(&self) -> Option<Time> {
        self.last.filter(|_| !self.is_broken)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_says_what_follows_it_or_that_it_is_unknown() {
        let after = |cursor: Value, has_more: Value, requested| {
            After::read(&json!({ "cursor": cursor, "has_more": has_more }), requested)
        };
        assert_eq!(after(json!(5), json!(true), None), After::Page(5));
        assert_eq!(after(json!("6"), json!(true), Some(5)), After::Page(6));
        assert_eq!(after(json!(5), json!(true), Some(5)), After::Unknown);
        assert_eq!(after(Value::Null, json!(true), Some(5)), After::Unknown);
        assert_eq!(after(json!(6), json!(false), Some(5)), After::End);
        assert_eq!(after(Value::Null, json!(false), None), After::End);
        assert_eq!(after(json!(6), Value::Null, Some(5)), After::Unknown);
        assert_eq!(after(Value::Null, Value::Null, None), After::Unknown);
        assert_eq!(After::read(&json!({}), None), After::Unknown);
    }

    #[test]
    fn what_follows_an_old_entry_is_older_only_where_the_newest_come_first() {
        let at = |seconds: i64| Time::from_secs(1_795_000_000 + seconds);
        let is_past = |times: &[i64]| {
            let mut list = NewestFirst::default();
            times
                .iter()
                .for_each(|time| list.take(Some(&(at(*time)..=at(*time)))));
            list.is_past(at(0))
        };
        assert!(is_past(&[7, 7, -1]));
        assert!(!is_past(&[7, 0]));
        assert!(!is_past(&[-9, 7, -1]), "the first is pinned");
        assert!(!is_past(&[]));
    }
}
