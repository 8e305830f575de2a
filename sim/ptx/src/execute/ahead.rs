//! What the next step of a warp needs, asked for while others have their turns.

use super::paths::Path;
use super::registers::Held;
use super::Warp;
use crate::ast::Space;
use crate::program::{Action, Reg, Source};
use blockyard_gpu::prefetch::{prefetch, prefetch_all};
use blockyard_gpu::program::WARP_LANES;

impl Warp {
    /// Asks for what most actions read and write.
    pub(super) fn announce_operands(&self) {
        let Some(action) = self.next_action() else { return };
        let register = |register: &Reg| match self.registers.get(*register) {
            Held::Narrow(words) => prefetch_all(words),
            Held::Wide(lanes) => prefetch_all(lanes),
        };
        let source = |source: &Source| {
            if let Source::Register(number) = source {
                register(number);
            }
        };
        match action {
            Action::Compute { sources, to, .. } => {
                sources.iter().for_each(source);
                to.iter().for_each(register);
            }
            Action::Test { sources, .. } => sources.iter().for_each(source),
            Action::Select { sources, to, .. } => {
                sources.iter().for_each(source);
                register(to);
            }
            Action::Load { from, to, .. } => {
                from.address.base.iter().for_each(source);
                to.iter().flatten().for_each(register);
            }
            Action::Store { to, values } => {
                to.address.base.iter().chain(values).for_each(source);
            }
            _ => {}
        }
        if let Action::Load { from: at, .. } | Action::Store { to: at, .. } = action {
            if at.space == Some(Space::Shared) {
                prefetch(&self.block.shared);
            }
        }
    }

    /// Asks for the places in shared memory that the first and the last lane access, after
    /// [`Warp::announce_operands`].
    pub(super) fn announce_places(&self) {
        let Some(Action::Load { from: at, .. } | Action::Store { to: at, .. }) = self.next_action()
        else {
            return;
        };
        let base = at.address.base.and_then(|base| self.kept(base));
        let (Some(Space::Shared), Some(base)) = (at.space, base) else { return };
        let shared = self.block.shared.borrow();
        for lane in [0, WARP_LANES - 1] {
            let address = base.lane(lane).wrapping_add(at.address.offset as u64);
            shared.get(address as usize).into_iter().for_each(prefetch);
        }
    }

    /// What is done next, mostly: the next step of the path at hand.
    #[inline]
    fn next_action(&self) -> Option<&Action> {
        let (_, Path { at, .. }) = self.frame.paths.last()?;
        self.frame.code.steps.get(at as usize).map(|step| &step.action)
    }
}
