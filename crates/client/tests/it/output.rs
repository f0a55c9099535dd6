//! The form of the output: chosen fields, help, and tables that fit the terminal.

use serde_json::{Value, json};

use crate::harness::{Playout, Terminal, World};

/// What is shown on a terminal of so many columns, line by line and without colours.
fn shown(columns: u16, playout: &Playout, arguments: &[&str]) -> Vec<String> {
    let (code, shown) = Terminal::start_in(columns, playout, arguments).end();
    assert_eq!(code, 0, "{shown}");
    let plain = console::strip_ansi_codes(&shown).into_owned();
    plain.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn chosen_fields_are_printed_and_plain_json_stays_as_it_is() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let chosen = playout.run(&["posts", "list", "--json", "id,state"]).ok();
    assert_eq!(chosen, json!([{ "id": draft, "state": "DRAFT" }]));
    let same = playout
        .run(&["posts", "list", "--json=id,state", "--limit", "5"])
        .ok();
    assert_eq!(same, chosen);
    let post = playout
        .run(&["posts", "get", &draft, "--json", "state,settings.privacy_level"])
        .ok();
    let expected = json!({ "state": "DRAFT", "settings.privacy_level": "PUBLIC_TO_EVERYONE" });
    assert_eq!(post, expected);
    let whole = playout.run(&["posts", "get", "--json", &draft]).ok();
    assert_eq!(whole["root"]["id"], draft.as_str());
    let ran = playout.run(&["posts", "list", "--json=stat"]);
    let error = ran.failed(6, "unknown_field");
    assert!(error["message"].as_str().unwrap().contains("state"), "{error}");
    assert_eq!(
        (ran.stdout.as_str(), &error["details"]["field"]),
        ("", &json!("stat")),
    );
    assert!(
        !error.to_string().contains(&draft),
        "a list that can be read again is not printed: {error}"
    );
    let created = ["slides", "composite", "slides/1.jpg", "--json=idd"];
    let error = playout.run(&created).failed(6, "unknown_field");
    assert!(
        error["details"]["slides"][0]["mediaId"].is_string(),
        "nothing of what was done is lost: {error}"
    );
    playout
        .run(&["posts", "list", "--json", "--nonsense"])
        .failed(2, "usage");
}

#[test]
fn a_program_of_jq_chooses_what_is_printed() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let printed = |arguments: &[&str]| {
        let ran = playout.run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:#?}");
        ran.stdout
    };
    let ids = printed(&["posts", "list", "--jq", ".posts[].id"]);
    assert_eq!(ids, format!("{draft}\n"));
    let fields = [
        "posts",
        "list",
        "--json=id,state",
        "--jq",
        ".[] | [.state, .id] | @tsv",
    ];
    assert_eq!(printed(&fields), format!("DRAFT\t{draft}\n"));
    let nothing = [
        "--jq",
        "select(.root.state == \"PUBLISHED\")",
        "posts",
        "get",
        &draft,
    ];
    assert_eq!(printed(&nothing), "");
    let called = [
        "api",
        "GET",
        "/posts",
        "--query",
        "limit=1",
        "--jq",
        ".posts | length",
    ];
    assert_eq!(printed(&called), "1\n");

    let ran = playout.run(&["posts", "list", "--jq", ".posts.foo"]);
    let error = ran.failed(6, "filter_failed");
    assert_eq!((ran.stdout.as_str(), &error["details"]), ("", &json!(null)));
    assert!(
        ran.stderr.len() < 500,
        "what can be read again is not printed: {error}"
    );
    assert_eq!(
        printed(&["posts", "list", "--jq", ".posts[] | .errorText // \"\", \"\""]),
        "\n\n"
    );
    let ran = playout.run(&["posts", "delete", &draft, "--jq", ".id |"]);
    ran.failed(2, "invalid_filter");
    assert_eq!(
        printed(&["posts", "list", "--jq", ".posts | length"]),
        "1\n",
        "nothing was done"
    );
}

