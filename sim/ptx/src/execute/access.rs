//! Loads and stores.

use super::shared_checks::{Kind, Who};
use super::{Fault, Warp};
use crate::address_space as space;
use crate::ast::Space;
use crate::machine::Memory;
use crate::program::{Address, Lookup, Reg, Source, Widening};
use crate::semantics::Lanes;
use blockyard_gpu::program::{self as gpu, Access, Instruction, Operation, WARP_LANES};

/// Where local memory begins among the addresses that the timing sees, and bytes of a warp there.
const LOCAL_BASE: u64 = 1 << 46;
const LOCAL_STRIDE: u64 = 1 << 24;
/// Most bytes of a value.
const MOST_BYTES: usize = 8;
/// Bytes of local memory that lie together for each lane.
const LOCAL_WORD: u64 = 8;

/// The lanes in `mask`, in ascending order.
#[inline]
pub(super) fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// Up to 8 bytes as a value.
#[inline]
pub(super) fn value_of(bytes: &[u8]) -> u64 {
    match bytes {
        [a, b, c, d] => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)),
    }
}

/// Overwrites `bytes` with the low bytes of `value`.
#[inline]
pub(super) fn put(bytes: &mut [u8], value: u64) {
    let count = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..count]);
}

/// What each address is above the one before, if all lanes take part and that is the same for all.
#[inline]
pub(super) fn stride(lanes: u32, addresses: &Lanes) -> Option<u64> {
    let stride = addresses[1].wrapping_sub(addresses[0]);
    let odd =
        addresses.windows(2).fold(0, |odd, pair| odd | (pair[1].wrapping_sub(pair[0]) ^ stride));
    (lanes == u32::MAX && odd == 0).then_some(stride)
}

impl Warp {
    /// The address of each lane. All spaces but global memory have addresses of 32 bits, which wrap.
    pub(super) fn addresses(&self, at: &Lookup) -> Lanes {
        let Address { base, offset } = at.address;
        let mask = match at.space {
            None | Some(Space::Global | Space::Texture) => u64::MAX,
            Some(_) => u64::from(u32::MAX),
        };
        match base {
            None => [offset as u64 & mask; WARP_LANES],
            Some(base) => {
                let mut scratch = [0; WARP_LANES];
                let base = self.value(base, &mut scratch);
                std::array::from_fn(|lane| base[lane].wrapping_add(offset as u64) & mask)
            }
        }
    }

