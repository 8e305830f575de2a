//! Where lanes access memory, and what the timing sees of it.

use super::registers::Held;
use super::{Fault, Warp};
use crate::address_space as space;
use crate::ast::Space;
use crate::program::{Address, Lookup};
use crate::semantics::Lanes;
use blockyard_gpu::program::{self as gpu, Access, Instruction, Operation, WARP_LANES};

/// Where local memory begins among the addresses that the timing sees, and bytes of a warp there.
const LOCAL_BASE: u64 = 1 << 46;
const LOCAL_STRIDE: u64 = 1 << 24;

/// The lanes in `mask`, in ascending order.
#[inline]
pub(super) fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// What each address is above the one before, if all lanes take part and that is the same for all.
#[inline]
pub(super) fn stride(lanes: u32, addresses: &Lanes) -> Option<u64> {
    let stride = addresses[1].wrapping_sub(addresses[0]);
    let last = addresses[WARP_LANES - 1].wrapping_sub(addresses[WARP_LANES - 2]);
    if lanes != u32::MAX || stride != last {
        return None;
    }
    let odd =
        addresses.windows(2).fold(0, |odd, pair| odd | (pair[1].wrapping_sub(pair[0]) ^ stride));
    (odd == 0).then_some(stride)
}

impl Warp {
    /// The address of each lane. All spaces but global memory have addresses of 32 bits, which
    /// wrap.
    pub(super) fn addresses(&self, at: &Lookup) -> Lanes {
        let Address { base, offset } = at.address;
        let mask = match at.space {
            None | Some(Space::Global | Space::Texture) => u64::MAX,
            Some(_) => u64::from(u32::MAX),
        };
        match base {
            None => [offset as u64 & mask; WARP_LANES],
            Some(base) => {
                let at = |base: u64| base.wrapping_add(offset as u64) & mask;
                match self.kept(base) {
                    Some(Held::Narrow(base)) => base.map(|base| at(base.into())),
                    Some(Held::Wide(base)) => base.map(at),
                    None => self.lanes_of(base).map(at),
                }
            }
        }
    }

    /// The address of lane 0 and what each other one's is above the one before: of all lanes in
    /// global memory, by a register that holds such addresses.
    #[inline]
    pub(super) fn in_steps(&self, lanes: u32, at: &Lookup) -> Option<(u64, u64)> {
        let Address { base, offset } = at.address;
        let base = self.kept(base.filter(|_| at.space == Some(Space::Global))?);
        let Some(Held::Wide(base)) = base else { return None };
        let stride = stride(lanes, base)?;
        Some((base[0].wrapping_add(offset as u64), stride))
    }

    /// Refuses accesses that do not begin at a multiple of their `bytes`.
    pub(super) fn check_alignment(
        &self,
        lanes: u32,
        (addresses, stride): (&Lanes, Option<u64>),
        bytes: u64,
        what: &str,
    ) -> Result<(), Fault> {
        let odd = |address: u64| bytes.is_power_of_two() && address & (bytes - 1) != 0;
        let any = match stride {
            Some(stride) => addresses[0] | stride,
            None => addresses.iter().fold(0, |any, address| any | address),
        };
        if !odd(any) {
            return Ok(());
        }
        let Some(lane) = each(lanes).find(|lane| odd(addresses[*lane])) else { return Ok(()) };
        let message = format!("a {what} of {bytes} bytes at {:#x} is misaligned", addresses[lane]);
        Err(Fault::of_lane(lane, message, format!("a multiple of {bytes}")))
    }

    /// Where the timing sees addresses in constant memory or among parameters, generic or not, of
    /// which `first` is that of the first lane: the space, and what to add to them. Parameters of
    /// the kernel are constants, or in a buffer in global memory if the device launched it; those
    /// that functions pass on are nowhere.
    #[inline]
    fn placed(&self, of: Space, generic: bool, first: u64) -> (gpu::Space, u64) {
        let base = if generic { space::base(of) } else { 0 };
        if of == Space::Parameter {
            let first = first.wrapping_sub(base);
            let outermost = self.callers.is_empty();
            let own = generic || outermost && first < self.frame.own_parameters;
            if !own {
                return (gpu::Space::Unplaced, 0);
            }
            if let Some(buffer) = self.grid.buffer {
                return (gpu::Space::Parameter, buffer.wrapping_sub(base));
            }
        }
        (gpu::Space::Constant, space::base(of) - base)
    }

    /// Shows the timing that all lanes have loaded what is at `address` in constant memory, or
    /// among the kernel's parameters.
    pub(super) fn show_constant(&self, of: Space, address: u64, shown: &mut Instruction) {
        let Operation::Memory { space, .. } = &mut shown.operation else { return };
        let (seen, offset) = self.placed(of, false, address);
        *space = seen;
        shown.addresses.set_stride(address.wrapping_add(offset), 0);
    }

    /// Shows the timing where `lanes` have accessed memory, an address each.
    pub(super) fn show_each(
        &self,
        lanes: u32,
        at: &Lookup,
        addresses: &Lanes,
        shown: &mut Instruction,
    ) {
        self.show(lanes, at, (addresses, stride(lanes, addresses)), shown);
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
                    Space::Shared | Space::Cluster => gpu::Space::Shared,
                    Space::Constant | Space::Parameter => gpu::Space::Constant,
                    _ => gpu::Space::Global,
                };
                of
            }
        };
        if of == Space::Cluster {
            let base = if at.space.is_none() { space::base(of) } else { 0 };
            let own = each(lanes).all(|lane| self.is_own(addresses[lane].wrapping_sub(base)));
            *space = if own { gpu::Space::Shared } else { gpu::Space::Cluster };
        }
        let mut above = 0;
        if *space == gpu::Space::Constant {
            let first = addresses[lanes.trailing_zeros() as usize % WARP_LANES];
            (*space, above) = self.placed(of, at.space.is_none(), first);
        } else if *space != gpu::Space::Global && *access == Access::Atomic {
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
            shown.addresses.set_stride(addresses[0].wrapping_add(above), stride);
        } else {
            // Where nothing is added, a copy would be slower: it would read in larger pieces than
            // the addresses have just been written in, and so wait until they are in the cache.
            *shown.addresses.list_mut() = addresses.map(|address| address.wrapping_add(above));
        }
    }
}
