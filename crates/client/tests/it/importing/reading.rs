//! How a file and its cells are read, and which are refused.

use super::{column, posts, put_table, read};
use crate::harness::World;

#[test]
fn a_table_is_numbered_and_cut_as_a_spreadsheet_shows_it() {
    let world = World::start();
    let playout = world.playout();
    let table = "accounts,content,when,,\n\nkitestudio,One,Draft,,\n\n\nkitestudio,Two,soon,,\n";
    playout.put("posts.csv", table.as_bytes());
    let ran = playout.run(&["posts", "import", "posts.csv"]);
    let error = ran.failed(6, "invalid_row");
    assert!(error["message"].as_str().unwrap().contains("row 6:"), "{error}");
    assert_eq!(column(&ran.json(), "row"), [3, 6]);
    assert!(read(&playout, "posts.failed.csv").starts_with("accounts,content,when,row,error\n"));
    playout.put(
        "named.csv",
        b"accounts,content,when,\nkitestudio,One,draft,more\n",
    );
    let error = playout.run(&["posts", "import", "named.csv"]).failed(2, "usage");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("column 4: The column has cells"),
        "{error}"
    );
}

#[test]
fn words_of_the_time_of_a_row_may_be_in_capitals() {
    let world = World::start();
    let playout = world.playout();
    let rows = ["Now", "DRAFT", "Tomorrow 09:00", "TOMORROW 09:00"];
    let rows = rows.map(|when| format!("kitestudio,One,{when},clip.mp4,SELF_ONLY"));
    put_table(&playout, "posts.csv", &rows.each_ref().map(String::as_str));
    let checked = playout.run(&["posts", "import", "posts.csv", "--dry-run"]).ok();
    assert_eq!(column(&checked, "mode"), ["now", "draft", "schedule", "schedule"]);
}

#[test]
fn a_file_that_is_no_import_is_refused_as_a_whole() {
    let world = World::start();
    let playout = world.playout();
    let refused = |name: &str, content: &[u8]| {
        playout.put(name, content);
        let error = playout.run(&["posts", "import", name]).failed(2, "usage");
        error["message"].as_str().unwrap().to_owned()
    };
    let message = refused(
        "a.csv",
        b"accounts,contnet,settings.privacyLevel\nkitestudio,a,b\n",
    );
    assert!(
        message.contains("column 2") && message.contains("\"content\"?"),
        "{message}"
    );
    let message = refused(
        "a.csv",
        b"accounts,content,settings.privacyLevel\nkitestudio,a,b\n",
    );
    assert!(message.contains("\"settings.privacy_level\"?"), "{message}");
    let message = refused("a.csv", b"accounts,content,caption\nkitestudio,a,b\n");
    assert!(message.contains("means the same"), "{message}");
    let message = refused("a.csv", b"content,when\na,draft\n");
    assert!(message.contains("no column accounts"), "{message}");
    let message = refused("a.csv", b"accounts,content\nkitestudio,a,b\n");
    assert!(message.contains("line 2 has 3 cells"), "{message}");
    let message = refused("a.csv", b"accounts,content\nkitestudio,caf\xe9\n");
    assert!(message.contains("line 2 is not UTF-8"), "{message}");
    let message = refused("a.csv", b"accounts,content\n");
    assert!(message.contains("no rows"), "{message}");
    let message = refused("a.jsonl", b"{\"account\": \"kitestudio\", \"txt\": 1}\n{");
    assert!(message.contains("line 2 is not JSON"), "{message}");
    let message = refused("a.txt", b"");
    assert!(message.contains(".csv or .jsonl"), "{message}");
    playout
        .run(&["posts", "import", "gone.csv"])
        .failed(2, "file_error");
    assert_eq!(posts(&playout).len(), 0);
}

#[test]
fn a_row_that_cannot_be_read_is_no_command_that_cannot() {
    let world = World::start();
    let playout = world.playout();
    let never = "kitestudio,Never,soon,clip.mp4,SELF_ONLY";
    put_table(&playout, "none.csv", &[never]);
    let ran = playout.run(&["posts", "import", "none.csv"]);
    ran.failed(1, "invalid_row");
    put_table(
        &playout,
        "some.csv",
        &[never, "kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    let ran = playout.run(&["posts", "import", "some.csv"]);
    ran.failed(6, "invalid_row");
    assert_eq!(ran.json()["rows"][0]["error"]["code"], "invalid_row");
    put_table(&playout, "gone.csv", &["kitestudio,Two,draft,gone.mp4,SELF_ONLY"]);
    let error = playout
        .run(&["posts", "import", "gone.csv"])
        .failed(1, "invalid_row");
    assert!(error["message"].as_str().unwrap().contains("gone.mp4"), "{error}");
}
