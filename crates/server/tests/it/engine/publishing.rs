//! The way of a post when nothing goes wrong.

use crate::harness::{TestApp, on_both};

on_both! {
    async fn a_video_goes_out_once_and_gets_its_address(db) {
        let t = TestApp::start(db).await;
        let platform = t.connect("kitestudio").await;
        let clip = t.api.upload_clip().await;
        let post = t.api.publish_now(&platform, &[clip]).await;
        let root = t.settled(&post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}");
        let published = t.sim.publications();
        assert_eq!(published.len(), 1);
        assert_eq!(root["releaseId"], published[0].post_id.as_str());
    }

    async fn a_slideshow_goes_out_once_with_photos_cut_to_size(db) {
        let t = TestApp::start(db).await;
        let platform = t.connect("kitestudio").await;
        let photos = [t.api.upload_photo(1254, 1254).await, t.api.upload_photo(900, 1600).await];
        let post = t.api.publish_now(&platform, &photos).await;
        let root = t.settled(&post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}");
        assert_eq!(t.sim.publications().len(), 1);
    }
}
