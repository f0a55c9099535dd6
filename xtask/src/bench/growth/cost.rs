//! What operations cost.

/// What one operation takes, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    /// CPU time of the service and of its database.
    pub(super) cpu: f64,
    /// The median from sending the request to having the whole answer, one request at a time; of a due post, from its time to the
    /// first request for it at the provider.
    pub(super) wall: f64,
}

/// The costs at one size: names in the same order at each size.
pub(super) type Costs = Vec<(&'static str, Cost)>;
