//! Loads and stores.

use super::addresses::{each, stride};
use super::compute::{extend, extended};
use super::fault::{described, outside, read_only};
use super::registers::{Held, HeldMut};
use super::shared_checks::{Kind, Who};
use super::{Block, Fault, Warp};
use crate::address_space as space;
use crate::ast::Space;
use crate::machine::{put, value_of};
use crate::program::{Lookup, Reg, Source, Widening};
use crate::semantics::Lanes;
use blockyard_gpu::program::{Instruction, WARP_LANES};

/// Most bytes of a value.
const MOST_BYTES: usize = 8;
/// Bytes of local memory that lie together for each lane.
const LOCAL_WORD: u64 = 8;

impl Warp {
    /// `ld`
    pub(super) fn load(
        &mut self,
        lanes: u32,
        (from, to, signed): (&Lookup, &[Option<Reg>], Option<Widening>),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        if from.address.base.is_none() && self.load_constant(lanes, (from, to, signed), shown) {
            return Ok(());
        }
        let bytes = from.ty.bytes();
        if let ([Some(to)], None, Some((first, stride))) = (to, signed, self.in_steps(lanes, from))
        {
            if fits(first | stride, bytes) && self.load_in_steps((first, stride), bytes, *to) {
                shown.addresses.set_stride(first, stride);
                return Ok(());
            }
        }
        let addresses = self.addresses(from);
        let stride = stride(lanes, &addresses);
        self.check_alignment(lanes, (&addresses, stride), bytes * to.len() as u64, "load")?;
        for (part, to) in (0..).zip(to) {
            if let (Some(Space::Global), Some(stride), Some(to), None) =
                (from.space, stride, *to, signed)
            {
                // All lanes take part: their values need no place of their own on the way.
                let first = addresses[0].wrapping_add(part * bytes);
                if self.load_in_steps((first, stride), bytes, to) {
                    continue;
                }
            }
            if let (Some(Space::Shared), Some(to), None) = (from.space, *to, signed) {
                let at = (&addresses, part * bytes);
                let loaded = match self.registers.get_mut(to) {
                    HeldMut::Narrow(to) => self.block.load(lanes, at, bytes, to),
                    HeldMut::Wide(to) => self.block.load(lanes, at, bytes, to),
                };
                if loaded {
                    continue;
                }
            }
            let mut values = [0; WARP_LANES];
            self.read(lanes, from, (&addresses, stride), part * bytes, &mut values)?;
            let Some(to) = *to else { continue };
            if let Some(widening) = signed {
                extend(&mut values, widening);
            }
            self.registers.write(to, lanes, &values);
        }
        self.show(lanes, from, (&addresses, stride), shown);
        Ok(())
    }

    /// `st`
    pub(super) fn store(
        &mut self,
        lanes: u32,
        (to, values): (&Lookup, &[Source]),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let bytes = to.ty.bytes();
        if let (&[value], Some((first, stride))) = (values, self.in_steps(lanes, to)) {
            if fits(first | stride, bytes) && self.store_in_steps((first, stride), bytes, value) {
                shown.addresses.set_stride(first, stride);
                return Ok(());
            }
        }
        let addresses = self.addresses(to);
        let stride = stride(lanes, &addresses);
        self.check_alignment(lanes, (&addresses, stride), bytes * values.len() as u64, "store")?;
        for (part, source) in (0..).zip(values) {
            let stored = match (to.space, stride) {
                (Some(Space::Global), Some(stride)) => {
                    let first = addresses[0].wrapping_add(part * bytes);
                    self.store_in_steps((first, stride), bytes, *source)
                }
                (Some(Space::Shared), _) => {
                    let at = (&addresses, part * bytes);
                    match self.kept(*source) {
                        Some(Held::Narrow(from)) => self.block.store(lanes, at, bytes, from),
                        Some(Held::Wide(from)) => self.block.store(lanes, at, bytes, from),
                        None => self.block.store(lanes, at, bytes, &self.lanes_of(*source)),
                    }
                }
                _ => false,
            };
            if stored {
                continue;
            }
            let values = self.lanes_of(*source);
            for lane in each(lanes) {
                let address = addresses[lane].wrapping_add(part * bytes);
                self.place(to.space, lane, address, bytes, "store", |place| {
                    put(place, values[lane]);
                })?;
            }
        }
        self.show(lanes, to, (&addresses, stride), shown);
        Ok(())
    }

    /// See [`crate::machine::Memory::load_in_steps`].
    #[inline]
    fn load_in_steps(&mut self, (first, stride): (u64, u64), bytes: u64, to: Reg) -> bool {
        let mut memory = self.grid.machine.memory.borrow_mut();
        match self.registers.get_mut(to) {
            HeldMut::Narrow(to) => memory.load_in_steps(first, stride, bytes, to),
            HeldMut::Wide(to) => memory.load_in_steps(first, stride, bytes, to),
        }
    }

