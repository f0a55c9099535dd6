//! Imports whose connection or process ends before the file does.

use super::{cut_after, ended, import, media, ready, start, stops_after, used, whole};
use crate::harness::{Db, Sends, eventually, on_both, padded};

on_both!(
    a_connection_that_breaks_off_is_continued,
    a_file_that_has_changed_is_fetched_again,
    parts_of_two_versions_are_not_joined,
    a_part_that_is_longer_than_it_says_is_fetched_again,
    an_import_goes_on_with_another_process,
);

async fn a_connection_that_breaks_off_is_continued(db: Db) {
    let (t, server) = start(db).await;
    let film = padded(3 << 20);
    let url = server.put("/kite.mp4", film.clone(), "\"1\"");
    server.will([cut_after(1 << 20), cut_after(1 << 20)]);
    let id = import(&t, &url).await;
    ready(&t, &id, &film).await;
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert!(!asked[0].headers.contains_key("range"));
    for again in &asked[1..] {
        assert_eq!(again.headers["if-range"], "\"1\"");
        assert!(again.headers["range"].to_str().unwrap().starts_with("bytes="));
    }
    assert_eq!(used(&t).await, film.len() as u64);
}

async fn a_file_that_has_changed_is_fetched_again(db: Db) {
    let (t, server) = start(db).await;
    let (old, new) = (padded(3 << 20), padded(2 << 20));
    for (path, tag, then) in [
        ("/tagged.mp4", "\"1\"", "\"2\""),
        ("/plain.mp4", "", ""),
        ("/weak.mp4", "W/\"1\"", "W/\"1\""),
    ] {
        let url = server.put(path, old.clone(), tag);
        server.will([stops_after(1 << 20)]);
        let id = import(&t, &url).await;
        let begun = server.asked().len();
        eventually("it is asked", async || server.asked().len() >= begun.max(1)).await;
        server.put(path, new.clone(), then);
        // The first answer ends where its connection does.
        server.will([cut_after(1 << 20)]);
        server.go_on();
        let media = ended(&t, &id).await;
        assert_eq!(media["status"], "READY", "{media:#}");
    }
    server.will([cut_after(1 << 20)]);
    let url = server.put("/cut.mp4", old.clone(), "");
    let id = import(&t, &url).await;
    eventually("it was cut", async || {
        server.asked().iter().any(|asked| asked.path == "/cut.mp4")
    })
    .await;
    server.put("/cut.mp4", new.clone(), "");
    let media = ended(&t, &id).await;
    assert_eq!(media["status"], "READY", "{media:#}");
    let again = server.asked();
    assert!(
        again
            .iter()
            .all(|asked| asked.path != "/cut.mp4" || !asked.headers.contains_key("range"))
    );
}

/// A part that is named as one of another version is not joined to what is there (RFC 9110, section 15.3.7.3).
async fn parts_of_two_versions_are_not_joined(db: Db) {
    let (t, server) = start(db).await;
    let film = padded(3 << 20);
    let url = server.put("/kite.mp4", film.clone(), "\"1\"");
    let other = Sends {
        tag: Some("\"2\""),
        ..whole()
    };
    server.will([cut_after(1 << 20), other]);
    let id = import(&t, &url).await;
    ready(&t, &id, &film).await;
    let asked = server.asked();
    let ranged = asked.iter().map(|asked| asked.headers.contains_key("range"));
    assert_eq!(ranged.collect::<Vec<_>>(), [false, true, false]);
    // The video and its preview, and nothing of the first version.
    t.settles_at(2).await;
}

async fn a_part_that_is_longer_than_it_says_is_fetched_again(db: Db) {
    let (t, server) = start(db).await;
    let film = padded(3 << 20);
    let url = server.put("/kite.mp4", film.clone(), "\"1\"");
    let longer = Sends {
        excess: 500,
        ..whole()
    };
    server.will([cut_after(1 << 20), longer]);
    let id = import(&t, &url).await;
    ready(&t, &id, &film).await;
}

async fn an_import_goes_on_with_another_process(db: Db) {
    let (mut t, server) = start(db).await;
    let film = padded(20 << 20);
    let url = server.put("/kite.mp4", film.clone(), "\"1\"");
    server.will([stops_after(17 << 20)]);
    let id = import(&t, &url).await;
    eventually("some of it is in", async || {
        media(&t, &id).await["receivedBytes"] != 0
    })
    .await;
    t.stop().await;
    t.replace().await;
    ready(&t, &id, &film).await;
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    let range = asked[1].headers["range"].to_str().unwrap();
    let from: u64 = range
        .strip_prefix("bytes=")
        .unwrap()
        .strip_suffix('-')
        .unwrap()
        .parse()
        .unwrap();
    assert!(from >= 16 << 20, "{range}");
}
