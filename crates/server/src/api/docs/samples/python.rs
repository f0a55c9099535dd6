//! A call with the library `requests`.

use serde_json::{Map, Value};

use super::call::{Call, Shown};
use super::literal::{Dialect, as_strings, plain, quoted};

const PYTHON: Dialect = Dialect {
    variable: |before, name| match before.is_empty() {
        true => format!("os.environ[{}]", quoted(name)),
        false => format!("f\"{before}{{os.environ['{name}']}}\""),
    },
    key: quoted,
    yes: "True",
    no: "False",
    null: "None",
    padding: "",
    step: 4,
};

pub(super) fn sample(call: &Call<'_>) -> String {
    let step = call.step;
    let mut arguments = vec![format!(
        "f\"{{os.environ['PLAYOUT_API_URL']}}{}\"",
        call.address(|name| format!("{{os.environ['{name}']}}"))
    )];
    let headers = headers(call);
    if !headers.is_empty() {
        arguments.push(format!("headers={headers}"));
    }
    let (files, texts): (Map<_, _>, Map<_, _>) = step
        .form
        .clone()
        .into_iter()
        .partition(|(_, value)| plain(value).starts_with('@'));
    let files: Vec<String> = files
        .iter()
        .map(|(name, file)| format!("{}: {}", quoted(name), opened(&plain(file))))
        .collect();
    if !files.is_empty() {
        arguments.push(format!("files={{{}}}", files.join(", ")));
    }
    for fields in [texts, step.fields.clone()] {
        if !fields.is_empty() {
            let fields = Value::Object(as_strings(&fields));
            arguments.push(format!("data={}", PYTHON.literal(&fields, 4, 6)));
        }
    }
    if !step.bytes.is_empty() {
        arguments.push(format!("data={}", opened(&step.bytes)));
    }
    if !step.body.is_null() {
        arguments.push(format!("json={}", PYTHON.literal(&step.body, 4, 6)));
    }
    if matches!(call.shown, Shown::Stream) {
        arguments.push("stream=True".to_owned());
    }
    arguments.push("timeout=60".to_owned());
    let shown = match call.shown {
        Shown::Json => "\nprint(response.json())",
        Shown::Headers => "\nprint(response.headers)",
        Shown::Bytes(file) => &format!(
            "\nwith open({}, \"wb\") as file:\n    file.write(response.content)",
            quoted(file)
        ),
        Shown::Stream => "\nfor line in response.iter_lines(decode_unicode=True):\n    print(line)",
        Shown::Nothing => "",
    };
    format!(
        "import os\n\nimport requests\n\nresponse = requests.{}(\n    {},\n)\n\
         if not response.ok:\n    raise SystemExit(f\"{{response.status_code}} {{response.text}}\"){shown}",
        call.method,
        arguments.join(",\n    ")
    )
}

fn headers(call: &Call<'_>) -> String {
    let mut fields: Vec<String> = call
        .step
        .whom
        .proof()
        .map(|name| format!("\"Authorization\": f\"Bearer {{os.environ['{name}']}}\""))
        .into_iter()
        .collect();
    let others = as_strings(&call.step.headers);
    fields.extend(
        others
            .iter()
            .map(|(name, value)| format!("{}: {}", quoted(name), PYTHON.literal(value, 0, 0))),
    );
    match fields.as_slice() {
        [] => String::new(),
        [only] => format!("{{{only}}}"),
        several => format!("{{\n        {},\n    }}", several.join(",\n        ")),
    }
}

/// A file that is opened for reading: `@name`.
fn opened(file: &str) -> String {
    format!("open({}, \"rb\")", quoted(file.trim_start_matches('@')))
}
