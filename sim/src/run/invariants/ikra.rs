//! IKRA: which SMX runs which block, in which order, and when it may steal (`docs/ikra.md`, rules 3 to 13),
//! from what has gone through the ports alone. When something happens is left to the comparison of the
//! engines.

mod owned;

use std::collections::VecDeque;

use super::entering;
use crate::port::{Dim3, Dispatch, Inputs, KernelEntry, Outputs};
use crate::sched::ikra::{IkraConfig, StealConfig, WhenFull};
use owned::Owned;

/// See the module.
pub(super) struct IkraRules {
    config: IkraConfig,
    /// Kernels that have not finished, in order of arrival, with their grids.
    waiting: VecDeque<(KernelEntry, Dim3)>,
    /// The first of them has given a block.
    begun: bool,
    /// The grid for which chunks were assigned last.
    grid: Option<Dim3>,
    /// A steal queue has become full since chunks were assigned.
    reinitialise: bool,
    forward: bool,
    chunk_first: bool,
    /// The SMX after the one that finished last.
    after_last: usize,
    owned: Vec<Owned>,
    /// Blocks that their SMXs have passed over: they must be on their way to thieves.
    stolen: Vec<u64>,
}

impl IkraRules {
    /// `smx` SMXs after reset.
    pub(super) fn new(config: IkraConfig, smx: usize) -> Self {
        Self {
            config,
            waiting: VecDeque::new(),
            begun: false,
            grid: None,
            reinitialise: false,
            // The first kernel turns round.
            forward: false,
            chunk_first: true,
            after_last: 0,
            owned: vec![Owned::default(); smx],
            stolen: Vec::new(),
        }
    }

    /// Checks one cycle, and the clock edge.
    pub(super) fn check(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                self.dispatch(smx, dispatch)?;
            }
        }
        if let Some(last) = inputs.finished.iter().rposition(Option::is_some) {
            self.after_last = (last + 1) % self.owned.len();
        }
        while let Some(&(entry, _)) = self.waiting.front() {
            if outputs.finished_kernels >> entry.index() & 1 == 0 {
                break;
            }
            if let Some(block) = self.stolen.first() {
                return Err(format!("block {block} was passed over, and no thief received it"));
            }
            self.waiting.pop_front();
            self.begun = false;
        }
        self.waiting.extend(entering(inputs, outputs).map(|(launch, entry)| (entry, launch.grid)));
        Ok(())
    }

    fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let grid = match self.waiting.front() {
            Some(&(entry, grid)) if entry == dispatch.kernel => grid,
            _ => {
                let entry = dispatch.kernel.0;
                return Err(format!("entry {entry} dispatches before it is the oldest kernel"));
            }
        };
        if !self.begun {
            self.begin(grid);
        }
        let block = dispatch.block.linear(grid);
        let (forward, first) = (self.forward, self.chunk_first);
        let own = &mut self.owned[smx];
        match own.next(forward, first) {
            Some(next) if next == block => {
                own.take(first);
                Ok(())
            }
            Some(next) => match own.pass_over(block, forward, first) {
                Some(passed) if matches!(self.config, IkraConfig::Steal(_)) => {
                    own.take(first);
                    self.stolen.extend(passed);
                    Ok(())
                }
                _ => Err(format!(
                    "SMX {smx} receives block {block}, but {next} is the next one of what it owns"
                )),
            },
            None => self.steal(smx, block),
        }
    }

    /// The first block of a kernel comes: what each SMX owns.
    fn begin(&mut self, grid: Dim3) {
        self.begun = true;
        let turns = matches!(self.config, IkraConfig::Flip | IkraConfig::Steal(_));
        self.forward = !turns || !self.forward;
        let same = self.grid.replace(grid) == Some(grid);
        if same && !self.reinitialise && self.config != IkraConfig::Chunk {
            self.chunk_first = !self.chunk_first;
            self.owned.iter_mut().for_each(Owned::again);
            return;
        }
        (self.chunk_first, self.reinitialise) = (true, false);
        let smx = self.owned.len();
        let first = if self.config == IkraConfig::Chunk { self.after_last } else { 0 };
        let blocks = u64::try_from(grid.volume()).expect("a grid has at most 2^31 blocks");
        let (each, more) = (blocks / smx as u64, blocks % smx as u64);
        let mut start = 0;
        for position in 0..smx {
            let end = start + each + u64::from((position as u64) < more);
            self.owned[(first + position) % smx] = Owned::of(start..end);
            start = end;
        }
    }

    /// SMX `thief`, which has nothing left of its own, receives `block`.
    fn steal(&mut self, thief: usize, block: u64) -> Result<(), String> {
        let IkraConfig::Steal(StealConfig { queue, full, .. }) = self.config else {
            return Err(format!("SMX {thief} receives block {block}, its chunk has been run"));
        };
        let entries = usize::from(queue);
        if full == WhenFull::Stop && self.owned[thief].held() == entries {
            return Err(format!("SMX {thief} steals block {block}, its steal queue is full"));
        }
        if let Some(place) = self.stolen.iter().position(|&stolen| stolen == block) {
            self.stolen.swap_remove(place);
            self.keep(thief, block, entries, full);
            return Ok(());
        }
        let forward = self.forward;
        let mut neighbours: Vec<usize> = (0..self.owned.len()).filter(|&v| v != thief).collect();
        neighbours.sort_by_key(|&victim| match victim {
            left if left + 1 == thief => 0,
            right if right == thief + 1 => 1,
            other => 2 + other,
        });
        let scan = neighbours.iter().map(|&victim| (victim, false));
        let mut scan = scan.chain(neighbours.iter().map(|&victim| (victim, true)));
        let found = scan.find_map(|(victim, chunk)| {
            self.owned[victim].far(chunk, forward).map(|far| (victim, chunk, far))
        });
        match found {
            Some((victim, chunk, far)) if far == block => {
                self.owned[victim].lose(chunk, forward);
                self.keep(thief, block, entries, full);
                Ok(())
            }
            Some((victim, _, far)) => Err(format!(
                "SMX {thief} steals block {block}, but what it finds first is block {far} of SMX {victim}"
            )),
            None => Err(format!("SMX {thief} receives block {block}, which is nobody's")),
        }
    }

    /// A stolen block runs on `thief`, and belongs to it from now on.
    fn keep(&mut self, thief: usize, block: u64, entries: usize, full: WhenFull) {
        let filled = self.owned[thief].keep(block, entries);
        self.reinitialise |= filled && full == WhenFull::Reinitialise;
    }
}
