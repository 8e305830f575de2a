//! One warp of the kernel: which instruction comes next, and for which lanes.

use std::rc::Rc;

use super::{registers::*, state::State};
use crate::workload::program::{
    two_sources, Instruction, Operation, Register, Unit, WarpProgram, WARP_LANES,
};

/// Bytes of an instruction, as on Kepler.
const INSTRUCTION_BYTES: u32 = 8;

/// The instruction that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Vertex,
    CompareBounds,
    BranchBounds,
    LevelAddress,
    LoadLevel,
    CompareLevel,
    BranchLevel,
    RowAddress,
    LoadRow,
    LoadRowEnd,
    CompareEdge,
    BranchEdge,
    ColumnAddress,
    LoadColumn,
    TargetAddress,
    LoadTargetLevel,
    CompareTargetLevel,
    BranchTargetLevel,
    StoreLevel,
    StoreChanged,
    NextEdge,
    Exit,
}

/// One warp at work.
pub(super) struct BfsWarp {
    pub(super) state: Rc<State>,
    pub(super) depth: u32,
    /// The vertex of lane 0; lane `l` has `first + l`.
    pub(super) first: u32,
    /// Lanes that have a thread.
    launched: u32,
    /// Lanes that have not left.
    pub(super) active: u32,
    /// Lanes that have a vertex.
    in_bounds: u32,
    /// Lanes for which a load has found what it looks for: a frontier vertex, then a new one.
    pub(super) new: u32,
    step: Step,
    pub(super) edge: [u32; WARP_LANES],
    pub(super) end: [u32; WARP_LANES],
    pub(super) target: [u32; WARP_LANES],
}

impl WarpProgram for BfsWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        use Step::*;
        let to = instruction;
        to.pc = INSTRUCTION_BYTES * self.step as u32;
        self.step = match self.step {
            Vertex => self.integer(to, Some(VERTEX), [None; 2], CompareBounds),
            CompareBounds => self.integer(to, Some(IN_BOUNDS), [Some(VERTEX), None], BranchBounds),
            BranchBounds => self.branch(to, IN_BOUNDS, self.in_bounds, LevelAddress),
            LevelAddress => self.integer(to, Some(LEVEL_ADDRESS), [Some(VERTEX), None], LoadLevel),
            LoadLevel => self.load_level(to),
            CompareLevel => self.integer(to, Some(ON_FRONTIER), [Some(LEVEL), None], BranchLevel),
            BranchLevel => self.branch(to, ON_FRONTIER, self.new, RowAddress),
            RowAddress => self.integer(to, Some(ROW_ADDRESS), [Some(VERTEX), None], LoadRow),
            LoadRow => self.load_row(to, 0),
            LoadRowEnd => self.load_row(to, 1),
            CompareEdge => self.integer(to, Some(MORE), [Some(EDGE), Some(ROW_END)], BranchEdge),
            BranchEdge => self.branch(to, MORE, self.with_edges(), ColumnAddress),
            ColumnAddress => self.integer(to, Some(COLUMN_ADDRESS), [Some(EDGE), None], LoadColumn),
            LoadColumn => self.load_column(to),
            TargetAddress => {
                self.integer(to, Some(TARGET_ADDRESS), [Some(TARGET), None], LoadTargetLevel)
            }
            LoadTargetLevel => self.load_target_level(to),
            CompareTargetLevel => {
                self.integer(to, Some(IS_NEW), [Some(TARGET_LEVEL), None], BranchTargetLevel)
            }
            BranchTargetLevel => {
                let next = if self.new == 0 { NextEdge } else { StoreLevel };
                self.integer(to, None, [Some(IS_NEW), None], next)
            }
            StoreLevel => self.store_level(to),
            StoreChanged => self.store_changed(to),
            NextEdge => self.next_edge(to),
            Exit => {
                to.operation = Operation::Exit;
                to.active = self.launched;
                to.destination = None;
                to.sources = two_sources([None; 2]);
                Exit
            }
        };
    }
}

impl BfsWarp {
    /// The warp whose `threads` threads (1 to 32) begin with the one for vertex `first`.
    pub(super) fn new(state: Rc<State>, depth: u32, first: u64, threads: u32) -> Self {
        let left = u64::from(state.csr.vertices()).saturating_sub(first);
        let with_vertex = u32::try_from(left).map_or(threads, |left| threads.min(left));
        Self {
            state,
            depth,
            // Past the last vertex no lane uses it.
            first: u32::try_from(first).unwrap_or(u32::MAX),
            launched: lanes(threads),
            active: lanes(threads),
            in_bounds: lanes(with_vertex),
            new: 0,
            step: Step::Vertex,
            edge: [0; WARP_LANES],
            end: [0; WARP_LANES],
            target: [0; WARP_LANES],
        }
    }

    /// Arithmetic of the active lanes.
    pub(super) fn integer(
        &self,
        to: &mut Instruction,
        destination: Option<Register>,
        sources: [Option<Register>; 2],
        next: Step,
    ) -> Step {
        to.operation = Operation::Compute(Unit::Integer);
        to.active = self.active;
        to.destination = destination;
        to.sources = two_sources(sources);
        next
    }

    /// A branch on `predicate` after which only the lanes in `stay` are left, or none.
    fn branch(&mut self, to: &mut Instruction, predicate: Register, stay: u32, next: Step) -> Step {
        self.integer(to, None, [Some(predicate), None], next);
        self.active &= stay;
        if self.active == 0 {
            Step::Exit
        } else {
            next
        }
    }
}

/// The mask of the first `count` lanes.
fn lanes(count: u32) -> u32 {
    1u32.checked_shl(count).map_or(u32::MAX, |bit| bit - 1)
}
