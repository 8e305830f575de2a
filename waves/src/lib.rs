//! Waveforms of rust-hdl designs: streaming capture, views for GTKWave, reading and comparing
//! dumps.
//!
//! ```text
//!   design --(Probe)--> [layout] --> [capture] --> [outbox] ==> [sink] --> F.vcd or F.fst --> [views] --> F.gtkw
//!                                            another thread |             \-----> [read] --> [diff], ASCII waveforms, pictures
//! ```

mod ascii;
mod capture;
mod check;
mod contents;
mod diff;
mod error;
mod layout;
mod outbox;
mod picture;
mod read;
mod sink;
mod text;
mod views;
mod watch;

pub use ascii::ascii;
pub use capture::{Capture, CaptureOptions};
pub use contents::Contents;
pub use diff::{diff, DumpDifference};
pub use error::WaveError;
pub use layout::Design;
pub use outbox::{Ending, Target};
pub use picture::picture;
pub use read::{Dump, DumpSignal};
pub use sink::Format;
pub use text::{TextVariable, TEXT_SCOPE};
pub use views::{modules, write_views, Marker, Section, Shown, Trace, View, Views};
pub use watch::{Condition, Trigger, Watch};
