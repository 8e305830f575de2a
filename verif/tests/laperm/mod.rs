//! LaPerm's modules against their twins: rules 4 to 14 of `docs/laperm.md`.

mod bound_pools;
mod priority_queue;
mod queue_bank;
mod selector;
mod shifts;

use blockyard_rtl::laperm::{HeadBlock, Place, QueueEntry, QueueHead};
use blockyard_rtl::word::{Word, U};
use blockyard_sim::port::{self, Dim3, GroupReference, KernelEntry, QueuePlace};
use blockyard_sim::sched::laperm::Head;
use rand::RngExt;
use rand_pcg::Pcg64;

/// A place as hardware has it, with a queue's number as wide as that of `like`.
fn place(place: QueuePlace, like: Place) -> Place {
    let queue = Word::new(like.queue.bits(), place.queue.into());
    Place { queue, level: U::new(place.level.into()) }
}

/// A place as the twin has it.
fn queue_place(word: Place) -> QueuePlace {
    QueuePlace { queue: word.queue.raw() as u8, level: word.level.raw() as u8 }
}

/// A unit as hardware has it.
fn entry(entry: &port::QueueEntry) -> QueueEntry {
    QueueEntry {
        kernel: U::new(entry.kernel.0.into()),
        group: crate::ports::reference(entry.group),
        grid: crate::ports::block_id(entry.grid),
    }
}

/// A unit as the twin has it.
fn unit(word: QueueEntry) -> port::QueueEntry {
    port::QueueEntry {
        kernel: KernelEntry(word.kernel.raw() as u8),
        group: GroupReference::from_word(word.group.raw() as u32),
        grid: crate::dispatch::kernel_table::block(word.grid),
    }
}

/// A head as the twin has it.
fn head(word: QueueHead) -> Head {
    Head {
        level: word.level.raw() as u8,
        entry: unit(word.entry),
        at: crate::dispatch::kernel_table::block(word.at),
        ends: word.ends,
        empty: word.empty,
    }
}

/// A head as a bank shows it, which keeps the extent to itself.
fn shown(word: HeadBlock) -> Head {
    let HeadBlock { register, level, ends, empty } = word;
    let entry = QueueEntry { kernel: register.kernel, group: register.group, ..Default::default() };
    head(QueueHead { entry, level, at: register.block, ends, empty })
}

/// A head without what is undefined when it holds no block.
fn defined(head: Head) -> Head {
    if head.empty {
        Head { at: Dim3::default(), ends: true, ..head }
    } else {
        head
    }
}

/// A unit of one to eight blocks.
fn random_unit(random: &mut Pcg64) -> port::QueueEntry {
    let mut side = |most: u32| random.random_range(1..=most);
    let grid = Dim3::new(side(2), side(2), side(2));
    let kernel = KernelEntry(random.random_range(0..32));
    let group =
        random.random_bool(0.7).then(|| GroupReference::in_memory(random.random_range(0..1 << 30)));
    port::QueueEntry { kernel, group, grid }
}
