//! What the papers evaluate, run again.

pub mod benchmarks;
pub mod by_time;
pub mod claso;
pub mod dtbl;
pub mod effect;
pub mod ikra;
pub mod laperm;
pub mod measured;
pub mod page;
pub mod plot;
pub mod programs;
pub mod runs;
pub mod srtf;
pub mod table;
