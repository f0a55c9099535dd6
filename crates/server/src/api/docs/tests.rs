//! The style of the pages, the samples of the guides, and where their links lead.

use std::collections::BTreeSet;

use serde_json::Value;

use super::guides::{self, GUIDES};
use super::prose::html_of;
use super::{STYLE, guide_page, page};
use crate::api::openapi::document;

const TOKENS: &str = include_str!("../../../../../web/src/ui/tokens.css");
const WEBHOOKS: &str = include_str!("../../../../../docs/webhooks.md");
/// What there is besides pages.
const FILES: [&str; 6] = [
    "/",
    "/openapi.json",
    "/llms.txt",
    "/llms-full.txt",
    "/skill.md",
    "/docs.md",
];

#[test]
fn the_colours_of_the_reference_are_those_of_the_dashboard() {
    let (light, dark) = TOKENS.split_once("[data-theme=\"dark\"] {").unwrap();
    let both = STYLE.lines().filter_map(|line| {
        let (name, pair) = line.trim().split_once(": light-dark(")?;
        Some((name, pair.trim_end_matches(");").split_once(", ")?))
    });
    let mut compared = 0;
    for (name, (in_light, in_dark)) in both {
        assert!(
            light.contains(&format!("  {name}: {in_light};")),
            "{name} in light"
        );
        assert!(dark.contains(&format!("  {name}: {in_dark};")), "{name} in dark");
        compared += 1;
    }
    assert_eq!(compared, 18);
}

#[test]
fn every_link_of_a_page_leads_to_a_page_and_a_place_that_there_is() {
    let mut pages = vec![("/docs".to_owned(), page())];
    pages.extend(guides::all().map(|guide| (format!("/docs/{}", guide.slug), guide_page(guide))));
    let ids = |html: &str| -> BTreeSet<String> {
        let after = html.split(" id=\"").skip(1);
        after
            .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
            .collect()
    };
    let places: Vec<(String, BTreeSet<String>)> = pages
        .iter()
        .map(|(path, html)| (path.clone(), ids(html)))
        .collect();
    let mut followed = 0;
    for (path, html) in &pages {
        for link in html.split(" href=\"").skip(1) {
            let (link, _) = link.split_once('"').unwrap();
            if link.starts_with("http") || link.starts_with("data:") || link == "/docs/reference.css" {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if target.is_empty() { path } else { target };
            let markdown = target.strip_suffix(".md").unwrap_or(target);
            let found = places.iter().find(|(path, _)| path == markdown);
            assert!(
                found.is_some() || FILES.contains(&target),
                "{path} links to {link}, which is not there"
            );
            let is_there = anchor.is_empty() || found.is_some_and(|(_, ids)| ids.contains(anchor));
            assert!(is_there, "{path} links to {link}, and there is no such place");
            followed += 1;
        }
    }
    assert!(followed > 500, "{followed}");
}

#[test]
fn every_guide_begins_with_its_only_first_heading() {
    for guide in guides::all() {
        let html = html_of(&guide.markdown());
        assert_eq!(html.matches("<h1").count(), 1, "{}", guide.slug);
    }
    let slugs: BTreeSet<&str> = GUIDES.iter().map(|guide| guide.slug).collect();
    assert_eq!(slugs.len(), GUIDES.len());
}

#[test]
fn every_event_has_a_payload_in_the_guide_that_its_schema_describes() {
    let blocks = WEBHOOKS.split("```json\n").skip(1);
    let payloads: Vec<Value> = blocks
        .map(|block| serde_json::from_str(block.split_once("```").unwrap().0).unwrap())
        .collect();
    assert_eq!(payloads.len(), 4, "a post, a platform, a media object and a test");
    for payload in payloads {
        let described = &document()["webhooks"][payload["type"].as_str().unwrap()]["post"];
        let schema = &described["requestBody"]["content"]["application/json"]["schema"];
        let at = |schema: &Value| {
            let pointer = schema["$ref"].as_str().unwrap().trim_start_matches('#');
            document().pointer(pointer).unwrap()
        };
        let data = at(&at(schema)["properties"]["data"]);
        let keys =
            |value: &Value| -> BTreeSet<String> { value.as_object().unwrap().keys().cloned().collect() };
        assert_eq!(
            keys(&payload["data"]),
            keys(&data["properties"]),
            "{}",
            payload["type"]
        );
    }
    for word in document()["webhooks"].as_object().unwrap().keys() {
        assert!(WEBHOOKS.contains(&format!("| `{word}` |")), "{word}");
    }
}
