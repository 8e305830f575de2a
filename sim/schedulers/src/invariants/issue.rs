//! Whose turn it is: the order of kernels, and of SMXs within a cycle.

use std::collections::VecDeque;

use super::{IssueRule, PolicyRules};
use crate::port::{GroupOutcome, KernelEntry, KernelLaunch, Outputs, KERNEL_ENTRIES};

/// A block that was dispatched in this cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Issued {
    pub(super) smx: usize,
    pub(super) kernel: KernelEntry,
    /// Linear id; blocks of groups count on from those before them.
    pub(super) id: u64,
    /// Blocks of its kernel and all its groups.
    pub(super) blocks: u64,
    /// Blocks of its kernel on that SMX, with this one.
    pub(super) resident: u32,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct Turn {
    rule: IssueRule,
    smx: usize,
    /// Kernels that have blocks left, or whose empty grid has not been seen, by priority and then
    /// in order of marking; with [`IssueRule::OldestAlone`] all that have not finished.
    waiting: VecDeque<KernelEntry>,
    /// The priority of each of them, and the highest there is: 0 where none are told apart.
    levels: [u8; KERNEL_ENTRIES],
    highest: u8,
    /// The first of them at the start of the cycle.
    head: Option<KernelEntry>,
    /// [`IssueRule::OneAnSmx`]: has no blocks left, but has not finished.
    running: Option<KernelEntry>,
    /// [`IssueRule::OneAnSmx`]: the SMX that is visited first.
    first: usize,
}

impl Turn {
    pub(super) fn new(rules: &PolicyRules, smx: usize) -> Self {
        Self {
            rule: rules.issue,
            smx,
            waiting: VecDeque::new(),
            levels: [0; KERNEL_ENTRIES],
            highest: rules.priority.map_or(0, |config| config.levels - 1),
            head: None,
            running: None,
            first: 0,
        }
    }

    /// The kernel whose blocks are distributed in this cycle: the first one that waited at its
    /// start.
    pub(super) fn head(&self) -> Option<KernelEntry> {
        self.head
    }

    /// Checks the blocks of one cycle, which it sorts by id.
    pub(super) fn check(&mut self, issued: &mut [Issued]) -> Result<(), String> {
        match self.rule {
            IssueRule::Any => return Ok(()),
            IssueRule::OneACycle if issued.len() > 1 => {
                return Err(format!("{} blocks dispatched in one cycle", issued.len()));
            }
            IssueRule::OldestAlone => {
                return issued.iter().try_for_each(|block| self.check_kernel(block));
            }
            IssueRule::OneACycle | IssueRule::OneAnSmx => {}
        }
        issued.sort_by_key(|block| block.id);
        for block in issued.iter() {
            self.check_kernel(block)?;
        }
        if self.rule == IssueRule::OneAnSmx {
            self.check_visit(issued)?;
        }
        for block in issued.iter().filter(|block| block.id + 1 == block.blocks) {
            self.waiting.pop_front();
            if self.rule == IssueRule::OneAnSmx {
                self.running = Some(block.kernel);
            }
        }
        Ok(())
    }

    fn check_kernel(&self, block: &Issued) -> Result<(), String> {
        let entry = block.kernel.0;
        if let Some(running) = self.running {
            return Err(format!("entry {entry} dispatches, entry {} has not finished", running.0));
        }
        match self.waiting.front() {
            Some(urgent) if self.levels[urgent.index()] > self.levels[block.kernel.index()] => {
                let urgent = urgent.0;
                Err(format!("entry {entry} passes by entry {urgent}, which is more urgent"))
            }
            Some(oldest) if *oldest != block.kernel => {
                Err(format!("entry {entry} dispatches before entry {}, which is older", oldest.0))
            }
            _ => Ok(()),
        }
    }

    /// SMXs are visited from the one after the last that was served, and get blocks in that order.
    fn check_visit(&mut self, issued: &[Issued]) -> Result<(), String> {
        let mut last = None;
        for &Issued { smx, kernel, id, blocks, resident } in issued {
            let place = (smx + self.smx - self.first) % self.smx;
            if last.is_some_and(|last| place <= last) {
                return Err(format!(
                    "block {id} on SMX {smx} is out of the order of visit, which begins at SMX {}",
                    self.first
                ));
            }
            last = Some(place);
            let cap = blocks.div_ceil(self.smx as u64);
            if u64::from(resident) > cap {
                let entry = kernel.0;
                return Err(format!(
                    "SMX {smx} has {resident} blocks of entry {entry}, more than its cap of {cap}"
                ));
            }
        }
        if let Some(last) = issued.last() {
            self.first = (last.smx + 1) % self.smx;
        }
        Ok(())
    }

    /// The clock edge: kernels finish, and those of `marked` arrive, and groups are coalesced.
    /// `has_blocks` says whether a kernel has blocks left.
    pub(super) fn clock(
        &mut self,
        outputs: &Outputs,
        marked: impl Iterator<Item = (KernelLaunch, KernelEntry)>,
        has_blocks: impl Fn(KernelEntry) -> bool,
    ) {
        let finished = |entry: KernelEntry| outputs.finished_kernels >> entry.index() & 1 == 1;
        if self.rule == IssueRule::OldestAlone {
            self.waiting.retain(|entry| !finished(*entry));
            self.waiting.extend(marked.map(|(_, entry)| entry));
            return;
        }
        self.running = self.running.filter(|entry| !finished(*entry));
        // The head's empty grid is seen.
        let head = self.head;
        self.waiting.pop_front_if(|entry| head == Some(*entry) && !has_blocks(*entry));
        if let Some(GroupOutcome::Coalesced { kernel, .. }) = outputs.device.groups.group_taken {
            if !self.waiting.contains(&kernel) {
                self.waiting.push_back(kernel);
            }
        }
        for (launch, entry) in marked {
            if launch.blocks > 0 || self.rule == IssueRule::OneACycle {
                let level = launch.priority.min(self.highest);
                self.levels[entry.index()] = level;
                let ahead = |other: &KernelEntry| self.levels[other.index()] >= level;
                let place = self.waiting.partition_point(ahead);
                self.waiting.insert(place, entry);
            }
        }
        self.head = self.waiting.front().copied();
    }
}
