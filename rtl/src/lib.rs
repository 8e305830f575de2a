//! Thread-block scheduler hardware as synthesizable rust-hdl modules: nothing else lives here, no
//! model, no input or output, no command line.

#![allow(non_snake_case)]

// The macros of `rtl/derive` name it so, here as in other crates.
extern crate self as blockyard_rtl;

pub mod activity;
pub mod catalog;
pub mod changes;
pub mod claso;
pub mod clusters;
pub mod condition;
pub mod control;
mod declare;
pub mod dependent;
pub mod dispatch;
pub mod domains;
pub mod dtbl;
pub mod dyncta;
pub mod gate;
pub mod gpgpusim;
pub mod hdl;
pub mod ikra;
pub mod kmu;
pub mod laperm;
pub mod launch_control;
pub mod mask;
pub mod module;
pub mod most_room;
pub mod oldest_first;
pub mod optional;
pub mod partitions;
pub mod port;
pub mod port_bundle;
pub mod prelude;
pub mod prim;
pub mod priority;
pub mod proofs;
pub mod property;
pub mod schedulers;
pub mod srtf;
pub mod storage;
pub mod value;
pub mod wire;
pub mod word;
