//! Bits of inputs and of the state that no legal run sets: what is counted there never gets so far.

mod first_chunk;
mod laperm;

use blockyard_sim::port::{LaunchMode, SmxLimits, KERNEL_ENTRIES};
use blockyard_sim::sched::invariants::PolicyRules;
use blockyard_sim::sched::Composition;
use first_chunk::FirstChunk;
use laperm::Queues;

/// What bounds the counts of a design.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Its SMXs.
    pub smxs: usize,
    /// What each of them holds.
    pub limits: SmxLimits,
    /// How many entries of the kernel table are filled, the lowest ones.
    pub kernels: usize,
    /// Whether groups are launched.
    pub groups: bool,
    /// Of LaPerm.
    queues: Option<Queues>,
    first_chunk: Option<FirstChunk>,
}

/// A part of a word, from its lowest bit on, and the most that is ever in it.
struct Field {
    bits: usize,
    most: u64,
}

impl Field {
    /// Whether that bit of a word of these parts is never set. Behind the last part may be
    /// anything.
    fn never<'a>(fields: impl Iterator<Item = &'a Self>, mut bit: usize) -> bool {
        for Self { bits, most } in fields {
            if bit < *bits {
                return most.checked_shr(bit as u32).unwrap_or(0) == 0;
            }
            bit -= bits;
        }
        false
    }
}

impl Bounds {
    /// Of a scheduler on so many SMXs, each of which holds what `limits` says.
    pub fn new(
        composition: &Composition,
        smxs: usize,
        limits: SmxLimits,
        launch: LaunchMode,
    ) -> Self {
        let queues = composition.source.get().map(|config| Queues::new(config, smxs, launch));
        let kernels = PolicyRules::from(composition).entries.entries();
        let first_chunk = FirstChunk::of(composition);
        Self { smxs, limits, kernels, groups: launch == LaunchMode::Dtbl, queues, first_chunk }
    }

    /// Whether that bit of a register of so many bits is zero in every legal run. Registers that
    /// are not known here may have any value.
    pub fn is_never_set(&self, register: &str, bit: usize, bits: usize) -> bool {
        Field::never(self.fields(register, bits).iter(), bit)
    }

    /// The numbers in a register of so many bits that have a bound that is no whole number of bits:
    /// their lowest bit, how many there are that may be set, and what is in them at most.
    pub fn at_most(&self, register: &str, bits: usize) -> Vec<(usize, usize, u64)> {
        let mut first = 0;
        let mut all = Vec::new();
        for Field { bits, most } in self.fields(register, bits) {
            let used = (u64::BITS - most.leading_zeros()) as usize;
            if used <= bits && most.checked_add(1).is_some_and(|above| !above.is_power_of_two()) {
                all.push((first, used, most));
            }
            first += bits;
        }
        all
    }

    /// The most that is ever in a field of an input; `u64::MAX` where it may be anything.
    pub fn most_of_input(&self, port: &str, field: &str) -> u64 {
        let SmxLimits { threads, registers, shared_memory, thread_block_slots } = self.limits;
        let port = port.split('$').next().unwrap_or(port);
        match (port, field.rsplit('.').next().unwrap_or(field)) {
            ("command" | "group" | "fetched", _) if !self.groups => 0,
            ("finished_slot", _) => u64::from(thread_block_slots) - 1,
            ("launch" | "record", "threads") => threads.into(),
            ("launch" | "record", "registers") => registers.into(),
            ("launch" | "record", "shared_memory") => shared_memory.into(),
            _ => u64::MAX,
        }
    }

