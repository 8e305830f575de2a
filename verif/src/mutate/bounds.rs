//! Bits of the state that no legal run sets: what is counted there never gets so far.

use blockyard_sim::port::{SmxLimits, KERNEL_ENTRIES};

/// What bounds the counts of a design.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Its SMXs.
    pub smxs: usize,
    /// What each of them holds.
    pub limits: SmxLimits,
    /// How many entries of the kernel table are filled, the lowest ones.
    pub kernels: usize,
}

/// A part of a word, from its lowest bit on, and the most that is ever in it.
struct Field {
    bits: usize,
    most: u64,
}

impl Bounds {
    /// Whether that bit of a register of so many bits is zero in every legal run. Registers that
    /// are not known here may have any value.
    pub fn is_never_set(&self, register: &str, bit: usize, bits: usize) -> bool {
        let fields = self.fields(register, bits);
        let mut first = 0;
        for Field { bits, most } in fields {
            if (first..first + bits).contains(&bit) {
                return most < 1 << (bit - first);
            }
            first += bits;
        }
        false
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
    fn of_a_register_that_is_not_known_nothing_is() {
        for register in ["other.counts", "held.queue.count", "dispatcher.marks", "resources.x"] {
            assert_eq!(never(register, 32), [] as [usize; 0], "{register}");
        }
    }
}
