//! What a person sees: the program on a pseudo-terminal.

use crate::harness::{CLIP, Film, Playout, Terminal, World};

/// Runs the program on a terminal; returns its exit code and everything that was shown.
fn on_terminal(playout: &Playout, arguments: &[&str]) -> (i32, String) {
    Terminal::start(playout, arguments).end()
}

/// The same, with a person who types this text after the prompt, when the echo is off.
fn typing(text: &str, playout: &Playout, arguments: &[&str]) -> (i32, String) {
    let mut terminal = Terminal::start(playout, arguments);
    terminal.wait_for("not shown");
    terminal.type_unseen(text);
    terminal.end()
}

#[test]
fn a_person_sees_tables_in_colour_and_a_bar() {
    let world = World::start();
    let playout = world.playout();
    let (code, shown) = on_terminal(&playout, &["platforms", "list"]);
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("HANDLE") && shown.contains("kitestudio"),
        "{shown}"
    );
    assert!(!shown.contains("\"platforms\""), "{shown}");
    let (code, shown) = on_terminal(&playout, &["media", "upload", "clip.mp4"]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("\u{1b}[32mREADY"), "a colour: {shown:?}");
    assert!(shown.contains('█'), "a bar: {shown:?}");
}

#[test]
fn a_person_follows_a_post_until_it_is_published() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let (code, shown) = on_terminal(&playout, &["posts", "publish", &draft, "--wait"]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("is being published"), "{shown:?}");
    assert!(shown.contains("PUBLISHED"), "{shown:?}");
}

#[test]
fn a_person_sees_which_posts_an_earlier_run_of_an_import_has_created() {
    let world = World::start();
    let playout = world.playout();
    playout.put("posts.csv", b"account,content,when\nkitestudio,Kites,draft\n");
    let import = ["posts", "import", "posts.csv"];
    let (_, shown) = on_terminal(&playout, &import);
    assert!(shown.contains("1 created, 0 failed."), "{shown:?}");
    let (code, shown) = on_terminal(&playout, &import);
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("1 created (1 of them by an earlier run), 0 failed."),
        "{shown:?}"
    );
}

#[test]
fn a_person_reads_what_is_wrong_and_where() {
    let world = World::start();
    let playout = world.playout();
    let (code, shown) = on_terminal(&playout, &["folders", "create", " "]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("error") && shown.contains("name: "), "{shown:?}");
    let (code, shown) = on_terminal(&playout, &["posts", "nonsense"]);
    assert_eq!(code, 2);
    assert!(shown.contains("Usage:") && !shown.contains("{"), "{shown:?}");
}

#[test]
fn json_on_a_terminal_is_json_alone() {
    let world = World::start();
    let (code, shown) = on_terminal(&world.playout(), &["platforms", "list", "--json"]);
    assert_eq!(code, 0);
    let platforms: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(platforms["platforms"][0]["displayHandle"], "kitestudio");
}

#[test]
fn no_colour_is_shown_to_who_wants_none() {
    let world = World::start();
    let playout = world.playout().env("NO_COLOR", "1");
    let (_, shown) = on_terminal(&playout, &["doctor"]);
    assert!(shown.contains("ok") && !shown.contains("\u{1b}[3"), "{shown:?}");
}

#[test]
fn a_key_that_is_typed_is_not_shown() {
    let world = World::start();
    let playout = world.playout().without("PLAYOUT_API_KEY");
    let typed = format!("{}\n", world.key);
    let (code, shown) = typing(&typed, &playout, &["auth", "login", "--api-key"]);
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("Signed in") && !shown.contains(&world.key),
        "{shown:?}"
    );
    playout.run(&["auth", "status"]).ok();
}

#[test]
fn a_person_goes_from_a_key_to_a_published_post() {
    let world = World::start();
    let playout = world.playout().without("PLAYOUT_API_KEY");
    let (code, shown) = on_terminal(&playout, &["platforms", "list"]);
    assert!(code == 3 && shown.contains("playout auth login"), "{shown}");
    let typed = format!("{}\n", world.key);
    assert_eq!(typing(&typed, &playout, &["auth", "login", "--api-key"]).0, 0);
    let line = [
        "posts",
        "create",
        "--platform",
        "kitestudio",
        "--caption",
        "First flight #kites",
        "--media",
        "clip.mp4",
        "--setting",
        "privacy_level=PUBLIC_TO_EVERYONE",
        "--now",
        "--wait",
    ];
    let (code, shown) = on_terminal(&playout, &line);
    assert_eq!(code, 0, "{shown}");
    let order =
        ["█", "Uploaded clip.mp4 as ", "PUBLISHED", "First flight #kites"].map(|text| shown.find(text));
    assert!(
        order.is_sorted() && order.iter().all(Option::is_some),
        "{order:?} {shown:?}"
    );
    assert_eq!(world.sim.publication_count(), 1);
    let publication = &world.sim.publications()[0];
    assert!(shown.contains(&publication.path()), "its page: {shown:?}");
}

#[test]
fn a_caption_cannot_command_the_terminal() {
    // The service rejects ESC, but accepts the control characters of ISO 6429 that mean the same in one character.
    let world = World::start();
    let playout = world.playout();
    playout.put("clip.mp4", CLIP);
    let created = playout.run(&[
        "posts",
        "create",
        "--draft",
        "--platform",
        "kitestudio",
        "--caption",
        "harm\u{9d}0;less\u{9c}\u{9b}2J",
    ]);
    created.ok();
    let (_, shown) = on_terminal(&playout, &["posts", "list"]);
    assert!(
        shown.contains("harm") && !shown.contains(['\u{9b}', '\u{9d}']),
        "{shown:?}"
    );
}

#[test]
fn a_person_sees_no_full_bar_before_the_size_of_an_imported_file_is_known() {
    let (world, film) = (World::with_local_webhooks(), Film::open());
    let (code, shown) = on_terminal(&world.playout(), &["media", "import", &film.url]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("waiting for the size"), "{shown:?}");
    assert!(!shown.contains("0 B of 0 B"), "{shown:?}");
    assert!(shown.contains('█'), "a bar in the end: {shown:?}");
}
