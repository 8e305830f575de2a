//! IKRA: which SMX runs which block, in which order, and when it may steal (`docs/ikra.md`, rules 3
//! to 19), from what has gone through the ports alone. When something happens is left to the
//! comparison of the engines.

mod owned;

use std::collections::VecDeque;

use super::entering;
use crate::ikra::{IkraConfig, StealConfig, WhenFull};
use crate::port::{Dim3, Dispatch, Inputs, KernelEntry, Outputs, Relation};
use owned::Owned;

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct IkraRules {
    config: IkraConfig,
    smx: usize,
    /// Kernels that have not finished, in order of arrival, with their grids and relations.
    waiting: VecDeque<(KernelEntry, Dim3, Relation)>,
    /// The first of them has given a block.
    begun: bool,
    /// What kernels left. Places that no kernel of the history names are used again.
    layouts: Vec<Layout>,
    /// The places of the last kernels' layouts, the most recent one first.
    history: VecDeque<usize>,
    /// The SMX after the one that finished last.
    after_last: usize,
    /// Blocks that their SMXs have passed over: they must be on their way to thieves.
    stolen: Vec<u64>,
}

/// What a kernel leaves to others.
#[derive(Clone, PartialEq)]
struct Layout {
    grid: Dim3,
    /// A steal queue has become full since chunks were assigned.
    reinitialise: bool,
    forward: bool,
    chunk_first: bool,
    owned: Vec<Owned>,
    /// The first block of each SMX's chunk as it was assigned.
    firsts: Vec<u64>,
}

impl IkraRules {
    /// `smx` SMXs after reset.
    pub(super) fn new(config: IkraConfig, smx: usize) -> Self {
        Self {
            config,
            smx,
            waiting: VecDeque::new(),
            begun: false,
            layouts: Vec::new(),
            history: VecDeque::new(),
            after_last: 0,
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
            self.after_last = (last + 1) % self.smx;
        }
        while let Some(&(entry, ..)) = self.waiting.front() {
            if outputs.finished_kernels >> entry.index() & 1 == 0 {
                break;
            }
            if let Some(block) = self.stolen.first() {
                return Err(format!("block {block} was passed over, and no thief received it"));
            }
            self.waiting.pop_front();
            self.begun = false;
        }
        let entering = entering(inputs, outputs);
        self.waiting.extend(entering.map(|(launch, entry)| (entry, launch.grid, launch.relation)));
        Ok(())
    }

    fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let (grid, relation) = match self.waiting.front() {
            Some(&(entry, grid, relation)) if entry == dispatch.kernel => (grid, relation),
            _ => {
                let entry = dispatch.kernel.0;
                return Err(format!("entry {entry} dispatches before it is the oldest kernel"));
            }
        };
        if !self.begun {
            self.begin(grid, relation);
        }
        let block = dispatch.block.linear(grid);
        let layout = &mut self.layouts[self.history[0]];
        let (forward, first) = (layout.forward, layout.chunk_first);
        let own = &mut layout.owned[smx];
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
    fn begin(&mut self, grid: Dim3, relation: Relation) {
        self.begun = true;
        let related = matches!(self.config, IkraConfig::Steal(StealConfig { relations: true, .. }));
        let (relation, remembered) = if related { (relation, 4) } else { (Relation::default(), 1) };
        let source = self.history.get(usize::from(relation.back) - 1).copied();
        let turns = matches!(self.config, IkraConfig::Flip | IkraConfig::Steal(_));
        let forward = !turns || source.is_none_or(|source| !self.layouts[source].forward);
        let usable = source.filter(|&source| {
            !self.layouts[source].reinitialise && self.config != IkraConfig::Chunk
        });
        let place = match usable {
            Some(source) if relation.is_plain() && self.layouts[source].grid == grid => {
                let layout = &mut self.layouts[source];
                layout.forward = forward;
                layout.chunk_first = !layout.chunk_first;
                layout.owned.iter_mut().for_each(Owned::again);
                source
            }
            Some(source) if !relation.is_plain() => {
                let firsts = derived(&self.layouts[source].firsts, relation, grid);
                self.place(Layout::new(grid, forward, firsts, 0))
            }
            _ => {
                let first = if self.config == IkraConfig::Chunk { self.after_last } else { 0 };
                let firsts = assigned(self.smx, grid);
                self.place(Layout::new(grid, forward, firsts, first))
            }
        };
        self.history.push_front(place);
        self.history.truncate(remembered);
    }

