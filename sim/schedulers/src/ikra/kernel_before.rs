//! Twin of `ikra/kernel_before`: what is known of the kernel before (`docs/ikra.md`, rules 3 and
//! 13; the paper, section 4.4 and lines 1 to 9 of Algorithm 1).
//!
//! Latency: `begins` and `filled` to the outputs 1 cycle; `grid` to `keeps` 0 (same cycle).
//!
//! Undefined, and not to be compared: everything, until the next `begins` with `load`, after a
//! `begins` without `load` while `keeps` is low, or together with `filled`; everything after a
//! `filled` before the first `begins`.

use crate::port::{Activity, Dim3};

/// Input ports of [`KernelBefore`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelBeforeInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The head's extent; valid when `keeps` is looked at and with `begins`.
    pub grid: Dim3,
    /// A kernel begins.
    pub begins: bool,
    /// With `begins`: its chunks are new.
    pub load: bool,
    /// A queue becomes full in this cycle and must be reinitialised; not with `begins`.
    pub filled: bool,
}

/// Output ports of [`KernelBefore`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelBeforeOutputs {
    /// A kernel of this grid keeps its chunks.
    pub keeps: bool,
    /// There was a `filled` since the last `load`. State alone.
    pub told: bool,
}

/// The last kernel with blocks that began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelBefore {
    /// Chunks are assigned for every kernel.
    always: bool,
    grid: Option<Dim3>,
    told: bool,
}

impl KernelBefore {
    /// Before the first kernel; `always` says whether chunks are assigned for every kernel.
    pub fn new(always: bool) -> Self {
        Self { always, grid: None, told: false }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelBeforeInputs) -> KernelBeforeOutputs {
        let must_assign = self.always || self.told || self.grid != Some(inputs.grid);
        KernelBeforeOutputs { keeps: !must_assign, told: self.told }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelBeforeInputs) -> Activity {
        let before = self.clone();
        if inputs.begins {
            self.grid = Some(inputs.grid);
        }
        if inputs.begins && inputs.load {
            self.told = false;
        }
        if inputs.filled {
            self.told = true;
        }
        if inputs.reset {
            *self = Self::new(self.always);
        }
        Activity::from(*self != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Dim3 = Dim3::new(6, 4, 1);

    fn grid(grid: Dim3) -> KernelBeforeInputs {
        KernelBeforeInputs { grid, ..Default::default() }
    }

    fn begin(kernel: &mut KernelBefore, of: Dim3) {
        let load = !keeps(kernel, of);
        kernel.clock(&KernelBeforeInputs { begins: true, load, ..grid(of) });
    }

    fn fill(kernel: &mut KernelBefore) {
        kernel.clock(&KernelBeforeInputs { filled: true, ..Default::default() });
    }

    fn keeps(kernel: &KernelBefore, of: Dim3) -> bool {
        kernel.evaluate(&grid(of)).keeps
    }

    fn told(kernel: &KernelBefore) -> bool {
        kernel.evaluate(&KernelBeforeInputs::default()).told
    }

    #[test]
    fn nothing_is_kept_before_the_first_kernel_and_then_chunks_of_the_same_grid_are() {
        let mut kernel = KernelBefore::new(false);
        assert!(!keeps(&kernel, GRID) && !keeps(&kernel, Dim3::default()));
        let begins = KernelBeforeInputs { begins: true, load: true, ..grid(GRID) };
        assert!(!kernel.evaluate(&begins).keeps, "not in the same cycle");
        assert_eq!(kernel.clock(&begins), Activity::Busy);
        assert!(keeps(&kernel, GRID));
        assert_eq!(kernel.clock(&grid(Dim3::new(1, 1, 1))), Activity::Quiet, "it only looks");
        begin(&mut kernel, GRID);
        assert!(keeps(&kernel, GRID));
    }

    #[test]
    fn a_difference_in_any_dimension_assigns_chunks_and_only_the_last_grid_counts() {
        let mut kernel = KernelBefore::new(false);
        begin(&mut kernel, GRID);
        let others = [(7, 4, 1), (6, 5, 1), (6, 4, 2), (4, 6, 1), (0, 4, 1)];
        for (x, y, z) in others {
            assert!(!keeps(&kernel, Dim3::new(x, y, z)));
        }
        begin(&mut kernel, Dim3::new(4, 6, 1));
        assert!(keeps(&kernel, Dim3::new(4, 6, 1)) && !keeps(&kernel, GRID));
    }

    #[test]
    fn where_chunks_are_assigned_for_every_kernel_none_are_kept() {
        let mut kernel = KernelBefore::new(true);
        for _ in 0..3 {
            begin(&mut kernel, GRID);
            assert!(!keeps(&kernel, GRID));
        }
    }

    #[test]
    fn a_broadcast_is_known_from_the_next_cycle_until_chunks_are_assigned() {
        let mut kernel = KernelBefore::new(false);
        begin(&mut kernel, GRID);
        let filled = KernelBeforeInputs { filled: true, ..grid(GRID) };
        let keeps_it = KernelBeforeOutputs { keeps: true, told: false };
        assert_eq!(kernel.evaluate(&filled), keeps_it);
        assert_eq!(kernel.clock(&filled), Activity::Busy);
        assert!(told(&kernel) && !keeps(&kernel, GRID));
        assert_eq!(kernel.clock(&filled), Activity::Quiet, "told once");
        begin(&mut kernel, GRID);
        assert!(!told(&kernel) && keeps(&kernel, GRID));
    }

    #[test]
    fn a_broadcast_in_a_kernel_whose_chunks_were_kept_counts_too() {
        let mut kernel = KernelBefore::new(false);
        begin(&mut kernel, GRID);
        begin(&mut kernel, GRID);
        fill(&mut kernel);
        assert!(told(&kernel) && !keeps(&kernel, GRID));
    }

    #[test]
    fn load_without_begin_is_not_seen() {
        let mut kernel = KernelBefore::new(false);
        begin(&mut kernel, GRID);
        fill(&mut kernel);
        let load = KernelBeforeInputs { load: true, ..grid(Dim3::new(1, 1, 1)) };
        assert_eq!(kernel.clock(&load), Activity::Quiet);
        assert!(told(&kernel));
    }

    #[test]
    fn reset_forgets_the_grid_and_the_broadcast() {
        let mut kernel = KernelBefore::new(false);
        begin(&mut kernel, GRID);
        fill(&mut kernel);
        let reset =
            KernelBeforeInputs { reset: true, begins: true, load: true, filled: true, grid: GRID };
        assert_eq!(kernel.clock(&reset), Activity::Busy);
        assert_eq!(kernel, KernelBefore::new(false));
        assert_eq!(kernel.clock(&reset), Activity::Quiet);
    }
}
