//! Whole runs against the cycles and counts that Accel-Sim gave for the same traces.
//!
//! The traces, and what makes them, are outside of the repository; where they are absent, these
//! tests say so and pass.

mod generated;
mod given;
mod runs;
#[path = "../shared/mod.rs"]
mod shared;
