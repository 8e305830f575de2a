//! The modules of the Kernel Management Unit, and the schedulers behind it.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0, EVEN, K20C, THROTTLE};
use crate::clusters::{self, ClusterCdpScheduler, ClusterScheduler};
use crate::dependent::{DependentCdpScheduler, DependentScheduler};
use crate::dispatch::{RoundRobinCdpScheduler, RoundRobinScheduler};
use crate::domains::{DomainCdpScheduler, DomainScheduler, Policy};
use crate::gate::GateKind::{self, Claso, Dyncta};
use crate::gpgpusim::{GpgpuSimCdpScheduler, GpgpuSimScheduler};
use crate::kmu::{KernelAdmission, ManagementUnit, PendingPool, WorkQueues};
use crate::launch_control::{LaunchControlCdpScheduler, LaunchControlScheduler};
use crate::mask::Mask;
use crate::most_room::{MostRoomCdpScheduler, MostRoomScheduler};
use crate::oldest_first::{OldestFirstCdpScheduler, OldestFirstScheduler};
use crate::partitions::{PartitionCdpScheduler, PartitionScheduler};
use crate::priority::{PriorityCdpScheduler, PriorityScheduler};

/// `rr`.
fn rr(smxs: usize, gates: &[GateKind]) -> RoundRobinScheduler {
    RoundRobinScheduler::new(smxs, K20C, false, gates)
}

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DTBL, sections 2.2 and 2.4";
    vec![
        entry(
            "kmu/work_queues",
            "which hardware work queues may be inspected",
            SECTION,
            configurations![
                Paper "q32" => WorkQueues::new(),
            ],
        ),
        entry(
            "kmu/pending_pool",
            "a pool of kernels that wait in memory",
            SECTION,
            configurations![
                Paper "w32" => PendingPool::new(),
            ],
        ),
        entry(
            "kmu/admission",
            "which kernel gets the next entry of the Kernel Distributor",
            SECTION,
            configurations![
                Paper "k32" => KernelAdmission::new(),
            ],
        ),
        entry(
            "kmu/management_unit",
            "the Kernel Management Unit",
            SECTION,
            configurations![
                Paper "k32" => ManagementUnit::new(),
            ],
        ),
        entry(
            "kmu/scheduler",
            "the whole of `--launch cdp`",
            SECTION,
            configurations![
                Small "n3" => RoundRobinCdpScheduler::new(rr(3, &[])),
                Small "n2_claso" => RoundRobinCdpScheduler::new(rr(2, &[Claso(CLASO_1_0)])),
                Small "n2_dyncta" => RoundRobinCdpScheduler::new(rr(2, &[Dyncta { slots: 16, thresholds: EVEN, pauses: false }])),
                Paper "n13" => RoundRobinCdpScheduler::new(rr(13, &[])),
                Paper "n13_claso" => RoundRobinCdpScheduler::new(rr(13, &[Claso(CLASO_2_0)])),
                Wide "n33" => RoundRobinCdpScheduler::new(rr(33, &[])),
                Wide "n65_claso" => RoundRobinCdpScheduler::new(rr(65, &[Claso(CLASO_2_0)])),
                Wide "n132" => RoundRobinCdpScheduler::new(rr(132, &[])),
                Small "n2_restarting" => RoundRobinCdpScheduler::new(RoundRobinScheduler::new(2, K20C, true, &[])),
                Small "n3_most_room" => MostRoomCdpScheduler::new(MostRoomScheduler::new(3, K20C, &[])),
                Small "n2_most_room_claso" => MostRoomCdpScheduler::new(MostRoomScheduler::new(2, K20C, &[Claso(CLASO_1_0)])),
                Small "n3_oldest_first" => OldestFirstCdpScheduler::new(OldestFirstScheduler::new(3, K20C, &[])),
                Small "n3_gpgpusim" => GpgpuSimCdpScheduler::new(GpgpuSimScheduler::new(3, K20C, &[])),
                Small "n3_priority" => PriorityCdpScheduler::new(PriorityScheduler::new(3, K20C, 6, &[])),
                Small "n2_partitions" => PartitionCdpScheduler::new(PartitionScheduler::new(&[Mask::gather(2, |smx| smx == 0), Mask::gather(2, |_| true)], K20C, &[])),
                Small "n3_domains_dyncta" => DomainCdpScheduler::new(DomainScheduler::new(&[2, 1], K20C, Policy::Interleave(1), &[THROTTLE])),
                Small "n3_clusters" => ClusterCdpScheduler::new(ClusterScheduler::new(&[3], K20C, clusters::Policy::Spread, &[])),
                Small "n3_answering" => ClusterCdpScheduler::new(ClusterScheduler::answering(&[3], K20C, clusters::Policy::Balance, &[])),
                Wide "n132_answering" => ClusterCdpScheduler::new(ClusterScheduler::answering(&[66, 66], K20C, clusters::Policy::Spread, &[])),
                Small "n3_launch_control" => LaunchControlCdpScheduler::new(LaunchControlScheduler::new(3, K20C, &[])),
                Small "n3_dependent" => DependentCdpScheduler::new(DependentScheduler::new(3, K20C, &[])),
            ],
        ),
    ]
}
