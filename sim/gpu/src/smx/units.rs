//! A lot of execution units, shared by the warps that issue to them.

use crate::config::GpuConfig;
use crate::program::{Instruction, Operation, Register, Unit};

/// Banks of the register file.
const REGISTER_BANKS: usize = 16;

/// What an instruction needs beside its operands, by number: first one of the kinds of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueClass(u8);

/// Kinds of units.
pub const UNITS: usize = 5;

/// Room for the sets of warps of each class: a power of two.
pub const ISSUE_CLASSES: usize = 8;

impl IssueClass {
    /// Room in the load/store unit and its turn to issue.
    pub const MEMORY: Self = Self(UNITS as u8);
    /// Nothing.
    pub const FREE: Self = Self(UNITS as u8 + 1);

    /// Those that need a unit.
    pub const COMPUTE: [Self; UNITS] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// That of `instruction`.
    #[inline]
    pub const fn of(instruction: &Instruction) -> Self {
        match instruction.operation {
            Operation::Compute(unit) => Self::unit(unit),
            Operation::Memory { .. } => Self::MEMORY,
            Operation::Launch
            | Operation::Barrier
            | Operation::NamedBarrier(_)
            | Operation::ClusterArrive
            | Operation::ClusterWait
            | Operation::Synchronize
            | Operation::Trigger
            | Operation::AwaitPredecessor
            | Operation::Cancel
            | Operation::Fault
            | Operation::Exit => Self::FREE,
        }
    }

    const fn unit(unit: Unit) -> Self {
        match unit {
            Unit::Integer => Self(0),
            Unit::Single => Self(1),
            Unit::Double => Self(2),
            Unit::Special => Self(3),
            Unit::Tensor => Self(4),
        }
    }

    /// Its number, below [`ISSUE_CLASSES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % ISSUE_CLASSES
    }

    /// Whether it needs a unit.
    #[inline]
    pub const fn is_compute(self) -> bool {
        self.index() < UNITS
    }
}

/// The units of one kind, in the order in which they are free.
#[derive(Debug)]
struct Pool {
    /// For each unit the first cycle in which it takes another instruction: in ascending order from
    /// `first` on, after the last one from the beginning.
    free: Box<[u64]>,
    first: usize,
    /// The largest of these.
    latest: u64,
}

impl Pool {
    fn new(units: u32) -> Self {
        Self { free: vec![0; units as usize].into(), first: 0, latest: 0 }
    }

    /// The unit that is free first takes an instruction until the cycle `until`, which is later.
    /// Returns the first cycle in which a unit is free after that.
    #[inline]
    fn take(&mut self, until: u64) -> u64 {
        let Some(unit) = self.free.get_mut(self.first) else { return u64::MAX };
        *unit = until;
        if until < self.latest {
            self.sort_in(self.first);
        }
        self.latest = self.latest.max(until);
        self.first = if self.first + 1 < self.free.len() { self.first + 1 } else { 0 };
        self.free[self.first]
    }

