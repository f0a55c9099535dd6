//! Rust text with everything blanked that is not code, so that braces and keywords can be counted by simple means.

/// Replaces comments, strings and character literals by spaces. Lines stay where they are.
pub fn blanked(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = non_code(rest, out.chars().next_back());
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let (skipped, after) = rest.split_at(length);
            out.extend(skipped.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = after;
        }
    }
    out
}

/// How many bytes at the start of `text` are a comment, a string or a character; 0 when it starts with code.
fn non_code(text: &str, before: Option<char>) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return block_comment(text);
    }
    // `r` and `b` only begin a literal where no identifier is going on, as in `number"`.
    let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let prefix = if inside_word { 0 } else { literal_prefix(text) };
    let body = &text[prefix..];
    match body.chars().next() {
        Some('#' | '"') if text[..prefix].contains('r') => {
            raw_string(body).map_or(0, |length| prefix + length)
        }
        Some('"') => prefix + quoted(body, '"'),
        Some('\'') if is_char(body) => prefix + quoted(body, '\''),
        _ => 0,
    }
}

fn literal_prefix(text: &str) -> usize {
    ["br", "cr", "b", "c", "r"]
        .iter()
        .find(|prefix| text.starts_with(**prefix) && text[prefix.len()..].starts_with(['"', '#', '\'']))
        .map_or(0, |prefix| prefix.len())
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// `#"…"#` with any number of `#`; `None` for a raw identifier such as `r#type`.
fn raw_string(body: &str) -> Option<usize> {
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(
        inner
            .find(&end)
            .map_or(body.len(), |at| hashes + 1 + at + end.len()),
    )
}

/// The length of a literal with its quotes and escapes.
fn quoted(body: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in body.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    body.len()
}

/// Distinguishes `'a'` and `'\n'` from the lifetime `'a`.
fn is_char(body: &str) -> bool {
    let mut chars = body.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn comments_and_literals_become_spaces() {
        assert_eq!(blanked("a // {\nb"), "a     \nb");
        assert_eq!(
            blanked("a /* { /* } */ { */ b"),
            format!("a {} b", " ".repeat(17))
        );
        assert_eq!(blanked(r#"f("{ \" }")"#), format!("f({})", " ".repeat(8)));
        assert_eq!(
            blanked("f('{', '\\'', b'}')"),
            format!("f({}, {}, {})", "   ", "    ", "    ")
        );
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        assert_eq!(
            blanked(r###"f(r#"{ " "#, 1)"###),
            format!("f({}, 1)", " ".repeat(9))
        );
        assert_eq!(blanked("f(br\"\\\")"), format!("f({})", " ".repeat(5)));
    }

    #[test]
    fn lifetimes_and_raw_identifiers_are_code() {
        let code = "fn f<'a>(r#type: &'a str, b: u8) {}";
        assert_eq!(blanked(code), code);
    }

    #[test]
    fn lines_keep_their_numbers() {
        let source = "let a = \"one\ntwo\";\nlet b = 1;";
        assert_eq!(blanked(source).lines().count(), 3);
    }
}
