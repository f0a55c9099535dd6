//! The visible part of the demo: one video and one captioned slideshow are published through the public API, with a key, and the
//! real pipeline.

use playout_domain::secret::Secret;
use serde_json::json;

use super::client::{Client, platform_id};
use crate::cli::print::say;
use crate::open_error::OpenError;

/// The accounts of the video and of the slideshow.
pub(super) const ACCOUNTS: [&str; 2] = ["kitestudio", "harborbakes"];
const CLIP: &[u8] = include_bytes!("../../../../../assets/demo/clip.mp4");
/// The photos of the slideshow, each with its caption.
const SLIDES: [(&[u8], &str); 3] = [
    (
        include_bytes!("../../../../../assets/demo/photo-1.jpg"),
        "I stood in the same spot\nthree times today",
    ),
    (
        include_bytes!("../../../../../assets/demo/photo-2.jpg"),
        "Noon. Same waves, and I'd never have known it's the same bay 🌊",
    ),
    (
        include_bytes!("../../../../../assets/demo/photo-3.jpg"),
        "Midnight won.\nWhich one would you stay for?",
    ),
];

/// Publishes both through the API at `api_url`, and prints pages below `base_url`; returns whether both are published and public in the end.
pub(super) async fn tell(api_url: &str, base_url: &str, key: Secret) -> Result<bool, OpenError> {
    let client = Client::new(api_url, base_url, key)?;
    let platforms = client.get("/public/v1/platforms").await?;
    say(format!("\nConnected accounts: {base_url}/accounts"));
    let [for_video, for_slides] = ACCOUNTS.map(|handle| platform_id(&platforms, handle));
    let video = publish_video(&client, for_video?).await?;
    let slides = publish_slideshow(&client, for_slides?).await?;
    say("\nIn progress:");
    let (video, slides) = (client.settled(&video).await?, client.settled(&slides).await?);
    Ok(video && slides)
}

async fn publish_video(client: &Client, platform: String) -> Result<String, OpenError> {
    let media = client.upload("first-flight.mp4", "video/mp4", CLIP).await?;
    client
        .create_post(&json!({
            "platformIds": [platform],
            "content": "First flight of the season #kites",
            "mode": "now",
            "mediaIds": [media],
            "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true },
        }))
        .await
}

async fn publish_slideshow(client: &Client, platform: String) -> Result<String, OpenError> {
    let mut slides = Vec::new();
    for (number, (photo, caption)) in (1..).zip(SLIDES) {
        let name = format!("bay-{number}.jpg");
        let photo = client.upload(&name, "image/jpeg", photo).await?;
        slides.push(json!({ "index": number, "mediaId": photo, "caption": caption }));
    }
    let media = client
        .composite(&json!({ "slides": slides, "captionPosition": "top" }))
        .await?;
    client
        .create_post(&json!({
            "platformIds": [platform],
            "content": "Dawn, noon, midnight. I only meant to stay for one of them. #sea #slowdays #threelooks",
            "mode": "now",
            "mediaIds": media,
            "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "title": "One bay, three lights" },
        }))
        .await
}
