//! What functions take. A tuple hides how many things a function needs and what each of them is, so it is no parameter, unless it
//! is a pair of like things, such as a width and a height. Beyond six parameters, a struct gives each thing a name at the call.

use super::blank::blanked;
use super::functions::{is_word, line_of};
use super::tree::Text;

/// No function has more parameters besides `self`.
pub const MOST_PARAMETERS: usize = 6;

/// Checks every function of every Rust text, those without a body too; returns each broken rule.
pub fn check(texts: &[Text]) -> Vec<String> {
    let rust = texts.iter().filter(|text| text.is_rust());
    let broken = |text: &Text| -> Vec<String> {
        let found = found_in(&text.content).into_iter();
        found
            .map(|(line, what)| format!("{}:{line}: {what}", text.path))
            .collect()
    };
    rust.flat_map(broken).collect()
}

/// The line of each function that breaks a rule, and which rule.
fn found_in(source: &str) -> Vec<(usize, String)> {
    let code = blanked(source);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let Some((name, inner)) = signature(&code, at) else {
            continue;
        };
        let mut parameters = parts(inner);
        parameters.retain(|parameter| !is_self(parameter));
        let line = line_of(&code, at);
        let tuples = parameters.iter().filter(|parameter| is_unlike_tuple(parameter));
        found.extend(tuples.map(|tuple| (line, format!("{name} takes a tuple: {}", on_one_line(tuple)))));
        if parameters.len() > MOST_PARAMETERS {
            let count = parameters.len();
            found.push((
                line,
                format!("{name} has {count} parameters, may have {MOST_PARAMETERS}"),
            ));
        }
    }
    found
}

/// The name of the function whose `fn ` is at `at`, and what stands between its parentheses; `None` if there is no function.
fn signature(code: &str, at: usize) -> Option<(&str, &str)> {
    if code[..at].chars().next_back().is_some_and(is_word) {
        return None;
    }
    let name_on = code[at + 3..].trim_start();
    let (name, after) = name_on.split_at(name_on.find(|c| !is_word(c))?);
    let mut after = after.trim_start();
    if after.starts_with('<') {
        after = after[closing(after)? + 1..].trim_start();
    }
    if name.is_empty() || !after.starts_with('(') {
        return None;
    }
    Some((name, &after[1..closing(after)?]))
}

/// How much deeper into brackets a character leads. The `>` of an arrow closes nothing.
fn deeper(before: char, c: char) -> i32 {
    match c {
        '(' | '[' | '{' | '<' => 1,
        '>' if matches!(before, '-' | '=') => 0,
        ')' | ']' | '}' | '>' => -1,
        _ => 0,
    }
}

/// Each character with where it is, and how deep in brackets what follows it is.
fn with_depths(text: &str) -> impl Iterator<Item = (usize, char, i32)> + '_ {
    let (mut before, mut depth) = (' ', 0);
    text.char_indices().map(move |(at, c)| {
        depth += deeper(before, c);
        before = c;
        (at, c, depth)
    })
}

/// Where the bracket closes with which `text` begins.
pub(super) fn closing(text: &str) -> Option<usize> {
    let end = with_depths(text).find(|(.., depth)| *depth == 0);
    end.map(|(at, ..)| at)
}

/// What stands between the commas that are in no brackets.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let commas = with_depths(text).filter(|(_, c, depth)| *c == ',' && *depth == 0);
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, ..) in commas {
        found.push(text[start..at].trim());
        start = at + 1;
    }
    found.push(text[start..].trim());
    found.retain(|part| !part.is_empty());
    found
}

fn is_self(parameter: &str) -> bool {
    let (pattern, _) = pattern_and_type(parameter);
    pattern.split(|c| !is_word(c)).next_back() == Some("self")
}

/// Whether a parameter is a tuple, by itself or behind a reference, and no pair of two equal types.
fn is_unlike_tuple(parameter: &str) -> bool {
    let (pattern, of) = pattern_and_type(parameter);
    match tuple(without_reference(of)) {
        Some(types) => !is_like_pair(&types),
        // The type has a name, and is a tuple all the same.
        None => tuple(pattern).is_some(),
    }
}

fn is_like_pair(types: &[&str]) -> bool {
    matches!(types, [one, other] if on_one_line(one) == on_one_line(other))
}

/// The elements of a tuple or of a tuple pattern.
fn tuple(text: &str) -> Option<Vec<&str>> {
    if !text.starts_with('(') || closing(text)? + 1 != text.len() {
        return None;
    }
    Some(parts(&text[1..text.len() - 1])).filter(|elements| elements.len() > 1)
}

/// What stands before the colon of a parameter and behind it, attributes apart.
fn pattern_and_type(parameter: &str) -> (&str, &str) {
    let mut rest = parameter;
    while let Some(attribute) = rest.strip_prefix('#') {
        rest = closing(attribute).map_or("", |end| attribute[end + 1..].trim_start());
    }
    let bytes = rest.as_bytes();
    let is_path = |at: usize| bytes.get(at + 1) == Some(&b':') || (at > 0 && bytes[at - 1] == b':');
    let colon = with_depths(rest).find(|(at, c, depth)| *c == ':' && *depth == 0 && !is_path(*at));
    let end = colon.map_or(rest.len(), |(at, ..)| at);
    (rest[..end].trim(), rest[end..].trim_start_matches(':').trim())
}

