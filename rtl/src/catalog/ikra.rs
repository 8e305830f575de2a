//! The modules of IKRA.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, K20C, THROTTLE};
use crate::gate::GateKind::Claso;
use crate::ikra::{
    AffineBound, ChildLevel, ChunkEntry, ChunkScheduler, ChunkStart, FourLevelScheduler,
    KernelBefore, KernelControl, KernelHistory, KernelQueue, NestedKernels, NestedThief, OwnWork,
    RelatedScheduler, StaticDispatcher, StaticScheduler, StealArbiter, StealQueue, StealScheduler,
    Stealing, Thief, TwoLevelScheduler, WhenFull,
};

const PAPER: Stealing =
    Stealing { entries: 32, latency: 0, when_full: WhenFull::Reinitialise, executed: true };
const TIGHT: Stealing = Stealing { entries: 2, latency: 1, ..PAPER };
const STOPS: Stealing = Stealing { entries: 2, when_full: WhenFull::Stop, ..PAPER };
/// Thieves that do not wait for their own blocks.
const EAGER: Stealing = Stealing { executed: false, ..TIGHT };

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    let mut entries = parts();
    entries.extend(nested());
    entries.extend(schedulers());
    entries
}

fn parts() -> Vec<Entry> {
    vec![
        entry(
            "ikra/kernel_queue",
            "kernels in order of arrival; the oldest one runs",
            "IKRA, section 5.2",
            configurations![Paper "default" => KernelQueue::new()],
        ),
        entry(
            "ikra/kernel_control",
            "when a kernel begins and ends",
            "IKRA, Algorithm 1, lines 2 to 9",
            configurations![
                Small "latency1" => KernelControl::new(1),
                Paper "latency0" => KernelControl::new(0),
            ],
        ),
        entry(
            "ikra/kernel_before",
            "whether chunks are those of the kernel before",
            "IKRA, Algorithm 1, lines 2 to 9",
            configurations![
                Paper "always" => KernelBefore::new(true),
                Paper "kept" => KernelBefore::new(false),
            ],
        ),
        entry(
            "ikra/kernel_history",
            "which layouts the last four kernels used",
            "IKRA, section 8",
            configurations![Paper "default" => KernelHistory::new()],
        ),
        entry(
            "ikra/affine_bound",
            "where a chunk begins that follows from an earlier kernel's",
            "IKRA, section 8",
            configurations![Paper "default" => AffineBound::new()],
        ),
        entry(
            "ikra/chunk_start",
            "the first block of a chunk, by division",
            "IKRA, section 4.1",
            configurations![
                Small "n1" => ChunkStart::new(1),
                Small "n3" => ChunkStart::new(3),
                Paper "n15" => ChunkStart::new(15),
                Wide "n33" => ChunkStart::new(33),
                Wide "n132" => ChunkStart::new(132),
            ],
        ),
        entry(
            "ikra/chunk_entry",
            "the chunk of an SMX, current block and direction",
            "IKRA, sections 4.1 to 4.4",
            configurations![
                Small "forward" => ChunkEntry::new(false),
                Paper "flips" => ChunkEntry::new(true),
            ],
        ),
        entry(
            "ikra/steal_queue",
            "what an SMX stole",
            "IKRA, section 4.4",
            configurations![
                Small "e2" => StealQueue::new(2),
                Paper "e32" => StealQueue::new(32),
            ],
        ),
        entry(
            "ikra/own_work",
            "whether an SMX has executed its own work",
            "IKRA, section 4.4 and Algorithm 1, lines 10 to 12",
            configurations![Paper "default" => OwnWork::new()],
        ),
        entry(
            "ikra/thief",
            "the requests that an SMX sends",
            "IKRA, section 4.4 and Algorithm 1, lines 12 to 34",
            configurations![
                Small "n1" => Thief::new(0, 1, 0),
                Small "s1_n3_latency2" => Thief::new(1, 3, 2),
                Paper "s7_n15" => Thief::new(7, 15, 0),
                Wide "s32_n33" => Thief::new(32, 33, 0),
                Wide "s100_n132" => Thief::new(100, 132, 0),
            ],
        ),
        entry(
            "ikra/steal_arbiter",
            "which thief gets what is left",
            "IKRA, Algorithm 1, lines 35 to 42",
            configurations![
                Small "n1" => StealArbiter::new(1),
                Small "n3" => StealArbiter::new(3),
                Paper "n15" => StealArbiter::new(15),
                Wide "n33" => StealArbiter::new(33),
                Wide "n132" => StealArbiter::new(132),
            ],
        ),
        entry(
            "ikra/static_dispatcher",
            "chunks without stealing, with the first SMX left open",
            "IKRA, sections 4.1 to 4.3",
            configurations![
                Small "n3_flips" => StaticDispatcher::new(3, K20C, false, true, &[]),
                Paper "n15_always" => StaticDispatcher::new(15, K20C, true, false, &[]),
            ],
        ),
    ]
}

