//! The fonts a caption is set in; they are part of the program and parsed once.

use std::sync::LazyLock;

use harfrust::{Font, Script};

macro_rules! faces {
    ($($face:ident $file:literal,)*) => {
        /// One font file. The order is the one in which fonts are asked for a character that belongs to no script.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) enum Face { $($face),* }

        impl Face {
            pub(super) const ALL: &[Face] = &[$(Face::$face),*];
        }

        static FONTS: LazyLock<Vec<Font>> = LazyLock::new(|| {
            let files: [&'static [u8]; Face::ALL.len()] =
                [$(include_bytes!(concat!("../../fonts/", $file)).as_slice()),*];
            files.into_iter().map(|file| Font::new(file, 0).expect("a font of this crate can be read")).collect()
        });
    };
}

faces! {
    TikTok "TikTokSans-Bold.ttf",
    Latin "NotoSans-Bold.ttf",
    Symbols "NotoSansSymbols-Bold.ttf",
    Japanese "NotoSansJP-Bold.ttf",
    Chinese "NotoSansSC-Bold.ttf",
    Korean "NotoSansKR-Bold.ttf",
    MoreSymbols "NotoSansSymbols2-Regular.ttf",
    Math "NotoSansMath-Regular.ttf",
    Arabic "NotoSansArabic-Bold.ttf",
    Hebrew "NotoSansHebrew-Bold.ttf",
    Devanagari "NotoSansDevanagari-Bold.ttf",
    Bengali "NotoSansBengali-Bold.ttf",
    Tamil "NotoSansTamil-Bold.ttf",
    Thai "NotoSansThai-Bold.ttf",
    Emoji "NotoColorEmoji.ttf",
}

impl Face {
    /// The parsed font.
    pub(super) fn font(self) -> &'static Font {
        &FONTS[self as usize]
    }

    /// Whether the font has a glyph for this very character.
    pub(super) fn has(self, character: char) -> bool {
        self.font().charmap().map_unicode(character).is_some()
    }

    /// The script whose rules its text is shaped by; `None` for fonts of several scripts.
    pub(super) fn script(self) -> Option<Script> {
        Some(match self {
            Self::Arabic => Script::ARABIC,
            Self::Hebrew => Script::HEBREW,
            Self::Devanagari => Script::DEVANAGARI,
            Self::Bengali => Script::BENGALI,
            Self::Tamil => Script::TAMIL,
            Self::Thai => Script::THAI,
            Self::Japanese | Self::Chinese | Self::Korean => Script::HAN,
            Self::Symbols | Self::MoreSymbols | Self::Math | Self::Emoji => Script::COMMON,
            Self::TikTok | Self::Latin => return None,
        })
    }

    /// Ems of the caption's size to one font unit. Emoji are drawn a little smaller than their em, as phones do.
    pub(super) fn unit(self) -> f32 {
        let em = f32::from(self.font().units_per_em());
        if self == Self::Emoji { 0.92 / em } else { 1.0 / em }
    }

    /// How far its glyphs are raised, in ems, to stand on the middle of the capitals.
    pub(super) fn raise(self) -> f32 {
        match self {
            Self::Emoji => 0.04,
            Self::Japanese | Self::Chinese | Self::Korean => -0.03,
            _ => 0.0,
        }
    }

    /// Distance of two baselines in ems that suits its script; marks above and below need more of it.
    pub(super) fn pitch(self) -> f32 {
        match self {
            Self::TikTok | Self::Latin | Self::Symbols | Self::MoreSymbols | Self::Math => 1.2,
            Self::Emoji | Self::Hebrew => 1.25,
            Self::Japanese | Self::Chinese | Self::Korean => 1.28,
            Self::Devanagari | Self::Bengali | Self::Tamil => 1.42,
            Self::Arabic | Self::Thai => 1.48,
        }
    }
}
