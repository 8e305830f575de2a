//! The registers of a warp, those of a call behind those of its caller: 32 bits of each lane for
//! values that have no more, 64 for others, and predicates.

use crate::program::{Code, Flag, Reg};
use crate::semantics::{cut, widen, Lanes, Word, Words};
use blockyard_gpu::program::WARP_LANES;

/// What a register holds.
#[derive(Clone, Copy)]
pub(crate) enum Held<'a> {
    Narrow(&'a Words),
    Wide(&'a Lanes),
}

impl<'a> Held<'a> {
    /// The values, put into `scratch` where they are narrow.
    #[inline]
    pub fn widened(self, scratch: &'a mut Lanes) -> &'a Lanes {
        match self {
            Self::Narrow(words) => {
                widen(words, scratch);
                scratch
            }
            Self::Wide(lanes) => lanes,
        }
    }

    /// The value of one lane.
    #[inline]
    pub fn lane(self, lane: usize) -> u64 {
        match self {
            Self::Narrow(words) => words[lane].into(),
            Self::Wide(lanes) => lanes[lane],
        }
    }
}

/// What a register holds, to be overwritten.
pub(crate) enum HeldMut<'a> {
    Narrow(&'a mut Words),
    Wide(&'a mut Lanes),
}

/// See the module.
#[derive(Default)]
pub(crate) struct Registers {
    narrow: Vec<Words>,
    wide: Vec<Lanes>,
    flags: Vec<u32>,
    /// Where those of the call at hand begin.
    pub first: First,
}

/// Where the registers of a call begin.
#[derive(Clone, Copy, Default)]
pub(crate) struct First {
    narrow: usize,
    wide: usize,
    flag: usize,
}

impl Registers {
    /// Has those of `code` from now on, all zero.
    pub fn clear(&mut self, code: &Code) {
        self.narrow.clear();
        self.wide.clear();
        self.flags.clear();
        self.first = First::default();
        self.grow(code);
    }

    /// `caller` calls `called`.
    pub fn enter(&mut self, caller: &Code, called: &Code) {
        self.first.narrow += caller.narrow;
        self.first.wide += caller.wide;
        self.first.flag += caller.flags;
        self.grow(called);
    }

    /// What `caller` has called returns.
    pub fn leave(&mut self, caller: &Code) {
        self.narrow.truncate(self.first.narrow);
        self.wide.truncate(self.first.wide);
        self.flags.truncate(self.first.flag);
        self.first.narrow -= caller.narrow;
        self.first.wide -= caller.wide;
        self.first.flag -= caller.flags;
    }

    fn grow(&mut self, code: &Code) {
        self.narrow.resize(self.first.narrow + code.narrow, [0; WARP_LANES]);
        self.wide.resize(self.first.wide + code.wide, [0; WARP_LANES]);
        self.flags.resize(self.first.flag + code.flags, 0);
    }

    #[inline]
    pub fn get(&self, register: Reg) -> Held<'_> {
        match register.is_wide() {
            true => Held::Wide(&self.wide[self.first.wide + register.place()]),
            false => Held::Narrow(&self.narrow[self.first.narrow + register.place()]),
        }
    }

    #[inline]
    pub fn get_mut(&mut self, register: Reg) -> HeldMut<'_> {
        match register.is_wide() {
            true => HeldMut::Wide(&mut self.wide[self.first.wide + register.place()]),
            false => HeldMut::Narrow(&mut self.narrow[self.first.narrow + register.place()]),
        }
    }

    /// Overwrites `register` in `lanes` with `value`.
    #[inline]
    pub fn fill(&mut self, register: Reg, lanes: u32, value: u64) {
        match self.get_mut(register) {
            HeldMut::Narrow(old) if lanes == u32::MAX => old.fill(value as u32),
            HeldMut::Wide(old) if lanes == u32::MAX => old.fill(value),
            HeldMut::Narrow(old) => merge(old, lanes, &[value; WARP_LANES]),
            HeldMut::Wide(old) => merge(old, lanes, &[value; WARP_LANES]),
        }
    }

    /// Overwrites `register` in `lanes`.
    #[inline]
    pub fn write(&mut self, register: Reg, lanes: u32, values: &Lanes) {
        match self.get_mut(register) {
            HeldMut::Narrow(old) if lanes == u32::MAX => cut(values, old),
            HeldMut::Wide(old) if lanes == u32::MAX => *old = *values,
            HeldMut::Narrow(old) => merge(old, lanes, values),
            HeldMut::Wide(old) => merge(old, lanes, values),
        }
    }

    /// The same of values that have no more than 32 bits.
    #[inline]
    pub fn write_narrow(&mut self, register: Reg, lanes: u32, values: &Words) {
        match self.get_mut(register) {
            HeldMut::Narrow(old) if lanes == u32::MAX => *old = *values,
            HeldMut::Wide(old) if lanes == u32::MAX => widen(values, old),
            HeldMut::Narrow(old) => merge(old, lanes, values),
            HeldMut::Wide(old) => merge(old, lanes, values),
        }
    }

    /// Overwrites the registers that there are among `to` by one of the `values` each.
    pub fn write_all(&mut self, lanes: u32, to: &[Option<Reg>], values: &[Lanes]) {
        for (to, values) in to.iter().zip(values) {
            if let Some(to) = *to {
                self.write(to, lanes, values);
            }
        }
    }

    /// The lanes for which `flag` holds.
    #[inline]
    pub fn flag(&self, flag: Flag) -> u32 {
        let holds = self.flags[self.first.flag + flag.register.0 as usize];
        if flag.negated {
            !holds
        } else {
            holds
        }
    }

    /// Overwrites the predicate `register` in `lanes`.
    #[inline]
    pub fn write_flag(&mut self, register: Reg, lanes: u32, holds: u32) {
        let old = &mut self.flags[self.first.flag + register.0 as usize];
        *old = *old & !lanes | holds & lanes;
    }

    /// Writes what a test has found of each lane: flags of which `first` holds, or as `value` the
    /// sum of what `first` and `second` stand for.
    pub fn write_test(
        &mut self,
        lanes: u32,
        [first, second]: [u32; 2],
        to: Option<Reg>,
        value: Option<[u64; 2]>,
    ) {
        match (to, value) {
            (Some(to), None) => self.write_flag(to, lanes, first),
            (Some(to), Some([low, high])) => {
                let chosen =
                    |holds: u32, lane: usize, part| if holds >> lane & 1 == 1 { part } else { 0 };
                let result = std::array::from_fn(|lane| {
                    chosen(first, lane, low) | chosen(second, lane, high)
                });
                self.write(to, lanes, &result);
            }
            (None, _) => {}
        }
    }

    /// All lanes of `register`, if that is a wide one, and what the others hold.
    #[inline]
    pub fn apart(&mut self, register: Reg) -> Option<(&mut Lanes, Others<'_>)> {
        if !register.is_wide() {
            return None;
        }
        let at = self.first.wide + register.place();
        let (before, rest) = self.wide.split_at_mut(at);
        let (apart, behind) = rest.split_first_mut()?;
        let narrow = &self.narrow[self.first.narrow..];
        Some((apart, Others { narrow, before: &before[self.first.wide..], behind }))
    }
}

/// The registers but one of the wide ones.
#[derive(Clone, Copy)]
pub(crate) struct Others<'a> {
    narrow: &'a [Words],
    before: &'a [Lanes],
    behind: &'a [Lanes],
}

