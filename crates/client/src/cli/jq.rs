//! `--jq PROGRAM`: a document filtered by a program in the language of jq (<https://jqlang.org/manual/>), as the crate jaq runs it.

use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data};
use jaq_json::{Val, bstr, read};
use playout_client::{Error, Kind};

use super::text::brief;

/// The tables of jq (<https://jqlang.org/manual/#format-strings-and-escaping>), which jaq has outside its standard library.
const TABLES: &str = r#"
def _cell(string): if . == null then "" elif type == "string" then string
  elif type == "array" or type == "object" then error("\(type) cannot be a cell") else tojson end;
def @csv: map(_cell("\"" + gsub("\""; "\"\"") + "\"")) | join(",");
def @tsv: map(_cell(gsub("\\\\"; "\\\\") | gsub("\t"; "\\t") | gsub("\n"; "\\n") | gsub("\r"; "\\r"))) | join("\t");
"#;

/// How much of an error of a program is shown, which may have a whole document, in columns.
const MOST_SHOWN: usize = 200;
/// The stack of a program, which may recurse. What is not used of it takes no memory.
pub(super) const STACK_BYTES: usize = 1 << 30;

type Compiled = jaq_core::Filter<data::JustLut<Val>>;

/// Checks that a text is a program.
///
/// # Errors
/// `invalid_filter` if it is not one; the message has the place.
pub(super) fn check(text: &str) -> Result<(), Error> {
    compiled(text).map(drop)
}

/// The outputs of a program for a document, each on a line: strings as they are, everything else as JSON; or why it failed. `halt` ends them.
pub(super) fn evaluate(program: &str, document: &str) -> Result<String, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = || outputs(&compiled(program).map_err(|error| error.message)?, document);
        let running = thread.spawn_scoped(scope, run);
        let ended = running.map_err(|error| error.to_string())?.join();
        ended.unwrap_or_else(|_| Err("it broke off".to_owned()))
    })
}

fn compiled(text: &str) -> Result<Compiled, Error> {
    let tables = load::parse(TABLES, |parser| parser.defs()).unwrap_or_default();
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let modules = Loader::new(definitions.chain(tables))
        .load(&arena, File { code: text, path: () })
        .map_err(|errors| invalid(text, errors.iter().find_map(|(_, error)| unreadable(error))))?;
    let filter = Compiler::default().with_funs(functions).compile(modules);
    filter.map_err(|errors| {
        let mut undefined = errors.iter().flat_map(|(_, found)| found);
        let first = undefined.next();
        invalid(
            text,
            first.map(|(name, what)| (*name, format!("there is no {}", what.as_str()))),
        )
    })
}

