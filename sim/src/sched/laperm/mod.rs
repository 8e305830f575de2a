//! LaPerm, `docs/laperm.md`: child blocks first, on their parent's SMX (Wang, Rubin, Sidelnik and
//! Yalamanchili, ISCA 2016, section IV).

mod config;

pub use config::{Binding, LapermConfig, QueueKind};
