//! Which registers a step reads and writes.

use super::{Action, Barrier, Callee, Fetch, Reg, Source, Surface, VoteOf};

/// How a step uses a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

impl Action {
    /// Shows every register to `see`: those that are read before those that are written.
    pub fn registers(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        if let Action::Tensor(tensor) = self {
            return tensor.registers(see);
        }
        if let Action::Mbarrier(mbarrier) = self {
            return mbarrier.registers(see);
        }
        if let Action::LaunchControl(control) = self {
            return control.registers(see);
        }
        if let Action::ClusterAddress(address) = self {
            return address.registers(see);
        }
        let mut read = |source: &mut Source| {
            if let Source::Register(register) = source {
                see(register, Use::Read);
            }
        };
        match self {
            Action::Nothing | Action::Return | Action::Exit | Action::Trap => {}
            Action::Undefined(_) | Action::Tensor(_) | Action::Mbarrier(_) => {}
            Action::LaunchControl(_) | Action::ClusterAddress(_) => {}
            Action::ClusterBarrier { .. } => {}
            Action::Branch { .. } | Action::SetFlag { .. } | Action::Intrinsic { .. } => {}
            Action::Logic { .. } => {}
            Action::Compute { sources, .. }
            | Action::Test { sources, .. }
            | Action::Table { sources, .. }
            | Action::Carry { sources, .. }
            | Action::Pack { parts: sources, .. } => sources.iter_mut().for_each(read),
            Action::Select { sources, .. } => sources.iter_mut().for_each(read),
            Action::Unpack { from, .. } => read(from),
            Action::Load { from, .. } => from.address.base.iter_mut().for_each(read),
            Action::Store { to, values } => {
                to.address.base.iter_mut().chain(values).for_each(read);
            }
            Action::Atomic { at, operands, .. }
            | Action::AtomicPair { at, operands, .. }
            | Action::AtomicVector { at, operands, .. } => {
                at.address.base.iter_mut().chain(operands).for_each(read);
            }
            Action::IsInSpace { address, .. } => read(address),
            Action::BranchIndexed { index, .. } => read(index),
            Action::Call { function, .. } => {
                if let Callee::Indirect(source) = function {
                    read(source);
                }
            }
            Action::Barrier(barrier) => {
                read(&mut barrier.id);
                barrier.threads.iter_mut().for_each(read);
            }
            Action::Vote { members, of, .. } => {
                members.iter_mut().for_each(&mut read);
                if let VoteOf::Value(source) = of {
                    read(source);
                }
            }
            Action::Shuffle { members, sources, .. } => {
                members.iter_mut().chain(sources).for_each(read);
            }
            Action::Reduce { members, source, .. } => {
                read(members);
                read(source);
            }
            Action::Texture(Fetch { texture, coordinates, .. }) => {
                read(texture);
                coordinates.iter_mut().for_each(read);
            }
            Action::Surface(Surface { surface, coordinates, values, .. }) => {
                read(surface);
                coordinates.iter_mut().chain(values).for_each(read);
            }
        }
        self.flags(see);
        self.results(see);
    }

    fn flags(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        match self {
            Action::Test { combine: Some((_, flag)), .. }
            | Action::Table { combine: (_, flag), .. }
            | Action::Select { by: flag, .. }
            | Action::Barrier(Barrier { reduction: Some((_, flag, _)), .. })
            | Action::Vote { of: VoteOf::Flag(flag), .. } => see(&mut flag.register, Use::Read),
            Action::Logic { sources, .. } => {
                sources.iter_mut().for_each(|flag| see(&mut flag.register, Use::Read));
            }
            Action::Carry { reads: Some(carry), .. } => see(carry, Use::Read),
            _ => {}
        }
    }

    fn results(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        let mut write = |register: &mut Reg| see(register, Use::Write);
        match self {
            Action::Compute { to, .. } | Action::Atomic { to, .. } => to.iter_mut().for_each(write),
            Action::Test { to, complement, .. } => to.iter_mut().chain(complement).for_each(write),
            Action::Carry { to, writes, .. } => to.iter_mut().chain(writes).for_each(write),
            Action::Logic { to, .. }
            | Action::Select { to, .. }
            | Action::SetFlag { to, .. }
            | Action::Pack { to, .. }
            | Action::IsInSpace { to, .. }
            | Action::Reduce { to, .. } => write(to),
            Action::Unpack { to, .. }
            | Action::Load { to, .. }
            | Action::AtomicPair { to, .. }
            | Action::AtomicVector { to, .. }
            | Action::Texture(Fetch { to, .. })
            | Action::Surface(Surface { to, .. }) => {
                to.iter_mut().flatten().for_each(write);
            }
            Action::Barrier(Barrier { reduction: Some((_, _, to)), .. }) => write(to),
            Action::Table { to, holds, .. }
            | Action::Vote { to, holds, .. }
            | Action::Shuffle { to, holds, .. } => {
                to.iter_mut().chain(holds).for_each(write);
            }
            _ => {}
        }
    }
}
