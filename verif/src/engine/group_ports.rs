//! As [`ports`], for what concerns aggregated groups.

use super::ports;
use blockyard_rtl::dtbl::{FetchedGroup, Group, GroupDispatch, LinkWrite, Outcome, RingPlace};
use blockyard_rtl::word::U;
use blockyard_sim::port::{self, GroupReference};

/// What one SMX receives: a block of a kernel or of a group, and the slot that it takes.
pub fn dispatch(word: GroupDispatch, slot: U<5>) -> Option<port::Dispatch> {
    let GroupDispatch { valid, register } = word;
    valid.then(|| port::Dispatch {
        kernel: ports::entry(register.kernel),
        block: ports::dim3(register.block),
        group: GroupReference::from_word(register.group.raw() as u32),
        slot: slot.raw() as u8,
    })
}

/// A group of a command.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn group(group: Option<&port::AggregatedGroup>) -> Group {
    group.map_or_else(Group::default, |group| Group {
        valid: true,
        hardware_thread: U::new(group.hardware_thread.into()),
        pointer: U::new(group.pointer.into()),
        parameter_address: U::new(group.parameter_address.into()),
        grid: ports::block_id(group.grid),
        blocks: U::new(group.blocks.into()),
    })
}

/// A group's information from memory.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn fetched(group: Option<&port::FetchedGroup>) -> FetchedGroup {
    group.map_or_else(FetchedGroup::default, |group| FetchedGroup {
        valid: true,
        grid: ports::block_id(group.grid),
        after: ports::reference(group.next),
    })
}

/// What became of a group.
///
/// # Panics
/// When the hardware says that it was coalesced, but not where its information is.
pub fn outcome(word: Outcome) -> Option<port::GroupOutcome> {
    word.taken.then(|| match word.matched {
        true => port::GroupOutcome::Coalesced {
            kernel: ports::entry(word.kernel),
            reference: GroupReference::from_word(word.reference.raw() as u32)
                .expect("a coalesced group has a reference"),
        },
        false => port::GroupOutcome::NoEligibleKernel,
    })
}

/// A group in memory whose information is asked for.
pub fn ring_place(word: RingPlace) -> Option<port::RingPlace> {
    let RingPlace { valid, kernel, index } = word;
    valid.then(|| port::RingPlace { kernel: ports::entry(kernel), index: index.raw() as u32 })
}

/// A link that memory keeps.
///
/// # Panics
/// When it leads nowhere.
pub fn link_write(word: LinkWrite) -> Option<port::LinkWrite> {
    word.valid.then(|| port::LinkWrite {
        pointer: word.pointer.raw() as u32,
        next: GroupReference::from_word(word.after.raw() as u32).expect("a link has an end"),
    })
}
