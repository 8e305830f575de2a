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

/// `rr --launch cdp`.
fn rr(smxs: usize, gates: &[GateKind]) -> RoundRobinCdpScheduler {
    RoundRobinCdpScheduler::new(RoundRobinScheduler::new(smxs, K20C, false, gates))
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
                Small "rr_n3" => rr(3, &[]),
                Small "rr_n2_claso" => rr(2, &[Claso(CLASO_1_0)]),
                Small "rr_n2_dyncta" => rr(2, &[Dyncta { slots: 16, thresholds: EVEN, pauses: false }]),
                Paper "rr_n13" => rr(13, &[]),
                Paper "rr_n13_claso" => rr(13, &[Claso(CLASO_2_0)]),
                Wide "rr_n33" => rr(33, &[]),
                Wide "rr_n65_claso" => rr(65, &[Claso(CLASO_2_0)]),
                Wide "rr_n132" => rr(132, &[]),
                Small "restarting_n2" => RoundRobinCdpScheduler::new(RoundRobinScheduler::new(2, K20C, true, &[])),
                Small "most_room_n3" => MostRoomCdpScheduler::new(MostRoomScheduler::new(3, K20C, &[])),
                Small "most_room_n2_claso" => MostRoomCdpScheduler::new(MostRoomScheduler::new(2, K20C, &[Claso(CLASO_1_0)])),
                Small "oldest_first_n3" => OldestFirstCdpScheduler::new(OldestFirstScheduler::new(3, K20C, &[])),
                Small "gpgpusim_n3" => GpgpuSimCdpScheduler::new(GpgpuSimScheduler::new(3, K20C, &[])),
                Small "priority_n3" => PriorityCdpScheduler::new(PriorityScheduler::new(3, K20C, 6, &[])),
                Small "partitions_n2" => PartitionCdpScheduler::new(PartitionScheduler::new(&[Mask::gather(2, |smx| smx == 0), Mask::gather(2, |_| true)], K20C, &[])),
                Small "domains_n2_1_dyncta" => DomainCdpScheduler::new(DomainScheduler::new(&[2, 1], K20C, Policy::Interleave(1), &[THROTTLE])),
                Small "clusters_n3" => ClusterCdpScheduler::new(ClusterScheduler::new(&[3], K20C, clusters::Policy::Spread, &[])),
                Small "answering_n3" => ClusterCdpScheduler::new(ClusterScheduler::answering(&[3], K20C, clusters::Policy::Balance, &[])),
                Wide "answering_n132" => ClusterCdpScheduler::new(ClusterScheduler::answering(&[66, 66], K20C, clusters::Policy::Spread, &[])),
                Small "launch_control_n3" => LaunchControlCdpScheduler::new(LaunchControlScheduler::new(3, K20C, &[])),
                Small "dependent_n3" => DependentCdpScheduler::following(DependentScheduler::new(3, K20C, &[])),
            ],
        ),
    ]
}
