//! Atomic operations: a lane after the other reads, computes and writes.

use super::addresses::each;
use super::{Fault, Warp};
use crate::address_space::space_of;
use crate::ast::{Space, Type};
use crate::machine::{put, value_of};
use crate::program::{Atomic, Lookup, Reg, Source};
use crate::semantics::{self, is_half, Lanes, OfHalves};
use blockyard_gpu::program::{Instruction, WARP_LANES};

impl Warp {
    /// `atom` and `red`
    pub(super) fn atomic(
        &mut self,
        lanes: u32,
        operation: Atomic,
        (at, operands, to): (&Lookup, &[Source], Option<Reg>),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(at);
        let values: [Lanes; 2] = self.lanes_of_all(operands);
        let bytes = at.ty.bytes();
        let mut old = [0; WARP_LANES];
        for lane in each(lanes) {
            let address = aligned(lane, addresses[lane], bytes)?;
            let (first, second) = (values[0][lane], values[1][lane]);
            old[lane] = self.replace(operation, at, (lane, address), [first, second])?;
        }
        if let Some(to) = to {
            self.registers.write(to, lanes, &old);
        }
        self.show_each(lanes, at, &addresses, shown);
        Ok(())
    }

    /// What was at `address`, where the operation with `values` leaves something else.
    fn replace(
        &mut self,
        operation: Atomic,
        at: &Lookup,
        (lane, address): (usize, u64),
        [first, second]: [u64; 2],
    ) -> Result<u64, Fault> {
        let flushes =
            operation == Atomic::Add && at.ty == Type::Float(32) && is_global(at, address);
        self.place(at.space, lane, address, at.ty.bytes(), "atomic access", |place| {
            let old = value_of(place);
            let left = if flushes {
                flushed_sum(old, first)
            } else {
                combined(operation, at.ty, old, first, second)
            };
            put(place, left);
            old
        })
    }

    /// The same of vectors in global memory, an element after the other.
    pub(super) fn atomic_vector(
        &mut self,
        lanes: u32,
        operation: Atomic,
        (at, operands, to): (&Lookup, &[Source], &[Option<Reg>]),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(at);
        let bytes = at.ty.bytes();
        let all = bytes * operands.len() as u64;
        for lane in each(lanes) {
            let address = aligned(lane, addresses[lane], all)?;
            if !is_global(at, address) {
                let message =
                    format!("an atomic access of a vector at {address:#x} is not in global memory");
                return Err(Fault::of_lane(lane, message, "an address in global memory"));
            }
        }
        let mut old = [[0; WARP_LANES]; 8];
        for ((source, old), place) in operands.iter().zip(&mut old).zip(0..) {
            let values = self.lanes_of(*source);
            for lane in each(lanes) {
                let address = addresses[lane] + place * bytes;
                old[lane] = self.replace(operation, at, (lane, address), [values[lane], 0])?;
            }
        }
        self.registers.write_all(lanes, to, &old);
        self.show_each(lanes, at, &addresses, shown);
        Ok(())
    }

    /// The same of 128 bits, of which registers hold halves.
    pub(super) fn atomic_pair(
        &mut self,
        lanes: u32,
        compares: bool,
        (at, operands, to): (&Lookup, &[Source], &[Option<Reg>]),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(at);
        let values: [Lanes; 4] = self.lanes_of_all(operands);
        let bytes = at.ty.bytes();
        let mut old = [[0; WARP_LANES]; 2];
        for lane in each(lanes) {
            let address = aligned(lane, addresses[lane], bytes)?;
            let [a, b, c, d] = values.map(|values| values[lane]);
            let before = self.place(at.space, lane, address, bytes, "atomic access", |place| {
                let (low, high) = place.split_at_mut(bytes as usize / 2);
                let before = [value_of(low), value_of(high)];
                let after = match compares {
                    true if before == [a, b] => [c, d],
                    true => before,
                    false => [a, b],
                };
                put(low, after[0]);
                put(high, after[1]);
                before
            })?;
            (old[0][lane], old[1][lane]) = (before[0], before[1]);
        }
        self.registers.write_all(lanes, to, &old);
        self.show_each(lanes, at, &addresses, shown);
        Ok(())
    }
}

