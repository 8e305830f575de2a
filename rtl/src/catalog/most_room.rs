//! Modules of `most-room`.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, K20C, THROTTLE};
use crate::gate::GateKind::Claso;
use crate::most_room::{Fits, Most, MostRoomScheduler, Room};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const PAPER: &str = "Gilman et al., SIGMETRICS PER 48(3), 2020";
    vec![
        entry(
            "most_room/fits",
            "how many blocks still fit an SMX",
            PAPER,
            configurations![Paper "any" => Fits::new()],
        ),
        entry(
            "most_room/most",
            "who has most room",
            PAPER,
            configurations![
                Small "n1" => Most::new(1),
                Small "n3" => Most::new(3),
                Paper "n15" => Most::new(15),
                Large "n65" => Most::new(65),
            ],
        ),
        entry(
            "most_room/room",
            "which SMXs have most room for a block",
            PAPER,
            configurations![
                Small "n1" => Room::new(1),
                Small "n3" => Room::new(3),
                Paper "n13" => Room::new(13),
                Large "n65" => Room::new(65),
            ],
        ),
        entry(
            "most_room/scheduler",
            "the whole of `most-room`",
            PAPER,
            configurations![
                Small "n3" => MostRoomScheduler::new(3, C2050, &[]),
                Small "n2_dyncta_claso" => MostRoomScheduler::new(2, C2050, &[THROTTLE, Claso(CLASO_1_0)]),
                Paper "n13" => MostRoomScheduler::new(13, K20C, &[]),
                Wide "n132" => MostRoomScheduler::new(132, K20C, &[]),
            ],
        ),
    ]
}
