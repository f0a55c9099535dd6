//! Pieces of HTML that all pages share. Every text from outside goes through [`escape`].

use playout_domain::time::Time;

/// Text as it may stand in HTML and in quoted attributes.
pub(in crate::sim) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// A whole document around `body`; nothing in it comes from another host.
pub(in crate::sim) fn page(title: &str, body: &str) -> String {
    format!(
        r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{} · simulated provider</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/sim/avatar/sim.svg"><style>{}</style></head><body>{body}<script>{}</script></body></html>"#,
        escape(title),
        include_str!("style.css"),
        include_str!("slides.js"),
    )
}

/// `1 post`, `2 posts`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A time as people read it, to the minute: `2026-11-20 09:00 UTC`.
pub(super) fn moment(at: Time) -> String {
    let text = at.to_string();
    format!(
        "{} {} UTC",
        text.get(..10).unwrap_or(""),
        text.get(11..16).unwrap_or("")
    )
}

/// The audience of a privacy level, as the provider's app words it.
pub(super) fn audience(privacy_level: &str) -> &'static str {
    match privacy_level {
        "PUBLIC_TO_EVERYONE" => "Everyone",
        "MUTUAL_FOLLOW_FRIENDS" => "Friends",
        "FOLLOWER_OF_CREATOR" => "Followers",
        _ => "Only me",
    }
}

/// A round picture for a handle.
pub(in crate::sim) fn avatar(username: &str) -> String {
    format!(
        r#"<img class="avatar" src="/sim/avatar/{}.svg" alt="">"#,
        escape(username)
    )
}

/// The picture itself: the first letter on a colour of its own.
pub(in crate::sim) fn avatar_svg(username: &str) -> String {
    let mix = |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
    let hue = (username.bytes().fold(2_166_136_261, mix) >> 7) % 360;
    let letter = escape(&username.chars().next().unwrap_or('?').to_uppercase().to_string());
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl({hue} 75% 55%)"/><stop offset="1" stop-color="hsl({} 70% 38%)"/></linearGradient></defs><rect width="64" height="64" fill="url(#g)"/><text x="32" y="43" font-family="system-ui,sans-serif" font-size="32" font-weight="700" fill="#fff" text-anchor="middle">{letter}</text></svg>"##,
        (hue + 40) % 360
    )
}

/// The bar above every page.
pub(super) fn bar() -> String {
    r#"<header class="bar"><a href="/"><b>Simulated provider</b></a><a href="/">Creators</a><a href="/messages">Inboxes</a></header>"#
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_that_html_understands_survives() {
        assert_eq!(
            escape("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
    }
}
