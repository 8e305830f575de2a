//! Modules of `domains`.

use super::{entry, Configuration, Entry, Size, C2050, K20C, PAUSING, THROTTLE};
use crate::domains::Policy::{Contiguous, Interleave};
use crate::domains::{Domain, DomainScheduler, Share, Walk};

/// The eight XCDs of an MI300X have 38 compute units each; here 132 SMXs, as an H100 has.
const EIGHT: [usize; 8] = [16, 16, 16, 16, 16, 16, 18, 18];

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const CDNA: &str = "CDNA 3 documentation, workgroup to XCD mapping";
    const MODULES: &str = "MCM-GPU (ISCA 2017), section 5.2";
    const BOTH: &str = "CDNA 3 documentation; MCM-GPU (ISCA 2017), section 5.2";
    vec![
        entry(
            "domains/walk",
            "whose block the walk over a grid stands at",
            CDNA,
            configurations![
                Small "d1" => Walk::new(1, 0, 1),
                Small "d2" => Walk::new(2, 1, 1),
                Small "d3_k2" => Walk::new(3, 1, 2),
                Paper "d8" => Walk::new(8, 3, 1),
                Large "d8_k1024" => Walk::new(8, 7, 1024),
            ],
        ),
        entry(
            "domains/share",
            "where a domain's range of a grid is",
            MODULES,
            configurations![
                Small "d1" => Share::new(1, 0),
                Small "d3" => Share::new(3, 1),
                Paper "d4" => Share::new(4, 3),
                Large "d8" => Share::new(8, 2),
            ],
        ),
        entry(
            "domains/domain",
            "one domain: dispatcher, its place in the grid, gates",
            BOTH,
            configurations![
                Small "d2_n1" => Domain::new(2, 0, 1, C2050, Interleave(1), &[]),
                Small "d2_n2_k3_dyncta" => Domain::new(2, 1, 2, C2050, Interleave(3), &[THROTTLE]),
                Small "d2_n2_contiguous" => Domain::new(2, 1, 2, C2050, Contiguous, &[]),
                Large "d8_n18_contiguous" => Domain::new(8, 7, 18, K20C, Contiguous, &[]),
            ],
        ),
        entry(
            "domains/scheduler",
            "the whole of `domains`",
            BOTH,
            configurations![
                Small "n1_d1" => DomainScheduler::new(&[1], C2050, Interleave(1), &[]),
                Small "n3_d2" => DomainScheduler::new(&[1, 2], C2050, Interleave(1), &[]),
                Small "n4_d3_k2_dyncta" => DomainScheduler::new(&[1, 2, 1], C2050, Interleave(2), &[THROTTLE]),
                Small "n4_d3_k2_pausing" => DomainScheduler::new(&[1, 2, 1], C2050, Interleave(2), &[PAUSING]),
                Small "n3_d2_contiguous" => DomainScheduler::new(&[2, 1], C2050, Contiguous, &[]),
                Paper "n13_d2" => DomainScheduler::new(&[6, 7], K20C, Interleave(1), &[]),
                Wide "n132_d8" => DomainScheduler::new(&EIGHT, K20C, Interleave(1), &[]),
                Wide "n132_d8_contiguous" => DomainScheduler::new(&EIGHT, K20C, Contiguous, &[]),
            ],
        ),
    ]
}
