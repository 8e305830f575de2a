//! Addresses in shared memory of the blocks of a cluster (PTX ISA, "mapa" and "getctarank").

use super::{Reg, Source, Use};

/// What is asked of an address in shared memory of a block of the cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OfCluster {
    /// The address of the same place in the block of that rank.
    Address { rank: Source },
    /// The rank of the block.
    Rank,
}

/// An instruction of this module.
#[derive(Clone, Debug)]
pub(crate) struct ClusterAddress {
    pub of: OfCluster,
    pub address: Source,
    /// Whether addresses are generic; else they are in `.shared::cluster`.
    pub generic: bool,
    pub to: Option<Reg>,
}

impl ClusterAddress {
    /// See [`super::Action::registers`].
    pub fn registers(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        let rank = match &mut self.of {
            OfCluster::Address { rank } => Some(rank),
            OfCluster::Rank => None,
        };
        for source in [&mut self.address].into_iter().chain(rank) {
            if let Source::Register(register) = source {
                see(register, Use::Read);
            }
        }
        self.to.iter_mut().for_each(|to| see(to, Use::Write));
    }
}
