//! A call with `fetch`, as Node.js has it.

use serde_json::Value;

use super::call::{Call, Shown};
use super::literal::{Dialect, as_strings, plain, quoted};

const TYPESCRIPT: Dialect = Dialect {
    variable: |before, name| format!("`{before}${{process.env.{name}}}`"),
    key,
    yes: "true",
    no: "false",
    null: "null",
    padding: " ",
    step: 2,
};

pub(super) fn sample(call: &Call<'_>) -> String {
    let step = call.step;
    let address = call.address(|name| format!("${{process.env.{name}}}"));
    let mut options = Vec::new();
    if call.method != "get" {
        options.push(format!("method: {}", quoted(&call.method.to_uppercase())));
    }
    let headers = headers(call);
    if !headers.is_empty() {
        options.push(format!("headers: {headers}"));
    }
    if !step.form.is_empty() {
        options.push("body: form".to_owned());
    }
    if !step.fields.is_empty() {
        let fields = Value::Object(as_strings(&step.fields));
        options.push(format!(
            "body: new URLSearchParams({})",
            TYPESCRIPT.literal(&fields, 2, 27)
        ));
    }
    if !step.bytes.is_empty() {
        options.push(format!("body: {}", bytes_of(&step.bytes)));
    }
    if !step.body.is_null() {
        options.push(format!(
            "body: JSON.stringify({})",
            TYPESCRIPT.literal(&step.body, 2, 23)
        ));
    }
    let options = match options.is_empty() {
        true => String::new(),
        false => format!(", {{\n  {},\n}}", options.join(",\n  ")),
    };
    let shown = match call.shown {
        Shown::Json => "\nconsole.log(await response.json());",
        Shown::Headers => "\nconsole.log(Object.fromEntries(response.headers));",
        Shown::Bytes(file) => &format!(
            "\nawait writeFile({}, Buffer.from(await response.arrayBuffer()));",
            quoted(file)
        ),
        Shown::Stream => {
            "\nif (!response.body) throw new Error(\"no stream\");\n\
             const reader = response.body.getReader();\n\
             for (let piece = await reader.read(); !piece.done; piece = await reader.read()) process.stdout.write(piece.value);"
        }
        Shown::Nothing => "",
    };
    format!(
        "{}{}const response = await fetch(`${{process.env.PLAYOUT_API_URL}}{address}`{options});\n\
         if (!response.ok) throw new Error(`${{response.status}} ${{await response.text()}}`);{shown}",
        imports(call),
        form(call)
    )
}

fn imports(call: &Call<'_>) -> String {
    let reads = !call.step.form.is_empty() || !call.step.bytes.is_empty();
    let names: Vec<&str> = [
        ("readFile", reads),
        ("writeFile", matches!(call.shown, Shown::Bytes(_))),
    ]
    .into_iter()
    .filter_map(|(name, is_used)| is_used.then_some(name))
    .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("import {{ {} }} from \"node:fs/promises\";\n\n", names.join(", ")),
    }
}

fn form(call: &Call<'_>) -> String {
    if call.step.form.is_empty() {
        return String::new();
    }
    let parts = call.step.form.iter().map(|(name, value)| {
        let value = plain(value);
        let appended = match value.strip_prefix('@') {
            Some(file) => format!("new Blob([{}]), {}", bytes_of(&value), quoted(file)),
            None => quoted(&value),
        };
        format!("form.append({}, {appended});\n", quoted(name))
    });
    format!("const form = new FormData();\n{}\n", parts.collect::<String>())
}

fn headers(call: &Call<'_>) -> String {
    let step = call.step;
    let mut fields: Vec<String> = step
        .whom
        .proof()
        .map(|name| format!("Authorization: `Bearer ${{process.env.{name}}}`"))
        .into_iter()
        .collect();
    let others = as_strings(&step.headers);
    fields.extend(
        others
            .iter()
            .map(|(name, value)| format!("{}: {}", key(name), TYPESCRIPT.literal(value, 0, 0))),
    );
    if !step.body.is_null() {
        fields.push("\"Content-Type\": \"application/json\"".to_owned());
    }
    match fields.as_slice() {
        [] => String::new(),
        [only] => format!("{{ {only} }}"),
        several => format!("{{\n    {},\n  }}", several.join(",\n    ")),
    }
}

/// The bytes of a file: `@name`.
fn bytes_of(file: &str) -> String {
    format!("await readFile({})", quoted(file.trim_start_matches('@')))
}

/// A key without quotation marks where it is a name.
fn key(name: &str) -> String {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { name.to_owned() } else { quoted(name) }
}
