//! Modules of `partitions`.

use super::{entry, Configuration, Entry, Size, C2050, K20C, THROTTLE};
use crate::mask::Mask;
use crate::partitions::{PartitionControl, PartitionPlacement, PartitionScheduler};
use std::ops::Range;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const GUIDE: &str = "NVIDIA MPS and MIG; CUDA C++ programming guide, green contexts";
    vec![
        entry(
            "partitions/control",
            "which kernel, of each partition in turn",
            GUIDE,
            configurations![
                Small "p1" => PartitionControl::new(1),
                Small "p2" => PartitionControl::new(2),
                Small "p5" => PartitionControl::new(5),
                Large "p8" => PartitionControl::new(8),
            ],
        ),
        entry(
            "partitions/placement",
            "round robin in each partition",
            GUIDE,
            configurations![
                Small "n1_p1" => PartitionPlacement::new(1, 1),
                Small "n3_p2" => PartitionPlacement::new(3, 2),
                Paper "n13_p5" => PartitionPlacement::new(13, 5),
                Large "n132_p8" => PartitionPlacement::new(132, 8),
            ],
        ),
        entry(
            "partitions/scheduler",
            "the whole of `partitions`",
            GUIDE,
            configurations![
                Small "n1_p1" => PartitionScheduler::new(&[Mask::gather(1, |_| true)], C2050, &[]),
                Small "n3_p2" => PartitionScheduler::new(&masks(3, &[0..1, 1..3]), C2050, &[]),
                Small "n3_p2_dyncta" => PartitionScheduler::new(&masks(3, &[0..2, 1..3]), C2050, &[THROTTLE]),
                Paper "n13_p3" => PartitionScheduler::new(&masks(13, &[0..7, 5..10, 12..13]), K20C, &[]),
                Wide "n132_p8" => PartitionScheduler::new(&masks(132, &EIGHT), K20C, &[]),
            ],
        ),
    ]
}

/// Seven parts of as many SMXs each, as an H100 is cut by MIG at most, and one of all.
const EIGHT: [Range<usize>; 8] =
    [0..16, 16..32, 32..48, 48..64, 64..80, 80..96, 96..112, 0..132];

/// The partitions of `smxs` SMXs that have these ranges of them.
fn masks(smxs: usize, ranges: &[Range<usize>]) -> Vec<Mask> {
    ranges.iter().map(|range| Mask::gather(smxs, |smx| range.contains(&smx))).collect()
}
