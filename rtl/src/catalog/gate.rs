//! The place of the gates.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, PAUSING, THROTTLE};
use crate::gate::GateChain;
use crate::gate::GateKind::Claso;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![entry(
        "gate/chain",
        "the admission gates of a scheduler, one after another",
        "",
        configurations![
            Small "n2_open" => GateChain::new(2, &[]),
            Small "n3_claso_dyncta" => GateChain::new(3, &[Claso(CLASO_1_0), THROTTLE]),
            Small "n3_claso_pausing" => GateChain::new(3, &[Claso(CLASO_1_0), PAUSING]),
            Small "n3_pausing_claso" => GateChain::new(3, &[PAUSING, Claso(CLASO_1_0)]),
            Small "n3_claso_claso" => GateChain::new(3, &[Claso(CLASO_1_0), Claso(CLASO_1_0)]),
            Wide "n33_claso_dyncta" => GateChain::new(33, &[Claso(CLASO_1_0), THROTTLE]),
            Wide "n132_dyncta_claso" => GateChain::new(132, &[THROTTLE, Claso(CLASO_1_0)]),
        ],
    )]
}
