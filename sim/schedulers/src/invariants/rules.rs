//! What a policy promises beyond what holds for every one.

use crate::clusters::Policy;
use crate::composition::{Composition, Gate};
use crate::domains::DomainsConfig;
use crate::dyncta::DynctaConfig;
use crate::ikra::IkraConfig;
use crate::laperm::LapermConfig;
use crate::port::KERNEL_ENTRIES;
use crate::priority::PriorityConfig;

/// The order in which a policy promises to dispatch the blocks of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockOrder {
    /// By increasing linear id; blocks of one cycle count together.
    Increasing,
    /// Any.
    #[default]
    Any,
}

/// Which kernel and which SMXs a policy promises to serve in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IssueRule {
    /// Any number of blocks, of any kernels.
    #[default]
    Any,
    /// `rr`: at most one block a cycle, of the oldest kernel that has blocks left. This and the
    /// next one presume [`BlockOrder::Increasing`], or clusters in order, which tell when none is
    /// left.
    OneACycle,
    /// `rr-gpgpusim`: at most one block an SMX and cycle, in order of visit, with a cap; a kernel
    /// begins when the one before has finished (`docs/gpgpusim.md`).
    OneAnSmx,
    /// IKRA: any number of blocks, all of the oldest kernel that has not finished (`docs/ikra.md`).
    OldestAlone,
}

/// Which entry a policy promises to give to a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryRule {
    /// The lowest free one.
    #[default]
    LowestFree,
    /// IKRA: the one after that which was taken last, in a ring (`docs/ikra.md`, rule 1).
    Ring,
    /// The lowest free one of the first eight (`docs/srtf.md`, rule 1).
    LowestOfEight,
}

impl EntryRule {
    /// How many entries are ever given to a kernel, the lowest ones.
    pub const fn entries(self) -> usize {
        match self {
            Self::LowestFree | Self::Ring => KERNEL_ENTRIES,
            Self::LowestOfEight => 8,
        }
    }
}

/// The promises of a policy; the default promises nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyRules {
    /// The order of a kernel's blocks.
    pub order: BlockOrder,
    /// The order of kernels and SMXs.
    pub issue: IssueRule,
    /// With [`IssueRule::OneACycle`]: no cycle passes without a block where the kernel whose turn
    /// it is has one that fits an SMX; not promised under a gate, nor with groups.
    pub busy: bool,
    /// The entries of kernels.
    pub entries: EntryRule,
    /// No block goes to an SMX at or above the limit that follows from its samples
    /// (`docs/dyncta.md`).
    pub dyncta: Option<DynctaConfig>,
    /// What blocks launch goes first, by the rules of `docs/laperm.md`: this replaces the two
    /// orders above.
    pub laperm: Option<LapermConfig>,
    /// Blocks have slots, also without launches from the device: the lowest free one
    /// ([`crate::port::BlockPorts::Timed`]).
    pub slots: bool,
    /// Every SMX runs what it owns, in order, and steals by the rules of `docs/ikra.md`; with
    /// levels of kernels only which kernels run at once is promised.
    pub ikra: Option<IkraConfig>,
    /// Blocks go in whole clusters, in order, by the rules of `docs/clusters.md`.
    pub clusters: Option<Policy>,
    /// A block goes to an SMX that has room for most of its kind (`docs/most-room.md`); not
    /// promised under a gate.
    pub most_room: bool,
    /// [`IssueRule::OneACycle`] is of the oldest of the most urgent kernels that have blocks left
    /// (`docs/priority.md`).
    pub priority: Option<PriorityConfig>,
    /// [`IssueRule::OneACycle`] is of the oldest kernel of its partition that has blocks left, and
    /// no SMX outside a kernel's partition runs its blocks (`docs/partitions.md`).
    pub partitions: bool,
    /// [`IssueRule::OneACycle`] is of kernels whose predecessors have triggered, in the order in
    /// which they are marked (`docs/dependent.md`); there are
    /// [`crate::port::BlockPorts::Triggers`].
    pub triggers: bool,
    /// Each domain has its own blocks, of kernels in order, one a cycle (`docs/domains.md`).
    pub domains: Option<DomainsConfig>,
    /// A running block may take the next block, or with `clusters` a cluster
    /// (`docs/launch-control.md`); there are [`crate::port::BlockPorts::Cancels`].
    pub cancels: bool,
    /// Whether gates may keep a block back that fits.
    pub gated: bool,
}

impl From<&Composition> for PolicyRules {
    fn from(composition: &Composition) -> Self {
        let dyncta = composition.gates.iter().find_map(|gate| match gate {
            Gate::Dyncta(config) => Some(*config),
            Gate::Claso(_) => None,
        });
        let gated = !composition.gates.is_empty();
        Self { dyncta, gated, ..composition.source.base().rules() }
    }
}
