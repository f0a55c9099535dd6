//! How many jobs of the engine run at once in this process, and which of them wait for others.

pub mod slots;
pub mod starts;
