//! As [`ports`](super::ports), for what concerns priority queues.

use super::ports;
use blockyard_rtl::laperm::{EntryFetch, Parent, Place, QueueEntry, Refill, Spill};
use blockyard_rtl::word::{Word, U};
use blockyard_sim::port::{self, GroupReference};

/// Who launches, in a GPU of `smx` SMXs.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn parent(parent: port::Parent, smx: usize) -> Parent {
    Parent { smx: Word::id(smx, parent.smx.into()), level: U::new(parent.level.into()) }
}

/// A level of a queue, in a GPU of `smx` SMXs.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn place(place: port::QueuePlace, smx: usize) -> Place {
    Place { queue: Word::id(smx, place.queue.into()), level: U::new(place.level.into()) }
}

/// A unit that comes back from memory.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn refill(refill: Option<&port::Refill>, smx: usize) -> Refill {
    refill.map_or_else(
        || Refill::none(smx),
        |refill| Refill {
            valid: true,
            place: place(refill.place, smx),
            entry: entry(&refill.entry),
        },
    )
}

/// A level of a queue, as the GPU has it.
pub fn read_place(place: Place) -> port::QueuePlace {
    port::QueuePlace { queue: place.queue.raw() as u8, level: place.level.raw() as u8 }
}

/// A unit of a queue.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn entry(entry: &port::QueueEntry) -> QueueEntry {
    QueueEntry {
        kernel: U::new(entry.kernel.0.into()),
        group: ports::reference(entry.group),
        grid: ports::block_id(entry.grid),
    }
}

/// A unit that is put into memory.
pub fn spill(word: Spill) -> Option<port::Spill> {
    word.valid.then(|| port::Spill {
        place: read_place(word.place),
        index: word.index.raw() as u32,
        entry: port::QueueEntry {
            kernel: ports::entry(word.entry.kernel),
            group: GroupReference::from_word(word.entry.group.raw() as u32),
            grid: ports::dim3(word.entry.grid),
        },
    })
}

/// A unit in memory that is asked for.
pub fn fetch(word: EntryFetch) -> Option<port::EntryFetch> {
    word.valid
        .then(|| port::EntryFetch { place: read_place(word.place), index: word.index.raw() as u32 })
}
