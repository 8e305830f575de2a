//! IKRA over whole runs: the rules of `docs/ikra.md` and the worked examples of the paper.

mod chunks;
mod latencies;
mod limits;
mod nesting;
mod own_work;
mod properties;
mod relations;
mod stealing;

use super::harness::*;
use crate::port::*;
use std::collections::BTreeMap;

/// The four schedulers, the last one as its name stands.
const NAMES: [&str; 4] = ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal"];

/// The linear ids of a kernel that an SMX received, in order of time.
fn order(record: &Record, kernel: usize, smx: usize) -> Vec<u64> {
    let of = |issue: &&Issue| (issue.kernel, issue.smx) == (kernel, smx);
    record.issues.iter().filter(of).map(|issue| issue.block).collect()
}

/// The same for each of so many SMXs.
fn orders(record: &Record, kernel: usize, smx: usize) -> Vec<Vec<u64>> {
    (0..smx).map(|smx| order(record, kernel, smx)).collect()
}

/// Which SMX ran which block of a kernel.
fn owners(record: &Record, kernel: usize) -> BTreeMap<u64, usize> {
    let of = record.issues.iter().filter(|issue| issue.kernel == kernel);
    of.map(|issue| (issue.block, issue.smx)).collect()
}

/// The cycles in which blocks of a kernel were dispatched, without repetition.
fn cycles(record: &Record, kernel: usize) -> Vec<u64> {
    let of = record.issues.iter().filter(|issue| issue.kernel == kernel);
    let mut cycles: Vec<_> = of.map(|issue| issue.cycle).collect();
    cycles.dedup();
    cycles
}

/// Kernels of the same extent that arrive one after the other from the start on, with durations.
fn repeated(grid: KernelLaunch, durations: &[&[u64]]) -> Vec<Work> {
    durations.iter().map(|durations| Work::new(0, grid, durations)).collect()
}
