//! The reference matches the service: its examples are the service's responses, and its commands work.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use playout_server::api::openapi::dates::on_day_of;
use playout_server::api::openapi::document;
use playout_server::api::openapi::examples::{Examples, Step, Whom, filled};
use reqwest::Method;
use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt;

use crate::harness::{
    CLIP, Client, Db, FileServer, Model, Options, Person, Receiver, Reply, Sends, TestApp, captions, jpeg,
    secret, with_form,
};

/// Where the examples are.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi/examples.json");

/// A cursor holds an identifier, and so differs from run to run.
const CURSOR: &str = "AAZgs_vKEAABofjT6gB7dbZn6Pk5O0fH";

/// The address of a webhook.
const RECEIVER: &str = "https://example.org/playout";

/// The address of a file to import.
const FILE: &str = "https://example.org/films/kite.mp4";

/// What shows in place of codes and keys, which no two runs have alike.
const SHOWN: [(&str, [&str; 2]); 4] = [
    (
        "device_code",
        [
            "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
            "cGFydCBvZiBhIGtpdGUtbGFiJ3Mgc21hbGwgam9rZQ",
        ],
    ),
    ("user_code", ["SVC-WDJB-MJHT", "SVC-KTFL-9SZ4"]),
    ("api_key", ["svc_sk_…", "svc_sk_…"]),
    ("secret", ["whsec_…", "whsec_…"]),
];

/// The variables of a run, and how its answers are made the same in every run.
#[derive(Default)]
struct Run {
    variables: Map<String, Value>,
    ids: Vec<String>,
    tokens: Vec<String>,
    secrets: Vec<(&'static str, String)>,
}

#[tokio::test]
async fn the_examples_are_what_the_service_answers() {
    let (t, ada, files, receiver) = world(Duration::ZERO).await;
    let server = slow_server().await;
    let mut examples: Examples = serde_json::from_str(&std::fs::read_to_string(EXAMPLES).unwrap()).unwrap();
    let recorded = examples.clone();
    let mut run = Run::of(&ada, &receiver, &server.put("/films/kite.mp4", CLIP, ""));
    for step in &mut examples.steps {
        let request = request_of(&as_whom(step.whom, &t, &ada), &run, step, files.path());
        if step.endless {
            step.status = request.send().await.unwrap().status().as_u16();
            continue;
        }
        let answer = t.api.send(request).await;
        if step.status == 202 {
            // What was accepted is done before time passes.
            t.idle().await;
        }
        // What comes later is newer.
        t.advance(Duration::from_secs(1)).await;
        step.status = answer.status;
        step.answer = Value::Null;
        if answer.header("content-type") == "application/json" {
            run.save(step, &answer.json());
            step.answer = run.settled(&t, &answer.json());
        }
    }
    examples.values = run.values();
    if examples != recorded {
        let text = serde_json::to_string_pretty(&examples).unwrap() + "\n";
        std::fs::write(EXAMPLES, text).unwrap();
        panic!("examples.json was out of date and is rewritten now; look at what changed, and commit it");
    }
}

#[tokio::test]
async fn every_command_of_the_reference_works_in_a_shell_on_any_day() {
    let (t, ada, files, receiver) = world(Duration::from_secs(400 * 86_400)).await;
    let server = slow_server().await;
    let begun = t.app.now();
    let page = t.api.follow(&format!("{}/docs", t.app.config.base_url)).await;
    let page = String::from_utf8(page.body).unwrap();
    let mut run = Run::of(&ada, &receiver, &server.put("/films/kite.mp4", CLIP, ""));
    for (index, step) in Examples::built_in().steps.iter().enumerate() {
        let is_first = Examples::built_in()
            .steps
            .iter()
            .position(|other| other.operation == step.operation)
            == Some(index);
        let command = if is_first {
            shown(&page, &step.operation)
        } else {
            let (method, path) = place(&step.operation);
            on_day_of(begun, &step.curl(&method, &path))
        };
        let writes = step.output.is_empty() || command.contains(&format!("--output {}", step.output));
        assert!(
            writes && command.starts_with("curl -sS --fail-with-body"),
            "{command}"
        );
        let command = match step.endless {
            true => format!("{command} --max-time 1"),
            false => command,
        };
        let answer = shell(&t, &run, &ada, &command, files.path()).await;
        t.idle().await;
        assert_eq!(
            answer.0,
            step.status,
            "{command}\n{}",
            String::from_utf8_lossy(&answer.1)
        );
        if !step.save.is_empty() {
            run.save(step, &serde_json::from_slice(&answer.1).unwrap());
        }
    }
}

/// A service with one account, so long after the day on which the examples are recorded, and the files that the examples send.
async fn world(later: Duration) -> (TestApp, Person, tempfile::TempDir, Receiver) {
    let model = Model::that([Reply::Says(captions(3))]).await;
    let options = Options::default()
        .set("llm_url", &*model.url)
        .set("llm_model", "kite-1")
        .set("egress_allow", "127.0.0.1");
    let t = TestApp::start_with(Db::Sqlite, options).await;
    t.clock.advance(later);
    let receiver = Receiver::start().await;
    t.connect("kitestudio").await;
    let ada = t.sign_up("ada@example.org").await;
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("photo.jpg"), jpeg(108, 192)).unwrap();
    std::fs::write(files.path().join("clip.mp4"), CLIP).unwrap();
    (t, ada, files, receiver)
}

