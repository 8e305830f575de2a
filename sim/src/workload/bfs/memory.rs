//! The loads and stores of a warp: their addresses, and what they do to the data.

use super::{
    registers::*,
    warp::{BfsWarp, Step},
    UNVISITED,
};
use crate::workload::program::{two_sources, Access, Instruction, Operation, Register, Space};

impl BfsWarp {
    fn memory(
        &self,
        to: &mut Instruction,
        access: Access,
        active: u32,
        destination: Option<Register>,
        address: Option<Register>,
    ) {
        to.operation = Operation::Memory { space: Space::Global, access, bytes: 4 };
        to.active = active;
        to.destination = destination;
        to.sources = two_sources([address, None]);
    }

    pub(super) fn load_level(&mut self, to: &mut Instruction) -> Step {
        self.memory(to, Access::Load, self.active, Some(LEVEL), Some(LEVEL_ADDRESS));
        let levels = self.state.levels.borrow();
        let mut found = 0;
        for lane in each(self.active) {
            let vertex = self.first + lane as u32;
            to.addresses[lane] = self.state.layout.level(vertex);
            found |= u32::from(levels[vertex as usize] == self.depth) << lane;
        }
        self.new = found;
        Step::CompareLevel
    }

    pub(super) fn load_row(&mut self, to: &mut Instruction, after: u32) -> Step {
        let (register, into, next) = match after {
            0 => (EDGE, &mut self.edge, Step::LoadRowEnd),
            _ => (ROW_END, &mut self.end, Step::CompareEdge),
        };
        for lane in each(self.active) {
            let index = self.first + lane as u32 + after;
            to.addresses[lane] = self.state.layout.offset(index);
            into[lane] = self.state.csr.offsets()[index as usize];
        }
        self.memory(to, Access::Load, self.active, Some(register), Some(ROW_ADDRESS));
        next
    }

    /// The active lanes that have edges left.
    pub(super) fn with_edges(&self) -> u32 {
        each(self.active)
            .filter(|&lane| self.edge[lane] < self.end[lane])
            .fold(0, |mask, lane| mask | 1 << lane)
    }

    pub(super) fn load_column(&mut self, to: &mut Instruction) -> Step {
        self.memory(to, Access::Load, self.active, Some(TARGET), Some(COLUMN_ADDRESS));
        for lane in each(self.active) {
            let edge = self.edge[lane];
            to.addresses[lane] = self.state.layout.column(edge);
            self.target[lane] = self.state.csr.columns()[edge as usize];
        }
        Step::TargetAddress
    }

    pub(super) fn load_target_level(&mut self, to: &mut Instruction) -> Step {
        self.memory(to, Access::Load, self.active, Some(TARGET_LEVEL), Some(TARGET_ADDRESS));
        let levels = self.state.levels.borrow();
        let mut found = 0;
        for lane in each(self.active) {
            let target = self.target[lane];
            to.addresses[lane] = self.state.layout.level(target);
            found |= u32::from(levels[target as usize] == UNVISITED) << lane;
        }
        self.new = found;
        Step::CompareTargetLevel
    }

    pub(super) fn store_level(&mut self, to: &mut Instruction) -> Step {
        self.memory(to, Access::Store, self.new, None, Some(TARGET_ADDRESS));
        let mut levels = self.state.levels.borrow_mut();
        for lane in each(self.new) {
            let target = self.target[lane];
            to.addresses[lane] = self.state.layout.level(target);
            levels[target as usize] = self.depth + 1;
        }
        Step::StoreChanged
    }

    pub(super) fn store_changed(&mut self, to: &mut Instruction) -> Step {
        self.memory(to, Access::Store, self.new, None, None);
        for lane in each(self.new) {
            to.addresses[lane] = self.state.layout.changed;
        }
        self.state.changed.set(true);
        Step::NextEdge
    }

    pub(super) fn next_edge(&mut self, to: &mut Instruction) -> Step {
        for lane in each(self.active) {
            self.edge[lane] += 1;
        }
        self.integer(to, Some(EDGE), [Some(EDGE), None], Step::CompareEdge)
    }
}

/// The lanes in `mask`, in ascending order.
fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}