impl<'a> Others<'a> {
    #[inline]
    pub fn get(self, register: Reg) -> Held<'a> {
        let place = register.place();
        if !register.is_wide() {
            return Held::Narrow(&self.narrow[place]);
        }
        let apart = self.before.len();
        Held::Wide(if place < apart {
            &self.before[place]
        } else {
            &self.behind[place - apart - 1]
        })
    }
}

/// Overwrites `old` in `lanes`.
#[inline]
fn merge<E: Word, F: Word>(old: &mut [E; WARP_LANES], lanes: u32, values: &[F; WARP_LANES]) {
    for lane in 0..WARP_LANES {
        let keep = u64::from(lanes >> lane & 1).wrapping_sub(1);
        old[lane] = E::of(old[lane].bits() & keep | values[lane].bits() & !keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function with registers of each kind.
    fn code(narrow: usize, wide: usize, flags: usize) -> Code {
        Code {
            name: "f".into(),
            steps: Vec::new(),
            constants: Vec::new(),
            narrow,
            wide,
            flags,
            own_parameters: 0,
            call_parameters: 0,
            results: Vec::new(),
            parameters: Vec::new(),
            local: 0,
            first: 0,
        }
    }

    fn registers(of: &Code) -> Registers {
        let mut registers = Registers::default();
        registers.clear(of);
        registers
    }

    fn values(registers: &Registers, register: Reg) -> Lanes {
        *registers.get(register).widened(&mut [0; WARP_LANES])
    }

    #[test]
    fn only_lanes_that_take_part_are_overwritten_and_only_by_as_many_bits_as_there_are() {
        let large: Lanes = std::array::from_fn(|lane| 0x5_0000_0001 + lane as u64);
        let words: Words = std::array::from_fn(|lane| u32::MAX - lane as u32);
        for lanes in [0, 1, 1 << 31, 0x5555_5555, u32::MAX - 1, u32::MAX] {
            for (wide, mask) in [(false, u64::from(u32::MAX)), (true, u64::MAX)] {
                let register = Reg::at(1, wide);
                let written = |write: &dyn Fn(&mut Registers)| {
                    let mut registers = registers(&code(2, 2, 0));
                    registers.fill(register, u32::MAX, 7);
                    write(&mut registers);
                    for other in [Reg::at(0, false), Reg::at(0, true), Reg::at(1, !wide)] {
                        assert_eq!(values(&registers, other), [0; WARP_LANES], "{other:?}");
                    }
                    values(&registers, register)
                };
                let expected = |value: &dyn Fn(usize) -> u64| -> Lanes {
                    std::array::from_fn(|lane| match lanes >> lane & 1 {
                        0 => 7,
                        _ => value(lane) & mask,
                    })
                };
                let found = written(&|registers| registers.write(register, lanes, &large));
                assert_eq!(found, expected(&|lane| large[lane]), "{lanes:#x} wide {wide}");
                let found = written(&|registers| registers.write_narrow(register, lanes, &words));
                assert_eq!(found, expected(&|lane| words[lane].into()), "{lanes:#x} wide {wide}");
                let found = written(&|registers| registers.fill(register, lanes, large[3]));
                assert_eq!(found, expected(&|_| large[3]), "{lanes:#x} wide {wide}");
            }
        }
    }

    #[test]
    fn what_is_called_has_zeros_and_its_caller_what_it_had() {
        let (caller, called) = (code(1, 2, 1), code(3, 1, 2));
        let mut registers = registers(&caller);
        let own = [(Reg::at(0, false), 5), (Reg::at(0, true), 6), (Reg::at(1, true), 7)];
        let flag = |register| Flag { register: Reg(register), negated: false };
        own.iter().for_each(|(register, value)| registers.fill(*register, u32::MAX, *value));
        registers.write_flag(Reg(0), 3, 3);
        for _ in 0..2 {
            registers.enter(&caller, &called);
            for register in [Reg::at(0, false), Reg::at(2, false), Reg::at(0, true)] {
                assert_eq!(values(&registers, register), [0; WARP_LANES], "{register:?}");
                registers.fill(register, u32::MAX, 9);
            }
            assert_eq!([0, 1].map(|number| registers.flag(flag(number))), [0, 0]);
            registers.write_flag(Reg(1), u32::MAX, u32::MAX);
            registers.leave(&caller);
        }
        for (register, value) in own {
            assert_eq!(values(&registers, register), [value; WARP_LANES], "{register:?}");
        }
        assert_eq!(registers.flag(flag(0)), 3);
    }

    #[test]
    fn a_wide_register_lies_apart_from_all_others_of_its_call() {
        let (caller, called) = (code(1, 1, 0), code(1, 3, 0));
        let mut registers = registers(&caller);
        registers.fill(Reg::at(0, true), u32::MAX, 4);
        registers.enter(&caller, &called);
        let all = [Reg::at(0, true), Reg::at(1, true), Reg::at(2, true), Reg::at(0, false)];
        (1..).zip(all).for_each(|(value, register)| registers.fill(register, u32::MAX, value));
        for apart in 0..3 {
            let (lanes, others) = registers.apart(all[apart]).expect("a wide one");
            assert_eq!(lanes[5], apart as u64 + 1);
            for other in (0..4).filter(|other| *other != apart) {
                assert_eq!(others.get(all[other]).lane(5), other as u64 + 1, "{apart}, {other}");
            }
        }
        assert!(registers.apart(all[3]).is_none());
    }
}