    /// `ld`
    pub(super) fn load(
        &mut self,
        lanes: u32,
        (from, to, signed): (&Lookup, &[Option<Reg>], Option<Widening>),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(from);
        let bytes = from.ty.bytes();
        self.check_alignment(lanes, &addresses, bytes * to.len() as u64, "load")?;
        let stride = stride(lanes, &addresses);
        for (part, to) in (0..).zip(to) {
            let mut values = [0; WARP_LANES];
            let part = (part * bytes, bytes);
            self.read(lanes, from.space, (&addresses, stride), part, &mut values)?;
            let Some(to) = *to else { continue };
            if let Some(widening) = signed {
                extend(&mut values, widening);
            }
            self.values.write(to, lanes, &values);
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
        let addresses = self.addresses(to);
        let bytes = to.ty.bytes();
        self.check_alignment(lanes, &addresses, bytes * values.len() as u64, "store")?;
        let stride = stride(lanes, &addresses);
        for (part, source) in (0..).zip(values) {
            let mut scratch = [0; WARP_LANES];
            let values = *self.value(*source, &mut scratch);
            if let (Some(Space::Global), Some(stride)) = (to.space, stride) {
                let mut memory = self.grid.machine.memory.borrow_mut();
                let first = addresses[0].wrapping_add(part * bytes);
                let places = memory.in_steps(first, stride, bytes);
                if let Some(places) = places {
                    places.zip(values).for_each(|(place, value)| put(place, value));
                    continue;
                }
            }
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

    fn check_alignment(
        &self,
        lanes: u32,
        addresses: &Lanes,
        bytes: u64,
        what: &str,
    ) -> Result<(), Fault> {
        let low = each(lanes).fold(0, |low, lane| low | addresses[lane]);
        if low & (bytes - 1) == 0 || !bytes.is_power_of_two() {
            return Ok(());
        }
        let odd = each(lanes).find(|lane| addresses[*lane] & (bytes - 1) != 0).unwrap_or(0);
        let message = format!("a {what} of {bytes} bytes at {:#x} is misaligned", addresses[odd]);
        Err(Fault::of_lane(odd, message, format!("a multiple of {bytes}")))
    }

    /// Reads a value for each of `lanes`.
    fn read(
        &mut self,
        lanes: u32,
        from: Option<Space>,
        (addresses, stride): (&Lanes, Option<u64>),
        (part, bytes): (u64, u64),
        to: &mut Lanes,
    ) -> Result<(), Fault> {
        if from == Some(Space::Global) {
            let mut memory = self.grid.machine.memory.borrow_mut();
            if let Some(stride) = stride {
                let first = addresses[0].wrapping_add(part);
                if let Some(places) = memory.in_steps(first, stride, bytes) {
                    places.zip(to).for_each(|(place, to)| *to = value_of(place));
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
        if self.is_one_place(lanes, from, (addresses, part)) {
            let lane = lanes.trailing_zeros() as usize;
            let address = addresses[lane].wrapping_add(part);
            let value = self.place(from, lane, address, bytes, "load", |place| value_of(place))?;
            to.fill(value);
            return Ok(());
        }
        for lane in each(lanes) {
            let address = addresses[lane].wrapping_add(part);
            self.place(from, lane, address, bytes, "load", |place| to[lane] = value_of(place))?;
        }
        Ok(())
    }

    /// Whether all `lanes` load from one place that all threads share and nobody writes, as most do from constants
    /// and parameters of the kernel: that is read once.
    fn is_one_place(
        &self,
        lanes: u32,
        from: Option<Space>,
        (addresses, part): (&Lanes, u64),
    ) -> bool {
        let Some(first) = each(lanes).next() else { return false };
        let address = addresses[first];
        let shared = match from {
            Some(Space::Constant) => true,
            Some(Space::Parameter) => {
                self.frames.len() == 1 && address.wrapping_add(part) < self.frames[0].own_parameters
            }
            _ => false,
        };
        shared && each(lanes).all(|lane| addresses[lane] == address)
    }

    /// Shows `with` the bytes at `address` that the thread in `lane` sees; what it leaves there stays.
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
                        self.check_shared(lane, what, range.clone())?;
                        return Ok(with(&mut shared[range]));
                    }
                    None => (what, "shared", shared.len()),
                }
            }
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
                let kernels = self.frames.len() == 1 || generic;
                if kernels && (generic || offset < self.frames[0].own_parameters) {
                    match inside(parameters.len()) {
                        Some(_) if what != "load" => {
                            return Err(read_only(lane, what, address, bytes));
                        }
                        Some(range) => return Ok(with_copy(&parameters[range], with)),
                        None => (what, "parameter", parameters.len()),
                    }
                } else {
                    let frame = self.frames.last_mut().expect("a warp that runs is in a function");
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
    fn check_shared(
        &self,
        lane: usize,
        what: &str,
        range: std::ops::Range<usize>,
    ) -> Result<(), Fault> {
        let Some(checks) = &self.block.checks else { return Ok(()) };
        let kind = match what {
            "load" => Kind::Load,
            "store" => Kind::Store,
            _ => Kind::Atomic,
        };
        let thread = self.values.warp * WARP_LANES as u32 + lane as u32;
        let who = Who { thread, passed: self.barriers_passed() };
        checks.note(who, kind, range).map_err(|message| {
            Fault::of_lane(lane, message, "a write before each read, and a barrier between warps")
        })
    }

    /// What to add to `addresses` in `of`, generic or not, for the place in global memory of the kernel's own
    /// parameters; `None` when they are not that, or not there.
    #[inline]
    fn own_parameter(
        &self,
        of: Space,
        generic: bool,
        addresses: &Lanes,
        lanes: u32,
    ) -> Option<u64> {
        let buffer = self.grid.buffer.filter(|_| of == Space::Parameter)?;
        let base = if generic { space::base(of) } else { 0 };
        let first = addresses[each(lanes).next()?].wrapping_sub(base);
        let own = generic || self.frames.len() == 1 && first < self.frames[0].own_parameters;
        own.then(|| buffer.wrapping_sub(base))
    }

    /// Shows the timing what `lanes` have accessed.
    pub(super) fn show(
        &self,
        lanes: u32,
        at: &Lookup,
        (addresses, stride): (&Lanes, Option<u64>),
        shown: &mut Instruction,
    ) {
        let answers = shown.destination.is_some();
        let Operation::Memory { space, access, bytes } = &mut shown.operation else { return };
        let of = match at.space {
            Some(of) => of,
            None => {
                let lane = lanes.trailing_zeros() as usize % WARP_LANES;
                let of = space::space_of(addresses[lane]);
                *space = match of {
                    Space::Shared => gpu::Space::Shared,
                    Space::Constant | Space::Parameter => gpu::Space::Constant,
                    _ => gpu::Space::Global,
                };
                of
            }
        };
        if *space == gpu::Space::Constant {
            if let Some(offset) = self.own_parameter(of, at.space.is_none(), addresses, lanes) {
                *space = gpu::Space::Parameter;
                *shown.addresses.list_mut() = addresses.map(|address| address.wrapping_add(offset));
            }
            return;
        }
        if *space == gpu::Space::Shared && *access == Access::Atomic {
            // It stays in the SMX.
            *access = if answers { Access::Load } else { Access::Store };
        }
        if of == Space::Local {
            let size = u64::from(*bytes);
            let base = LOCAL_BASE + LOCAL_STRIDE * u64::from(self.local_place);
            let list = shown.addresses.list_mut();
            for lane in each(lanes) {
                let offset = addresses[lane] % space::WINDOW;
                list[lane] = base + offset / size * size * 32 + lane as u64 * size;
            }
            return;
        }
        if let Some(stride) = stride {
            shown.addresses.set_stride(addresses[0], stride);
        } else {
            *shown.addresses.list_mut() = *addresses;
        }
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

/// `a load of 4 bytes`
fn described(what: &str, bytes: u64) -> String {
    let article = if what.starts_with('a') { "an" } else { "a" };
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{article} {what} of {bytes} byte{plural}")
}

/// The complaint about an access that writes where nobody may.
fn read_only(lane: usize, what: &str, address: u64, bytes: u64) -> Fault {
    let message = format!("{} at {address:#x} writes what is constant", described(what, bytes));
    Fault::of_lane(lane, message, "a load")
}

/// The complaint about an access outside of what was allocated.
fn outside(lane: usize, what: &str, address: u64, bytes: u64, memory: &Memory) -> Fault {
    let access = described(what, bytes);
    let message = format!("{access} at {address:#x} is outside of what was allocated");
    let near = memory.around(address).into_iter().flatten();
    let near: Vec<String> =
        near.map(|piece| format!("{:#x} to {:#x}", piece.start, piece.end)).collect();
    let expected = match near.is_empty() {
        true => "an address of an allocation, of which there is none".to_owned(),
        false => format!("an address of an allocation; those next to it: {}", near.join(", ")),
    };
    Fault::of_lane(lane, message, expected)
}

/// Widens values with their sign.
pub(super) fn extend(values: &mut Lanes, widening: Widening) {
    let (unused, mask) = (64 - widening.from, u64::MAX >> (64 - widening.to));
    for value in values {
        *value = ((*value << unused) as i64 >> unused) as u64 & mask;
    }
}
