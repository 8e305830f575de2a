//! The execution units of an SMX, shared by its schedulers.

use crate::gpu::config::GpuConfig;
use crate::workload::program::{Instruction, Operation, Register, Unit};

/// Banks of the register file.
const REGISTER_BANKS: usize = 16;

/// What an instruction needs beside its operands, by number: a unit of a kind, or one of the others.
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

    /// Those of the units.
    pub const UNITS: [Self; UNITS] =
        [Self::unit(0), Self::unit(1), Self::unit(2), Self::unit(3), Self::unit(4)];

    /// A unit of kind `unit`.
    const fn unit(unit: usize) -> Self {
        Self(unit as u8)
    }

    /// Its number, below [`ISSUE_CLASSES`]; the first [`UNITS`] are those of the units.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % ISSUE_CLASSES
    }
}

const fn number(unit: Unit) -> usize {
    match unit {
        Unit::Integer => 0,
        Unit::Single => 1,
        Unit::Double => 2,
        Unit::Special => 3,
        Unit::Tensor => 4,
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

    /// The unit that is free first takes an instruction until the cycle `until`, which is later. Returns
    /// the first cycle in which a unit is free after that.
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
    /// For each class the first cycle in which one of its units is free, or one in which it is over:
    /// there is one; 0 for classes that need no unit.
    first_free: [u64; ISSUE_CLASSES],
    /// A cycle from which on every kind that executes anything has a unit that is free.
    all_free: u64,
    /// The units that execute each kind: integers may go to the single-precision ones.
    executed_by: [IssueClass; UNITS],
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
    /// The idle units of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let kinds = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
        let executed_by = kinds.map(|unit| match unit {
            Unit::Integer if config.units.integer == 0 => IssueClass::unit(number(Unit::Single)),
            unit => IssueClass::unit(number(unit)),
        });
        let mut first_free = [0; ISSUE_CLASSES];
        for unit in kinds {
            if config.unit_count(unit) == 0 {
                first_free[number(unit)] = u64::MAX;
            }
        }
        let all_free = executed_by.iter().map(|kind| first_free[kind.index()]).max();
        Self {
            all_free: all_free.unwrap_or(0),
            first_free,
            pools: kinds.map(|unit| Pool::new(config.unit_count(unit))),
            executed_by,
            latency: kinds.map(|unit| config.unit_latency(unit)),
            initiation: kinds.map(|unit| config.unit_initiation(unit)),
            issued: [0; UNITS],
            bank_conflict: u64::from(config.latency.bank_conflict),
            memory_width: config.units.memory,
            memory_issued: (0, 0),
        }
    }

    /// What `instruction` needs beside its operands.
    #[inline]
    pub fn class(&self, instruction: &Instruction) -> IssueClass {
        // One after the other, since most are of the first kind: a jump by table takes longer.
        if let Operation::Compute(unit) = instruction.operation {
            self.executed_by[number(unit)]
        } else if let Operation::Memory { .. } = instruction.operation {
            IssueClass::MEMORY
        } else {
            IssueClass::FREE
        }
    }

    /// Whether a unit for `class` takes an instruction in cycle `now`; always, if it needs none.
    #[inline]
    pub fn available(&self, class: IssueClass, now: u64) -> bool {
        self.first_free[class.index()] <= now
    }

    /// Whether a unit of every kind takes an instruction in cycle `now`. If not, a kind may still have one.
    #[inline]
    pub fn all_available(&self, now: u64) -> bool {
        self.all_free <= now
    }

    /// The first cycle, from that of the last instruction on, in which a unit for `class` takes another
    /// one.
    #[inline]
    pub fn next_free(&self, class: IssueClass) -> u64 {
        self.first_free[class.index()]
    }

    /// Issues an instruction of kind `unit`, for which there is a unit, in cycle `now` that reads
    /// `sources`. Returns the cycle from which its result can be used.
    #[inline]
    pub fn issue(&mut self, unit: Unit, sources: &[Option<Register>], now: u64) -> u64 {
        let kind = number(unit);
        self.issued[kind] += 1;
        let executed_by = self.executed_by[kind].index();
        let first = self.pools[executed_by].take(now + self.initiation[kind]);
        self.first_free[executed_by] = first;
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

/// How often a bank must be read again to read `sources`. The banks of a warp's registers are shifted all
/// together, so that the warp makes no difference.
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

    #[test]
    fn a_unit_is_taken_for_its_initiation_interval_and_not_a_cycle_longer() {
        let mut config = GpuConfig::preset("accelsim-gtx480").unwrap();
        config.units.special = 1;
        let mut units = Units::new(&config);
        let special = IssueClass::unit(number(Unit::Special));
        units.issue(Unit::Special, &[], 10);
        assert!(!units.available(special, 17));
        assert!(units.available(special, 18));
        assert_eq!(units.next_free(special), 18);
    }

    #[test]
    fn without_integer_units_integers_share_the_single_precision_ones() {
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap());
        let add =
            Instruction { operation: Operation::Compute(Unit::Integer), ..Instruction::default() };
        let single = IssueClass::unit(number(Unit::Single));
        assert_eq!(units.class(&add), single);
        units.issue(Unit::Integer, &[], 5);
        assert!(units.available(single, 5), "two of them");
        units.issue(Unit::Single, &[], 5);
        assert!(!units.available(single, 5));
    }

    #[test]
    fn sources_in_one_bank_are_read_one_after_the_other() {
        assert_eq!(bank_conflicts(&[Some(1), Some(2), None]), 0);
        assert_eq!(bank_conflicts(&[Some(1), Some(17)]), 1);
        assert_eq!(bank_conflicts(&[Some(10), Some(10), Some(26), Some(3)]), 2);
        assert_eq!(bank_conflicts(&[]), 0);
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap());
        let latency = units.latency[number(Unit::Single)];
        assert_eq!(units.issue(Unit::Single, &[Some(1), Some(2)], 5), 5 + latency);
        assert_eq!(units.issue(Unit::Single, &[Some(1), Some(1)], 5), 6 + latency);
    }

    #[test]
    fn memory_instructions_issue_up_to_their_width_in_a_cycle() {
        let mut units = Units::new(&GpuConfig::preset("accelsim-gtx480").unwrap());
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
