//! The captions of the bench: one fixed list, which the peers get, too.

/// A group and a caption a line, with a tab between.
pub(crate) const LIST: &str = include_str!("captions.tsv");

/// What is baked before anything is measured; not on the list.
pub(crate) const WARM_UP: &str = "Warming up";

/// The group whose captions have colour emoji; no other has.
pub(crate) const EMOJI: &str = "emoji";

/// Every group and caption, in order.
pub(crate) fn all() -> Vec<(&'static str, &'static str)> {
    let pair = |line: &'static str| line.split_once('\t').expect("a group, a tab, a caption");
    LIST.lines().map(pair).collect()
}

/// The captions with colour emoji, or those without.
pub(crate) fn with_emoji(wanted: bool) -> Vec<&'static str> {
    let all = all().into_iter();
    let chosen = all.filter(|(group, _)| (*group == EMOJI) == wanted);
    chosen.map(|(_, caption)| caption).collect()
}

/// How many captions each group has, in words.
pub(crate) fn counted() -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for (group, _) in all() {
        match groups.last_mut() {
            Some((last, count)) if *last == group => *count += 1,
            _ => groups.push((group, 1)),
        }
    }
    let words = groups.iter().map(|(group, count)| format!("{count} {group}"));
    words.collect::<Vec<_>>().join(", ")
}
