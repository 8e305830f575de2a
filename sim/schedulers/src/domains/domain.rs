//! Twin of `domains/domain` (`docs/domains.md`): the dispatcher of one domain, with its queue, its
//! place in the head's grid, its SMXs and its gates.

use super::cover;
use super::share::block_of;
use super::{DomainsConfig, Share, ShareInputs, Walk, WalkInputs};
use crate::admission::{GateEvents, Gates};
use crate::cover::when;
use crate::dispatch::{
    Entry, FcfsControl, FcfsControlInputs, ResourceTable, ResourceTableInputs, RoundRobin,
    RoundRobinInputs,
};
use crate::port::{Activity, BlockNeeds, CoreSample, Dim3, KernelEntry, KernelLaunch, SmxLimits};
use crate::SmxMask;
use std::ops::Range;

/// What a domain sees of a cycle.
pub(super) struct DomainInputs<'a> {
    /// What is known of the kernels; the same for all domains.
    pub(super) kernels: &'a [Option<Entry>],
    /// Of each SMX of the domain, what the block that ends there gives back.
    pub(super) ended: Vec<Option<BlockNeeds>>,
    /// The kernel that is accepted, and its entry.
    pub(super) entered: Option<(&'a KernelLaunch, KernelEntry)>,
    /// The samples of the domain's SMXs, in a cycle that has them.
    pub(super) samples: Option<&'a [CoreSample]>,
}

/// A block that goes to an SMX.
pub(super) struct Issue {
    /// Among those of all domains.
    pub(super) smx: usize,
    pub(super) kernel: KernelEntry,
    pub(super) block: Dim3,
}

/// Where the domain is in its head's grid.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// Rule 4: the walk, and the linear id of the block where it stands.
    Interleaved { walk: Walk, at: u64 },
    /// Rule 5: whether the head's share was asked for, and the next block of it, once it is known.
    Contiguous { share: Share, asked: bool, at: Option<Dim3> },
}

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Domain {
    smxs: Range<usize>,
    fcfs_control: FcfsControl,
    place: Place,
    resource_table: ResourceTable,
    round_robin: RoundRobin,
    pub(super) gates: Gates,
}

/// What becomes of the place at the clock edge.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    /// It waits for room, or for its share, or there is no head.
    Stays,
    /// It goes on by one block.
    GoesOn,
    /// The kernel is unmarked.
    Leaves,
}

impl Domain {
    /// Number `number` of `domains`, which has `smxs`, after reset.
    pub(super) fn new(
        (number, domains): (usize, usize),
        smxs: Range<usize>,
        config: DomainsConfig,
        limits: SmxLimits,
        gates: Gates,
    ) -> Self {
        let place = match config {
            DomainsConfig::Interleave { chunk } => {
                Place::Interleaved { walk: Walk::new(number, domains, chunk), at: 0 }
            }
            DomainsConfig::Contiguous => {
                Place::Contiguous { share: Share::new(number, domains), asked: false, at: None }
            }
        };
        Self {
            fcfs_control: FcfsControl::new(),
            place,
            resource_table: ResourceTable::new(smxs.len(), limits),
            round_robin: RoundRobin::new(smxs.len()),
            gates,
            smxs,
        }
    }

    /// Its SMXs.
    pub(super) fn smxs(&self) -> Range<usize> {
        self.smxs.clone()
    }

    /// The kernel of which it distributes blocks.
    pub(super) fn head(&self) -> Option<KernelEntry> {
        self.fcfs_control.evaluate(&FcfsControlInputs::default()).head
    }

    /// One bit an entry.
    pub(super) fn marked(&self) -> u32 {
        self.fcfs_control.evaluate(&FcfsControlInputs::default()).marked
    }

    /// The block that is offered in a cycle with this head, and what becomes of the place if it is
    /// not dispatched.
    fn offer(&self, head: &Entry) -> (Option<Dim3>, Next) {
        let blocks = head.grid.volume() as u64;
        if blocks == 0 {
            return (None, Next::Leaves);
        }
        match &self.place {
            Place::Interleaved { walk, at } if walk.evaluate(&WalkInputs::default()).own => {
                (Some(block_of(*at, head.grid)), Next::Stays)
            }
            Place::Interleaved { at, .. } if at + 1 == blocks => (None, Next::Leaves),
            Place::Interleaved { .. } => (None, Next::GoesOn),
            Place::Contiguous { at: None, .. } => (None, Next::Stays),
            Place::Contiguous { share, at: Some(at), .. } => {
                match share.evaluate(&ShareInputs::default()).left {
                    true => (Some(*at), Next::Stays),
                    false => (None, Next::Leaves),
                }
            }
        }
    }

    /// What becomes of the place when the block that it offered is dispatched.
    fn after_dispatch(&self, head: &Entry) -> Next {
        let last = match &self.place {
            Place::Interleaved { at, .. } => at + 1 == head.grid.volume() as u64,
            Place::Contiguous { share, .. } => share.evaluate(&ShareInputs::default()).last,
        };
        if last {
            Next::Leaves
        } else {
            Next::GoesOn
        }
    }

