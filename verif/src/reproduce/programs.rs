//! Programs that run together: how long each takes, and how long its blocks do (SRTF, sections 3.4
//! and 6).

use std::ops::RangeInclusive;

use blockyard_kernels::together::program_of;
use blockyard_sim::run::observer::{DispatchedBlock, Observer};
use blockyard_sim::stats::KernelStats;
use serde::{Deserialize, Serialize};

/// One of the programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramTimes {
    /// Cycles from its first launch to the end of its last kernel.
    pub turnaround: u64,
    /// Cycles of a block, on average.
    pub block: f64,
    /// Standard deviation of that by the mean, in percent.
    pub deviation: f64,
    /// Of all blocks those within 0.95 to 1.1 of the mean, in percent (section 3.4.1).
    pub near_mean: f64,
    /// Of all blocks those within 0.75 to 1 of the mean, in percent (section 3.4.1).
    pub below_mean: f64,
    /// Cycles of the first block on each SMX, on average.
    pub first_block: f64,
    /// Cycles of a block during which every other program has blocks, on average; `None` without
    /// any.
    pub beside: Option<f64>,
}

/// A block that has ended.
struct Block {
    smx: usize,
    dispatched: u64,
    ended: u64,
}

impl Block {
    fn cycles(&self) -> f64 {
        (self.ended - self.dispatched) as f64
    }
}

/// Watches a run of programs.
#[derive(Default)]
pub struct Watch {
    /// For each SMX, program and cycle of dispatch of what is in its slots: a block takes the
    /// lowest free one.
    resident: Vec<Vec<Option<(usize, u64)>>>,
    /// Of each program, in order of their ends.
    blocks: Vec<Vec<Block>>,
}

impl Observer for Watch {
    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        let slots = self.resident.get_mut(smx);
        let ended = slots.and_then(|slots| slots.get_mut(usize::from(slot))?.take());
        let Some((program, dispatched)) = ended else { return };
        self.blocks[program].push(Block { smx, dispatched, ended: cycle });
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let Some((program, _)) = program_of(block.kernel) else { return };
        grow(&mut self.blocks, program);
        grow(&mut self.resident, block.smx);
        let resident = Some((program, block.cycle));
        let slots = &mut self.resident[block.smx];
        match slots.iter_mut().find(|slot| slot.is_none()) {
            Some(free) => *free = resident,
            None => slots.push(resident),
        }
    }
}

fn grow<T>(list: &mut Vec<Vec<T>>, place: usize) {
    if list.len() <= place {
        list.resize_with(place + 1, Vec::new);
    }
}

impl Watch {
    /// What came of the programs whose kernels are `kernels`: of those that had blocks.
    pub fn finish(self, kernels: &[KernelStats]) -> Vec<ProgramTimes> {
        let spans: Vec<_> = self.blocks.iter().map(|blocks| span(blocks)).collect();
        let of = |(program, blocks): (usize, &Vec<Block>)| {
            let others = spans.iter().enumerate().filter(|(other, _)| *other != program);
            let others: Vec<_> = others.filter_map(|(_, span)| span.clone()).collect();
            let among = |block: &&Block| {
                others
                    .iter()
                    .all(|other| other.contains(&block.dispatched) && other.contains(&block.ended))
            };
            let own = kernels.iter().filter(|kernel| {
                program_of(&kernel.name).is_some_and(|(number, _)| number == program)
            });
            let first = own.clone().map(|kernel| kernel.arrive).min().unwrap_or(0);
            let last = own.filter_map(|kernel| kernel.finish).max().unwrap_or(first);
            let beside = (!others.is_empty()).then(|| mean(blocks.iter().filter(among))).flatten();
            ProgramTimes { turnaround: last - first, beside, ..times(blocks) }
        };
        self.blocks.iter().enumerate().map(of).collect()
    }
}

/// From the first dispatch to the last end.
fn span(blocks: &[Block]) -> Option<RangeInclusive<u64>> {
    let first = blocks.iter().map(|block| block.dispatched).min()?;
    Some(first..=blocks.iter().map(|block| block.ended).max()?)
}

