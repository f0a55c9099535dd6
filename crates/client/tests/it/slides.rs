//! `slides`: what is asked of the service, and what is made of its answers.

use serde_json::{Value, json};

use crate::harness::{Bakery, FIRST, SECOND};

#[test]
fn captions_go_to_the_images_in_their_order() {
    let bakery = Bakery::open();
    let arguments = [
        "slides",
        "composite",
        SECOND,
        "slides/1.jpg",
        "--caption",
        "One",
        "--caption",
        "- two",
        "--size",
        "large",
        "--fit",
        "contain",
    ];
    let baked = bakery.playout().run(&arguments).ok();
    assert_eq!(
        baked,
        json!({ "slides": [{ "index": 1, "mediaId": SECOND }, { "index": 2, "mediaId": SECOND }] })
    );
    let slides = json!([{ "index": 1, "mediaId": SECOND, "caption": "One" }, { "index": 2, "mediaId": FIRST, "caption": "- two" }]);
    assert_eq!(
        bakery.asked(),
        [json!({ "slides": slides, "captionSize": "large", "fit": "contain" })]
    );
}

#[test]
fn images_without_captions_are_brought_into_form() {
    let bakery = Bakery::open();
    bakery.playout().run(&["slides", "composite", SECOND]).ok();
    assert_eq!(
        bakery.asked(),
        [json!({ "slides": [{ "index": 1, "mediaId": SECOND, "caption": "" }] })]
    );
}

#[test]
fn what_was_proposed_can_be_baked() {
    let bakery = Bakery::open();
    let playout = bakery.playout();
    let line = "playout slides captions 'Why kites fly' --count 3 --language en --length short | playout slides composite --captions - slides/1.jpg slides/2.jpg slides/1.jpg";
    let ran = playout.shell(line);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let asked = bakery.asked();
    assert_eq!(
        asked[0],
        json!({ "userRequest": "Why kites fly", "slideCount": 3, "language": "en", "slideLength": "short" })
    );
    let captions: Vec<&Value> = asked[1]["slides"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slide| &slide["caption"])
        .collect();
    assert_eq!(captions, ["Caption 1", "Caption 2", "Caption 3"]);
}

#[test]
fn what_cannot_be_meant_is_not_asked() {
    let bakery = Bakery::open();
    let playout = bakery.playout();
    let run = |arguments: &[&str]| playout.run(arguments);
    run(&["slides", "composite", SECOND, SECOND, "--caption", "One"]).failed(2, "usage");
    run(&["slides", "composite", SECOND, "--captions", "captions.json"]).failed(2, "usage");
    run(&["slides", "composite", SECOND, "--captions", "nowhere.json"]).failed(2, "file_error");
    run(&["slides", "composite", SECOND, "--captions", "clip.mp4"]).failed(2, "file_error");
    run(&["slides", "composite", SECOND, "--style", "neon"]).failed(2, "usage");
    run(&["slides", "captions", "Kites", "--count", "2"]).failed(2, "usage");
    assert!(bakery.asked().is_empty());
}
