//! What the operands of a warp's steps are worth, and results.

use super::compute::Compute;
use super::registers::Held;
use super::values::Context;
use super::Warp;
use crate::program::{Reg, Source};
use crate::semantics::{Lanes, Test, Words};
use blockyard_gpu::program::WARP_LANES;

impl Warp {
    /// What operands are worth that are no registers.
    fn context(&self) -> Context<'_> {
        Context { code: &self.frame.code, grid: &self.grid, block: &self.block, own: &self.own }
    }

    /// What `source` is worth in each lane.
    #[inline]
    pub(super) fn value<'a>(&'a self, source: Source, scratch: &'a mut Lanes) -> &'a Lanes {
        self.context().worth(source, |register| self.registers.get(register), scratch)
    }

    /// A copy of that.
    #[inline]
    pub(super) fn lanes_of(&self, source: Source) -> Lanes {
        *self.value(source, &mut [0; WARP_LANES])
    }

    /// The same of up to `N` sources; 0 behind the last one.
    pub(super) fn lanes_of_all<const N: usize>(&self, sources: &[Source]) -> [Lanes; N] {
        let mut all = [[0; WARP_LANES]; N];
        for (values, source) in all.iter_mut().zip(sources) {
            *values = self.lanes_of(*source);
        }
        all
    }

    /// As [`Warp::value`], where that lies in memory already.
    #[inline]
    pub(super) fn kept(&self, source: Source) -> Option<Held<'_>> {
        match source {
            Source::Register(register) => Some(self.registers.get(register)),
            Source::Constant(number) => {
                Some(Held::Wide(&self.frame.code.constants[number as usize].wide))
            }
            Source::Special(_) => None,
        }
    }

    /// Shows `f` what up to four `sources` are worth.
    #[inline]
    pub(super) fn with_sources<R>(&self, sources: &[Source], f: impl FnOnce(&[&Lanes]) -> R) -> R {
        let mut scratch = self.grid.machine.scratch.borrow_mut();
        let register = |register| self.registers.get(register);
        self.context().gather(sources, register, &mut scratch.sources, f)
    }

    /// The lanes for which `test` holds of `sources`, and those for which something else does.
    #[inline]
    pub(super) fn test(&self, test: &Test, sources: &[Source]) -> [u32; 2] {
        let narrow = |values: &[&Words]| (test.narrow)(values);
        let holds = self.context().gather_narrow(sources, &self.registers, narrow);
        holds.unwrap_or_else(|| self.with_sources(sources, |values| (test.wide)(values)))
    }

    /// Overwrites those lanes of `to` that are in `lanes` by what `compute` gives for up to four
    /// `sources`.
    #[inline]
    pub(super) fn compute(
        &mut self,
        (to, lanes): (Reg, u32),
        sources: &[Source],
        compute: &impl Compute,
    ) {
        let Self { frame, grid, block, own, registers, .. } = self;
        let context = Context { code: &frame.code, grid, block, own };
        let scratch = &mut *grid.machine.scratch.borrow_mut();
        if !to.is_wide() {
            let result = &mut scratch.narrow;
            let narrow = |values: &[&Words]| compute.narrow(values, result);
            if context.gather_narrow(sources, registers, narrow) == Some(true) {
                registers.write_narrow(to, lanes, result);
                return;
            }
        }
        if lanes == u32::MAX && !sources.contains(&Source::Register(to)) {
            // In place, as no source is there: results are not copied afterwards.
            if let Some((result, others)) = registers.apart(to) {
                let register = |register| others.get(register);
                context.gather(sources, register, &mut scratch.sources, |values| {
                    compute.wide(values, result);
                });
                return;
            }
        }
        let result = &mut scratch.wide;
        let register = |register| registers.get(register);
        context.gather(sources, register, &mut scratch.sources, |values| {
            compute.wide(values, result);
        });
        registers.write(to, lanes, result);
    }
}
