//! What operands are worth.

use std::rc::Rc;

use super::registers::{Held, Registers};
use super::{Block, Grid};
use crate::program::{Code, Reg, Source, Special};
use crate::semantics::{Lanes, Words};
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::WARP_LANES;

/// Most values that an instruction computes from.
const SOURCES: usize = 4;

/// Room for the sources and the result of the instruction at hand. One for all warps of a machine:
/// what each of them had of its own would be far away when its turn comes.
#[derive(Default)]
pub(crate) struct Scratch {
    pub sources: [Lanes; SOURCES],
    pub wide: Lanes,
    pub narrow: Words,
}

/// x, y and z of the threads of each warp of a block of `extent`.
pub(crate) fn threads(extent: Dim3) -> Vec<Rc<[Lanes; 3]>> {
    let warps = (extent.volume() as u64).div_ceil(WARP_LANES as u64);
    let mut at = [0; 3];
    let mut warp = || {
        let mut threads = [[0; WARP_LANES]; 3];
        for lane in 0..WARP_LANES {
            for (threads, at) in threads.iter_mut().zip(at) {
                threads[lane] = at;
            }
            at[0] += 1;
            for (axis, end) in [extent.x, extent.y].into_iter().enumerate() {
                if at[axis] == u64::from(end) {
                    at[axis] = 0;
                    at[axis + 1] += 1;
                }
            }
        }
        Rc::new(threads)
    };
    (0..warps).map(|_| warp()).collect()
}

/// What the lanes of a warp know of themselves.
pub(crate) struct Own {
    /// x, y and z of each thread.
    pub threads: Rc<[Lanes; 3]>,
    pub warp: u32,
    /// Bytes of local memory of the callers.
    pub first_local: u64,
}

/// What operands are worth that are no registers.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub code: &'a Code,
    pub grid: &'a Grid,
    pub block: &'a Block,
    pub own: &'a Own,
}

impl<'a> Context<'a> {
    /// What `source` is worth in each lane, with registers that `register` finds. What does not lie
    /// in memory like that is put into `scratch`.
    #[inline]
    pub fn worth(
        self,
        source: Source,
        register: impl FnOnce(Reg) -> Held<'a>,
        scratch: &'a mut Lanes,
    ) -> &'a Lanes {
        match source {
            Source::Register(number) => register(number).widened(scratch),
            Source::Constant(number) => &self.code.constants[number as usize].wide,
            Source::Special(special) => {
                self.special(special, scratch);
                scratch
            }
        }
    }

    /// Shows `f` what up to four `sources` are worth.
    #[inline]
    pub fn gather<R>(
        self,
        sources: &[Source],
        register: impl Fn(Reg) -> Held<'a>,
        scratch: &'a mut [Lanes; SOURCES],
        f: impl FnOnce(&[&Lanes]) -> R,
    ) -> R {
        let of = |source, scratch| self.worth(source, &register, scratch);
        let [a, b, c, d] = scratch;
        match *sources {
            [x] => f(&[of(x, a)]),
            [x, y] => f(&[of(x, a), of(y, b)]),
            [x, y, z] => f(&[of(x, a), of(y, b), of(z, c)]),
            [x, y, z, w] => f(&[of(x, a), of(y, b), of(z, c), of(w, d)]),
            _ => f(&[]),
        }
    }

    /// The same if all of them lie in memory as values of up to 32 bits.
    #[inline]
    pub fn gather_narrow<R>(
        self,
        sources: &[Source],
        registers: &Registers,
        f: impl FnOnce(&[&Words]) -> R,
    ) -> Option<R> {
        let mut found = [&[0; WARP_LANES]; SOURCES];
        let found = found.get_mut(..sources.len())?;
        for (found, source) in found.iter_mut().zip(sources) {
            *found = match *source {
                Source::Register(number) => match registers.get(number) {
                    Held::Narrow(words) => words,
                    Held::Wide(_) => return None,
                },
                Source::Constant(number) => self.code.constants[number as usize].narrow.as_ref()?,
                Source::Special(_) => return None,
            };
        }
        Some(f(found))
    }

    fn special(self, special: Special, to: &mut Lanes) {
        let Self { grid, block, own, .. } = self;
        let axis = |dim: Dim3, axis: u8| match axis {
            0 => u64::from(dim.x),
            1 => u64::from(dim.y),
            _ => u64::from(dim.z),
        };
        let launch = &grid.launch;
        let by_lane = |to: &mut Lanes, f: fn(u32) -> u32| {
            (0..).zip(to).for_each(|(lane, to)| *to = u64::from(f(lane)));
        };
        match special {
            Special::Thread(axis) => *to = own.threads[usize::from(axis.min(2))],
            Special::BlockExtent(of) => to.fill(axis(launch.block, of)),
            Special::Block(of) => to.fill(axis(block.index, of)),
            Special::GridExtent(of) => to.fill(axis(launch.grid, of)),
            Special::Cluster(of) => to.fill(axis(grid.cluster_of(block.index), of)),
            Special::Clusters(of) => to.fill(axis(grid.cluster_of(launch.grid), of)),
            Special::BlockInCluster(of) => to.fill(axis(grid.place_in_cluster(block.index), of)),
            Special::ClusterExtent(of) => to.fill(axis(grid.cluster(), of)),
            Special::RankInCluster => {
                to.fill(grid.place_in_cluster(block.index).linear(grid.cluster()));
            }
            Special::ClusterBlocks => to.fill(grid.cluster().volume() as u64),
            Special::Lane => by_lane(to, |lane| lane),
            Special::Warp => to.fill(u64::from(own.warp)),
            Special::Warps => to.fill((launch.block.volume() as u64).div_ceil(WARP_LANES as u64)),
            Special::LanesBelow => by_lane(to, |lane| (1 << lane) - 1),
            Special::LanesUpTo => by_lane(to, |lane| u32::MAX >> (31 - lane)),
            Special::LaneItself => by_lane(to, |lane| 1 << lane),
            Special::LanesFrom => by_lane(to, |lane| u32::MAX << lane),
            Special::LanesAbove => by_lane(to, |lane| u32::MAX << lane & !(1 << lane)),
            Special::Clock => to.fill(grid.machine.instructions.get()),
            Special::GridNumber => to.fill(grid.number),
            Special::Zero => to.fill(0),
            Special::One => to.fill(1),
            Special::AddedShared(offset) => to.fill(grid.added_shared + u64::from(offset)),
            Special::SharedBytes => to.fill(grid.shared),
            Special::DynamicSharedBytes => to.fill(u64::from(launch.shared_memory)),
            Special::Local(offset) => to.fill(own.first_local + u64::from(offset)),
        }
    }
}
