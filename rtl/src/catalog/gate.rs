//! The place of the gates.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, EVEN};
use crate::gate::GateChain;
use crate::gate::GateKind::{Claso, Dyncta};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![entry(
        "gate/chain",
        "the admission gates of a scheduler, one after another",
        "",
        configurations![
            Small "n2_open" => GateChain::new(2, &[]),
            Small "n3_claso_dyncta" => GateChain::new(3, &[Claso(CLASO_1_0), Dyncta { slots: 8, thresholds: EVEN }]),
            Small "n3_claso_claso" => GateChain::new(3, &[Claso(CLASO_1_0), Claso(CLASO_1_0)]),
            Wide "n33_claso_dyncta" => GateChain::new(33, &[Claso(CLASO_1_0), Dyncta { slots: 8, thresholds: EVEN }]),
            Wide "n132_dyncta_claso" => GateChain::new(132, &[Dyncta { slots: 8, thresholds: EVEN }, Claso(CLASO_1_0)]),
        ],
    )]
}