fn without_reference(of: &str) -> &str {
    let Some(behind) = of.strip_prefix('&') else {
        return of;
    };
    let mut behind = behind.trim_start();
    if behind.starts_with('\'') {
        behind = behind[1..].trim_start_matches(is_word).trim_start();
    }
    behind.strip_prefix("mut ").unwrap_or(behind).trim_start()
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(source: &str) -> Vec<String> {
        let line = |(line, what)| format!("{line}: {what}");
        found_in(source).into_iter().map(line).collect()
    }

    fn is_fine(source: &str) {
        assert_eq!(broken(source), [""; 0], "{source}");
    }

    #[test]
    fn rejects_a_tuple_pattern_and_a_named_tuple() {
        assert_eq!(
            broken("fn one() {}\n\npub async fn two((key, print): (&str, [u8; 32]), at: Time) {}\n"),
            ["3: two takes a tuple: (key, print): (&str, [u8; 32])"]
        );
        assert_eq!(
            broken("fn f(a: u8, mut price: (u64, Option<u64>)) {}"),
            ["1: f takes a tuple: mut price: (u64, Option<u64>)"]
        );
        assert_eq!(
            broken("fn f(\n    span: (\n        Time,\n        Time,\n        Time,\n    ),\n) {}"),
            ["1: f takes a tuple: span: ( Time, Time, Time, )"]
        );
    }

    #[test]
    fn rejects_a_nested_tuple_one_behind_a_reference_and_one_with_a_name() {
        assert_eq!(
            broken("fn f(((a, b), c): ((u8, u8), &str)) {}"),
            ["1: f takes a tuple: ((a, b), c): ((u8, u8), &str)"]
        );
        assert_eq!(
            broken("fn f<'a>(pair: &'a mut (u8, &'a str)) {}"),
            ["1: f takes a tuple: pair: &'a mut (u8, &'a str)"]
        );
        assert_eq!(
            broken("fn f((name, place): Named<'_>) {}"),
            ["1: f takes a tuple: (name, place): Named<'_>"]
        );
    }

    #[test]
    fn rejects_tuples_of_methods_without_a_body_and_behind_attributes() {
        let source = "trait T {\n    fn f(&self, #[expect(dead_code)] pair: (u8, u16)) -> (u8, u16);\n}\n";
        assert_eq!(
            broken(source),
            ["2: f takes a tuple: #[expect(dead_code)] pair: (u8, u16)"]
        );
    }

    #[test]
    fn accepts_a_pair_of_like_things() {
        is_fine("fn f((width, height): (u32, u32), name: &str) {}");
        is_fine("fn f<'a>(names: (&'a str, &'a str), sides: &(u32, u32)) {}");
    }

    #[test]
    fn accepts_tuples_inside_other_types() {
        is_fine("fn f<K, F: Fn((u8, K)) -> (u8, K)>(rows: &[(u8, K)], work: impl Fn((u8, K)) -> K, f: F) {}");
        is_fine("fn f(Path((a, b)): Path<(u8, &str)>, none: (), grouped: &(dyn Fn(u8) + Sync)) {}");
        is_fine("fn f(rows: Vec<u8>) { rows.map(|(a, b): (u8, u16)| a); }\ntype F = fn (u8, (u8, u16));\n");
    }

    #[test]
    fn accepts_what_only_looks_like_a_function() {
        is_fine("// fn f(pair: (u8, u16)) {}\nconst TEXT: &str = \"fn f(pair: (u8, u16)) {}\";\n");
    }

    #[test]
    fn counts_the_parameters_besides_self() {
        is_fine("fn f(&'a mut self, a: A<B, C>, b: u8, c: u8, d: u8, e: u8, f: [u8; 2]) {}");
        is_fine("fn f(self: &Arc<Self>, a: u8, b: u8, c: u8, d: u8, e: u8, f: u8,) {}");
        assert_eq!(
            broken(
                "fn f<const N: usize>(mut self, a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: impl Fn(u8) -> u8) {}"
            ),
            ["1: f has 7 parameters, may have 6"]
        );
        assert_eq!(
            broken("fn f(itself: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {}"),
            ["1: f has 7 parameters, may have 6"]
        );
    }

    #[test]
    fn names_the_file_of_a_broken_rule() {
        let text = |path: &str| Text {
            path: path.to_owned(),
            content: "fn f(pair: (u8, u16)) {}".to_owned(),
        };
        assert_eq!(
            check(&[text("a/tests/b.rs"), text("a/b.sql")]),
            ["a/tests/b.rs:1: f takes a tuple: pair: (u8, u16)"]
        );
    }
}
