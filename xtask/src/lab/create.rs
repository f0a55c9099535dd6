//! Creates posts before the first process dies.

use super::posts::Post;
use super::stage::Stage;
use crate::bench::load::{self, Load};
use crate::failure::{Doing, Outcome};

/// Creates those among the posts that are planned; nothing is published meanwhile.
///
/// # Errors
/// When one is refused.
pub fn planned(stage: &Stage, posts: &[Post], first_at: i64) -> Outcome<()> {
    let (address, process) = stage.api()?;
    let planned: Vec<&Post> = posts.iter().filter(|post| !post.is_live()).collect();
    let load = Load {
        address,
        key: &stage.seeded.key,
        count: planned.len(),
        status: 201,
    };
    let media = stage.media();
    load::send(load, |number| {
        let body = planned[number].body(&media, &stage.seeded.platforms, first_at);
        ("POST", "/public/v1/posts".to_owned(), body)
    })
    .doing("creating posts")?;
    process.stop()
}
