//! Warnings about a slide that was made all the same.

use std::fmt;

/// Something about a finished slide that its maker should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// Characters that no font here has; they were left out. Each is named once, in the order of the text.
    MissingGlyphs(Vec<char>),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::MissingGlyphs(characters) = self;
        f.write_str("left out, because no font has them: ")?;
        for (index, character) in characters.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}U+{:04X}", u32::from(*character))?;
            if character.is_alphanumeric() {
                write!(f, " ({character})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Warning;

    #[test]
    fn a_missing_character_is_named_by_its_code_and_shown_when_it_is_a_letter() {
        let warning = Warning::MissingGlyphs(vec!['\u{e000}', 'ꙮ']);
        assert_eq!(
            warning.to_string(),
            "left out, because no font has them: U+E000, U+A66E (ꙮ)"
        );
    }
}
