//! Blocks that have not started, and what a thread learns of them (PTX ISA,
//! "clusterlaunchcontrol").

use super::{Lookup, Reg, Source, Use};

/// An instruction of this module.
#[derive(Clone, Debug)]
pub(crate) enum LaunchControl {
    /// Asks for a block; the answer goes to `to`, and 16 bytes complete at the `mbarrier` when it
    /// is there.
    ///
    /// With `multicast` a cluster is asked for, and the answer goes to each block of the own one.
    Cancel { to: Lookup, mbarrier: Lookup, multicast: bool },
    /// Whether an answer, in two halves, has a block.
    IsCancelled { answer: [Source; 2], to: Option<Reg> },
    /// Of an answer that has one: where the x, y and z of its index go, and a word that says
    /// nothing.
    FirstBlock { answer: [Source; 2], to: [Option<Reg>; 4] },
    /// Whether the launch has stated clusters.
    StatesCluster { to: Reg },
}

impl LaunchControl {
    /// See [`super::Action::registers`].
    pub fn registers(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        let mut read = |source: &mut Source| {
            if let Source::Register(register) = source {
                see(register, Use::Read);
            }
        };
        match self {
            Self::Cancel { to, mbarrier, .. } => {
                to.address.base.iter_mut().chain(&mut mbarrier.address.base).for_each(read);
            }
            Self::IsCancelled { answer, to } => {
                answer.iter_mut().for_each(&mut read);
                to.iter_mut().for_each(|to| see(to, Use::Write));
            }
            Self::StatesCluster { to } => see(to, Use::Write),
            Self::FirstBlock { answer, to } => {
                answer.iter_mut().for_each(&mut read);
                to.iter_mut().flatten().for_each(|to| see(to, Use::Write));
            }
        }
    }
}
