//! A post: as a card in a feed, and on its own page.

use super::html::{audience, avatar, bar, counted, escape, moment, page};
use crate::sim::ledger::{Comment, Publication};
use crate::sim::media::Media;
use crate::sim::task::Kind;
use crate::sim::world::World;

/// The phone-shaped frame in which a post plays.
pub(super) fn frame(kind: Kind, media: &[Media], alt: &str) -> String {
    let label = escape(alt);
    match (kind, media.first()) {
        (_, None) => r#"<div class="phone"></div>"#.to_owned(),
        (Kind::Video, Some(video)) => format!(
            r#"<div class="phone"><video src="/sim/media/{}" muted autoplay loop controls playsinline aria-label="{label}"></video></div>"#,
            escape(&video.id)
        ),
        (Kind::Photo, Some(_)) => slideshow(media, &label),
    }
}

fn slideshow(media: &[Media], label: &str) -> String {
    let total = media.len();
    let slide = |(index, medium): (usize, &Media)| {
        let id = escape(&medium.id);
        format!(
            r#"<img class="slide" src="/sim/media/{id}" alt="{label}, photo {} of {total}" loading="lazy">"#,
            index + 1
        )
    };
    let slides: String = media.iter().enumerate().map(slide).collect();
    let buttons = match total {
        1 => "",
        _ => {
            r#"<button class="nav prev" aria-label="Previous photo">‹</button><button class="nav next" aria-label="Next photo">›</button>"#
        }
    };
    format!(
        r#"<div class="phone" data-slides><div class="slides" tabindex="0">{slides}</div>{buttons}<div class="dots">{}</div></div>"#,
        "<i></i>".repeat(if total > 1 { total } else { 0 })
    )
}

fn tags(post: &Publication) -> String {
    let review = if post.public_at.is_none() && post.info.privacy_level == "PUBLIC_TO_EVERYONE" {
        ", in review"
    } else {
        ""
    };
    let privacy = format!("{}{review}", audience(&post.info.privacy_level));
    let info = &post.info;
    let promo = match (info.brand_content_toggle, info.brand_organic_toggle) {
        (true, _) => Some("Paid partnership"),
        (false, true) => Some("Promotional content"),
        _ => None,
    };
    let mut tags = format!(r#"<span class="tag">{privacy}</span>"#);
    for text in [promo, info.is_aigc.then_some("Creator labeled as AI-generated")]
        .into_iter()
        .flatten()
    {
        tags.push_str(&format!(r#"<span class="tag hot">{text}</span>"#));
    }
    if post.kind == Kind::Photo {
        tags.push_str(&format!(
            r#"<span class="tag">{} photos</span>"#,
            post.media.len()
        ));
    }
    format!(r#"<div class="tags">{tags}</div>"#)
}

/// The post in a feed.
pub(super) fn card(post: &Publication) -> String {
    format!(
        r#"<article class="post">{frame}{tags}<a href="{path}"><p class="caption cut">{caption}</p>
<small>♥ 0 · {comments} · {when}</small></a></article>"#,
        frame = frame(post.kind, &post.media, &post.caption),
        tags = tags(post),
        path = escape(&post.path()),
        caption = escape(&post.caption),
        comments = counted(post.comments.len(), "comment"),
        when = moment(post.published_at),
    )
}

/// The page of one post.
pub(super) fn permalink(world: &World, post: &Publication) -> String {
    let comments: String = post
        .comments
        .iter()
        .map(|comment| comment_row(world, comment))
        .collect();
    let body = format!(
        r#"<main><div class="stage">{frame}<section>
<a class="profile" href="/@{username}">{avatar}<span><b>{nickname}</b><small>@{username} · {when}</small></span></a>
<p class="caption">{caption}</p>{tags}<p><small>Post {id} · task <code>{task}</code></small></p>
<h2>{count}</h2>{comments}</section></div></main>"#,
        frame = frame(post.kind, &post.media, &post.caption),
        username = escape(&post.username),
        avatar = avatar(&post.username),
        nickname = escape(
            world
                .account(&post.open_id)
                .map_or("", |account| &account.nickname)
        ),
        when = moment(post.published_at),
        caption = escape(&post.caption),
        tags = tags(post),
        id = post.post_id,
        task = escape(&post.publish_id),
        count = counted(post.comments.len(), "comment"),
    );
    page(&post.username, &format!("{}{body}", bar()))
}

fn comment_row(world: &World, comment: &Comment) -> String {
    let name = world
        .account(&comment.open_id)
        .map_or("", |account| &account.username);
    let hidden = match comment.hidden {
        true => r#" <small>hidden by the spam filter</small>"#,
        false => "",
    };
    format!(
        r#"<div class="comment">{}<span><b>{}</b>{hidden}<br>{}</span></div>"#,
        avatar(name),
        escape(name),
        escape(&comment.text)
    )
}

/// The page of a post that does not exist. Like the real one it is sent with HTTP 200.
pub(super) fn nowhere() -> String {
    let body = r#"<main><div class="empty" data-status-code="10204"><h1>Video currently unavailable</h1>
<p>Looking for videos? Try the <a href="/"><u>list of creators</u></a>.</p></div></main>"#;
    page("Unavailable", &format!("{}{body}", bar()))
}
