//! How many jobs of the engine run at once in this process, which of them wait for others, and how one thing is waited for while another
//! goes on.

pub mod alongside;
pub mod slots;
pub mod starts;
