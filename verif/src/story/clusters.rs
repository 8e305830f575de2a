//! Clusters of thread blocks.

use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, number, Line, Story};
use blockyard_sim::sched::clusters::Policy;

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

const SPREAD: &[Line] = &[
    bits("resources.{room,vacant}"),
    bits("ready"),
    bits("spread.rooms.word"),
    bits("spread.home.{gpc,opens}"),
    bits("spread.waiting.q"),
    bits("grant"),
];

const BALANCE: &[Line] = &[
    bits("resources.room"),
    bits("ready"),
    bits("balance.enough.yes"),
    bits("balance.home.{gpc,opens}"),
    bits("balance.most.most"),
    bits("grant"),
];

/// `clusters` with such a policy.
pub(crate) fn of(policy: Policy, story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part("Queue of kernels", QUEUE);
    story.open_part(
        "Selection",
        match policy {
            Policy::Spread => SPREAD,
            Policy::Balance => BALANCE,
        },
    );
    story.part("Dispatch", OFFER);
    story.smx.extend(BLOCKS);
    story.smx.extend(IN_USE);
    if policy == Policy::Balance {
        story.smx.extend(&[number("fits_#.count")]);
    }
    common_causes(story, "accept");
}

/// `launch-control` with such a policy.
pub(crate) fn answering(policy: Policy, story: &mut Story) {
    of(policy, story);
    story.open_part(
        "Who takes a cluster",
        const {
            &[
                bits("cancel_valid"),
                number("cancel_entry"),
                bits("{asked,passing}"),
                bits("cancel_held"),
                number("cancelled_block_{x,y,z}"),
            ]
        },
    );
}
