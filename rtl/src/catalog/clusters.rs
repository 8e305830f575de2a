//! Modules of `clusters`.

use super::{entry, Configuration, Entry, Size, C2050, K20C, THROTTLE};
use crate::clusters::{
    Balance, ClusterScheduler, ClusterSequence, ClusterTable,
    Policy::{self, Spread as Spreads},
    Spread,
};

/// GPCs of an H100 (`docs/clusters.md`).
const H100: &[usize] = &[16, 16, 16, 16, 18, 18, 18, 14];

/// GPCs of a V100.
const V100: &[usize] = &[14, 14, 14, 14, 12, 12];

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const GUIDE: &str = "CUDA C++ programming guide, thread block clusters";
    vec![
        entry(
            "clusters/sequence",
            "the order of blocks in clusters",
            GUIDE,
            configurations![Paper "any" => ClusterSequence::new()],
        ),
        entry(
            "clusters/kernel_table",
            "kernels in clusters",
            GUIDE,
            configurations![
                Small "n2" => ClusterTable::new(2),
                Small "skipping_n2" => ClusterTable::skipping(2),
                Paper "n80" => ClusterTable::new(80),
            ],
        ),
        entry(
            "clusters/spread",
            "an SMX for each block of a cluster",
            GUIDE,
            configurations![
                Small "n1" => Spread::new(&[1]),
                Small "n2_1" => Spread::new(&[2, 1]),
                Small "n3_2_2" => Spread::new(&[3, 2, 2]),
                Paper "v100" => Spread::new(V100),
                Large "h100" => Spread::new(H100),
            ],
        ),
        entry(
            "clusters/balance",
            "clusters where most of them fits",
            GUIDE,
            configurations![
                Small "n1" => Balance::new(&[1]),
                Small "n2_1" => Balance::new(&[2, 1]),
                Small "n3_2_2" => Balance::new(&[3, 2, 2]),
                Paper "v100" => Balance::new(V100),
                Large "h100" => Balance::new(H100),
            ],
        ),
        entry(
            "clusters/scheduler",
            "the whole of `clusters`",
            GUIDE,
            configurations![
                Small "spread_n2_1" => ClusterScheduler::new(&[2, 1], C2050, Spreads, &[]),
                Small "balance_n2_1" => ClusterScheduler::new(&[2, 1], C2050, Policy::Balance, &[]),
                Small "spread_n3_dyncta" => ClusterScheduler::new(&[3], C2050, Spreads, &[THROTTLE]),
                Paper "spread_n5_4_4" => ClusterScheduler::new(&[5, 4, 4], K20C, Spreads, &[]),
                Paper "balance_n5_4_4" => ClusterScheduler::new(&[5, 4, 4], K20C, Policy::Balance, &[]),
                Wide "n132_h100_spread" => ClusterScheduler::new(H100, K20C, Spreads, &[]),
                Wide "n80_v100_balance" => ClusterScheduler::new(V100, K20C, Policy::Balance, &[]),
                Small "answering_spread_n2_1" => ClusterScheduler::answering(&[2, 1], C2050, Spreads, &[]),
                Small "answering_balance_n2_1" => ClusterScheduler::answering(&[2, 1], C2050, Policy::Balance, &[]),
                Small "answering_spread_n3_dyncta" => ClusterScheduler::answering(&[3], C2050, Spreads, &[THROTTLE]),
                Paper "answering_spread_n5_4_4" => ClusterScheduler::answering(&[5, 4, 4], K20C, Spreads, &[]),
                Wide "answering_n132_h100_spread" => ClusterScheduler::answering(H100, K20C, Spreads, &[]),
            ],
        ),
    ]
}