fn mean<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<f64> {
    let cycles: Vec<f64> = blocks.map(Block::cycles).collect();
    (!cycles.is_empty()).then(|| cycles.iter().sum::<f64>() / cycles.len() as f64)
}

/// All but what depends on others.
fn times(blocks: &[Block]) -> ProgramTimes {
    let Some(average) = mean(blocks.iter()) else { return ProgramTimes::default() };
    let count = blocks.len() as f64;
    let squares: f64 = blocks.iter().map(|block| (block.cycles() - average).powi(2)).sum();
    let share = |within: RangeInclusive<f64>| {
        let inside = blocks.iter().filter(|block| within.contains(&(block.cycles() / average)));
        100.0 * inside.count() as f64 / count
    };
    let mut firsts: Vec<&Block> = Vec::new();
    for block in blocks {
        match firsts.iter_mut().find(|first| first.smx == block.smx) {
            Some(first) if first.dispatched > block.dispatched => *first = block,
            Some(_) => {}
            None => firsts.push(block),
        }
    }
    ProgramTimes {
        block: average,
        deviation: 100.0 * (squares / count).sqrt() / average,
        near_mean: share(0.95..=1.1),
        below_mean: share(0.75..=1.0),
        first_block: mean(firsts.into_iter()).unwrap_or(average),
        ..ProgramTimes::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::Dim3;

    fn dispatch(watch: &mut Watch, cycle: u64, smx: usize, kernel: &str) {
        let block = Dim3::new(0, 0, 0);
        watch.dispatched(&DispatchedBlock { cycle, smx, kernel, instance: 0, group: 0, block });
    }

    fn kernel(name: &str, arrive: u64, finish: u64) -> KernelStats {
        KernelStats {
            name: name.to_owned(),
            instance: 0,
            arrive,
            distributed: None,
            first_dispatch: None,
            finish: Some(finish),
            overlap: None,
            cancelled: None,
        }
    }

    #[test]
    fn a_program_alone_has_the_distribution_of_its_blocks_and_nothing_beside() {
        let mut watch = Watch::default();
        dispatch(&mut watch, 10, 0, "1:a");
        dispatch(&mut watch, 11, 1, "1:a");
        watch.block_ended(110, 0, 0);
        dispatch(&mut watch, 110, 0, "1:a");
        watch.block_ended(131, 1, 0);
        watch.block_ended(190, 0, 0);
        let times = watch.finish(&[kernel("1:a", 4, 191)]);
        let [ProgramTimes { turnaround, block, near_mean, below_mean, first_block, beside, .. }] =
            times[..]
        else {
            panic!("one program")
        };
        // Blocks of 100, 120 and 80 cycles, of which the first two are the first ones of their
        // SMXs.
        assert_eq!((turnaround, block, first_block, beside), (187, 100.0, 110.0, None));
        assert!((near_mean - 100.0 / 3.0).abs() < 1e-9 && (below_mean - 200.0 / 3.0).abs() < 1e-9);
        assert!((times[0].deviation - (800.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn blocks_beside_another_program_are_those_that_begin_and_end_while_it_has_some() {
        let mut watch = Watch::default();
        dispatch(&mut watch, 0, 0, "1:a");
        dispatch(&mut watch, 5, 0, "2:b");
        watch.block_ended(30, 0, 0);
        dispatch(&mut watch, 30, 0, "1:a");
        watch.block_ended(50, 0, 0);
        watch.block_ended(55, 0, 1);
        let times = watch.finish(&[kernel("1:a", 0, 51), kernel("2:b", 3, 56)]);
        // Of 1 the second block alone; 2 goes on when 1 has ended.
        assert_eq!(times.iter().map(|own| own.beside).collect::<Vec<_>>(), [Some(20.0), None]);
        assert_eq!(times.iter().map(|own| own.turnaround).collect::<Vec<_>>(), [51, 53]);
    }
}
