//! Files of which the storage has only the beginning, as in a backup that was copied in part: they are not sent, and the post says which they
//! are.

use std::path::PathBuf;
use std::time::Duration;

use playout_tiktok::sim::{Endpoint, HoldPoint};
use serde_json::Value;

use crate::harness::{Db, Options, TestApp, on_both, stored_files};

on_both!(
    a_post_whose_video_is_cut_says_so_and_goes_out_once_it_is_whole,
    a_video_that_is_cut_half_way_is_not_sent_on,
    a_video_that_is_cut_before_it_is_fetched_is_not_sent_in_part,
    a_photo_that_is_cut_is_not_taken_for_one_that_cannot_be_used,
    a_scaled_photo_that_is_cut_is_drawn_again,
    a_file_of_the_library_is_served_as_a_whole_or_not_at_all,
);

/// A file, and what was in it.
struct Cut {
    path: PathBuf,
    whole: Vec<u8>,
}

impl Cut {
    /// Cuts the largest of the files whose names end like this.
    fn largest(t: &TestApp, ending: &str) -> Self {
        let files = stored_files(t.app.config.data_dir.join("media")).unwrap();
        let path = files
            .map(|file| file.unwrap().path())
            .filter(|path| path.to_str().unwrap().ends_with(ending))
            .max_by_key(|path| path.metadata().unwrap().len())
            .unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..20]).unwrap();
        Self { path, whole }
    }

    fn undo(&self) {
        std::fs::write(&self.path, &self.whole).unwrap();
    }

    /// The post waits, and names the file.
    async fn is_named_by(&self, t: &TestApp, post: &str) {
        let text = |root: &Value| root["errorText"].as_str().unwrap_or_default().to_owned();
        let root = t
            .run_until(post, |root| text(root).contains("is not whole in the storage"))
            .await;
        let cut = format!("it has 20 bytes instead of {}", self.whole.len());
        assert!(text(&root).contains(&cut), "{root:#}");
        assert_eq!(root["state"], "QUEUE", "{root:#}");
    }

    /// Once the file is whole the post goes out, once.
    async fn is_mended(&self, t: &TestApp, post: &str) {
        self.undo();
        let root = t.settled(post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}");
        assert_eq!(t.sim.publication_count(), 1);
    }
}

/// The size of what the first publication shows first.
fn shown_bytes(t: &TestApp) -> u64 {
    t.sim.publications()[0].media[0].size_bytes
}

/// A video that is cut when the provider has taken its post, and has nothing of it.
async fn cut_after_the_hand_over(t: &TestApp) -> (Cut, String) {
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    let cut = Cut::largest(t, "");
    t.sim.release(Endpoint::VideoInit);
    (cut, post)
}

async fn a_post_whose_video_is_cut_says_so_and_goes_out_once_it_is_whole(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let cut = Cut::largest(&t, "");
    let post = t.api.publish_now(&platform, &[clip]).await;
    cut.is_named_by(&t, &post).await;
    assert_eq!(t.sim.task_count(), 0, "nothing was handed over");
    cut.is_mended(&t, &post).await;
}

async fn a_video_that_is_cut_half_way_is_not_sent_on(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("failed inside");
    let (cut, post) = cut_after_the_hand_over(&t).await;
    cut.is_named_by(&t, &post).await;
    cut.is_mended(&t, &post).await;
}

async fn a_video_that_is_cut_before_it_is_fetched_is_not_sent_in_part(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_transfer", "pull")).await;
    t.errors.expect("failed inside");
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    let (cut, post) = cut_after_the_hand_over(&t).await;
    cut.is_named_by(&t, &post).await;
    t.advance(Duration::from_secs(120)).await;
    assert_eq!(t.sim.publication_count(), 0);
    cut.is_mended(&t, &post).await;
    assert_eq!(shown_bytes(&t), cut.whole.len() as u64);
}

async fn a_photo_that_is_cut_is_not_taken_for_one_that_cannot_be_used(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(1254, 1254).await;
    let cut = Cut::largest(&t, "");
    let post = t.api.publish_now(&platform, &[photo]).await;
    cut.is_named_by(&t, &post).await;
    cut.is_mended(&t, &post).await;
}

async fn a_file_of_the_library_is_served_as_a_whole_or_not_at_all(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("instead of");
    t.errors.expect("is not in the storage");
    let photo = t.api.upload_photo(1254, 1254).await;
    let media = t.api.get(&format!("/public/v1/media/{photo}")).await.ok();
    let url = media["publicUrl"].as_str().unwrap();
    let cut = Cut::largest(&t, "");
    assert_eq!(t.nobody().follow(url).await.status, 500);
    std::fs::remove_file(&cut.path).unwrap();
    assert_eq!(t.nobody().follow(url).await.status, 404);
    cut.undo();
    assert!(t.nobody().follow(url).await.body == cut.whole);
}

async fn a_scaled_photo_that_is_cut_is_drawn_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(1254, 1254).await;
    let first = t.api.publish_now(&platform, std::slice::from_ref(&photo)).await;
    assert_eq!(t.settled(&first).await["state"], "PUBLISHED");
    let cut = Cut::largest(&t, "x1080.jpg");
    let second = t.api.publish_now(&platform, &[photo]).await;
    assert_eq!(t.settled(&second).await["state"], "PUBLISHED");
    assert_eq!(std::fs::read(&cut.path).unwrap(), cut.whole);
}
