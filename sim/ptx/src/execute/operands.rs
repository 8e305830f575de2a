//! What the operands of a warp's steps are worth, and results.

use super::Warp;
use crate::program::{Reg, Source};
use crate::semantics::Lanes;
use blockyard_gpu::program::WARP_LANES;

impl Warp {
    /// What `source` is worth in each lane.
    #[inline]
    pub(super) fn value<'a>(&'a self, source: Source, scratch: &'a mut Lanes) -> &'a Lanes {
        self.values.of(source, (&self.frame.code, &self.grid, &self.block), scratch)
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
    pub(super) fn kept(&self, source: Source) -> Option<&Lanes> {
        match source {
            Source::Register(register) => Some(self.values.register(register)),
            Source::Constant(number) => Some(&self.frame.code.constants[number as usize]),
            Source::Special(_) => None,
        }
    }

    /// Shows `f` what up to four `sources` are worth.
    #[inline]
    pub(super) fn with_sources<R>(
        &mut self,
        sources: &[Source],
        f: impl FnOnce(&[&Lanes]) -> R,
    ) -> R {
        let context = (&*self.frame.code, &*self.grid, &*self.block);
        self.values.show(sources, context, &mut *self.grid.machine.scratch.borrow_mut(), f)
    }

    /// Lets `f`, which overwrites all lanes, overwrite those of `to` that are in `lanes` by what up
    /// to four `sources` are worth.
    #[inline]
    pub(super) fn compute(
        &mut self,
        to: (Reg, u32),
        sources: &[Source],
        f: impl FnOnce(&[&Lanes], &mut Lanes),
    ) {
        let context = (&*self.frame.code, &*self.grid, &*self.block);
        let mut scratch = self.grid.machine.scratch.borrow_mut();
        self.values.compute(to, sources, context, &mut *scratch, f);
    }
}
