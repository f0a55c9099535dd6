//! How long captions take: `cargo run --release -p playout-captions --example typesetting`.
//!
//! Layout and paint of one caption on one core, the best of many rounds: `new` paints with nothing kept from before,
//! `kept` paints what was painted before.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a stopwatch that prints"
)]

use std::time::{Duration, Instant};

use playout_captions::{Look, Patch, Style, Typesetter};

const CAPTIONS: &[(&str, &str)] = &[
    ("short English", "5 things I wish I knew before moving abroad"),
    (
        "long English",
        "I moved out at nineteen with two suitcases and no plan. Ten years later I own the bakery on the corner \
         where I used to buy stale bread at closing time. This is for everyone who is counting coins tonight.",
    ),
    ("emoji", "morning routine ☀️🥐☕️ come with me 🤍✨"),
    ("Arabic", "أجمل لحظة في حياتي كانت هنا، ولن أنساها أبداً"),
    ("Chinese", "今天天气真好，我们一起去海边看日落吧！"),
    ("Thai", "วันนี้อากาศดีมากเลยอยากไปเที่ยวทะเลที่กระบี่"),
    ("Hindi", "ज़िंदगी में कभी हार मत मानो, क्षत्रिय श्री"),
];

fn main() {
    println!(
        "{:<16}{:<10}{:>10}{:>12}{:>12}  patch",
        "caption", "style", "layout ms", "new ms", "kept ms"
    );
    for (name, caption) in CAPTIONS {
        for style in [Style::Outline, Style::Box, Style::Plain] {
            measure(name, caption, style);
        }
    }
}

fn measure(name: &str, caption: &str, style: Style) {
    let look = Look {
        style,
        ..Look::default()
    };
    let style = match style {
        Style::Outline => "outline",
        Style::Box => "box",
        Style::Plain => "plain",
    };
    let typesetter = Typesetter::new();
    let typeset = typesetter.set(caption, look).expect("it fits");
    let layout = best(200, || typesetter.set(caption, look).is_ok());
    let mut patch = Patch::default();
    let mut fresh = Duration::MAX;
    for _ in 0..30 {
        let new = Typesetter::new();
        fresh = fresh.min(best(1, || new.paint(&typeset, &mut patch)));
    }
    typesetter.paint(&typeset, &mut patch);
    let kept = best(200, || typesetter.paint(&typeset, &mut patch));
    let (layout, fresh, kept) = (millis(layout), millis(fresh), millis(kept));
    println!(
        "{name:<16}{style:<10}{layout:>10.3}{fresh:>12.3}{kept:>12.3}  {}x{}",
        patch.width, patch.height
    );
}

fn best<T>(rounds: usize, mut work: impl FnMut() -> T) -> Duration {
    let round = |_| {
        let begin = Instant::now();
        std::hint::black_box(work());
        begin.elapsed()
    };
    (0..rounds).map(round).min().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