    /// One clock cycle: the block that is dispatched, if any.
    pub(super) fn cycle(&mut self, inputs: &DomainInputs<'_>) -> (Option<Issue>, Activity) {
        let head = self.head();
        let kernel = head.and_then(|head| inputs.kernels[head.index()].as_ref());
        let (offered, mut next) = kernel.map_or((None, Next::Stays), |kernel| self.offer(kernel));

        // Where it fits, where the gates let it go, and who gets it.
        let mut resources = ResourceTableInputs {
            needs: kernel.map_or_else(BlockNeeds::default, |kernel| kernel.needs),
            ..Default::default()
        };
        for (smx, ended) in inputs.ended.iter().enumerate() {
            resources.finished.set(smx, ended.is_some());
            resources.freed[smx] = ended.unwrap_or_default();
        }
        let room = self.resource_table.evaluate(&resources).room;
        let first = self.round_robin.evaluate(&RoundRobinInputs::default()).first;
        let request = if offered.is_some() { room } else { SmxMask::ZERO };
        let named = head.unwrap_or_default();
        let request = self.gates.allow(named, request, first, resources.finished);
        let round = RoundRobinInputs { request, ..Default::default() };
        let grant = self.round_robin.evaluate(&round).grant;
        if let (Some(kernel), true) = (kernel, grant.any()) {
            next = self.after_dispatch(kernel);
        }
        self.cover(kernel, offered, next, room);
        let issue = grant.first_one().zip(offered).map(|(smx, block)| Issue {
            smx: self.smxs.start + smx,
            kernel: named,
            block,
        });

        // The clock edge.
        resources.take = grant;
        let mark = inputs.entered.map(|(_, entry)| entry);
        let fcfs = FcfsControlInputs { reset: false, mark, unmark: next == Next::Leaves };
        let events = GateEvents {
            taken: (named, grant),
            entered: inputs.entered,
            coalesced: None,
            finished: resources.finished,
            samples: inputs.samples,
        };
        let edges = [
            self.move_on(kernel, next, grant.any()),
            self.fcfs_control.clock(&fcfs),
            self.resource_table.clock(&resources),
            self.round_robin.clock(&round),
            self.gates.clock(&events),
        ];
        (issue, Activity::any(edges))
    }

    /// The clock edge of the place in the grid of `head`.
    fn move_on(&mut self, head: Option<&Entry>, next: Next, dispatched: bool) -> Activity {
        let before = self.place.clone();
        match &mut self.place {
            Place::Interleaved { walk, at } => {
                let (step, restart) = (next == Next::GoesOn, next == Next::Leaves);
                walk.clock(&WalkInputs { reset: false, step, restart });
                *at = if restart { 0 } else { *at + u64::from(step) };
            }
            Place::Contiguous { share, asked, at } => {
                let ready = share.evaluate(&ShareInputs::default());
                let begins = head.filter(|head| !head.is_empty() && !*asked);
                share.clock(&ShareInputs {
                    reset: false,
                    begins: begins.is_some(),
                    blocks: begins.map_or(0, |head| head.grid.volume() as u32),
                    grid: head.map_or_else(Dim3::default, |head| head.grid),
                    step: dispatched,
                });
                match (next, head) {
                    (Next::Leaves, _) => (*asked, *at) = (false, None),
                    (Next::GoesOn, Some(head)) => {
                        let next = at.map(|at| block_of(at.linear(head.grid) + 1, head.grid));
                        *at = next;
                    }
                    _ if *asked && at.is_none() && ready.ready => *at = Some(ready.start),
                    _ => *asked |= begins.is_some(),
                }
            }
        }
        Activity::from(self.place != before)
    }

    /// The clock edge of a reset cycle.
    pub(super) fn reset(&mut self) -> Activity {
        let reset = true;
        let before = self.place.clone();
        match &mut self.place {
            Place::Interleaved { walk, at } => {
                walk.clock(&WalkInputs { reset, ..Default::default() });
                *at = 0;
            }
            Place::Contiguous { share, asked, at } => {
                share.clock(&ShareInputs { reset, ..Default::default() });
                (*asked, *at) = (false, None);
            }
        }
        let edges = [
            Activity::from(self.place != before),
            self.fcfs_control.clock(&FcfsControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ];
        Activity::any(edges)
    }

    /// Lines of a stuck run's report; SMXs are counted from the domain's first one on.
    pub(super) fn explain(&self) -> impl Iterator<Item = String> + '_ {
        let gates = self.head().into_iter().flat_map(|head| self.gates.explain(head));
        gates.chain(self.resource_table.explain())
    }

    fn cover(&self, head: Option<&Entry>, offered: Option<Dim3>, next: Next, room: SmxMask) {
        if head.is_none_or(Entry::is_empty) {
            return;
        }
        let interleaved = matches!(self.place, Place::Interleaved { .. });
        let others = interleaved && offered.is_none();
        when(others && room.any(), &cover::PASSES);
        when(others && next == Next::Leaves, &cover::LAST_IS_OTHERS);
        when(!interleaved && offered.is_none() && next == Next::Leaves, &cover::NO_SHARE);
    }
}