/// A server of files that never answers, so that an import is as it has begun.
async fn slow_server() -> FileServer {
    let server = FileServer::start().await;
    let hangs = Sends {
        hangs: true,
        ..Sends::default()
    };
    server.will([hangs]);
    server
}

/// A client of this kind of caller.
fn as_whom(whom: Whom, t: &TestApp, ada: &Person) -> Client {
    match whom {
        Whom::Program => t.api.clone(),
        Whom::Person => t.nobody().with_key(Some(secret(&ada.token))),
        Whom::Anybody => t.nobody(),
    }
}

/// The method and the path of an operation.
fn place(operation: &str) -> (String, String) {
    let paths = document()["paths"].as_object().unwrap();
    let found = paths.iter().find_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        let (method, _) = methods
            .iter()
            .find(|(_, described)| described["operationId"] == operation)?;
        Some((method.to_uppercase(), path.clone()))
    });
    found.unwrap_or_else(|| panic!("the reference has no operation {operation}"))
}

fn request_of(api: &Client, run: &Run, step: &Step, files: &Path) -> reqwest::RequestBuilder {
    let (method, mut path) = place(&step.operation);
    for (name, value) in &step.path {
        path = path.replace(&format!("{{{name}}}"), run.filled(value).as_str().unwrap());
    }
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let query: Vec<(String, String)> = step
        .query
        .iter()
        .map(|(name, value)| (name.clone(), plain(&run.filled(value))))
        .collect();
    let query = url_encoded(&query);
    let mut request = api.request(method, &format!("{path}{query}"));
    for (name, value) in &step.headers {
        request = request.header(name, plain(&run.filled(value)));
    }
    if !step.body.is_null() {
        request = request.json(&run.filled(&step.body));
    }
    if !step.bytes.is_empty() {
        request = request.body(std::fs::read(files.join(&step.bytes[1..])).unwrap());
    }
    if !step.form.is_empty() {
        request = request.multipart(form(run, step, files));
    }
    if !step.fields.is_empty() {
        let fields = step.fields.iter();
        let fields: Vec<(&str, String)> = fields
            .map(|(name, value)| (name.as_str(), plain(&run.filled(value))))
            .collect();
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        request = with_form(request, &fields);
    }
    request
}

fn form(run: &Run, step: &Step, files: &Path) -> reqwest::multipart::Form {
    let mut form = reqwest::multipart::Form::new();
    for (name, value) in &step.form {
        let text = plain(&run.filled(value));
        form = match text.strip_prefix('@') {
            Some(file) => {
                let bytes = std::fs::read(files.join(file)).unwrap();
                let part = reqwest::multipart::Part::bytes(bytes).file_name(file.to_owned());
                form.part(name.clone(), part)
            }
            None => form.text(name.clone(), text),
        };
    }
    form
}