    fn fields(&self, register: &str, bits: usize) -> Vec<Field> {
        let SmxLimits { threads, registers, shared_memory, thread_block_slots } = self.limits;
        let last = register.rsplit('.').next().unwrap_or(register);
        let is_in =
            |module: &str| register.split('.').any(|part| part.split('$').next() == Some(module));
        let of = |widths: [usize; 3]| {
            let most = [threads, registers, shared_memory];
            widths.into_iter().zip(most).map(|(bits, most)| Field { bits, most: most.into() })
        };
        if let Some(fields) = self.queues.and_then(|queues| queues.fields(register, bits, is_in)) {
            return fields;
        }
        if self.first_chunk.is_some_and(|chunk| chunk.is_zero(register)) {
            return vec![Field { bits, most: 0 }];
        }
        if last == "counts" && is_in("in_execution") {
            // No more blocks of a kernel run than there are slots.
            let most = self.smxs as u64 * u64::from(thread_block_slots);
            let bits = bits.div_ceil(KERNEL_ENTRIES);
            let most = |entry| if entry < self.kernels { most } else { 0 };
            return (0..KERNEL_ENTRIES).map(|entry| Field { bits, most: most(entry) }).collect();
        }
        if is_in("occupied") {
            // Of entries that are not filled none is occupied.
            return vec![Field { bits, most: (1 << self.kernels) - 1 }];
        }
        if last == "count" && is_in("fcfs") {
            // No more kernels are marked than entries are filled.
            return vec![Field { bits, most: self.kernels as u64 }];
        }
        if last.starts_with("memory") && is_in("needs") {
            // No kernel is launched whose blocks fit no SMX.
            return of([12, 17, 17]).collect();
        }
        if last.starts_with("in_use") && is_in("blocks") {
            // The lowest slot that is free is taken.
            return vec![Field { bits, most: (1 << thread_block_slots) - 1 }];
        }
        if last.starts_with("in_use") && is_in("resources") {
            let slots = Field { bits: 7, most: thread_block_slots.into() };
            return of([13, 18, 18]).chain([slots]).collect();
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        smxs: 3,
        limits: SmxLimits {
            threads: 2048,
            registers: 65_536,
            shared_memory: 49_152,
            thread_block_slots: 5,
        },
        kernels: KERNEL_ENTRIES,
        groups: false,
        queues: None,
        first_chunk: None,
    };

    /// Which bits of the register are never set.
    fn never(register: &str, bits: usize) -> Vec<usize> {
        (0..bits).filter(|&bit| BOUNDS.is_never_set(register, bit, bits)).collect()
    }

    #[test]
    fn a_kernel_has_no_more_blocks_in_execution_than_there_are_slots() {
        let bits = never("dispatcher.kernels.entries.in_execution.counts", 32 * 11);
        // Fifteen slots are four bits of the eleven.
        let expected: Vec<_> = (0..32 * 11).filter(|bit| bit % 11 >= 4).collect();
        assert_eq!(bits, expected);
    }

    #[test]
    fn of_entries_that_a_scheduler_does_not_fill_nothing_is_ever_set() {
        let eight = Bounds { kernels: 8, ..BOUNDS };
        let never = |register, bits| {
            (0..bits).filter(|&bit| eight.is_never_set(register, bit, bits)).collect::<Vec<usize>>()
        };
        let counts = never("kernels.entries.in_execution.counts", 32 * 11);
        let expected: Vec<_> = (0..32 * 11).filter(|bit| bit % 11 >= 4 || *bit >= 8 * 11).collect();
        assert_eq!(counts, expected);
        assert_eq!(never("kernels.entries.occupied$q", 32), (8..32).collect::<Vec<_>>());
        assert_eq!(never("kernels.entries.occupied.q", 32), (8..32).collect::<Vec<_>>());
    }

    #[test]
    fn the_most_itself_can_be_reached() {
        assert_eq!(never("fcfs.queue.count", 9), [6, 7, 8], "32 kernels");
        assert_eq!(never("dispatcher.kernels.entries.needs.memory[3]", 46), [45], "48 KB");
        let in_use = never("resources.smx$2.in_use$q", 56);
        assert_eq!(in_use, [12, 30, 47, 48, 52, 53, 54, 55]);
    }

    #[test]
    fn inputs_have_what_an_smx_holds_and_groups_where_groups_are_launched() {
        let most = |port, field| BOUNDS.most_of_input(port, field);
        assert_eq!(most("launch", "needs.threads"), 2048);
        assert_eq!(most("record", "needs.shared_memory"), 49_152);
        assert_eq!(most("finished_slot$2", ""), 4);
        assert_eq!((most("command", "valid"), most("group", "grid.x")), (0, 0));
        let groups = Bounds { groups: true, ..BOUNDS };
        assert_eq!(groups.most_of_input("command", "valid"), u64::MAX);
        assert_eq!((most("launch", "grid.x"), most("keep", "")), (u64::MAX, u64::MAX));
    }

    #[test]
    fn slots_that_an_smx_does_not_have_are_not_taken() {
        assert_eq!(never("dispatcher.blocks.smx$1.in_use$q", 8), [5, 6, 7]);
    }

    #[test]
    fn a_bound_between_powers_of_two_is_one_of_a_number() {
        let in_use = BOUNDS.at_most("resources.smx$2.in_use$q", 56);
        assert_eq!(in_use, [(0, 12, 2048), (13, 17, 65_536), (31, 16, 49_152), (49, 3, 5)]);
        assert_eq!(BOUNDS.at_most("other.counts", 56), []);
        assert_eq!(BOUNDS.at_most("dispatcher.blocks.smx$1.in_use$q", 8), [], "all of five bits");
    }

    #[test]
    fn of_a_register_that_is_not_known_nothing_is() {
        for register in ["other.counts", "held.queue.count", "dispatcher.marks", "resources.x"] {
            assert_eq!(never(register, 32), [] as [usize; 0], "{register}");
        }
    }
}