    /// Where a new layout lies.
    fn place(&mut self, layout: Layout) -> usize {
        let free = (0..self.layouts.len()).find(|place| !self.history.contains(place));
        match free {
            Some(place) => {
                self.layouts[place] = layout;
                place
            }
            None => {
                self.layouts.push(layout);
                self.layouts.len() - 1
            }
        }
    }

    /// SMX `thief`, which has nothing left of its own, receives `block`.
    fn steal(&mut self, thief: usize, block: u64) -> Result<(), String> {
        let IkraConfig::Steal(StealConfig { queue, full, .. }) = self.config else {
            return Err(format!("SMX {thief} receives block {block}, its chunk has been run"));
        };
        let entries = usize::from(queue);
        let layout = &mut self.layouts[self.history[0]];
        if full == WhenFull::Stop && layout.owned[thief].held() == entries {
            return Err(format!("SMX {thief} steals block {block}, its steal queue is full"));
        }
        if let Some(place) = self.stolen.iter().position(|&stolen| stolen == block) {
            self.stolen.swap_remove(place);
            layout.keep(thief, block, entries, full);
            return Ok(());
        }
        let forward = layout.forward;
        let mut neighbours: Vec<usize> = (0..self.smx).filter(|&v| v != thief).collect();
        neighbours.sort_by_key(|&victim| match victim {
            left if left + 1 == thief => 0,
            right if right == thief + 1 => 1,
            other => 2 + other,
        });
        let scan = neighbours.iter().map(|&victim| (victim, false));
        let mut scan = scan.chain(neighbours.iter().map(|&victim| (victim, true)));
        let found = scan.find_map(|(victim, chunk)| {
            layout.owned[victim].far(chunk, forward).map(|far| (victim, chunk, far))
        });
        match found {
            Some((victim, chunk, far)) if far == block => {
                layout.owned[victim].lose(chunk, forward);
                layout.keep(thief, block, entries, full);
                Ok(())
            }
            Some((victim, _, far)) => Err(format!(
                "SMX {thief} steals block {block}, but what it finds first is block {far} of SMX {victim}"
            )),
            None => Err(format!("SMX {thief} receives block {block}, which is nobody's")),
        }
    }
}

impl Layout {
    /// New chunks, the first of them of SMX `first`, that begin at these blocks.
    fn new(grid: Dim3, forward: bool, firsts: Vec<u64>, first: usize) -> Self {
        let ends = firsts.iter().copied().skip(1).chain([blocks(grid)]);
        let chunks = firsts.iter().zip(ends).map(|(&start, end)| Owned::of(start..end));
        let mut owned: Vec<_> = chunks.collect();
        owned.rotate_right(first);
        Self { grid, reinitialise: false, forward, chunk_first: true, owned, firsts }
    }

    /// A stolen block runs on `thief`, and belongs to it from now on.
    fn keep(&mut self, thief: usize, block: u64, entries: usize, full: WhenFull) {
        let filled = self.owned[thief].keep(block, entries);
        self.reinitialise |= filled && full == WhenFull::Reinitialise;
    }
}

fn blocks(grid: Dim3) -> u64 {
    u64::try_from(grid.volume()).expect("a grid has at most 2^31 blocks")
}

/// Where the chunks of so many SMXs begin: shares that differ by one block at most, the larger ones
/// first.
fn assigned(smx: usize, grid: Dim3) -> Vec<u64> {
    let (each, more) = (blocks(grid) / smx as u64, blocks(grid) % smx as u64);
    (0..smx as u64).map(|position| position * each + position.min(more)).collect()
}

/// Where chunks begin whose blocks depend on those of chunks that began at `firsts`.
fn derived(firsts: &[u64], relation: Relation, grid: Dim3) -> Vec<u64> {
    let of = |(smx, &first): (usize, &u64)| {
        let from_zero = first as i64 - i64::from(relation.offset);
        let quotient = u64::try_from(from_zero).unwrap_or(0).div_ceil(relation.ratio.into());
        if smx == 0 {
            0
        } else {
            quotient.min(blocks(grid))
        }
    };
    firsts.iter().enumerate().map(of).collect()
}