fn url_encoded(query: &[(String, String)]) -> String {
    if query.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> = query
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("?{}", pairs.join("&"))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Run {
    /// A run in which the workspace of a person and an address of theirs have variables.
    fn of(person: &Person, receiver: &Receiver, file: &str) -> Self {
        let mut run = Self::default();
        let workspace = json!(person.workspace);
        run.variables.insert("ORGANIZATION_ID".to_owned(), workspace);
        run.variables
            .insert("RECEIVER_URL".to_owned(), json!(receiver.url));
        run.secrets.push((RECEIVER, receiver.url.clone()));
        run.variables.insert("FILE_URL".to_owned(), json!(file));
        run.secrets.push((FILE, file.to_owned()));
        run
    }

    /// Saves the values that later steps need.
    fn save(&mut self, step: &Step, answer: &Value) {
        for (name, pointer) in &step.save {
            let found = answer.pointer(pointer.as_str().unwrap());
            let found =
                found.unwrap_or_else(|| panic!("{}: nothing at {pointer} of {answer:#}", step.operation));
            self.variables.insert(name.clone(), found.clone());
        }
    }

    /// With the values of this run in place of variables.
    fn filled(&self, value: &Value) -> Value {
        filled(value, &self.variables)
    }

    /// An answer as every run would have it: identifiers and secrets numbered, addresses those of the documentation.
    fn settled(&mut self, t: &TestApp, answer: &Value) -> Value {
        match answer {
            Value::String(text) if is_uuid(text) => Value::String(self.numbered(text)),
            Value::String(text) => {
                let mut text = text
                    .replace(&t.app.config.base_url, "http://localhost:8080")
                    .replace(&t.sim.url(), "https://provider.example");
                for (index, token) in self.tokens.iter().enumerate() {
                    text = text.replace(token, &format!("Wm9vLWtpdGUtbGFiLTIwMj{index}"));
                }
                Value::String(self.unsecret(text))
            }
            Value::Array(items) => {
                let settled: Vec<Value> = items.iter().map(|item| self.settled(t, item)).collect();
                settled.into()
            }
            Value::Object(map) => {
                if let Some(token) = map.get("storageKey").and_then(Value::as_str)
                    && !self.tokens.iter().any(|known| known == token)
                {
                    self.tokens.push(token.to_owned());
                }
                for (name, shown) in SHOWN {
                    let value = map.get(name).and_then(Value::as_str);
                    let is_new = |value: &&str| self.secrets.iter().all(|(_, known)| known != value);
                    if let Some(value) = value.filter(is_new) {
                        let before = self.secrets.iter().filter(|(known, _)| shown.contains(known));
                        self.secrets.push((shown[before.count()], value.to_owned()));
                    }
                }
                let settled = map.iter().map(|(key, value)| match key.as_str() {
                    "nextCursor" if value.is_string() => (key.clone(), CURSOR.into()),
                    _ => (key.clone(), self.settled(t, value)),
                });
                Value::Object(settled.collect())
            }
            other => other.clone(),
        }
    }

    fn unsecret(&self, text: String) -> String {
        let secrets = self.secrets.iter();
        secrets.fold(text, |text, (shown, secret)| text.replace(secret, shown))
    }

    fn numbered(&mut self, id: &str) -> String {
        let known = self.ids.iter().position(|known| known == id);
        let index = known.unwrap_or_else(|| {
            self.ids.push(id.to_owned());
            self.ids.len() - 1
        });
        format!("019aa124-7a00-7000-8000-{:012}", index + 1)
    }

    fn values(&mut self) -> Map<String, Value> {
        let variables = self.variables.clone();
        let numbered = variables.iter().map(|(name, value)| {
            let text = value.as_str().unwrap();
            let value = if is_uuid(text) {
                self.numbered(text)
            } else {
                self.unsecret(text.to_owned())
            };
            (name.clone(), json!(value))
        });
        numbered.collect()
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.parse::<uuid::Uuid>().is_ok()
}

/// The command that the page shows for an operation, as a reader copies it.
fn shown(page: &str, operation: &str) -> String {
    let start = format!("<pre class=\"curl\" data-operation=\"{operation}\" tabindex=\"0\"><code>");
    let (_, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("the page shows no command for {operation}"));
    let (command, _) = rest.split_once("</code></pre>").unwrap();
    command
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#38;", "&")
}

/// Runs a command as a reader would; returns the status and the body.
async fn shell(t: &TestApp, run: &Run, ada: &Person, command: &str, files: &Path) -> (u16, Vec<u8>) {
    let body: PathBuf = files.join("answer");
    let script = format!(
        "curl() {{ command curl -s -o '{}' -w '%{{http_code}}' \"$@\"; }}\n{command}\n",
        body.display()
    );
    let mut bash = tokio::process::Command::new("bash");
    bash.current_dir(files)
        .env("PLAYOUT_API_URL", &t.app.config.base_url)
        .env("PLAYOUT_API_KEY", t.api.key())
        .env("PLAYOUT_SESSION", &ada.token)
        .env("no_proxy", "*")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .arg("-s");
    for (name, value) in &run.variables {
        bash.env(name, plain(value));
    }
    let _none_from_before = std::fs::remove_file(&body);
    let mut child = bash.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .await
        .unwrap();
    let output = child.wait_with_output().await.unwrap();
    let status = String::from_utf8(output.stdout).unwrap();
    let status = status
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("{command}\nprinted {status:?}"));
    (status, std::fs::read(&body).unwrap_or_default())
}
