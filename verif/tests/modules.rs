//! Every module by itself: the hardware against its twin, or a primitive against a naive
//! expectation, on random inputs and at the boundaries of each rule.

#[path = "claso/mod.rs"]
mod claso;
#[path = "clusters/mod.rs"]
mod clusters;
#[path = "dependent/mod.rs"]
mod dependent;
#[path = "dispatch/mod.rs"]
mod dispatch;
#[path = "domains/mod.rs"]
mod domains;
#[path = "dtbl/mod.rs"]
mod dtbl;
#[path = "dyncta/mod.rs"]
mod dyncta;
#[path = "gpgpusim/mod.rs"]
mod gpgpusim;
mod harness;
#[path = "ikra/mod.rs"]
mod ikra;
#[path = "kmu/mod.rs"]
mod kmu;
#[path = "laperm/mod.rs"]
mod laperm;
#[path = "launch_control/mod.rs"]
mod launch_control;
#[path = "most_room/mod.rs"]
mod most_room;
#[path = "oldest_first/mod.rs"]
mod oldest_first;
#[path = "partitions/mod.rs"]
mod partitions;
// The modules use some of what the adapter needs.
#[allow(dead_code)]
#[path = "../src/engine/ports.rs"]
mod ports;
#[path = "prim/mod.rs"]
mod prim;
#[path = "priority/mod.rs"]
mod priority;
#[path = "srtf/mod.rs"]
mod srtf;
