//! Finds the functions of a Rust text and counts their lines.

use std::ops::Range;

use super::blank::blanked;

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, without its module or type.
    pub name: String,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// Its lines, from the one with `fn` to the one with the closing brace.
    pub lines: usize,
    /// Whether it stands in a module that is compiled for tests only.
    pub is_test: bool,
}

/// The functions of a Rust text, nested ones too, in order.
pub fn functions(source: &str) -> Vec<Function> {
    let code = blanked(source);
    let tests = test_modules(&code);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if let Some((name, end)) = function_at(&code, at) {
            let line = line_of(&code, at);
            let lines = line_of(&code, end) - line + 1;
            let is_test = tests.iter().any(|module| module.contains(&at));
            found.push(Function {
                name: name.to_owned(),
                line,
                lines,
                is_test,
            });
        }
    }
    found
}

/// How many lines of a Rust text are not in a test module.
pub fn lines_without_tests(source: &str) -> usize {
    let code = blanked(source);
    let tests = test_modules(&code);
    let in_tests: usize = tests
        .iter()
        .map(|module| line_of(&code, module.end) - line_of(&code, module.start) + 1)
        .sum();
    source.lines().count() - in_tests.min(source.lines().count())
}

/// The name and the end of the body of the function whose `fn ` is at `at`; `None` if there is no function or no body.
fn function_at(code: &str, at: usize) -> Option<(&str, usize)> {
    if code[..at].chars().next_back().is_some_and(is_word) {
        return None;
    }
    let name_on = code[at + 3..].trim_start();
    let name = &name_on[..name_on.find(|c| !is_word(c)).unwrap_or(name_on.len())];
    if name.is_empty() {
        return None;
    }
    let open = body(code, at)?;
    Some((name, closing(code, open)?))
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the body's brace opens: the first one outside parentheses and brackets, unless a `;` ends a bodiless declaration.
fn body(code: &str, at: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (offset, c) in code[at..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(at + offset),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where the brace that opens at `open` closes.
fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(open + offset),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// From `#[cfg(test)]` to the closing brace of the module that follows it.
pub(super) fn test_modules(code: &str) -> Vec<Range<usize>> {
    let marks = code.match_indices("#[cfg(test)]").map(|(at, _)| at);
    let module = |at: usize| {
        let open = body(code, at + "#[cfg(test)]".len())?;
        let is_module = code[at..open].split_whitespace().any(|word| word == "mod");
        if is_module {
            Some(at..closing(code, open)?)
        } else {
            None
        }
    };
    marks.filter_map(module).collect()
}

pub(super) fn line_of(code: &str, at: usize) -> usize {
    code[..at].bytes().filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(source: &str) -> Vec<(String, usize, usize)> {
        functions(source)
            .into_iter()
            .map(|f| (f.name, f.line, f.lines))
            .collect()
    }

    fn row(name: &str, line: usize, lines: usize) -> (String, usize, usize) {
        (name.to_owned(), line, lines)
    }

    #[test]
    fn one_line_and_many_lines_are_counted() {
        let source = "fn main() {}\n\npub(crate) async fn wide<T>(\n    a: [u8; 4],\n) -> T\nwhere\n    T: Default,\n{\n    T::default()\n}\n";
        assert_eq!(sizes(source), [row("main", 1, 1), row("wide", 3, 8)]);
    }

    #[test]
    fn braces_in_strings_do_not_end_a_function() {
        let source =
            "fn a() {\n    let s = r#\"\n}\nfn not_a_function() {\n\"#;\n    s.len();\n}\nfn b() {\n}\n";
        assert_eq!(sizes(source), [row("a", 1, 7), row("b", 8, 2)]);
    }

    #[test]
    fn declarations_and_function_types_are_no_functions() {
        let source = "trait T {\n    fn declared(&self, xs: [u8; 2]);\n    fn given(&self) {\n    }\n}\ntype F = fn (u8) -> u8;\n";
        assert_eq!(sizes(source), [row("given", 3, 2)]);
    }

    #[test]
    fn functions_in_test_modules_are_marked() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\nfn c() {}\n";
        let marks: Vec<bool> = functions(source).iter().map(|f| f.is_test).collect();
        assert_eq!(marks, [false, true, false]);
        assert_eq!(lines_without_tests(source), 2);
    }

    #[test]
    fn a_test_only_import_is_no_test_module() {
        let source = "#[cfg(test)]\nuse a::b;\nfn a() {\n}\n#[cfg(test)]\nfn d() {}\n";
        assert_eq!(lines_without_tests(source), 6);
    }
}
