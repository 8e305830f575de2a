//! Clusters of thread blocks.

use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, number, Line, Story};

const QUEUE: &[Line] = &[
    bits("fcfs.head_valid"),
    number("fcfs.head"),
    number("fcfs.queue.count"),
    number("kernels.head_cluster"),
    number("kernels.place.q_{x,y,z}"),
    bits("kernels.head_{closes,empty,last}"),
];

const OFFER: &[Line] = &[
    bits("offer_valid"),
    number("offer_kernel"),
    number("offer_block_{x,y,z}"),
    bits("dispatch_#_valid"),
];

const IN_USE: &[Line] = &[
    number("resources.smx_#.in_use.q_{slots,threads,registers,shared_memory}"),
    bits("resources.smx_#.room"),
];

/// `clusters`.
pub(crate) fn spread(story: &mut Story) {
    of(
        story,
        const {
            &[
                bits("resources.{room,vacant}"),
                bits("ready"),
                bits("spread.rooms.word"),
                bits("spread.home.{gpc,opens}"),
                bits("spread.waiting.q"),
                bits("grant"),
            ]
        },
    );
}

/// `clusters(policy=balance)`.
pub(crate) fn balance(story: &mut Story) {
    of(
        story,
        const {
            &[
                bits("resources.room"),
                bits("ready"),
                bits("balance.enough.yes"),
                bits("balance.home.{gpc,opens}"),
                bits("balance.most.most"),
                bits("grant"),
            ]
        },
    );
    story.smx.extend(&[number("fits_#.count")]);
}

fn of(story: &mut Story, selection: &'static [Line]) {
    story.part("Launches", LAUNCHES);
    story.part("Queue of kernels", QUEUE);
    story.open_part("Selection", selection);
    story.part("Dispatch", OFFER);
    story.smx.extend(BLOCKS);
    story.smx.extend(IN_USE);
    common_causes(story, "accept");
}
