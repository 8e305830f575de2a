//! What may happen in a cycle.

use clap::ValueEnum;
use std::fmt;

/// Something that happens in a cycle, and around which a dump can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Event {
    /// A kernel enters the Kernel Distributor
    Launch,
    /// A block goes to an SMX
    Dispatch,
    /// A kernel ends
    Finish,
    /// A group is coalesced to a kernel
    Coalesce,
    /// A group or a unit has no place on chip; a steal queue is full
    Overflow,
    /// A unit comes back from memory
    Refill,
    /// A gate refuses a block that has room, or a victim its thief
    Refuse,
    /// An SMX gets a block of another one
    Steal,
    /// An SMX without work of its own takes a block of another one's queue
    Backup,
    /// Twin and hardware differ
    Mismatch,
}

/// As it is written after `--wave-on`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no event is hidden");
        f.write_str(value.get_name())
    }
}