fn nested() -> Vec<Entry> {
    vec![
        entry(
            "ikra/nested_kernels",
            "kernels of the host and of the device, each in a line",
            "IKRA, section 8",
            configurations![
                Small "n1" => NestedKernels::new(1),
                Small "n3" => NestedKernels::new(3),
                Paper "n15" => NestedKernels::new(15),
                Wide "n33" => NestedKernels::new(33),
                Wide "n132" => NestedKernels::new(132),
            ],
        ),
        entry(
            "ikra/child_level",
            "chunks and steal queues of one nesting level",
            "IKRA, section 8",
            configurations![
                Small "n1_e2" => ChildLevel::new(1, 2),
                Small "n3_e2" => ChildLevel::new(3, 2),
                Paper "n15_e32" => ChildLevel::new(15, 32),
                Wide "n33_e32" => ChildLevel::new(33, 32),
                Wide "n132_e32" => ChildLevel::new(132, 32),
            ],
        ),
        entry(
            "ikra/nested_thief",
            "the requests that an SMX sends for blocks of any level",
            "IKRA, section 8",
            configurations![
                Small "n1_l2" => NestedThief::new(0, 1, 2),
                Small "s1_n3_l2" => NestedThief::new(1, 3, 2),
                Paper "s7_n15_l4" => NestedThief::new(7, 15, 4),
                Wide "s32_n33_l4" => NestedThief::new(32, 33, 4),
                Wide "s100_n132_l4" => NestedThief::new(100, 132, 4),
            ],
        ),
    ]
}

fn schedulers() -> Vec<Entry> {
    vec![
        entry(
            "ikra/nested_scheduler",
            "the whole of `ikra/steal(nesting=L)`",
            "IKRA, sections 4.4 and 8",
            configurations![
                Small "n1_l2_e2" => TwoLevelScheduler::new(1, K20C, 2, &[]),
                Small "n3_l2_e2" => TwoLevelScheduler::new(3, K20C, 2, &[]),
                Small "n3_l2_e2_dyncta" => TwoLevelScheduler::new(3, K20C, 2, &[THROTTLE]),
                Small "n3_l4_e2" => FourLevelScheduler::new(3, K20C, 2, &[]),
                Paper "n15_l2_e32" => TwoLevelScheduler::new(15, K20C, 32, &[]),
                Paper "n15_l4_e32" => FourLevelScheduler::new(15, K20C, 32, &[]),
                Wide "n33_l4_e32" => FourLevelScheduler::new(33, K20C, 32, &[]),
                Wide "n65_l2_e32" => TwoLevelScheduler::new(65, K20C, 32, &[]),
                Wide "n132_l2_e32" => TwoLevelScheduler::new(132, K20C, 32, &[]),
            ],
        ),
        entry(
            "ikra/chunk_scheduler",
            "the whole of `ikra/chunk`",
            "IKRA, section 4.1",
            configurations![
                Small "n1" => ChunkScheduler::new(1, K20C, &[]),
                Small "n3" => ChunkScheduler::new(3, K20C, &[]),
                Small "n3_claso" => ChunkScheduler::new(3, K20C, &[Claso(CLASO_1_0)]),
                Paper "n15" => ChunkScheduler::new(15, K20C, &[]),
                Wide "n65_claso" => ChunkScheduler::new(65, K20C, &[Claso(CLASO_1_0)]),
                Wide "n132" => ChunkScheduler::new(132, K20C, &[]),
            ],
        ),
        entry(
            "ikra/static_scheduler",
            "the whole of `ikra/reset` and `ikra/flip`",
            "IKRA, sections 4.2 and 4.3",
            configurations![
                Small "n3_flip" => StaticScheduler::new(3, K20C, true, &[]),
                Small "n3_flip_dyncta" => StaticScheduler::new(3, K20C, true, &[THROTTLE]),
                Paper "n15_reset" => StaticScheduler::new(15, K20C, false, &[]),
                Paper "n15_flip" => StaticScheduler::new(15, K20C, true, &[]),
                Wide "n33_reset" => StaticScheduler::new(33, K20C, false, &[]),
                Wide "n132_flip" => StaticScheduler::new(132, K20C, true, &[]),
            ],
        ),
        entry(
            "ikra/steal_scheduler",
            "the whole of `ikra/steal`",
            "IKRA, section 4.4",
            configurations![
                Small "n1_e2" => StealScheduler::new(1, K20C, STOPS, &[]),
                Small "n3_e2_latency1" => StealScheduler::new(3, K20C, TIGHT, &[]),
                Small "n3_e2_latency1_dispatched" => StealScheduler::new(3, K20C, EAGER, &[]),
                Small "n3_e2_dyncta" => StealScheduler::new(3, K20C, TIGHT, &[THROTTLE]),
                Paper "n15_e32" => StealScheduler::new(15, K20C, PAPER, &[]),
                Wide "n33_e32" => StealScheduler::new(33, K20C, PAPER, &[]),
                Wide "n65_e32" => StealScheduler::new(65, K20C, PAPER, &[]),
                Wide "n132_e32" => StealScheduler::new(132, K20C, PAPER, &[]),
            ],
        ),
        entry(
            "ikra/related_scheduler",
            "the whole of `ikra/steal(relations=on)`",
            "IKRA, sections 4.4 and 8",
            configurations![
                Small "n1_e2" => RelatedScheduler::new(1, K20C, STOPS, &[]),
                Small "n3_e2_latency1" => RelatedScheduler::new(3, K20C, TIGHT, &[]),
                Small "n3_e2_dyncta" => RelatedScheduler::new(3, K20C, TIGHT, &[THROTTLE]),
                Paper "n15_e32" => RelatedScheduler::new(15, K20C, PAPER, &[]),
                Wide "n33_e32" => RelatedScheduler::new(33, K20C, PAPER, &[]),
                Wide "n132_e32" => RelatedScheduler::new(132, K20C, PAPER, &[]),
            ],
        ),
    ]
}
