//! Registers, predicates, and what operands are worth.

use std::rc::Rc;

use super::{Block, Grid};
use crate::program::{Code, Flag, Reg, Source, Special};
use crate::semantics::Lanes;
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::WARP_LANES;

/// Room for special registers and a result: as many as an instruction has sources, and one. One for
/// all warps of a machine: what each of them had of its own would be far away when its turn comes.
pub(crate) type Scratch = [Lanes; 5];

/// Room for values that warps use one after the other: most of them execute little, so that making
/// it anew for each would take as long as what they do.
#[derive(Default)]
pub(crate) struct Room {
    pub registers: Vec<Lanes>,
    pub flags: Vec<u32>,
}

impl Room {
    /// For `code`, all zero.
    pub fn clear(&mut self, code: &Code) {
        self.registers.clear();
        self.registers.resize(code.slots, [0; WARP_LANES]);
        self.flags.clear();
        self.flags.resize(code.flags, 0);
    }
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

/// Where constants and special registers are.
type Context<'a> = (&'a Code, &'a Grid, &'a Block);

/// Shows `f` what up to four `sources` are worth, as `of` says, which has some of `scratch` for
/// each.
#[inline]
fn gather<'a, R>(
    sources: &[Source],
    of: impl Fn(Source, &'a mut Lanes) -> &'a Lanes,
    scratch: &'a mut [Lanes],
    f: impl FnOnce(&[&Lanes]) -> R,
) -> R {
    let [a, b, c, d, ..] = scratch else { return f(&[]) };
    match *sources {
        [x] => f(&[of(x, a)]),
        [x, y] => f(&[of(x, a), of(y, b)]),
        [x, y, z] => f(&[of(x, a), of(y, b), of(z, c)]),
        [x, y, z, w] => f(&[of(x, a), of(y, b), of(z, c), of(w, d)]),
        _ => f(&[]),
    }
}

/// The registers of a warp, those of a call behind those of its caller, and what its lanes know of
/// themselves.
pub(crate) struct Values {
    pub registers: Vec<Lanes>,
    pub flags: Vec<u32>,
    /// Where those of the call at hand begin.
    pub first_register: usize,
    pub first_flag: usize,
    /// Bytes of local memory of the callers.
    pub first_local: u64,
    /// x, y and z of each thread.
    pub threads: Rc<[Lanes; 3]>,
    pub warp: u32,
}

impl Values {
    #[inline]
    pub fn register(&self, register: Reg) -> &Lanes {
        &self.registers[self.first_register + register.0 as usize]
    }

    /// `register`, to be overwritten in all lanes.
    #[inline]
    pub fn register_mut(&mut self, register: Reg) -> &mut Lanes {
        &mut self.registers[self.first_register + register.0 as usize]
    }

    /// Overwrites `register` in `lanes` with `value`.
    #[inline]
    pub fn fill(&mut self, register: Reg, lanes: u32, value: u64) {
        if lanes == u32::MAX {
            self.register_mut(register).fill(value);
        } else {
            self.write(register, lanes, &[value; WARP_LANES]);
        }
    }

    /// Overwrites `register` in `lanes`.
    #[inline]
    pub fn write(&mut self, register: Reg, lanes: u32, values: &Lanes) {
        let old = &mut self.registers[self.first_register + register.0 as usize];
        if lanes == u32::MAX {
            *old = *values;
            return;
        }
        for lane in 0..WARP_LANES {
            let keep = (u64::from(lanes >> lane & 1)).wrapping_sub(1);
            old[lane] = old[lane] & keep | values[lane] & !keep;
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
        let holds = self.flags[self.first_flag + flag.register.0 as usize];
        if flag.negated {
            !holds
        } else {
            holds
        }
    }

    /// Overwrites the predicate `register` in `lanes`.
    #[inline]
    pub fn write_flag(&mut self, register: Reg, lanes: u32, holds: u32) {
        let old = &mut self.flags[self.first_flag + register.0 as usize];
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

    /// What `source` is worth in each lane; special registers are put into `scratch`.
    #[inline]
    pub fn of<'a>(
        &'a self,
        source: Source,
        context: Context<'a>,
        scratch: &'a mut Lanes,
    ) -> &'a Lanes {
        self.found(source, |register| self.register(register), context, scratch)
    }

    /// As [`Values::of`], with registers that `register` finds.
    #[inline]
    fn found<'a>(
        &self,
        source: Source,
        register: impl FnOnce(Reg) -> &'a Lanes,
        (code, grid, block): Context<'a>,
        scratch: &'a mut Lanes,
    ) -> &'a Lanes {
        match source {
            Source::Register(number) => register(number),
            Source::Constant(number) => &code.constants[number as usize],
            Source::Special(special) => {
                self.special(special, grid, block, scratch);
                scratch
            }
        }
    }

    /// Shows `f` what up to four `sources` are worth.
    #[inline]
    pub fn show<R>(
        &self,
        sources: &[Source],
        context: Context<'_>,
        scratch: &mut [Lanes],
        f: impl FnOnce(&[&Lanes]) -> R,
    ) -> R {
        let of = |source, scratch| self.of(source, context, scratch);
        gather(sources, of, scratch, f)
    }

    /// Lets `f`, which overwrites all lanes, overwrite those of `to` that are in `lanes` by what up
    /// to four `sources` are worth.
    #[inline]
    pub fn compute(
        &mut self,
        (to, lanes): (Reg, u32),
        sources: &[Source],
        context: Context<'_>,
        scratch: &mut [Lanes],
        f: impl FnOnce(&[&Lanes], &mut Lanes),
    ) {
        if lanes != u32::MAX || sources.contains(&Source::Register(to)) {
            let Some((result, scratch)) = scratch.split_last_mut() else { return };
            self.show(sources, context, scratch, |values| f(values, result));
            self.write(to, lanes, result);
            return;
        }
        // In place, as no source is there: results are neither cleared before nor copied
        // afterwards.
        let mut registers = std::mem::take(&mut self.registers);
        let at = self.first_register + to.0 as usize;
        let (before, rest) = registers.split_at_mut(at);
        if let Some((result, behind)) = rest.split_first_mut() {
            let register = |register: Reg| {
                let from = self.first_register + register.0 as usize;
                if from < at {
                    &before[from]
                } else {
                    &behind[from - at - 1]
                }
            };
            let of = |source, scratch| self.found(source, register, context, scratch);
            gather(sources, of, scratch, |values| f(values, result));
        }
        self.registers = registers;
    }

    fn special(&self, special: Special, grid: &Grid, block: &Block, to: &mut Lanes) {
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
            Special::Thread(axis) => *to = self.threads[usize::from(axis.min(2))],
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
            Special::Warp => to.fill(u64::from(self.warp)),
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
            Special::Local(offset) => to.fill(self.first_local + u64::from(offset)),
        }
    }
}
