//! IKRA with nesting levels.

use super::ikra::STEAL_DISPATCH;
use super::launches::MANAGEMENT;
use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, number, Event, Line, Story};

const POOLS: &[Line] = &[
    number("launch_parent_{smx,level}"),
    number("launch_place_{queue,level}"),
    number("fetch_place_{queue,level}"),
    number("record_place_{queue,level}"),
];

const KERNELS: &[Line] = &[
    number("kernels.head"),
    bits("kernels.{assigns,load,begins}"),
    bits("kernels.child_valid"),
    number("kernels.child_{kernel,home,level}"),
    number("kernels.child_grid_{x,y,z}"),
    bits("smxs.child_begins"),
    bits("kernels.resident"),
];

/// What is left at a level, and what is stolen of it.
const FIRST: &[Line] = &[
    bits("smxs.first.arbiter.{chunk_left,queue_left}"),
    bits("smxs.first.{granted,refused}"),
    bits("smxs.first.ends"),
];

const SECOND: &[Line] = &[
    bits("smxs.second.arbiter.{chunk_left,queue_left}"),
    bits("smxs.second.{granted,refused}"),
    bits("smxs.second.ends"),
];

const THIRD: &[Line] = &[
    bits("smxs.third.arbiter.{chunk_left,queue_left}"),
    bits("smxs.third.{granted,refused}"),
    bits("smxs.third.ends"),
];

/// `ikra/steal(nesting=L)` with `levels` levels.
pub(crate) fn nested(story: &mut Story, levels: u8) {
    story.part("Launches", LAUNCHES);
    story.part("Kernel Management Unit", MANAGEMENT);
    story.part("Pools by home and level", POOLS);
    story.open_part("The kernels that begin", KERNELS);
    story.part(
        "Level 0",
        const {
            &[
                bits("smxs.arbiter.{chunk_left,queue_left}"),
                bits("smxs.arbiter.{granted,refused}"),
                bits("smxs.units_#.queue.queue_first"),
            ]
        },
    );
    let children = [("Level 1", FIRST), ("Level 2", SECOND), ("Level 3", THIRD)];
    for (name, lines) in children.into_iter().take(usize::from(levels).saturating_sub(1)) {
        story.part(name, lines);
    }
    story.open_part(
        "Steals",
        const {
            &[
                bits("smxs.units_#.{asks,from_chunk,fits}"),
                number("smxs.units_#.{victim,level}"),
                bits("smxs.{grants,refusals}"),
                bits("smxs.units_#.loot_valid"),
                number("smxs.units_#.loot_{home,kernel}"),
                number("smxs.units_#.loot_block_{x,y,z}"),
                bits("smxs.units_#.filled"),
            ]
        },
    );
    story.part("Dispatch", STEAL_DISPATCH);
    story.smx.extend(BLOCKS);
    story.smx.extend(&[
        bits("smxs.units_#.best_valid"),
        number("smxs.units_#.best_{level,kernel}"),
        bits("smxs.units_#.thief.{hungry,asks,granted,refused,owed}"),
        number("smxs.units_#.{victim,level}"),
        number("smxs.units_#.resources.now_slots"),
    ]);
    common_causes(story, "kernels.kernels.accept");
    story.cause(Event::Steal, "smxs.grants");
    story.cause(Event::Refuse, "smxs.refusals");
    story.cause(Event::Overflow, "smxs.units_#.filled");
}
