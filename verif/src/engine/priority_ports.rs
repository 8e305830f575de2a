//! As [`ports`](super::ports), for what concerns priority queues.

use super::ports;
use blockyard_rtl::laperm::{EntryFetch, Parent, Place, QueueEntry, Refill, Spill};
use blockyard_rtl::schedulers;
use blockyard_rtl::word::U;
use blockyard_sim::port::{self, GroupReference};

/// The input ports.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn inputs(inputs: &port::PriorityInputs) -> schedulers::PriorityInputs {
    schedulers::PriorityInputs {
        launch_parent: parent(inputs.launch_parent),
        record_place: place(inputs.record_place),
        group_parent: parent(inputs.group_parent),
        refill: inputs.refill.map_or_else(Refill::default, |refill| Refill {
            valid: true,
            place: place(refill.place),
            entry: entry(&refill.entry),
        }),
    }
}

/// The output ports.
pub fn outputs(outputs: schedulers::PriorityOutputs) -> port::PriorityOutputs {
    port::PriorityOutputs {
        launch_place: read_place(outputs.launch_place),
        record_place: read_place(outputs.fetch_place),
        level: outputs.level.raw() as u8,
        spill: spill(outputs.spill),
        fetch_entry: fetch(outputs.fetch_entry),
        refill_taken: outputs.refill_taken,
    }
}

fn parent(parent: port::Parent) -> Parent {
    Parent { smx: U::new(parent.smx.into()), level: U::new(parent.level.into()) }
}

fn place(place: port::QueuePlace) -> Place {
    Place { queue: U::new(place.queue.into()), level: U::new(place.level.into()) }
}

fn read_place(place: Place) -> port::QueuePlace {
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

fn spill(word: Spill) -> Option<port::Spill> {
    word.valid.then(|| port::Spill {
        place: read_place(word.place),
        index: word.index.raw() as u32,
        entry: port::QueueEntry {
            kernel: ports::entry(word.entry.kernel),
            group: GroupReference::from_word(word.entry.group.raw() as u32),
            grid: port::Dim3::new(
                word.entry.grid.x.raw() as u32,
                word.entry.grid.y.raw() as u32,
                word.entry.grid.z.raw() as u32,
            ),
        },
    })
}

fn fetch(word: EntryFetch) -> Option<port::EntryFetch> {
    word.valid
        .then(|| port::EntryFetch { place: read_place(word.place), index: word.index.raw() as u32 })
}
