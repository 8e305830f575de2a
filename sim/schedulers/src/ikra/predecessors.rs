//! What a scheduler knows of the kernels before the head: of the last one (`docs/ikra.md`, rule 3),
//! or of four, with their relations and derived chunks (rules 14 to 18).

use super::cover;
use super::stealing::Course;
use super::{
    AffineBound, AffineBoundInputs, KernelBefore, KernelBeforeInputs, KernelHistory,
    KernelHistoryInputs, KernelQueueOutputs,
};
use crate::cover::met;
use crate::port::{Activity, KernelEntry, Relation, KERNEL_ENTRIES};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Predecessors {
    /// The last one.
    Last(KernelBefore),
    /// Four, which the head's relation chooses from.
    Related(Box<Related>),
}

/// What they mean for the head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heritage {
    /// Its chunks are kept.
    pub(super) keeps: bool,
    /// Its chunks are derived.
    pub(super) derives: bool,
    /// A broadcast was sent about the layout of the kernel that runs.
    pub(super) told: bool,
    /// The layout that it takes something over from.
    pub(super) source: Option<usize>,
    /// The layout that it uses if its chunks are new.
    pub(super) target: usize,
    /// The layout of the kernel that runs.
    pub(super) running: usize,
}

/// What happens in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Events<'a> {
    /// A kernel is accepted.
    pub(super) accepted: Option<(KernelEntry, Relation)>,
    /// The first ids of the source, if chunks are derived from them now.
    pub(super) derives_from: Option<&'a [u32]>,
    pub(super) course: Course,
    pub(super) filled: bool,
}

impl Predecessors {
    /// What is known for this head. Without relations the one layout is the source.
    pub(super) fn heritage(&self, head: &KernelQueueOutputs) -> Heritage {
        match self {
            Self::Last(before) => {
                let inputs = KernelBeforeInputs { grid: head.head_grid, ..Default::default() };
                let outputs = before.evaluate(&inputs);
                Heritage {
                    keeps: outputs.keeps,
                    derives: false,
                    told: outputs.told,
                    source: Some(0),
                    target: 0,
                    running: 0,
                }
            }
            Self::Related(related) => {
                let outputs = related.history.evaluate(&related.history_inputs(head));
                Heritage {
                    keeps: outputs.keeps,
                    derives: outputs.derives,
                    told: outputs.told,
                    source: outputs.source_known.then_some(outputs.source),
                    target: outputs.target,
                    running: outputs.running_layout,
                }
            }
        }
    }

    /// Bounds are under way: what was ready of chunks is old.
    pub(super) fn deriving(&self) -> bool {
        matches!(self, Self::Related(related) if related.deriving)
    }

    /// In the cycle in which derived bounds become known: the first id of each SMX, and the number
    /// of blocks behind them.
    pub(super) fn derived(&self, head: &KernelQueueOutputs) -> Option<Vec<u32>> {
        match self {
            Self::Related(related) if related.deriving => related.derived(head),
            _ => None,
        }
    }

    /// The clock edge.
    pub(super) fn clock(&mut self, head: &KernelQueueOutputs, events: Events<'_>) -> Activity {
        let Course { begins, load, .. } = events.course;
        let filled = events.filled;
        match self {
            Self::Last(before) => {
                let grid = head.head_grid;
                before.clock(&KernelBeforeInputs { reset: false, grid, begins, load, filled })
            }
            Self::Related(related) => related.clock(head, events),
        }
    }

    pub(super) fn reset(&mut self) -> Activity {
        match self {
            Self::Last(before) => {
                before.clock(&KernelBeforeInputs { reset: true, ..Default::default() })
            }
            Self::Related(related) => related.reset(),
        }
    }
}

/// With relations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Related {
    /// Of the kernel in each entry of the ring.
    relations: [Relation; KERNEL_ENTRIES],
    history: KernelHistory,
    /// Of each SMX; that of SMX 0 is not used.
    bounds: Vec<AffineBound>,
    deriving: bool,
}

impl Related {
    pub(super) fn new(smx: usize) -> Self {
        Self {
            relations: [Relation::default(); KERNEL_ENTRIES],
            history: KernelHistory::new(),
            bounds: vec![AffineBound::new(); smx],
            deriving: false,
        }
    }

    fn relation(&self, head: &KernelQueueOutputs) -> Relation {
        head.head.map_or(Relation::default(), |entry| self.relations[entry.index()])
    }

    fn history_inputs(&self, head: &KernelQueueOutputs) -> KernelHistoryInputs {
        let relation = self.relation(head);
        let (back, plain) = (relation.back - 1, relation.is_plain());
        KernelHistoryInputs { grid: head.head_grid, back, plain, ..Default::default() }
    }

    /// Inputs of a bound for the source's first id `first`.
    fn bound_inputs(&self, head: &KernelQueueOutputs, first: u32) -> AffineBoundInputs {
        let Relation { ratio, offset, .. } = self.relation(head);
        let (negative, offset) = (offset < 0, offset.unsigned_abs());
        let blocks = head.head_blocks;
        AffineBoundInputs { first, ratio, offset, negative, blocks, ..Default::default() }
    }

    /// Rule 18.
    fn derived(&self, head: &KernelQueueOutputs) -> Option<Vec<u32>> {
        let inputs = self.bound_inputs(head, 0);
        let outputs: Vec<_> = self.bounds.iter().map(|bound| bound.evaluate(&inputs)).collect();
        if !outputs.iter().all(|bound| bound.ready) {
            return None;
        }
        let mut bounds: Vec<_> = outputs.iter().map(|bound| bound.bound).collect();
        bounds[0] = 0;
        bounds.push(head.head_blocks);
        Some(bounds)
    }

    fn clock(&mut self, head: &KernelQueueOutputs, events: Events<'_>) -> Activity {
        let (relations, deriving) = (self.relations, self.deriving);
        let mut activity = Activity::Quiet;
        // Before anything is stored.
        let history = KernelHistoryInputs {
            begins: events.course.begins,
            load: events.course.load,
            filled: events.filled,
            ..self.history_inputs(head)
        };
        let known = self.deriving && self.derived(head).is_some();
        for smx in 0..self.bounds.len() {
            let first = events.derives_from.map_or(0, |first_ids| first_ids[smx]);
            let begins = events.derives_from.is_some();
            let inputs = AffineBoundInputs { begins, ..self.bound_inputs(head, first) };
            activity |= self.bounds[smx].clock(&inputs);
        }
        activity |= self.history.clock(&history);
        if known {
            self.deriving = false;
        }
        if events.derives_from.is_some() {
            met(&cover::DERIVED);
            self.deriving = true;
        }
        if let Some((entry, relation)) = events.accepted {
            self.relations[entry.index()] = relation;
        }
        activity |= (relations, deriving) != (self.relations, self.deriving);
        activity
    }

    fn reset(&mut self) -> Activity {
        let history = KernelHistoryInputs { reset: true, ..Default::default() };
        let bound = AffineBoundInputs { reset: true, ..Default::default() };
        let mut activity = self.history.clock(&history);
        for bounds in &mut self.bounds {
            activity |= bounds.clock(&bound);
        }
        activity |= std::mem::take(&mut self.deriving);
        let relations = [Relation::default(); KERNEL_ENTRIES];
        activity |= std::mem::replace(&mut self.relations, relations) != relations;
        activity
    }
}
