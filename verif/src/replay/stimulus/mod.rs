//! What a module's inputs do while its ports are recorded.
//!
//! Random words in phases of different density are enough for most modules. Two kinds need more:
//! memories are filled first, because a word that was never written is unknown in Verilog and zero
//! in Rust; resource tables ([`Residency`]), dispatchers and whole schedulers ([`Traffic`]) follow
//! their own outputs, because blocks that end must have been dispatched.

mod clusters;
mod driver;
mod fill;
mod grids;
mod kernel;
mod launches;
mod nested;
mod places;
mod residency;
mod reuse;
mod scramble;
mod search;
mod traffic;
mod units;

pub use driver::Driver;
pub use launches::Launches;
pub use residency::Residency;
pub use scramble::Scramble;
pub use search::Search;
pub use traffic::Traffic;

use super::ports::Port;
use blockyard_sim::port::LaunchMode;
use fill::Filled;
use grids::{Grids, Strides};
use nested::Nested;
use places::Places;
use reuse::{Kind, Reuse};
use units::Units;

/// Cycles of reset that every trace begins with.
pub const RESET_CYCLES: usize = 2;

/// Drives a module's inputs.
pub trait Stimulus {
    /// Drives the inputs of a cycle, the first being 0; inputs that are not driven keep their
    /// values. Returns whether the outputs of this cycle are defined.
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool;

    /// Sees the settled ports of the cycle that was driven last.
    fn observe(&mut self, _ports: &[Port], _inputs: &[u32], _outputs: &[u32]) {}
}

/// The stimulus for a module of the catalog, by the catalog's names of it and of its configuration.
pub fn for_module(name: &str, configuration: &str) -> Box<dyn Stimulus> {
    let scramble = Box::new(Scramble::default());
    match name {
        "prim/sram_one_port" => Filled::boxed(fill::sram_one_port, scramble),
        "prim/sram_two_port" => Filled::boxed(fill::sram_two_port, scramble),
        "prim/ahead_memory" => Filled::boxed(fill::ahead_memory, scramble),
        "prim/register_file" => Filled::boxed(fill::register_file, scramble),
        "prim/fifo" => Filled::boxed(fill::fifo, Box::new(Scramble::swinging("push", "pop"))),
        "dtbl/group_table" => {
            let ports = &["hardware_thread", "link_index", "next_current", "lookup_index"];
            Filled::boxed(places::group_table, Places::boxed(ports, "served", scramble))
        }
        "dtbl/coalescer" => Box::new(Search::default()),
        "dtbl/group_lists" => Filled::boxed(fill::group_lists, scramble),
        "dtbl/held_groups" => {
            Filled::boxed(fill::held_groups, Box::new(Scramble::swinging("ask", "leave")))
        }
        "dtbl/group_fetch" => {
            Filled::boxed(fill::group_fetch, Box::new(Scramble::swinging("overflow", "done")))
        }
        "dtbl/slot_control" | "dtbl/block_control" => Filled::boxed(fill::block_control, scramble),
        "dtbl/dispatcher" => {
            Filled::boxed(fill::group_dispatcher, Box::new(Launches::new(LaunchMode::Dtbl)))
        }
        _ if name.starts_with("kmu/") && name.ends_with("scheduler") => {
            Box::new(Launches::new(LaunchMode::Cdp))
        }
        _ if name.starts_with("dtbl/") && name.ends_with("scheduler") => {
            Box::new(Launches::new(LaunchMode::Dtbl))
        }
        "laperm/linked_queue"
        | "laperm/shifting_queue"
        | "laperm/linked_bank"
        | "laperm/shifting_bank" => Box::new(Units::of(configuration)),
        _ if name.starts_with("laperm/") && name.ends_with("scheduler") => {
            Box::new(Launches::prioritized())
        }
        "ikra/kernel_queue" => Box::new(Reuse::of(Kind::Kernels)),
        "ikra/chunk_entry" => Box::new(Reuse::of(Kind::Chunk)),
        "ikra/nested_kernels" => {
            Filled::boxed(fill::nested_kernels, Box::new(Nested::of(nested::Kind::Kernels)))
        }
        "ikra/child_level" => Box::new(Nested::of(nested::Kind::Level)),
        "ikra/nested_scheduler" => Box::new(Launches::nested()),
        "ikra/steal_queue" => Box::new(Reuse::of(Kind::Queue)),
        _ if name.starts_with("ikra/")
            && (name.ends_with("scheduler") || name.ends_with("dispatcher")) =>
        {
            Box::new(Traffic::repeating())
        }
        "srtf/block_starts" => Filled::boxed(fill::block_starts, scramble),
        "srtf/dispatcher" => Box::new(Traffic::default()),
        "dtbl/fcfs_control" | "dispatch/fcfs_control" => {
            Filled::boxed(fill::fcfs_control, scramble)
        }
        "dispatch/block_sequence" | "dispatch/next_block" => Box::new(Grids),
        "dispatch/block_ahead" | "dispatch/doubled_stride" => Box::new(Strides),
        "clusters/sequence" => Box::new(clusters::Sequence),
        "dispatch/kernel_entries" | "dispatch/kernel_table" | "clusters/kernel_table" => {
            Filled::boxed(fill::kernel_table, scramble)
        }
        "dispatch/dispatcher" => Filled::boxed(fill::dispatcher, Box::new(Traffic::default())),
        "claso/consumer" => Filled::boxed(fill::consumer, scramble),
        "claso/global_credits" => Filled::boxed(fill::global_credits, scramble),
        // Without credits there is nothing to fill.
        "gate/chain" if !configuration.contains("claso") => scramble,
        "claso/gate" | "gate/chain" => Filled::boxed(fill::gate, scramble),
        "gpgpusim/cap_table" => Filled::boxed(fill::cap_table, scramble),
        "dispatch/smx_resources" | "dispatch/resource_table" => Box::new(Residency::default()),
        "domains/domain" => Box::new(Traffic::default()),
        _ if name.ends_with("/scheduler") || name.ends_with("_scheduler") => {
            Box::new(Traffic::default())
        }
        _ => scramble,
    }
}
