//! `slides`: the requests to the service, the use of its answers, and the whole way through the real one.

use serde_json::{Value, json};

use crate::harness::{Bakery, FIRST, Model, SECOND, World};

#[test]
fn photos_become_a_captioned_slideshow_with_two_commands() {
    let model = Model::open();
    let world = World::with_model(&model);
    let playout = world.playout();
    let line = "playout slides captions 'Why kites fly' --count 3 --media slides/1.jpg > captions.json \
        && playout slides composite slides/1.jpg slides/2.jpg slides/1.jpg --captions captions.json --style box --position top";
    let ran = playout.shell(line);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:#?}");
    let made = ran.json();
    let ids: Vec<&str> = made["slides"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slide| slide["mediaId"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 3);
    for (id, name) in ids
        .iter()
        .zip(["1-captioned.jpg", "2-captioned.jpg", "1-captioned.jpg"])
    {
        let media = playout.run(&["media", "get", id]).ok();
        assert_eq!(
            (&media["originalFileName"], &media["status"]),
            (&json!(name), &json!("READY"))
        );
    }
    let mut create = vec![
        "posts",
        "create",
        "--platform",
        "kitestudio",
        "--caption",
        "Kites",
        "--now",
        "--wait",
    ];
    create.extend(["--setting", "privacy_level=PUBLIC_TO_EVERYONE"]);
    ids.iter().for_each(|id| create.extend(["--media", id]));
    let created = playout.run(&create);
    assert_eq!(created.code, 0, "{created:#?}");
}

#[test]
fn what_the_service_says_of_slides_is_told_as_it_is() {
    let world = World::start();
    let playout = world.playout();
    let photo = playout.upload("slides/1.jpg");
    let made = playout
        .run(&["slides", "composite", &photo, "--caption", "Kite \u{e000}"])
        .ok();
    assert_eq!(made["slides"][0]["warnings"][0]["code"], "missing_glyphs");
    let clip = playout.upload("clip.mp4");
    let refused = playout.run(&["slides", "composite", &photo, &clip]);
    let error = refused.failed(1, "invalid_request");
    assert_eq!(error["details"][0]["path"], json!(["slides", 1, "mediaId"]));
    let unavailable = playout.run(&["slides", "captions", "Kites", "--count", "3"]);
    let error = unavailable.failed(7, "captions_unavailable");
    assert_eq!(error["details"]["reason"], "not_configured");
}

#[test]
fn a_preview_is_a_file_and_leaves_no_slide_behind() {
    let world = World::start();
    let playout = world.playout();
    let photo = playout.upload("slides/1.jpg");
    let line = format!(
        "playout slides preview {photo} --caption 'Kite \u{e000}' --width 1080 --position top --output seen.jpg \
         && playout slides composite {photo} --caption 'Kite \u{e000}' --position top > made.json"
    );
    let seen = playout.shell(&line).ok();
    let jpeg = std::fs::read(playout.dir().join("seen.jpg")).unwrap();
    assert_eq!(
        seen,
        json!({ "file": "seen.jpg", "size": jpeg.len(), "missingGlyphs": ["U+E000"] })
    );
    let media = playout.run(&["media", "list"]).ok();
    let sizes: Vec<&Value> = media["media"]
        .as_array()
        .unwrap()
        .iter()
        .map(|media| &media["size"])
        .collect();
    assert_eq!(
        (sizes.len(), sizes[0]),
        (2, &json!(jpeg.len())),
        "the photo and the slide"
    );
    let clip = playout.upload("clip.mp4");
    let refused = playout.run(&["slides", "preview", &clip, "--output", "clip.jpg"]);
    let error = refused.failed(1, "invalid_request");
    assert_eq!(error["details"][0]["path"], json!(["mediaId"]));
    assert!(!playout.dir().join("clip.jpg").exists());
    let nowhere = playout.run(&["slides", "preview", &photo, "--output", "nowhere/seen.jpg"]);
    nowhere.failed(2, "file_error");
}

#[test]
fn a_preview_is_asked_for_as_it_was_said() {
    let bakery = Bakery::open();
    let playout = bakery.playout();
    let arguments = [
        "slides",
        "preview",
        "slides/1.jpg",
        "--caption",
        "- one",
        "--width",
        "90",
    ];
    let look = ["--size", "small", "--style", "plain", "--output", "seen.jpg"];
    let seen = playout.run(&[&arguments[..], &look].concat()).ok();
    assert_eq!(
        seen,
        json!({ "file": "seen.jpg", "size": 10, "missingGlyphs": ["U+E000", "U+E001"] })
    );
    playout
        .run(&["slides", "preview", SECOND, "--output", "seen.jpg"])
        .ok();
    assert_eq!(
        bakery.asked(),
        [
            json!({ "mediaId": FIRST, "caption": "- one", "width": 90, "captionSize": "small", "captionStyle": "plain" }),
            json!({ "mediaId": SECOND, "caption": "" }),
        ]
    );
}

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
fn captions_are_read_in_each_natural_form() {
    let bakery = Bakery::open();
    let playout = bakery.playout();
    for form in [
        json!(["One", "Two"]),
        json!([{ "caption": "One" }, { "caption": "Two" }]),
        json!({ "slides": ["One", "Two"] }),
        json!({ "slides": [{ "caption": "One" }, { "caption": "Two", "index": null }] }),
        json!({ "slides": [{ "caption": "Two", "index": 2 }, { "caption": "One", "index": 1 }], "caption": "Kites" }),
    ] {
        playout.put("mine.json", form.to_string().as_bytes());
        playout
            .run(&["slides", "composite", SECOND, SECOND, "--captions", "mine.json"])
            .ok();
        let asked = bakery.asked().pop().unwrap();
        let captions: Vec<&Value> = asked["slides"]
            .as_array()
            .unwrap()
            .iter()
            .map(|slide| &slide["caption"])
            .collect();
        assert_eq!(captions, ["One", "Two"], "{form}");
    }
}

#[test]
fn captions_in_another_form_are_refused_with_what_is_expected() {
    let bakery = Bakery::open();
    let playout = bakery.playout();
    for (form, problem) in [
        (json!("One"), "the captions are no array"),
        (json!({ "captions": ["One"] }), "there is no `slides`"),
        (json!(["One", 2]), "number 2 has no caption that is a text"),
        (
            json!([{ "text": "One" }, "Two"]),
            "number 1 has no caption that is a text",
        ),
        (
            json!([{ "caption": "One", "index": "a" }, "Two"]),
            "the `index` of number 1 is no whole number",
        ),
        (
            json!([{ "caption": "One", "index": 1 }, "Two"]),
            "some captions have an `index`",
        ),
    ] {
        playout.put("mine.json", form.to_string().as_bytes());
        let ran = playout.run(&["slides", "composite", SECOND, SECOND, "--captions", "mine.json"]);
        let error = ran.failed(2, "usage");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(problem) && message.contains("Expected is `[\"Three kites\""),
            "{form}: {message}"
        );
    }
    assert!(bakery.asked().is_empty());
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
    run(&["slides", "preview", SECOND]).failed(2, "usage");
    run(&[
        "slides", "preview", SECOND, "--output", "seen.jpg", "--width", "89",
    ])
    .failed(2, "usage");
    run(&["slides", "captions", "Kites", "--count", "2"]).failed(2, "usage");
    assert!(bakery.asked().is_empty());
}
