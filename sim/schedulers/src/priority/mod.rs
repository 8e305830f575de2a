//! `priority`: the most urgent kernel's blocks go first, `docs/priority.md`.

mod family;
pub mod level_control;

pub use family::{PriorityConfig, FAMILY};
pub use level_control::{LevelControl, LevelControlInputs, LevelControlOutputs};
