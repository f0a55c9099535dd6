//! The posts of a run as the service shows them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::posts::{self, Kind, Post};
use super::stage::Stage;
use crate::bench::world::text;
use crate::failure::{Failure, Outcome};

/// Every post as the service shows it, by number; more than one where it was created more than once.
///
/// # Errors
/// When no node answers.
pub fn all(stage: &Stage) -> Outcome<BTreeMap<usize, Vec<Value>>> {
    let mut all: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for post in list(stage, "limit=1000")? {
        if let Some(number) = post["content"].as_str().and_then(posts::marked) {
            all.entry(number).or_default().push(post);
        }
    }
    Ok(all)
}

/// All pages of a list of posts.
///
/// # Errors
/// When no node answers.
pub fn list(stage: &Stage, query: &str) -> Outcome<Vec<Value>> {
    let (mut posts, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = stage.get(&format!("/public/v1/posts?{query}{cursor}"))?;
        let more = page["posts"]
            .as_array()
            .ok_or_else(|| Failure::new("the list of posts is none"))?;
        posts.extend(more.iter().cloned());
        if page["nextCursor"].is_null() {
            return Ok(posts);
        }
        cursor = format!("&cursor={}", text(&page["nextCursor"])?);
    }
}

/// Whether a comment of a post that is out is still to be written.
///
/// # Errors
/// When no node answers.
pub fn comments_on_their_way(stage: &Stage, posts: &[Post]) -> Outcome<bool> {
    let roots = all(stage)?;
    for post in posts {
        let roots = roots.get(&post.number).map_or(&[][..], Vec::as_slice);
        let is_out = roots.iter().all(|root| root["state"] == "PUBLISHED");
        let waits = |child: &Value| child["state"] == "QUEUE";
        if is_out && children(stage, post, roots)?.iter().any(waits) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The comments of a post as the service shows them.
///
/// # Errors
/// When no node answers.
pub fn children(stage: &Stage, post: &Post, roots: &[Value]) -> Outcome<Vec<Value>> {
    let [root] = roots else { return Ok(Vec::new()) };
    if post.kind != Kind::Commented {
        return Ok(Vec::new());
    }
    let group = stage.get(&format!("/public/v1/posts/{}", text(&root["id"])?))?;
    Ok(group["children"].as_array().cloned().unwrap_or_default())
}