fn outputs(program: &Compiled, document: &str) -> Result<String, String> {
    let document = read::parse_single(document.as_bytes()).map_err(|error| error.to_string())?;
    let context = Ctx::<data::JustLut<Val>>::new(&program.lut, Vars::new([]));
    let mut lines = String::new();
    for output in program.id.run((context, document)) {
        let line = match output.map_err(jaq_core::Exn::get_err) {
            Ok(Val::TStr(text) | Val::BStr(text)) => bstr(&*text).to_string(),
            Ok(value) => value.to_string(),
            Err(Ok(error)) => return Err(error.to_string()),
            Err(Err(other)) => match other.get_halt() {
                Ok(0) => break,
                _ => return Err("it ended with an error".to_owned()),
            },
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    Ok(lines)
}

/// What cannot be read, and why.
fn unreadable<'a>(error: &load::Error<&'a str>) -> Option<(&'a str, String)> {
    match error {
        load::Error::Io(failed) => failed.first().map(|(path, why)| (*path, why.clone())),
        load::Error::Lex(failed) => {
            let expected = |(expected, at): &(load::lex::Expect<_>, &'a str)| {
                (*at, format!("expected {}", expected.as_str()))
            };
            failed.first().map(expected)
        }
        load::Error::Parse(failed) => failed
            .first()
            .map(|(expected, at)| (*at, format!("expected {}", expected.as_str()))),
    }
}

/// The error of a program: the first problem, and where in the text it is.
fn invalid(text: &str, problem: Option<(&str, String)>) -> Error {
    let problem = problem.map_or_else(
        || "it cannot be read".to_owned(),
        |(at, why)| match (at.is_empty(), load::span(text, at).start) {
            (true, _) => format!("{why} at the end"),
            (false, start) => {
                let at: String = at.chars().take(20).collect();
                format!(
                    "{why} at {at:?} (character {})",
                    text[..start].chars().count() + 1
                )
            }
        },
    );
    let message = format!("The program of --jq cannot be run: {problem}. Nothing was done.");
    Error::new(Kind::Usage, "invalid_filter", message)
}

/// The error of a filter that does not fit what the command returned.
pub(super) fn failed(error: impl std::fmt::Display) -> Error {
    let error = brief(&error.to_string(), MOST_SHOWN);
    let message = format!("The command was done, but the filter of its output failed: {error}.");
    Error::new(Kind::Partial, "filter_failed", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn run(program: &str, document: &Value) -> Result<String, String> {
        check(program).map_err(|error| error.message)?;
        let lines = evaluate(program, &document.to_string())?;
        Ok(lines.strip_suffix('\n').unwrap_or(&lines).to_owned())
    }

    #[test]
    fn strings_are_printed_as_they_are_and_everything_else_as_json() {
        let posts =
            json!({ "posts": [{ "id": "a\nb", "n": 9_007_199_254_740_993_i64, "x": 1.50 }, { "id": null }] });
        assert_eq!(run(".posts[].id", &posts).unwrap(), "a\nb\nnull");
        assert_eq!(
            run(".posts[0] | {n, x}", &posts).unwrap(),
            r#"{"n":9007199254740993,"x":1.5}"#
        );
        assert_eq!(
            run(".posts | length, map(has(\"n\"))", &posts).unwrap(),
            "2\n[true,false]"
        );
        assert_eq!(run("empty", &posts).unwrap(), "");
        assert_eq!(run("1, halt, 2", &posts).unwrap(), "1");
    }

    #[test]
    fn what_people_know_of_jq_is_there() {
        let document = json!({ "at": "2026-11-27T16:00:00Z", "tags": ["b", "a"], "n": [3, 1] });
        for (program, expected) in [
            (".tags | sort | join(\", \")", "a, b"),
            ("[.tags[], .n[]] | @csv", r#""b","a",3,1"#),
            (".tags | @tsv", "b\ta"),
            (".at | fromdate", "1795795200"),
            (".tags[] | select(test(\"^a\"))", "a"),
            ("to_entries | map(.key) | tojson", r#"["at","tags","n"]"#),
            (r#""\(.n | add) posts""#, "4 posts"),
            (".absent // \"none\"", "none"),
            ("reduce .n[] as $n (0; . + $n)", "4"),
        ] {
            assert_eq!(run(program, &document).as_deref(), Ok(expected), "{program}");
        }
    }

    #[test]
    fn a_program_that_is_none_is_refused_with_the_place() {
        for (program, place) in [
            (".posts[", "at the end"),
            (".a | lenght", "there is no filter at \"lenght\" (character 6)"),
            ("$nothing", "there is no variable"),
            (".é }", "\"é }\" (character 2)"),
            ("include \"x\"; .", "x"),
        ] {
            let message = run(program, &json!({})).unwrap_err();
            assert!(message.contains(place), "{program}: {message}");
        }
    }

    #[test]
    fn a_program_that_fails_is_reported() {
        let document = json!({ "id": 1, "text": "x".repeat(1000) });
        for program in [".id[]", "1, error(.)", ". | halt_error"] {
            let message = failed(run(program, &document).unwrap_err()).message;
            assert!(
                message.contains("The command was done") && message.len() < 500,
                "{message}"
            );
        }
    }

    #[test]
    fn a_program_may_recurse_and_each_output_has_a_line() {
        let deep = "def f: if . == 0 then . else . - 1 | f + 1 end; 3000 | f";
        assert_eq!(run(deep, &json!({})).unwrap(), "3000");
        assert_eq!(evaluate("\"a\", \"\", \"\"", "{}").unwrap(), "a\n\n\n");
    }
}