#[test]
fn a_filter_that_fails_prints_only_the_document_of_a_command_that_changes_something() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    playout.put(
        "posts.jsonl",
        json!({ "account": "kitestudio", "content": "Kites", "when": "draft" })
            .to_string()
            .as_bytes(),
    );
    for (command, is_printed) in [
        (&["posts", "get", &draft][..], false),
        (&["posts", "list"], false),
        (&["posts", "import", "posts.jsonl", "--dry-run"], false),
        (&["platforms", "list"], false),
        (&["usage"], false),
        (&["auth", "status"], false),
        (&["api", "GET", "/posts"], false),
        (&["api", "POST", "/posts/validate", "--data", "{}"], true),
        (&["posts", "import", "posts.jsonl"], true),
        (&["posts", "edit", &draft, "--caption", "Kites"], true),
        (&["media", "upload", "clip.mp4"], true),
    ] {
        let filters = [
            ("--jq", "1 | .[]", "filter_failed"),
            ("--json=", "nothing", "unknown_field"),
        ];
        for (option, text, code) in filters {
            let filter = match option.ends_with('=') {
                true => vec![format!("{option}{text}")],
                false => vec![option.to_owned(), text.to_owned()],
            };
            let filter: Vec<&str> = filter.iter().map(String::as_str).collect();
            let ran = playout.run(&[command, &filter].concat());
            let error: Value = serde_json::from_str(&ran.stderr).unwrap();
            let error = &error["error"];
            let is_whole = error["message"].as_str().unwrap().contains("The details have");
            assert_eq!(is_whole, is_printed, "{command:?}: {error}");
            let fields = ["field", "known"].map(|name| error["details"].get(name).is_some());
            let named = code == "unknown_field" && !is_printed;
            assert_eq!(fields, [named; 2], "{command:?}: {error}");
        }
    }
}

#[test]
fn the_help_says_where_fields_and_programs_begin_and_its_examples_do() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let help = playout.run(&["posts", "list", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (example, printed) in [
        (
            "posts list --json=id,state",
            json!([{ "id": draft, "state": "DRAFT" }]).to_string(),
        ),
        ("posts list --jq '.posts[].id'", draft.clone()),
        ("posts list --json=id --jq '.[].id'", draft.clone()),
    ] {
        assert!(help.contains(example), "{example}: {help}");
        let ran = playout.shell(&format!("playout {example}"));
        let shown: String = ran.stdout.split_whitespace().collect();
        assert_eq!((ran.code, shown), (0, printed), "{example}");
    }
}

#[test]
fn a_program_of_jq_without_an_end_fails_and_the_command_was_done() {
    let world = World::start();
    let playout = world.playout();
    for (number, program) in [
        "def f: 1 + f; f",
        "def f: [f]; f",
        "def f: . + . | f; \"kites\" | f",
        "[limit(1000000000; repeat(\"x\" * 1000000))]",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("Kites {number}");
        let ran = playout.run(&["folders", "create", &name, "--jq", program]);
        let error = ran.failed(6, "filter_failed");
        assert_eq!(error["details"]["name"], name, "{program}");
        assert!(
            error["message"].as_str().unwrap().contains("too deeply"),
            "{program}: {error}"
        );
    }
}

#[test]
fn what_cannot_be_written_is_reported_although_the_command_was_done() {
    let world = World::start();
    let playout = world.playout();
    let ran = playout.shell("playout folders create Kites > /dev/full");
    ran.failed(6, "file_error");
    assert_eq!(
        playout.run(&["folders", "list"]).ok()["folders"][0]["name"],
        "Kites"
    );
}

#[test]
fn the_output_of_a_program_does_not_control_a_terminal() {
    let world = World::start();
    let program = r#""a\u001b]0;title\u0007\tb", "c""#;
    let (code, shown) = Terminal::start_in(80, &world.playout(), &["usage", "--jq", program]).end();
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("]0;title") && shown.contains('c') && !shown.contains('\u{1b}'),
        "{shown:?}"
    );
}

