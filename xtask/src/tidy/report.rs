//! What the rules report.

/// What a check of the tree found.
#[derive(Debug, Default)]
pub struct Report {
    /// Every broken rule: where, and what is wrong.
    pub broken: Vec<String>,
    /// Figures worth reading although they break nothing.
    pub figures: Vec<String>,
}
