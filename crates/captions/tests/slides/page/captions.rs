//! What is written on the slides of the page.

use playout_captions::{Look, Position, Size, Style};

use super::studio::{Post, Scenery};

const fn look(style: Style, position: Position, size: Size) -> Look {
    Look {
        style,
        position,
        size,
        fit: playout_captions::Fit::Cover,
    }
}

const OUTLINE: Look = look(Style::Outline, Position::Middle, Size::Medium);
const BOX: Look = look(Style::Box, Position::Middle, Size::Medium);
const PLAIN: Look = look(Style::Plain, Position::Middle, Size::Medium);

const fn post(scenery: Scenery, caption: &'static str, look: Look) -> Post {
    Post {
        scenery,
        caption,
        look,
    }
}

/// Sheets of slides: name, how many stand in a row, and the slides.
pub(super) const SHEETS: &[(&str, usize, &[Post])] = &[
    (
        "styles",
        3,
        &[
            post(Scenery::Lake, "Nobody told me about this lake 🌅", OUTLINE),
            post(
                Scenery::City,
                "Moving to a big city at 30:\nwhat it really costs",
                BOX,
            ),
            post(
                Scenery::North,
                "nine hours in the car,\ntwenty minutes of this",
                PLAIN,
            ),
        ],
    ),
    (
        "sizes",
        3,
        &[
            post(
                Scenery::Dawn,
                HIKE,
                look(Style::Outline, Position::Middle, Size::Small),
            ),
            post(Scenery::Dawn, HIKE, OUTLINE),
            post(
                Scenery::Dawn,
                HIKE,
                look(Style::Outline, Position::Middle, Size::Large),
            ),
        ],
    ),
    (
        "lines",
        3,
        &[
            post(Scenery::Cafe, BAKERY, OUTLINE),
            post(
                Scenery::Forest,
                "Packing list\n\n✓ dry socks\n✓ head torch\n✓ snacks → lots",
                BOX,
            ),
            post(
                Scenery::Dawn,
                "Good morning!\nבוקר טוב, עולם!\nصباح الخير!\n早上好！",
                BOX,
            ),
        ],
    ),
    (
        "scripts-1",
        3,
        &[
            post(Scenery::Cafe, "Où goûter à Lyon quand il pleut ?", OUTLINE),
            post(Scenery::Dawn, "Как я выучила язык за год", BOX),
            post(Scenery::Dunes, "Τρεις μέρες στην έρημο με 200 €", OUTLINE),
            post(Scenery::Dawn, "خمس عادات صباحية غيّرت حياتي ☀️", OUTLINE),
            post(Scenery::Cafe, "המתכון הכי טוב ב-15 דקות!", BOX),
            post(Scenery::Forest, "सुबह की पहली चाय और पहाड़ों की हवा", OUTLINE),
        ],
    ),
    (
        "scripts-2",
        3,
        &[
            post(Scenery::Lake, "বৃষ্টির দিনে খিচুড়ি আর গল্প", BOX),
            post(Scenery::Dawn, "மலையில் ஒரு அழகான காலை", OUTLINE),
            post(Scenery::Forest, "คาเฟ่ลับกลางป่าที่ต้องไปสักครั้ง", BOX),
            post(Scenery::North, "一个人旅行，学会的三件小事", OUTLINE),
            post(
                Scenery::Cafe,
                "東京の隠れ家カフェ5選☕️「絶対に行くべき」",
                OUTLINE,
            ),
            post(Scenery::City, "서울 야경이 가장 예쁜 카페를 찾아서", BOX),
        ],
    ),
    (
        "emoji",
        3,
        &[
            post(Scenery::Cafe, "Sunday reset ☕️🕯️🧺\nwho’s with me?", OUTLINE),
            post(Scenery::Dunes, "Family road trip 👨‍👩‍👧‍👦\n🇵🇹 → 🇪🇸 → 🇲🇦", BOX),
            post(
                Scenery::Forest,
                "1️⃣ phone off\n2️⃣ boots on 🥾\n3️⃣ breathe ❤️‍🔥",
                OUTLINE,
            ),
        ],
    ),
];

const HIKE: &str = "We walked up in the dark for this";

const BAKERY: &str = "I moved out at nineteen with two suitcases and no plan. Ten years later I own the bakery on the corner \
     where I used to buy stale bread at closing time. This is for everyone who is counting coins tonight: keep going, keep the \
     receipts, call your mother, and never let anyone tell you that small is not enough.";

/// Captions of the corpus on which others stumble, by name.
pub(super) const HARD: &[&str] = &[
    "hebrew-digits",
    "arabic-emoji",
    "families",
    "heart-on-fire",
    "flags",
    "keycaps",
    "skin-tones",
    "hindi",
    "bengali",
    "tamil",
    "thai",
    "chinese",
    "japanese",
    "kinsoku",
    "korean",
    "combining",
    "vietnamese",
    "turkish",
    "bidi-numbers",
    "mixed-scripts",
    "rtl-inside",
    "long-word",
];
