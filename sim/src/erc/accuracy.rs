//! How well the Simple Slicing predictor predicts (SRTF, section 4.2): equation 2 over what a run
//! did, without the hardware's latency.

use crate::port::{Inputs, KernelEntry, Outputs, KERNEL_ENTRIES};
use crate::run::observer::Observer;
use crate::workload::erc::ErcKernel;
use serde::Serialize;
use std::ops::ControlFlow;

/// Predicted by actual run times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Of the first prediction of each kernel's last slice, for each SMX.
    pub sliced: Vec<f64>,
    /// Of the first prediction of all.
    pub unsliced: Vec<f64>,
}

/// The distribution of such ratios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub predictions: usize,
    /// The least.
    pub least: f64,
    /// A quarter is at most that.
    pub lower_quartile: f64,
    /// A half.
    pub median: f64,
    /// Three quarters.
    pub upper_quartile: f64,
    /// The largest.
    pub most: f64,
    /// The part between 0.5 and 2.
    pub within_2x: f64,
}

impl Accuracy {
    /// Adds those of another run.
    pub fn join(&mut self, other: Self) {
        self.sliced.extend(other.sliced);
        self.unsliced.extend(other.unsliced);
    }
}

impl Spread {
    /// The distribution of `ratios`; `None` without any.
    pub fn of(ratios: &[f64]) -> Option<Self> {
        let mut sorted = ratios.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |quarters: usize| sorted[(sorted.len() - 1) * quarters / 4];
        let within = sorted.iter().filter(|ratio| (0.5..=2.0).contains(*ratio)).count();
        (!sorted.is_empty()).then(|| Self {
            predictions: sorted.len(),
            least: at(0),
            lower_quartile: at(1),
            median: at(2),
            upper_quartile: at(3),
            most: at(4),
            within_2x: within as f64 / sorted.len() as f64,
        })
    }
}

/// A kernel on an SMX.
#[derive(Clone, Debug, Default)]
struct Share {
    resident: u32,
    since: u64,
    active: u64,
    done: u64,
    /// Pred_Cycles of the first block that ended in each slice, by the number of the slice.
    predictions: Vec<(u32, f64)>,
}

/// Watches a run of one or two kernels on a GPU that tells the slots of blocks that end.
pub(super) struct Recorder {
    kernels: Vec<ErcKernel>,
    smx: u32,
    /// The kernel in each entry.
    entries: [usize; KERNEL_ENTRIES],
    accepted: usize,
    slice: u32,
    /// For each SMX the cycle in which the block in each slot started: the lowest free one is
    /// taken.
    starts: Vec<Vec<Option<u64>>>,
    /// For each kernel and SMX.
    shares: Vec<Vec<Share>>,
    /// The kernel that ended last, and the slice in which it did.
    last: (usize, u32),
}

impl Recorder {
    pub(super) fn new(kernels: &[ErcKernel], smx: u32) -> Self {
        Self {
            kernels: kernels.to_vec(),
            smx,
            entries: [0; KERNEL_ENTRIES],
            accepted: 0,
            slice: 0,
            starts: vec![Vec::new(); smx as usize],
            shares: vec![vec![Share::default(); smx as usize]; kernels.len()],
            last: (0, 0),
        }
    }

    /// The ratios of the kernel that ended last; of SMXs on which it did not run there are none.
    pub(super) fn finish(self) -> Accuracy {
        let (kernel, slice) = self.last;
        let mut accuracy = Accuracy::default();
        for share in &self.shares[kernel] {
            let actual = share.active as f64;
            let of_slice = share.predictions.iter().find(|prediction| prediction.0 == slice);
            accuracy.sliced.extend(of_slice.map(|prediction| prediction.1 / actual));
            // What was predicted in the last slice has no counterpart without an earlier one.
            let first = share.predictions.first().filter(|_| of_slice.is_some());
            accuracy.unsliced.extend(first.map(|prediction| prediction.1 / actual));
        }
        accuracy
    }

    /// A block of the kernel in `entry` ends in `slot`.
    fn end(&mut self, cycle: u64, smx: usize, slot: usize, entry: KernelEntry) {
        let k = self.entries[entry.index()];
        let (kernel, slice) = (self.kernels[k], self.slice);
        let total = u64::from(kernel.blocks.div_ceil(self.smx));
        let share = &mut self.shares[k][smx];
        share.active += cycle - share.since;
        share.since = cycle;
        share.done += 1;
        share.resident -= 1;
        let start = self.starts[smx][slot].take().expect("a block that started");
        if share.predictions.last().is_none_or(|prediction| prediction.0 != slice) {
            let left = total.saturating_sub(share.done) as f64;
            let t = (cycle - start) as f64;
            let predicted = share.active as f64 + left * t / f64::from(kernel.residency);
            share.predictions.push((slice, predicted));
        }
    }
}

impl Observer for Recorder {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = *finished {
                self.end(cycle, smx, inputs.finished_slots[smx].into(), entry);
            }
        }
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                let share = &mut self.shares[self.entries[dispatch.kernel.index()]][smx];
                if share.resident > 0 {
                    share.active += cycle - share.since;
                }
                share.since = cycle;
                share.resident += 1;
                let slots = &mut self.starts[smx];
                match slots.iter_mut().find(|slot| slot.is_none()) {
                    Some(slot) => *slot = Some(cycle),
                    None => slots.push(Some(cycle)),
                }
            }
        }
        for entry in (0..KERNEL_ENTRIES).filter(|entry| outputs.finished_kernels >> entry & 1 == 1)
        {
            self.last = (self.entries[entry], self.slice);
            self.slice += 1;
        }
        if let (Some(entry), true) = (outputs.launch_ready, inputs.launch.is_some()) {
            self.entries[entry.index()] = self.accepted;
            self.accepted += 1;
            self.slice += 1;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_order_of_its_numbers() {
        let spread = Spread::of(&[2.1, 0.5, 1.0, 2.0, 0.4]).unwrap();
        assert_eq!((spread.least, spread.lower_quartile, spread.median), (0.4, 0.5, 1.0));
        assert_eq!((spread.upper_quartile, spread.most, spread.predictions), (2.0, 2.1, 5));
        assert_eq!(spread.within_2x, 0.6);
        assert_eq!(Spread::of(&[]), None);
    }
}
