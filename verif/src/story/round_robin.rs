//! The baseline and its relatives.

use super::{bits, number, Event, Line, Story};

pub(super) const LAUNCHES: &[Line] = &[
    bits("launch_{valid,ready}"),
    number("launch_{entry,blocks}"),
    number("launch_grid_{x,y,z}"),
    bits("finished_kernels"),
];

pub(super) const OFFER: &[Line] = &[
    bits("dispatcher.offer_valid"),
    number("dispatcher.offer_kernel"),
    number("dispatcher.offer_block_{x,y,z}"),
    bits("dispatch_#_valid"),
];

pub(super) const BLOCKS: &[Line] =
    &[bits("dispatch_#_valid"), number("dispatch_#_kernel"), number("dispatch_#_block_{x,y,z}")];

pub(super) const IN_USE: &[Line] = &[
    number("dispatcher.resources.smx_#.in_use.q_{slots,threads,registers,shared_memory}"),
    bits("dispatcher.resources.smx_#.room"),
];

pub(super) const SELECTION: &[Line] = &[
    bits("dispatcher.resources.room"),
    bits("dispatcher.{request,allow}"),
    number("dispatcher.placement.first"),
    bits("dispatcher.placement.grant"),
];

const QUEUE: &[Line] = &[
    bits("dispatcher.fcfs.head_valid"),
    number("dispatcher.fcfs.head"),
    number("dispatcher.fcfs.queue.count"),
    bits("dispatcher.kernels.head_{empty,last}"),
];

/// `rr`.
pub(crate) fn flat(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    baseline(story);
}

/// Behind the launch port, whoever drives it.
pub(crate) fn baseline(story: &mut Story) {
    story.part("Queue of kernels", QUEUE);
    story.open_part("Selection", SELECTION);
    story.part("Dispatch", OFFER);
    story.smx.extend(BLOCKS);
    story.smx.extend(IN_USE);
    common_causes(story, "dispatcher.accepted_valid");
}

pub(crate) fn common_causes(story: &mut Story, accepted: &'static str) {
    story.cause(Event::Launch, accepted);
    story.cause(Event::Dispatch, "dispatch_#_valid");
    story.cause(Event::Finish, "finished_kernels");
}

/// `rr(start=last-finished)`.
pub(crate) fn restarting(story: &mut Story) {
    flat(story);
    story.open_part(
        "Who finished last",
        const { &[number("last.latest"), bits("restart_valid"), number("restart_smx")] },
    );
}

/// What `most-room` has beside the rest of its story.
pub(crate) fn most_room(story: &mut Story) {
    story.open_part("Who has most room", const { &[bits("room.most")] });
    story.smx.extend(&[number("room.fits_#.count")]);
}

/// `priority`.
pub(crate) fn priority(story: &mut Story) {
    flat(story);
    story.part(
        "Queues of urgent kernels",
        const {
            &[
                number("urgency"),
                bits("dispatcher.fcfs.urgent_#.empty"),
                number("dispatcher.fcfs.urgent_#.head"),
            ]
        },
    );
}

/// `dependent`.
pub(crate) fn dependent(story: &mut Story) {
    flat(story);
    story.open_part(
        "Who waits for whom",
        const {
            &[
                bits("follows_valid"),
                number("follows_entry"),
                bits("triggered"),
                bits("waiting.pending.zero"),
                bits("waiting.{waits,ready}"),
                bits("waiting.mark_valid"),
                number("waiting.mark_entry"),
            ]
        },
    );
    story.smx.extend(&[number("triggered_kernel_#")]);
}

/// `launch-control`.
pub(crate) fn launch_control(story: &mut Story) {
    flat(story);
    story.open_part(
        "Who takes a block",
        const {
            &[
                bits("cancel_valid"),
                number("cancel_entry"),
                bits("dispatcher.passing"),
                number("cancelled_block_{x,y,z}"),
            ]
        },
    );
}

/// `rr-gpgpusim`.
pub(crate) fn gpgpusim(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part(
        "Queue of kernels",
        const {
            &[
                bits("fcfs.head_valid"),
                number("fcfs.head"),
                number("fcfs.queue.count"),
                number("caps.cap"),
                bits("may_issue"),
                bits("all_issued"),
            ]
        },
    );
    story.open_part(
        "Selection",
        const {
            &[
                bits("resources.room"),
                bits("residents.below"),
                bits("request"),
                number("placement.{first,budget}"),
                bits("placement.grant"),
                number("granted"),
            ]
        },
    );
    story.part(
        "Dispatch",
        const {
            &[
                bits("offer_valid"),
                number("offer_kernel"),
                number("offer_block_{x,y,z}"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.smx.extend(BLOCKS);
    story.smx.extend(&[
        number("residents.now_#"),
        number("resources.smx_#.in_use.q_{slots,threads,registers,shared_memory}"),
        bits("resources.smx_#.room"),
    ]);
    common_causes(story, "accept");
}