    /// See [`crate::machine::Memory::store_in_steps`]; special registers are not stored so.
    #[inline]
    fn store_in_steps(&self, (first, stride): (u64, u64), bytes: u64, from: Source) -> bool {
        let mut memory = self.grid.machine.memory.borrow_mut();
        match self.kept(from) {
            Some(Held::Narrow(from)) => memory.store_in_steps(first, stride, bytes, from),
            Some(Held::Wide(from)) => memory.store_in_steps(first, stride, bytes, from),
            None => false,
        }
    }

    /// `ld` by number of a place that all threads share and nobody writes, as most are of the
    /// kernel's parameters: it is read once. Whether it was: what is wrong with others is found
    /// elsewhere.
    fn load_constant(
        &mut self,
        lanes: u32,
        (from, to, signed): (&Lookup, &[Option<Reg>], Option<Widening>),
        shown: &mut Instruction,
    ) -> bool {
        let address = from.address.offset as u64 & u64::from(u32::MAX);
        let bytes = from.ty.bytes();
        let all = bytes * to.len() as u64;
        let end = address + all;
        let aligned = !all.is_power_of_two() || address.is_multiple_of(all);
        if !aligned {
            return false;
        }
        let range = address as usize..end as usize;
        let constants = self.grid.machine.constants.borrow();
        let (of, memory) = match from.space {
            Some(of @ Space::Constant) => (of, &*constants),
            Some(of @ Space::Parameter)
                if self.callers.is_empty() && end <= self.frame.own_parameters =>
            {
                (of, &self.grid.launch.parameters)
            }
            _ => return false,
        };
        let Some(place) = memory.get(range) else { return false };
        for (part, to) in place.chunks_exact(bytes as usize).zip(to) {
            let Some(to) = *to else { continue };
            let value = value_of(part);
            let value = signed.map_or(value, |widening| extended(value, widening));
            self.registers.fill(to, lanes, value);
        }
        drop(constants);
        self.show_constant(of, address, shown);
        true
    }

    /// Reads a value for each of `lanes`.
    fn read(
        &mut self,
        lanes: u32,
        from: &Lookup,
        (addresses, stride): (&Lanes, Option<u64>),
        part: u64,
        to: &mut Lanes,
    ) -> Result<(), Fault> {
        let bytes = from.ty.bytes();
        if from.space == Some(Space::Global) {
            let mut memory = self.grid.machine.memory.borrow_mut();
            if let Some(stride) = stride {
                let first = addresses[0].wrapping_add(part);
                if memory.load_in_steps(first, stride, bytes, to) {
                    return Ok(());
                }
            }
            for lane in each(lanes) {
                let address = addresses[lane].wrapping_add(part);
                let Some(place) = memory.get(address, bytes) else {
                    return Err(outside(lane, "load", address, bytes, &memory));
                };
                to[lane] = value_of(place);
            }
            return Ok(());
        }
        let shared = from.space == Some(Space::Shared);
        if shared && self.block.load(lanes, (addresses, part), bytes, to) {
            return Ok(());
        }
        if self.is_one_place(lanes, from, addresses, part) {
            let lane = lanes.trailing_zeros() as usize;
            let address = addresses[lane].wrapping_add(part);
            let value =
                self.place(from.space, lane, address, bytes, "load", |place| value_of(place))?;
            to.fill(value);
            return Ok(());
        }
        for lane in each(lanes) {
            let address = addresses[lane].wrapping_add(part);
            self.place(from.space, lane, address, bytes, "load", |p| to[lane] = value_of(p))?;
        }
        Ok(())
    }

    /// Whether all `lanes` load from one place that all threads share and nobody writes, as most do
    /// from constants and parameters of the kernel: that is read once.
    fn is_one_place(&self, lanes: u32, from: &Lookup, addresses: &Lanes, part: u64) -> bool {
        let Some(first) = each(lanes).next() else { return false };
        let address = addresses[first];
        let shared = match from.space {
            Some(Space::Constant) => true,
            Some(Space::Parameter) => {
                self.callers.is_empty() && address.wrapping_add(part) < self.frame.own_parameters
            }
            _ => false,
        };
        let same = |lane: usize| addresses[lane] == address;
        shared && (from.address.base.is_none() || each(lanes).all(same))
    }

