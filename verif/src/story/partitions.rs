//! Kernels on a part of the SMXs.

use super::round_robin::{common_causes, BLOCKS, IN_USE, LAUNCHES, OFFER};
use super::{bits, number, Line, Story};

const QUEUES: &[Line] = &[
    number("partition"),
    bits("queues.turn"),
    bits("queues.head_valid"),
    number("queues.head"),
    bits("queues.queue_#.empty"),
    number("queues.queue_#.head"),
    bits("dispatcher.kernels.head_{empty,last}"),
];

const SELECTION: &[Line] = &[
    bits("dispatcher.resources.room"),
    bits("there"),
    bits("request"),
    number("placement.first"),
    bits("placement.grant"),
];

/// `partitions`.
pub(crate) fn of(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part("Queues of partitions", QUEUES);
    story.open_part("Selection", SELECTION);
    story.part("Dispatch", OFFER);
    story.smx.extend(BLOCKS);
    story.smx.extend(IN_USE);
    common_causes(story, "dispatcher.accepted_valid");
}
