//! Lists that the provider returns page by page, newest first: where a list goes on, and when what follows is older than what is wanted.

use std::ops::RangeInclusive;
use std::time::Duration;

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

/// The most entries that the provider lets come before newer ones: an account pins up to three posts, and one comment under a post.
const MOST_PINNED: usize = 3;

/// Whether a list has the newest first, and whether all that follows is from before a time, as far as it was read.
///
/// Pinned entries come before newer ones, and a page may have fewer entries than it was requested with: the provider leaves out what it
/// does not show after it has cut the list into pages. So a first page may have pinned entries alone, which are in order and show
/// nothing of what follows.
#[derive(Debug)]
pub(crate) struct NewestFirst {
    since: Time,
    is_broken: bool,
    last: Option<Time>,
    entries: usize,
    /// Whether an entry is not from before `since`.
    has_newer: bool,
    /// The entries at the end of the last page.
    entries_before: usize,
    /// The pages that had entries, and those of them that ended before `since`.
    pages: usize,
    pages_past: usize,
}

impl NewestFirst {
    /// A list of what was made since `since`, of which nothing was read.
    pub(crate) const fn since(since: Time) -> Self {
        Self {
            since,
            is_broken: false,
            last: None,
            entries: 0,
            has_newer: false,
            entries_before: 0,
            pages: 0,
            pages_past: 0,
        }
    }

    /// Takes in when the next entry was made; `None` if it does not say.
    pub(crate) fn take(&mut self, made: Option<&RangeInclusive<Time>>) {
        let made = made.map(|made| *made.end());
        self.is_broken |= made.is_none() || self.last.is_some_and(|last| made > Some(last));
        self.has_newer |= made.is_some_and(|made| !self.is_before(made));
        self.entries += 1;
        self.last = made;
    }

    /// The page ends with the entry that was taken in last. A page without entries shows nothing.
    pub(crate) fn end_page(&mut self) {
        if self.entries == self.entries_before {
            return;
        }
        self.entries_before = self.entries;
        self.pages += 1;
        self.pages_past += usize::from(self.last.is_some_and(|last| self.is_before(last)));
    }

    /// Whether all that follows the pages is from before `since`: an entry from before it follows a newer one, or a second page ends
    /// before it too.
    pub(crate) fn is_past(&self) -> bool {
        let is_before = self.oldest().is_some_and(|oldest| self.is_before(oldest));
        is_before && (self.has_newer || self.pages_past > 1)
    }

    /// From when on the pages have everything, if more may follow; `None` if they do not show that.
    pub(crate) fn whole_since(&self) -> Option<Time> {
        let oldest = self.oldest().filter(|oldest| !self.is_before(*oldest));
        oldest.map(|oldest| oldest.plus(Duration::from_secs(1)))
    }

    /// When the last entry was made, which all that follow are older than; `None` if the order does not show that, or the entry may be
    /// pinned.
    fn oldest(&self) -> Option<Time> {
        let may_be_pinned = self.pages < 2 && self.entries <= MOST_PINNED;
        self.last.filter(|_| !self.is_broken && !may_be_pinned)
    }

    /// The provider's times are whole seconds.
    const fn is_before(&self, made: Time) -> bool {
        made.as_secs() < self.since.as_secs()
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

    fn at(seconds: i64) -> Time {
        Time::from_secs(1_795_000_000 + seconds)
    }

    /// A list from second 0 on, of which pages with entries of these seconds were read.
    fn list(pages: &[&[i64]]) -> NewestFirst {
        let mut list = NewestFirst::since(at(0));
        for page in pages {
            page.iter()
                .for_each(|time| list.take(Some(&(at(*time)..=at(*time)))));
            list.end_page();
        }
        list
    }

    #[test]
    fn what_follows_an_old_entry_is_older_only_where_the_newest_come_first() {
        assert!(list(&[&[7, 7, 7, -1]]).is_past());
        assert!(list(&[&[7, 7], &[-1]]).is_past());
        assert!(!list(&[&[7, 7, 7, 0]]).is_past());
        assert!(!list(&[&[-9, 7, 7, -1]]).is_past(), "the first is pinned");
        assert!(!list(&[]).is_past());
    }

    #[test]
    fn a_first_page_that_may_have_pinned_entries_alone_shows_nothing_of_what_follows() {
        assert!(!list(&[&[-1]]).is_past());
        assert!(!list(&[&[-1, -2, -3, -4]]).is_past(), "nothing newer came before");
        assert!(!list(&[&[7, -1]]).is_past(), "both may be pinned");
        assert!(!list(&[&[-1], &[]]).is_past(), "the second page is empty");
        assert!(!list(&[&[-1], &[7, -2]]).is_past(), "newer ones follow");
        assert!(list(&[&[-1], &[-2]]).is_past());
        assert!(list(&[&[-1], &[], &[-2]]).is_past());
    }

    #[test]
    fn a_list_that_breaks_off_is_whole_only_down_to_an_entry_that_is_not_pinned() {
        assert_eq!(list(&[&[9, 8, 7, 6]]).whole_since(), Some(at(7)));
        assert_eq!(list(&[&[9], &[8]]).whole_since(), Some(at(9)));
        assert_eq!(list(&[&[9, 8]]).whole_since(), None);
        assert_eq!(list(&[&[-1, -2, -3, -4]]).whole_since(), None);
    }
}