    /// Shows `with` the bytes at `address` that the thread in `lane` sees; what it leaves there
    /// stays.
    #[inline]
    pub(super) fn place<R>(
        &mut self,
        of: Option<Space>,
        lane: usize,
        address: u64,
        bytes: u64,
        what: &str,
        with: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, Fault> {
        let generic = of.is_none();
        let (of, offset) = match of {
            Some(of) => (of, address),
            None => {
                let of = space::space_of(address);
                (of, address - space::base(of))
            }
        };
        let inside = |length: usize| {
            let end = offset.checked_add(bytes).filter(|end| *end <= length as u64)?;
            Some(offset as usize..end as usize)
        };
        let range = match of {
            Space::Global | Space::Texture | Space::Register => {
                let mut memory = self.grid.machine.memory.borrow_mut();
                return match memory.get(offset, bytes) {
                    Some(place) => Ok(with(place)),
                    None => Err(outside(lane, what, address, bytes, &memory)),
                };
            }
            Space::Shared => {
                let mut shared = self.block.shared.borrow_mut();
                match inside(shared.len()) {
                    Some(range) => {
                        self.check_shared(&self.block, lane, what, range.clone())?;
                        return Ok(with(&mut shared[range]));
                    }
                    None if self.is_own(offset) && offset >= space::WINDOW => {
                        drop(shared);
                        return self.place_in_cluster((lane, offset), bytes, what, with);
                    }
                    None => (what, "shared", shared.len()),
                }
            }
            Space::Cluster => return self.place_in_cluster((lane, offset), bytes, what, with),
            Space::Constant => {
                let constants = self.grid.machine.constants.borrow();
                match inside(constants.len()) {
                    Some(_) if what != "load" => return Err(read_only(lane, what, address, bytes)),
                    Some(range) => return Ok(with_copy(&constants[range], with)),
                    None => (what, "constant", constants.len()),
                }
            }
            Space::Parameter => {
                let parameters = &self.grid.launch.parameters;
                // Those that have generic addresses are the kernel's.
                let kernels = self.callers.is_empty() || generic;
                if kernels && (generic || offset < self.frame.own_parameters) {
                    match inside(parameters.len()) {
                        Some(_) if what != "load" => {
                            return Err(read_only(lane, what, address, bytes));
                        }
                        Some(range) => return Ok(with_copy(&parameters[range], with)),
                        None => (what, "parameter", parameters.len()),
                    }
                } else {
                    let frame = &mut self.frame;
                    match frame.parameters(lane, offset, bytes) {
                        Some(place) => return Ok(with(place)),
                        None if kernels => (what, "parameter", parameters.len()),
                        None => (what, "parameter", frame.all_parameters() as usize),
                    }
                }
            }
            Space::Local => {
                let length = self.local.len() / WARP_LANES;
                let whole = offset % LOCAL_WORD + bytes <= LOCAL_WORD;
                match inside(length).filter(|_| whole) {
                    Some(_) => {
                        let word = offset / LOCAL_WORD * LOCAL_WORD * WARP_LANES as u64;
                        let at = word + lane as u64 * LOCAL_WORD + offset % LOCAL_WORD;
                        let at = at as usize;
                        return Ok(with(&mut self.local[at..at + bytes as usize]));
                    }
                    None => (what, "local", length),
                }
            }
        };
        let (what, name, length) = range;
        let message =
            format!("{} at {offset:#x} of {name} memory is outside of it", described(what, bytes));
        Err(Fault::of_lane(lane, message, format!("an address below {length:#x} there")))
    }

    /// Looks for reads of what nobody has written, and for races, if that was asked for.
    #[inline]
    pub(super) fn check_shared(
        &self,
        block: &Block,
        lane: usize,
        what: &str,
        range: std::ops::Range<usize>,
    ) -> Result<(), Fault> {
        let Some(checks) = &block.checks else { return Ok(()) };
        let kind = match what {
            "load" => Kind::Load,
            "store" => Kind::Store,
            _ => Kind::Atomic,
        };
        let thread = self.own.warp * WARP_LANES as u32 + lane as u32;
        let who = Who { thread, passed: self.barriers_passed() };
        checks.note(who, kind, range).map_err(|message| {
            Fault::of_lane(lane, message, "a write before each read, and a barrier between warps")
        })
    }
}

/// Shows `with` a copy of the bytes of a value that nobody writes.
#[inline]
fn with_copy<R>(bytes: &[u8], with: impl FnOnce(&mut [u8]) -> R) -> R {
    let mut copy = [0; MOST_BYTES];
    let copy = &mut copy[..bytes.len()];
    copy.copy_from_slice(bytes);
    with(copy)
}

/// Whether an access of `bytes` bytes, a power of two, may begin there.
#[inline]
fn fits(address: u64, bytes: u64) -> bool {
    address & (bytes - 1) == 0
}
