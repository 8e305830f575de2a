//! Dispatch in two levels.

use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, number, Line, Story};

const QUEUES: &[Line] = &[
    bits("domain_#.dispatcher.fcfs.head_valid"),
    number("domain_#.dispatcher.fcfs.head"),
    number("domain_#.dispatcher.fcfs.queue.count"),
    bits("domain_#.dispatcher.kernels.head_empty"),
    number("domain_#.dispatcher.kernels.head_block_{x,y,z}"),
];

const OFFERS: &[Line] = &[
    bits("domain_#.dispatcher.{request,allow}"),
    number("domain_#.dispatcher.placement.first"),
    bits("domain_#.dispatcher.placement.grant"),
    bits("dispatch_#_valid"),
];

/// `domains`.
pub(crate) fn interleaved(story: &mut Story) {
    of(
        story,
        "Walks over the grid",
        const {
            &[
                number("domain_#.walk.whose.q"),
                bits("domain_#.walk.{own,step,restart}"),
                bits("domain_#.dispatcher.passing"),
            ]
        },
    );
}

/// `domains(policy=contiguous)`.
pub(crate) fn contiguous(story: &mut Story) {
    of(
        story,
        "Shares of the grid",
        const {
            &[
                bits("domain_#.share.{begins,ready,left,last}"),
                number("domain_#.share.start_{x,y,z}"),
                number("domain_#.share.count.q"),
            ]
        },
    );
}

fn of(story: &mut Story, name: &'static str, places: &'static [Line]) {
    story.part("Launches", LAUNCHES);
    story.part("Queues of domains", QUEUES);
    story.open_part(name, places);
    story.part("Dispatch", OFFERS);
    story.smx.extend(BLOCKS);
    common_causes(story, "domain_0.dispatcher.accepted_valid");
}
