//! The modules of SRTF.

use super::{entry, Configuration, Entry, Size, C2050, K20C, THROTTLE};
use crate::srtf::{
    AdaptiveScheduler, BlockStarts, Divider, Fairness, KernelSet, MpmaxScheduler, OldestBelow,
    Predictor, Reserve, Residents, Sampler, Shortest, ShortestDispatcher, ShortestFirst,
    ShortestScheduler,
};

const PAPER: Shortest = Shortest { sample: 1, limit: 3, threshold: 128 };
const TIGHT: Shortest = Shortest { sample: 2, limit: 1, threshold: 0 };

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    let mut entries = parts();
    entries.extend(predictors());
    entries.extend(schedulers());
    entries
}

fn parts() -> Vec<Entry> {
    vec![
        entry(
            "srtf/kernel_set",
            "eight kernels, their order, residency and blocks for each SMX",
            "SRTF, sections 3.1 and 4.1",
            configurations![
                Small "n3_c2050" => KernelSet::new(3, C2050),
                Paper "n15_c2050" => KernelSet::new(15, C2050),
                Wide "n33_c2050" => KernelSet::new(33, C2050),
                Wide "n132_c2050" => KernelSet::new(132, C2050),
            ],
        ),
        entry(
            "srtf/residents",
            "resident blocks of each kernel on an SMX",
            "SRTF, Table 1",
            configurations![Paper "default" => Residents::new()],
        ),
        entry(
            "srtf/reserve",
            "limits of just-in-time MPMax",
            "SRTF, section 5.2.2",
            configurations![
                Small "c2050" => Reserve::new(C2050),
                Paper "k20c" => Reserve::new(K20C),
            ],
        ),
        entry(
            "srtf/oldest_below",
            "the oldest kernel that is below its limit",
            "SRTF, section 5.2.2",
            configurations![Paper "default" => OldestBelow::new()],
        ),
        entry(
            "srtf/sampler",
            "whose turn it is to be sampled",
            "SRTF, section 5.1.1",
            configurations![
                Small "sample2" => Sampler::new(2),
                Paper "sample1" => Sampler::new(1),
            ],
        ),
        entry(
            "srtf/shortest_first",
            "the kernel that will be done first",
            "SRTF, section 5.1",
            configurations![
                Small "others_limit1" => ShortestFirst::new(false, 1),
                Paper "samples_limit3" => ShortestFirst::new(true, 3),
            ],
        ),
        entry(
            "srtf/fairness",
            "whether kernels share the machine",
            "SRTF, section 5.1.2",
            configurations![
                Small "limit1_threshold0" => Fairness::new(1, 0),
                Paper "limit3_threshold128" => Fairness::new(3, 128),
            ],
        ),
    ]
}

fn predictors() -> Vec<Entry> {
    vec![
        entry(
            "srtf/block_starts",
            "when the blocks of an SMX started, and which slot is free",
            "SRTF, Table 1 and Algorithm 1",
            configurations![
                Small "c2050" => BlockStarts::new(C2050),
                Paper "k20c" => BlockStarts::new(K20C),
            ],
        ),
        entry(
            "srtf/divider",
            "left * duration / residency, a request in any cycle",
            "SRTF, section 4.1, equation 2",
            configurations![Paper "default" => Divider::new()],
        ),
        entry(
            "srtf/predictor",
            "the Simple Slicing predictor of an SMX",
            "SRTF, section 4",
            configurations![Paper "default" => Predictor::new()],
        ),
    ]
}

fn schedulers() -> Vec<Entry> {
    vec![
        entry(
            "srtf/mpmax_scheduler",
            "the whole of `mpmax`",
            "SRTF, section 5.2.2",
            configurations![
                Small "n1" => MpmaxScheduler::new(1, C2050, &[]),
                Small "n3" => MpmaxScheduler::new(3, C2050, &[]),
                Small "n3_dyncta" => MpmaxScheduler::new(3, C2050, &[THROTTLE]),
                Paper "n15" => MpmaxScheduler::new(15, C2050, &[]),
                Wide "n33" => MpmaxScheduler::new(33, C2050, &[]),
                Wide "n65" => MpmaxScheduler::new(65, C2050, &[]),
                Wide "n132" => MpmaxScheduler::new(132, C2050, &[]),
            ],
        ),
        entry(
            "srtf/dispatcher",
            "shortest first, with the decision to share left open",
            "SRTF, sections 4 and 5.1",
            configurations![Small "n3" => ShortestDispatcher::new(3, C2050, TIGHT, &[])],
        ),
        entry(
            "srtf/scheduler",
            "the whole of `srtf`",
            "SRTF, section 5.1.1",
            configurations![
                Small "n1" => ShortestScheduler::new(1, C2050, PAPER, &[]),
                Small "n3_sample2" => ShortestScheduler::new(3, C2050, TIGHT, &[]),
                Small "n3_dyncta" => ShortestScheduler::new(3, C2050, PAPER, &[THROTTLE]),
                Paper "n15" => ShortestScheduler::new(15, C2050, PAPER, &[]),
                Wide "n33" => ShortestScheduler::new(33, C2050, PAPER, &[]),
                Wide "n65" => ShortestScheduler::new(65, C2050, PAPER, &[]),
                Wide "n132" => ShortestScheduler::new(132, C2050, PAPER, &[]),
            ],
        ),
        entry(
            "srtf/adaptive_scheduler",
            "the whole of `srtf/adaptive`",
            "SRTF, section 5.1.2",
            configurations![
                Small "n3_limit1" => AdaptiveScheduler::new(3, C2050, TIGHT, &[]),
                Small "n3_dyncta" => AdaptiveScheduler::new(3, C2050, PAPER, &[THROTTLE]),
                Paper "n15" => AdaptiveScheduler::new(15, C2050, PAPER, &[]),
                Wide "n33" => AdaptiveScheduler::new(33, C2050, PAPER, &[]),
                Wide "n132" => AdaptiveScheduler::new(132, C2050, PAPER, &[]),
            ],
        ),
    ]
}