#[test]
fn help_is_shown_for_every_command_and_for_a_group_alone() {
    let playout = Playout::new();
    let long = playout.run(&["posts", "create", "--help"]);
    for arguments in [&["help", "posts", "create"][..], &["help", "posts:create"]] {
        let ran = playout.run(arguments);
        assert_eq!((ran.code, &ran.stdout), (0, &long.stdout));
    }
    assert_eq!(playout.run(&["help"]).stdout, playout.run(&["--help"]).stdout);
    playout.run(&["help", "nonsense"]).failed(2, "usage");
    for group in ["posts", "media", "webhooks", "auth"] {
        let ran = playout.run(&[group]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(
            ran.stderr.contains(&format!("Usage: playout {group}")),
            "{ran:#?}"
        );
    }
    playout.run(&["posts", "--json"]).failed(2, "usage");
}

#[test]
fn a_table_fits_the_terminal_and_breaks_no_word() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let wide = shown(120, &playout, &["posts", "list"]);
    assert_eq!(
        wide[0].split_whitespace().collect::<Vec<_>>(),
        ["TIME", "STATE", "ACCOUNT", "CAPTION", "ID"]
    );
    assert!(
        wide[1].contains("kitestudio") && wide[1].ends_with(&draft),
        "{wide:#?}"
    );
    let narrow = shown(60, &playout, &["posts", "list"]);
    assert!(
        narrow[0].starts_with("STATE") && narrow[1].ends_with(&draft),
        "{narrow:#?}"
    );
    assert!(narrow.concat().contains("Left out: TIME, ACCOUNT"), "{narrow:#?}");
    let commands: [&[&str]; 6] = [
        &["posts", "list"],
        &["posts", "get", &draft],
        &["media", "list"],
        &["platforms", "list"],
        &["platforms", "schema", "kitestudio"],
        &["usage"],
    ];
    for command in commands {
        let (wide, narrow) = (shown(200, &playout, command), shown(60, &playout, command));
        let whole = wide.join(" ");
        for line in &narrow {
            assert!(
                line.chars().count() <= 60 || line.contains("http"),
                "{command:?}: {line:?}"
            );
        }
        let lines = narrow.iter().take_while(|line| !line.starts_with("Left out"));
        for word in lines.flat_map(|line| line.split_whitespace()) {
            let known = whole.contains(word.trim_end_matches('…')) || word.contains("http");
            assert!(known, "{command:?}: {word:?} in {narrow:#?}");
        }
    }
}

#[test]
fn a_dumb_terminal_gets_neither_colours_nor_bars() {
    let world = World::start();
    let playout = world.playout().env("TERM", "dumb");
    for arguments in [
        &["media", "upload", "clip.mp4"][..],
        &["media", "list"],
        &["help"],
    ] {
        let (code, shown) = Terminal::start(&playout, arguments).end();
        assert_eq!(code, 0, "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('█'), "{shown:?}");
    }
}

#[test]
fn sizes_have_one_unit() {
    let world = World::start();
    let playout = world.playout();
    let (_, bar) = Terminal::start(&playout, &["media", "upload", "clip.mp4"]).end();
    let listed = shown(120, &playout, &["media", "list"]).join("\n");
    let usage = shown(120, &playout, &["usage"]).join("\n");
    for text in [&bar, &listed, &usage] {
        assert!(text.contains("kB") || text.contains("MB"), "{text:?}");
        assert!(!text.contains("iB"), "{text:?}");
    }
}

#[test]
fn a_time_may_be_days_or_weeks_from_now() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let times = ["+2h", "+3d", "+1w"].map(|at| {
        let moved = playout.run(&["posts", "reschedule", &draft, "--at", at]).ok();
        let at: Value = moved["root"]["scheduledFor"].clone();
        playout_domain::time::Time::parse(at.as_str().unwrap()).unwrap()
    });
    let days = |from: usize| times[2].since(times[from]).as_secs() / 86_400;
    assert_eq!((days(0), days(1)), (6, 4));
    playout
        .run(&["posts", "reschedule", &draft, "--at", "+-3d"])
        .failed(2, "usage");
}

#[test]
fn a_program_of_jq_sees_nothing_of_the_environment() {
    let world = World::start();
    let ran = world.playout().run(&["usage", "--jq", "env"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "{}\n"), "{ran:#?}");
}
