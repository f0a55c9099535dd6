//! Every command has examples in its help, and every example works.

use std::collections::BTreeSet;

use serde_json::json;

use crate::device::signs_in;
use crate::harness::{EMAIL, Events, Film, Inbox, Model, PASSWORD, Playout, Script, World, event, post_body};

/// The IDs in the examples, for which a test puts in its own.
const MEDIA: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
const PUBLISHED: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000002";
const DRAFT: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000003";
const IN_INBOX: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000004";
const QUEUED: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000005";
const WEBHOOK: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000006";

/// Every command that does something, as words, found by reading the help from the top.
fn commands(playout: &Playout, above: &[String]) -> Vec<Vec<String>> {
    let help = help(playout, above);
    let below = help.split("\nCommands:\n").nth(1);
    let Some(listed) = below.and_then(|rest| rest.split("\n\n").next()) else {
        return vec![above.to_vec()];
    };
    let names = listed
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names
        .flat_map(|name| commands(playout, &[above, &[name.to_owned()]].concat()))
        .collect()
}

fn help(playout: &Playout, command: &[String]) -> String {
    let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    arguments.push("--help");
    let ran = playout.run(&arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command:?}");
    ran.stdout
}

fn examples(help: &str) -> Vec<String> {
    let listed = help.split("\nExamples:\n").nth(1).unwrap_or_default();
    listed
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// A world in which an example makes sense, and the example with the world's own IDs.
fn prepare(world: &World, example: &str, inbox: &str) -> (Playout, String) {
    let playout = world
        .playout()
        .env("KEY", &world.key)
        .env("BROWSER", "true")
        .env("PASSWORD", PASSWORD);
    if example.contains("auth") {
        playout.run(&["auth", "login", "--api-key", &world.key]).ok();
    }
    let mut line = example.to_owned();
    if line.contains("Kites") {
        playout.run(&["folders", "create", "Kites"]).ok();
    }
    if line.contains("Old laptop") {
        let create = ["keys", "create", "Old laptop", "--email", EMAIL];
        playout.run_reading(PASSWORD, &create).ok();
    }
    if line.contains("captions.json") {
        let captions = playout.run(&["slides", "captions", "Kites", "--count", "3"]).ok();
        let two = json!({ "caption": captions["caption"], "slides": [captions["slides"][0], captions["slides"][1]] });
        playout.put("captions.json", two.to_string().as_bytes());
    }
    if line.contains("posts import") {
        let table = "accounts,content,when,media,settings.privacy_level\nkitestudio,First flight,draft,clip.mp4,SELF_ONLY\n";
        playout.put("posts.csv", table.as_bytes());
        let row = json!({ "accounts": ["kitestudio"], "content": "First flight", "when": "+3d", "media": ["clip.mp4"], "settings": { "privacy_level": "SELF_ONLY" } });
        playout.put("posts.jsonl", row.to_string().as_bytes());
    }
    if line.contains("post.json") {
        let platforms = playout.run(&["platforms", "list"]).ok();
        let platform = platforms["platforms"][0]["id"].as_str().unwrap();
        let body = post_body(platform, &[&playout.upload("clip.mp4")]);
        playout.put("post.json", body.to_string().as_bytes());
    }
    if line.contains(MEDIA) {
        line = line.replace(MEDIA, &playout.upload("clip.mp4"));
    }
    if line.contains(DRAFT) {
        line = line.replace(DRAFT, &playout.draft());
    }
    if line.contains(IN_INBOX) {
        let draft = playout.draft_with("post_mode=MEDIA_UPLOAD");
        let waited = playout.run(&["posts", "publish", &draft, "--wait"]);
        assert_eq!(waited.code, 1, "it waits for its creator: {waited:#?}");
        line = line.replace(IN_INBOX, &draft);
    }
    if line.contains(QUEUED) {
        let draft = playout.draft();
        let reschedule = ["posts", "reschedule", &draft, "--at", "tomorrow 09:00"];
        playout.run(&reschedule).ok();
        line = line.replace(QUEUED, &draft);
    }
    if line.contains(WEBHOOK) {
        let create = ["webhooks", "create", inbox, "--events", "post.published"];
        let made = playout.run(&create).ok();
        line = line.replace(WEBHOOK, made["id"].as_str().unwrap());
    }
    if line.contains(PUBLISHED) {
        let draft = playout.draft();
        playout.run(&["posts", "publish", &draft, "--wait"]).ok();
        line = line.replace(PUBLISHED, &draft);
    }
    (playout, line)
}

#[test]
fn every_command_has_an_example_of_its_own() {
    let playout = Playout::new();
    let commands = commands(&playout, &[]);
    assert!(commands.len() >= 28, "{} commands were found", commands.len());
    for command in commands {
        let spoken = [command.join(" "), command.join(":")];
        let examples = examples(&help(&playout, &command));
        let is_about = |example: &String| {
            spoken
                .iter()
                .any(|spoken| example.contains(&format!("playout {spoken}")))
        };
        assert!(!examples.is_empty(), "playout {} has no example", spoken[0]);
        assert!(
            examples.iter().all(is_about),
            "playout {}: {examples:#?}",
            spoken[0]
        );
    }
}

#[test]
fn no_help_names_a_file_that_only_the_repository_has() {
    let playout = Playout::new();
    for command in commands(&playout, &[]) {
        let help = help(&playout, &command);
        assert!(!help.contains(".md"), "{command:?}: {help}");
    }
}

#[test]
fn every_example_works() {
    let playout = Playout::new();
    let commands = commands(&playout, &[]);
    let helps = commands.iter().map(|command| help(&playout, command));
    let mut all: BTreeSet<String> = helps.flat_map(|help| examples(&help)).collect();
    all.extend(examples(&help(&playout, &[])));
    for example in all {
        if example.contains("webhooks listen") {
            listens(&example);
            continue;
        }
        if example.contains("auth login --scope") {
            signs_in(&example);
            continue;
        }
        let (model, inbox) = (Model::open(), Inbox::open(204));
        let world = World::with_model(&model);
        let film = Film::open();
        let (playout, line) = prepare(&world, &example, &inbox.url);
        let line = line.replace("https://example.org/films/kite.mp4", &film.url);
        let ran = playout.shell(&line);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{example}\n{ran:#?}");
        let is_text = line.contains("completions") || line.contains("playout help");
        if !is_text {
            assert_ne!(ran.json(), json!(null), "{example}");
        }
    }
}

/// An example that listens works with a service that sends one event, and ends after that.
fn listens(example: &str) {
    let (events, inbox) = (
        Events::open(vec![Script::Stay(event("e1", "post.published", "p1"))]),
        Inbox::open(204),
    );
    let line = example.replace("http://localhost:3000/webhooks", &inbox.url);
    let line = line.replace(" --limit 1", "");
    let ran = events.playout().shell(&format!("{line} --limit 1"));
    assert_eq!(ran.code, 0, "{example}\n{ran:#?}");
    assert_eq!(ran.json()["id"], "e1", "{example}");
}

/// `docs/client.md`: the program's own help, one command after the other.
fn reference(playout: &Playout) -> String {
    let mut page = INTRODUCTION.to_owned();
    let top = help(playout, &[]);
    let global = top
        .split("\nGlobal options:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next());
    page.push_str(&format!(
        "\n## Options of every command\n\n```text\n{}\n```\n",
        global.unwrap()
    ));
    for command in commands(playout, &[]) {
        let help = help(playout, &command);
        let (before, after) = help.split_once("\nGlobal options:\n").unwrap();
        let examples = after.split_once("\nExamples:\n").unwrap().1;
        let own = before.replace(
            "\n  -h, --help\n          Print help (see a summary with '-h')\n",
            "\n",
        );
        let own = own.replace("\n\nOptions:\n  -h, --help  Print help\n", "\n");
        let own = own.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        page.push_str(&format!(
            "\n## playout {}\n\n```text\n{}\n\nExamples:\n{}\n```\n",
            command.join(" "),
            own.trim_end(),
            examples.trim_end()
        ));
    }
    page
}

const INTRODUCTION: &str = "# The client

The help texts of `playout`. A test generates this page from them, and another test runs every example. README.md documents
the installation, skills/playout/SKILL.md the use by agents.

On a terminal the output is tables, which leave out the least important columns where it is narrow. Without one, or with `--json`, standard
output is exactly one JSON document: the response of the service, if the command is about one, and in `etag` the version of a post, media object, folder
or webhook that it is about (its `ETag`). `--if-match ETAG` changes or deletes it only if it still has that version (`precondition_failed` otherwise). `--json=id,state` prints only these fields:
an array with those of each item of a list, or an object; `--json id,state` means the same where no other word could be meant. `webhooks
listen` prints a line of JSON for each event, and `api` the body of the response as it is. `--jq PROGRAM` prints what a program of
[jq](https://jqlang.org/manual/) makes of the document, or of the chosen fields: each output on a line, strings without quotation marks. A
program that cannot be run is refused before anything is done (`invalid_filter`): the language is that of jaq 3, which lacks `input`, `$ENV` and a few
functions, and `env` is empty. Where one fails (`filter_failed`), or a field is unknown (`unknown_field`), the command was done all the same: nothing is printed, and the exit
code is 6. The error's `details` have the document of a command that changes something; of one that only reads they have the unknown `field` and the `known` ones. A program that recurses
without end, or takes more than a GB of memory, is one that fails; `webhooks listen` goes on with the next event. Sizes are in units of 1000: a MB has 10⁶ bytes.
Errors are `{ \"error\": { \"code\", \"message\", \"details\" } }` on standard error. Help, the
version and scripts for shells are always text. `auth login` in the browser first prints the code and the page, on standard error as
well: `{ \"device\": { \"userCode\", \"verificationUri\", \"verificationUriComplete\", \"expiresIn\" } }`.

| Exit code | Meaning |
|---|---|
| 0 | done |
| 1 | refused: by the service, or by the platform of a post; of several posts or files none was accepted, with the code of the first |
| 2 | usage: the request is invalid, or a file cannot be read |
| 3 | not signed in: there is no key, or the service does not accept it |
| 4 | network: the service could not be reached |
| 5 | server: the service failed, or is not a Playout service |
| 6 | partly done: of several posts or files some were accepted and others not (`posts create`, `posts validate`, `posts import`, `media upload`, `media delete`), with the code of the first that was not (`invalid_row` where a row of an import cannot be read, or names a file that cannot); the same command would do again what was done, except an import; or the command was done, and its output could not be filtered or written |
| 7 | unavailable: a part of the service is not set up, or does not answer, such as the language model of `slides captions` |
| 130 | interrupted by Ctrl-C; the message has what was done, and how to go on |

A key may be limited: to scopes (`keys create --scope`, `auth login --scope`), and to accounts (`keys create --platform`). What its scopes do not allow is
`insufficient_scope` (exit code 1): the request has changed nothing, though files that a command uploaded before it stay; `details.required` lists the scopes. A service of an earlier version knows no scopes: `keys create`
with them then fails (`unexpected_answer`), and revokes the key again.

Keys are stored in your desktop's keyring (through `secret-tool`; not with `PLAYOUT_KEYRING=off` or `auth login --no-keyring`); without
one in `$XDG_CONFIG_HOME/playout/credentials.json` (else below `~/.config`), which only you can read. Flags override the environment
(`PLAYOUT_API_KEY`, `PLAYOUT_API_URL`, `PLAYOUT_PROFILE`), and the environment overrides the stored profile. Unfinished resumable uploads
are recorded in `$XDG_STATE_HOME/playout/uploads.json` (else below `~/.local/state`), imports in the folder `imports` beside it. Where neither
`XDG_STATE_HOME` nor `HOME` is set, an import or a large upload is rejected before anything is created.
";

#[test]
fn every_code_of_the_client_is_on_the_page_of_errors() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/errors.md")).unwrap();
    let (mut folders, mut found) = (vec![root.join("src")], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let source = source.split("#[cfg(test)]").next().unwrap();
            for after in source.split("Kind::").skip(1) {
                let after = after.trim_start_matches(char::is_alphanumeric);
                let Some(literal) = after.strip_prefix(',').map(str::trim_start) else {
                    continue;
                };
                let Some(code) = literal.strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
                    continue;
                };
                assert!(
                    page.contains(&format!("| `{code}` |")),
                    "{code} of {}",
                    path.display()
                );
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn the_reference_of_commands_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/client.md");
    let expected = reference(&Playout::new());
    if std::fs::read_to_string(path).unwrap_or_default() != expected {
        std::fs::write(path, expected).unwrap();
        panic!("docs/client.md was out of date and is rewritten now; commit it");
    }
}

#[test]
fn the_skill_for_agents_names_only_what_exists() {
    let skill = include_str!("../../../../skills/playout/SKILL.md");
    let playout = Playout::new();
    let known: BTreeSet<String> = commands(&playout, &[])
        .iter()
        .map(|words| words.join(" "))
        .collect();
    let lines = skill
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("playout "));
    let install = skill.find("cargo install --path crates/client --locked").unwrap();
    assert!(
        install < skill.find("\nplayout doctor").unwrap(),
        "how to install it comes first"
    );
    let mut seen = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let command = [words[..1].join(" "), words[..words.len().min(2)].join(" ")];
        let known_as = command.iter().find(|command| known.contains(*command));
        let known_as = known_as.unwrap_or_else(|| panic!("the skill says {line:?}"));
        let help = help(
            &playout,
            &known_as.split(' ').map(str::to_owned).collect::<Vec<_>>(),
        );
        for option in words.iter().filter(|word| word.starts_with("--")) {
            let option = option.split('=').next().unwrap();
            assert!(help.contains(option), "{line:?}: no {option}");
        }
        seen += 1;
    }
    assert!(seen >= 8, "{seen} commands were read");
}