/// `address`, which must be a multiple of `bytes`.
fn aligned(lane: usize, address: u64, bytes: u64) -> Result<u64, Fault> {
    if address.is_multiple_of(bytes) {
        return Ok(address);
    }
    let message = format!("an atomic access of {bytes} bytes at {address:#x} is misaligned");
    Err(Fault::of_lane(lane, message, format!("a multiple of {bytes}")))
}

fn is_global(at: &Lookup, address: u64) -> bool {
    at.space.unwrap_or_else(|| space_of(address)) == Space::Global
}

/// The sum of two f32 in global memory. There, says the manual of `atom` and `red`, subnormal
/// inputs and results are zero with their sign; in shared memory they are not.
fn flushed_sum(old: u64, first: u64) -> u64 {
    let flushed = |value: f32| if value.is_subnormal() { 0.0_f32.copysign(value) } else { value };
    let [old, first] = [old, first].map(|bits| flushed(f32::from_bits(bits as u32)));
    u64::from(flushed(old + first).to_bits())
}

/// What `operation` leaves where `old` was.
pub(super) fn combined(operation: Atomic, ty: Type, old: u64, first: u64, second: u64) -> u64 {
    let narrow = |value: u64| if ty.width() == 32 { value & u64::from(u32::MAX) } else { value };
    match operation {
        Atomic::And => old & first,
        Atomic::Or => old | first,
        Atomic::Xor => old ^ first,
        Atomic::Exchange => first,
        Atomic::CompareAndSwap if old == first => second,
        Atomic::CompareAndSwap => old,
        Atomic::Add => match ty {
            Type::Float(32) => {
                let sum = f32::from_bits(old as u32) + f32::from_bits(first as u32);
                u64::from(sum.to_bits())
            }
            _ if is_half(ty) => semantics::of_halves(OfHalves::Sum, ty, old, first),
            Type::Float(_) => (f64::from_bits(old) + f64::from_bits(first)).to_bits(),
            _ => narrow(old.wrapping_add(first)),
        },
        Atomic::Increment if old >= first => 0,
        Atomic::Increment => old + 1,
        Atomic::Decrement if old == 0 || old > first => first,
        Atomic::Decrement => old - 1,
        Atomic::Minimum if is_half(ty) => semantics::of_halves(OfHalves::Least, ty, old, first),
        Atomic::Maximum if is_half(ty) => semantics::of_halves(OfHalves::Most, ty, old, first),
        Atomic::Minimum if before(ty, first, old) => first,
        Atomic::Maximum if before(ty, old, first) => first,
        Atomic::Minimum | Atomic::Maximum => old,
    }
}

fn before(ty: Type, a: u64, b: u64) -> bool {
    match ty {
        Type::Signed(32) => (a as i32) < b as i32,
        Type::Signed(_) => (a as i64) < b as i64,
        _ => a < b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_counts_up_starts_again_behind_its_limit() {
        let next = |old, limit| combined(Atomic::Increment, Type::Unsigned(32), old, limit, 0);
        assert_eq!([next(3, 4), next(4, 4), next(5, 4), next(0, 0)], [4, 0, 0, 0]);
    }

    #[test]
    fn a_counter_that_counts_down_starts_again_at_its_limit() {
        let next = |old, limit| combined(Atomic::Decrement, Type::Unsigned(32), old, limit, 0);
        assert_eq!([next(3, 4), next(0, 4), next(5, 4), next(4, 4)], [2, 4, 4, 3]);
    }

    #[test]
    fn a_swap_takes_place_only_where_the_old_value_is_as_expected() {
        let next = |old| combined(Atomic::CompareAndSwap, Type::Bits(32), old, 7, 9);
        assert_eq!([next(7), next(8)], [9, 8]);
    }

    #[test]
    fn the_smaller_one_depends_on_the_sign() {
        let least = |ty, old, new| combined(Atomic::Minimum, ty, old, new, 0);
        assert_eq!(least(Type::Signed(32), 1, 0xffff_ffff), 0xffff_ffff);
        assert_eq!(least(Type::Unsigned(32), 1, 0xffff_ffff), 1);
        assert_eq!(least(Type::Signed(64), u64::MAX, 0), u64::MAX);
    }

    #[test]
    fn sums_wrap_at_their_width() {
        let sum = |ty| combined(Atomic::Add, ty, 0xffff_ffff, 1, 0);
        assert_eq!([sum(Type::Unsigned(32)), sum(Type::Unsigned(64))], [0, 1 << 32]);
    }
}
