//! Converts the API's style values to the compositor's, and back.

use playout_captions::{Fit, Look, Position, Refusal, Size, Style, Warning};
use playout_domain::error::{Issue, IssueCode};
use playout_wire::slides::{
    self as wire, CaptionPosition, CaptionSize, CaptionStyle, SlideLook, SlideWarning,
};

use super::path::Path;

pub(super) fn look(wanted: SlideLook) -> Look {
    Look {
        size: match wanted.size {
            CaptionSize::Small => Size::Small,
            CaptionSize::Medium => Size::Medium,
            CaptionSize::Large => Size::Large,
        },
        position: match wanted.position {
            CaptionPosition::Top => Position::Top,
            CaptionPosition::Middle => Position::Middle,
            CaptionPosition::Bottom => Position::Bottom,
        },
        style: match wanted.style {
            CaptionStyle::Outline => Style::Outline,
            CaptionStyle::Box => Style::Box,
            CaptionStyle::Plain => Style::Plain,
        },
        fit: match wanted.fit {
            wire::Fit::Cover => Fit::Cover,
            wire::Fit::Contain => Fit::Contain,
        },
    }
}

/// What a refused slide means for the request that it stands in at `path`.
pub(super) fn refused(mut path: Path, refusal: &Refusal) -> Issue {
    let (field, code) = match refusal {
        Refusal::TooLong { .. } => ("caption", IssueCode::TooLong),
        Refusal::NoPicture | Refusal::Unreadable(_) => ("mediaId", IssueCode::NotSupported),
        Refusal::TooLarge { .. } => ("mediaId", IssueCode::Range),
    };
    path.push(field.into());
    Issue::at(path, code.with(refusal.to_string()))
}

/// What of a caption could not be drawn.
pub(super) fn warnings(warnings: &[Warning]) -> Vec<SlideWarning> {
    warnings.iter().map(warning).collect()
}

fn warning(warning: &Warning) -> SlideWarning {
    let Warning::MissingGlyphs(missing) = warning;
    let code_point = |character: &char| format!("U+{:04X}", u32::from(*character));
    SlideWarning {
        code: "missing_glyphs",
        message: warning.to_string(),
        characters: missing.iter().map(code_point).collect(),
    }
}
