//! A client that creates posts while processes die: it sends each request with an idempotency key, and again until it is
//! answered. One post comes of it, however often that takes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::posts::Post;
use super::stage::Stage;
use crate::bench::http::{Answer, Body, Connection};
use crate::failure::{Failure, Outcome};
use crate::machine::epoch_micros;

/// How soon to ask again.
const PAUSE: Duration = Duration::from_millis(60);

/// Creates the live ones among the posts, each when it is due.
///
/// # Errors
/// When one is refused, or was not answered until told to stop.
pub fn write(stage: &Stage, posts: &[Post], first_at: i64, stop: &AtomicBool) -> Outcome<()> {
    for post in posts.iter().filter(|post| post.is_live()) {
        let left = post.due_at(first_at) - epoch_micros();
        thread::sleep(Duration::from_micros(u64::try_from(left).unwrap_or(0)));
        let body = post.body(&stage.media(), (&stage.seeded.platforms, first_at));
        while !is_created(stage, post, &body)? {
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::new(format!("{} could not be created", post.marker())));
            }
            thread::sleep(PAUSE);
        }
    }
    Ok(())
}

/// Asks once. `false`: nobody answered, or asked to come again.
fn is_created(stage: &Stage, post: &Post, body: &str) -> Outcome<bool> {
    match ask(stage, post, body) {
        Ok(answer) if answer.status == 201 => Ok(true),
        Ok(answer) if answer.status >= 500 || [409, 429].contains(&answer.status) => Ok(false),
        Ok(answer) => Err(Failure::new(format!(
            "creating {}: {}",
            post.marker(),
            answer.text()
        ))),
        Err(_) => Ok(false),
    }
}

fn ask(stage: &Stage, post: &Post, body: &str) -> Outcome<Answer> {
    let head = format!(
        "POST /public/v1/posts HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         idempotency-key: {}\r\n",
        stage.proxy.address,
        body.len(),
        post.marker()
    );
    let mut connection = Connection::open(stage.proxy.address, &stage.seeded.key)?;
    connection.send_stream(&head, &mut [Body::Text(body.to_owned())])
}
