//! What the papers evaluate, and their figures beside ours.

pub mod ikra;
pub mod laperm;
pub mod srtf;
