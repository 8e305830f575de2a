//! IKRA's chunks and thieves.

use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, named, number, Event, Line, Story};

const DIRECTION: &[&str] = &["backward", "forward"];

const KERNEL: &[Line] = &[
    number("dispatcher.one.head"),
    bits("dispatcher.one.{assigns,chunks_ready,load,begins,running,finish}"),
    named("dispatcher.units_#.chunk.forward", DIRECTION),
];

/// Under `ikra/steal`, with nesting levels or without.
pub(super) const STEAL_DISPATCH: &[Line] =
    &[bits("smxs.units_#.resources.room"), bits("dispatch_#_valid")];

const CHUNK_FIRST: &[Line] = &[number("dispatcher.first")];

const CHUNKS: &[Line] = &[
    number("dispatcher.units_#.start_{x,y,z}"),
    bits("dispatcher.units_#.chunk.available"),
    number("dispatcher.units_#.chunk.next_block_{x,y,z}"),
    bits("dispatcher.units_#.done"),
];

/// `ikra/chunk`, whose chunks begin at another SMX each time, `ikra/reset`, `ikra/flip`.
pub(crate) fn own_chunks(story: &mut Story, moves: bool) {
    story.part("Launches", LAUNCHES);
    story.open_part("The kernel that runs", KERNEL);
    if moves {
        story.open_part("Where chunks begin", CHUNK_FIRST);
    }
    story.open_part(
        "Dispatch",
        const {
            &[
                bits("dispatcher.units_#.chunk.available"),
                bits("dispatcher.units_#.resources.room"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.smx.extend(BLOCKS);
    story.smx.extend(CHUNKS);
    common_causes(story, "dispatcher.one.kernels.accept");
}

/// `ikra/steal`.
pub(crate) fn steal(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part(
        "The kernel that runs",
        const {
            &[
                number("one.head"),
                bits("one.{assigns,chunks_ready,load,begins,running,finish}"),
                named("smxs.units_#.chunk.forward", DIRECTION),
            ]
        },
    );
    story.part(
        "What is left",
        const { &[bits("smxs.arbiter.{chunk_left,queue_left}"), bits("smxs.units_#.queue.queue_first")] },
    );
    story.open_part(
        "Steals",
        const {
            &[
                bits("smxs.arbiter.{asks,from_chunk}"),
                number("smxs.arbiter.victim_#"),
                bits("smxs.arbiter.{granted,refused}"),
                number("smxs.arbiter.block_#_{x,y,z}"),
                bits("smxs.arbiter.{steal_queue,steal_chunk}"),
                bits("smxs.units_#.filled"),
            ]
        },
    );
    story.part("Dispatch", STEAL_DISPATCH);
    story.smx.extend(BLOCKS);
    story.smx.extend(&[
        bits("smxs.units_#.chunk.available"),
        number("smxs.units_#.chunk.next_block_{x,y,z}"),
        bits("smxs.units_#.queue.{available,full,insert}"),
        number("smxs.units_#.queue.next_block_{x,y,z}"),
        bits("smxs.units_#.thief.{hungry,asks,granted,refused,arrives}"),
        number("smxs.units_#.victim"),
        number("smxs.units_#.resources.now_slots"),
    ]);
    common_causes(story, "one.kernels.accept");
    story.cause(Event::Steal, "smxs.arbiter.granted");
    story.cause(Event::Refuse, "smxs.arbiter.refused");
    story.cause(Event::Overflow, "smxs.units_#.filled");
}
