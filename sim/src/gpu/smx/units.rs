//! The execution units of an SMX, shared by its schedulers.

use crate::gpu::config::GpuConfig;
use crate::workload::program::{Instruction, Operation, Register, Unit};

/// Banks of the register file.
const REGISTER_BANKS: usize = 16;

/// What an instruction needs beside its operands; ready warps are kept in one set for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueClass {
    /// A unit of that kind, by number.
    Unit(u8),
    /// Room in the load/store unit and its turn to issue.
    Memory,
    /// Nothing.
    Free,
}

/// Kinds of units.
pub const UNITS: usize = 5;

/// Number of sets of ready warps.
pub const ISSUE_CLASSES: usize = UNITS + 2;

impl IssueClass {
    /// The set of this class; the first [`UNITS`] are those of the units.
    pub const fn index(self) -> usize {
        match self {
            IssueClass::Unit(unit) => unit as usize,
            IssueClass::Memory => UNITS,
            IssueClass::Free => UNITS + 1,
        }
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

/// See the module.
#[derive(Debug)]
pub struct Units {
    /// For each unit of each kind the first cycle in which it takes another instruction.
    free: [Vec<u64>; UNITS],
    /// Of each kind the first of these, or one in which it is over: there is a unit that is free.
    first_free: [u64; UNITS],
    /// A cycle from which on every kind that executes anything has a unit that is free.
    all_free: u64,
    /// The units that execute each kind: integers may go to the single-precision ones.
    executed_by: [u8; UNITS],
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
            Unit::Integer if config.units.integer == 0 => number(Unit::Single) as u8,
            unit => number(unit) as u8,
        });
        let first_free = kinds.map(|unit| if config.unit_count(unit) == 0 { u64::MAX } else { 0 });
        let all_free = executed_by.iter().map(|&kind| first_free[usize::from(kind)]).max();
        Self {
            all_free: all_free.unwrap_or(0),
            first_free,
            free: kinds.map(|unit| vec![0; config.unit_count(unit) as usize]),
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
        match instruction.operation {
            Operation::Compute(unit) => IssueClass::Unit(self.executed_by[number(unit)]),
            Operation::Memory { .. } => IssueClass::Memory,
            Operation::Launch | Operation::Barrier | Operation::Exit => IssueClass::Free,
        }
    }

    /// Whether a unit of kind `unit` takes an instruction in cycle `now`.
    #[inline]
    pub fn available(&self, unit: usize, now: u64) -> bool {
        self.first_free[unit] <= now
    }

    /// Whether a unit of every kind takes an instruction in cycle `now`. If not, a kind may still have one.
    #[inline]
    pub fn all_available(&self, now: u64) -> bool {
        self.all_free <= now
    }

    /// The first cycle, from that of the last instruction on, in which a unit of kind `unit` takes
    /// another one.
    #[inline]
    pub fn next_free(&self, unit: usize) -> u64 {
        self.first_free[unit]
    }

    /// Issues an instruction of kind `unit` in cycle `now` that reads `sources`. Returns the cycle from
    /// which its result can be used.
    #[inline]
    pub fn issue(&mut self, unit: Unit, sources: &[Option<Register>], now: u64) -> u64 {
        let kind = number(unit);
        self.issued[kind] += 1;
        let executed_by = usize::from(self.executed_by[kind]);
        let units = &mut self.free[executed_by];
        if let Some(free) = units.iter_mut().find(|free| **free <= now) {
            *free = now + self.initiation[kind];
        }
        let other = units.iter().copied().find(|&free| free <= now);
        let first = other.or_else(|| units.iter().copied().min()).unwrap_or(u64::MAX);
        self.first_free[executed_by] = first;
        self.all_free = self.all_free.max(first);
        let conflicts = if self.bank_conflict == 0 { 0 } else { bank_conflicts(sources) };
        now + self.latency[kind] + self.bank_conflict * u64::from(conflicts)
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
        let special = number(Unit::Special);
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
        let single = IssueClass::Unit(number(Unit::Single) as u8);
        assert_eq!(units.class(&add), single);
        units.issue(Unit::Integer, &[], 5);
        assert!(units.available(single.index(), 5), "two of them");
        units.issue(Unit::Single, &[], 5);
        assert!(!units.available(single.index(), 5));
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
}