    /// Moves the unit at `at`, the last one, before those that are free later: where kinds of
    /// instructions share the units, one may be over before an earlier one.
    #[cold]
    fn sort_in(&mut self, mut at: usize) {
        for _ in 1..self.free.len() {
            let before = if at == 0 { self.free.len() - 1 } else { at - 1 };
            if self.free[before] <= self.free[at] {
                break;
            }
            self.free.swap(before, at);
            at = before;
        }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Units {
    pools: [Pool; UNITS],
    /// The pool that executes each kind: integers may go to the single-precision units.
    executed_by: [u8; UNITS],
    /// Of each pool the first cycle in which a unit is free, or one in which it is over: there is
    /// one.
    first_free: [u64; UNITS],
    /// A cycle from which on every kind that executes anything has a unit that is free.
    all_free: u64,
    latency: [u64; UNITS],
    initiation: [u64; UNITS],
    /// Instructions issued, by kind.
    pub issued: [u64; UNITS],
    bank_conflict: u64,
    memory_width: u32,
    /// The latest cycle in which memory instructions issued, and how many.
    memory_issued: (u64, u32),
}

impl Units {
    /// One of `lots` equal parts of the units of `config`, idle.
    pub fn new(config: &GpuConfig, lots: u32) -> Self {
        let kinds = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
        let number = |unit| IssueClass::unit(unit).0;
        let executed_by = kinds.map(|unit| match unit {
            Unit::Integer if config.units.integer == 0 => number(Unit::Single),
            unit => number(unit),
        });
        let count = |unit| config.unit_count(unit) / lots;
        let first_free = kinds.map(|unit| if count(unit) == 0 { u64::MAX } else { 0 });
        let all_free = executed_by.iter().map(|&pool| first_free[usize::from(pool)]).max();
        Self {
            all_free: all_free.unwrap_or(0),
            first_free,
            pools: kinds.map(|unit| Pool::new(count(unit))),
            executed_by,
            latency: kinds.map(|unit| config.unit_latency(unit)),
            initiation: kinds.map(|unit| config.unit_initiation(unit)),
            issued: [0; UNITS],
            bank_conflict: u64::from(config.latency.bank_conflict),
            memory_width: config.units.memory,
            memory_issued: (0, 0),
        }
    }

    /// Whether a unit for `class` takes an instruction in cycle `now`.
    #[inline]
    pub fn available(&self, class: IssueClass, now: u64) -> bool {
        self.next_free(class) <= now
    }

    /// A cycle from which on every kind that executes anything has a unit that is free.
    #[inline]
    pub fn all_free(&self) -> u64 {
        self.all_free
    }

    /// Whether a unit of every kind takes an instruction in cycle `now`. If not, a kind may still
    /// have one.
    #[inline]
    pub fn all_available(&self, now: u64) -> bool {
        self.all_free <= now
    }

    /// The first cycle, from that of the last instruction on, in which a unit for `class` takes
    /// another one.
    #[inline]
    pub fn next_free(&self, class: IssueClass) -> u64 {
        self.first_free[usize::from(self.executed_by[class.index()])]
    }

    /// Issues an instruction of `class`, for which there is a unit, in cycle `now` that reads
    /// `sources`. Returns the cycle from which its result can be used.
    #[inline]
    pub fn issue(&mut self, class: IssueClass, sources: &[Option<Register>], now: u64) -> u64 {
        let kind = class.index();
        self.issued[kind] += 1;
        let pool = usize::from(self.executed_by[kind]);
        let first = self.pools[pool].take(now + self.initiation[kind]);
        self.first_free[pool] = first;
        self.all_free = self.all_free.max(first);
        let result = now + self.latency[kind];
        if self.bank_conflict == 0 {
            return result;
        }
        result + self.bank_conflict * u64::from(bank_conflicts(sources))
    }

    /// Whether another memory instruction may issue in cycle `now`.
    #[inline]
    pub fn memory_available(&self, now: u64) -> bool {
        self.memory_issued.0 != now || self.memory_issued.1 < self.memory_width
    }

    /// Issues a memory instruction in cycle `now`.
    #[inline]
    pub fn issue_memory(&mut self, now: u64) {
        let before = if self.memory_issued.0 == now { self.memory_issued.1 } else { 0 };
        self.memory_issued = (now, before + 1);
    }
}

/// How often a bank must be read again to read `sources`. The banks of a warp's registers are
/// shifted all together, so that the warp makes no difference.
fn bank_conflicts(sources: &[Option<Register>]) -> u32 {
    let mut reads = [0_u8; REGISTER_BANKS];
    let mut most = 1;
    for register in sources.iter().flatten() {
        let bank = &mut reads[usize::from(*register) % REGISTER_BANKS];
        *bank += 1;
        most = most.max(*bank);
    }
    u32::from(most - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Access, Space};

    const INTEGER: IssueClass = IssueClass::unit(Unit::Integer);
    const SINGLE: IssueClass = IssueClass::unit(Unit::Single);
    const SPECIAL: IssueClass = IssueClass::unit(Unit::Special);

    #[test]
    fn each_instruction_needs_the_unit_of_its_kind_or_the_load_store_unit_or_nothing() {
        let of = |operation| IssueClass::of(&Instruction { operation, ..Instruction::default() });
        let kinds = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
        assert_eq!(kinds.map(|unit| of(Operation::Compute(unit))), IssueClass::COMPUTE);
        let (space, access, bytes) = (Space::Shared, Access::Load, 4);
        let load = of(Operation::Memory { space, access, bytes });
        assert_eq!(load, IssueClass::MEMORY);
        assert_eq!(of(Operation::Barrier), IssueClass::FREE);
        assert!(!load.is_compute() && !IssueClass::FREE.is_compute());
    }

    #[test]
    fn a_unit_is_taken_for_its_initiation_interval_and_not_a_cycle_longer() {
        let mut config = GpuConfig::preset("accelsim-gtx480").unwrap();
        config.units.special = 1;
        let mut units = Units::new(&config, 1);
        units.issue(SPECIAL, &[], 10);
        assert!(!units.available(SPECIAL, 17));
        assert!(units.available(SPECIAL, 18));
        assert_eq!(units.next_free(SPECIAL), 18);
    }

    #[test]
    fn without_integer_units_integers_share_the_single_precision_ones() {
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap(), 1);
        let available = |units: &Units| [INTEGER, SINGLE].map(|class| units.available(class, 5));
        units.issue(INTEGER, &[], 5);
        assert_eq!(available(&units), [true; 2], "two of them");
        units.issue(SINGLE, &[], 5);
        assert_eq!(available(&units), [false; 2]);
    }

    #[test]
    fn sources_in_one_bank_are_read_one_after_the_other() {
        assert_eq!(bank_conflicts(&[Some(1), Some(2), None]), 0);
        assert_eq!(bank_conflicts(&[Some(1), Some(17)]), 1);
        assert_eq!(bank_conflicts(&[Some(10), Some(10), Some(26), Some(3)]), 2);
        assert_eq!(bank_conflicts(&[]), 0);
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap(), 1);
        let latency = units.latency[SINGLE.index()];
        assert_eq!(units.issue(SINGLE, &[Some(1), Some(2)], 5), 5 + latency);
        assert_eq!(units.issue(SINGLE, &[Some(1), Some(1)], 5), 6 + latency);
    }

    #[test]
    fn memory_instructions_issue_up_to_their_width_in_a_cycle() {
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap(), 1);
        assert!(units.memory_available(0));
        units.issue_memory(0);
        assert!(!units.memory_available(0));
        assert!(units.memory_available(1));
    }

    #[test]
    fn of_units_that_are_shared_the_one_that_is_free_first_is_next_whoever_took_it() {
        let mut pool = Pool::new(3);
        assert_eq!([pool.take(20), pool.take(14), pool.take(30)], [0, 0, 14]);
        assert_eq!(pool.take(18), 18, "the first of 18, 20, 30");
        assert_eq!(pool.take(21), 20);
        assert_eq!(pool.take(40), 21);
        assert_eq!(Pool::new(1).take(5), 5);
        assert_eq!(Pool::new(0).take(5), u64::MAX, "there is none");
    }
}
