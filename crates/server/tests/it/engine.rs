//! The engine: what becomes of posts, seen through the API and the simulator.

mod publishing;
