//! LaPerm, under every way of launching.

use super::launches::{COMMANDS, GROUP_BLOCKS, MANAGEMENT};
use super::round_robin::{common_causes, IN_USE, LAUNCHES};
use super::{bits, number, Event, Story};

/// `laperm/...`; `adaptive` with stage 3.
pub(crate) fn laperm(story: &mut Story, adaptive: bool) {
    story.part("Launches", LAUNCHES);
    story.part("Kernel Management Unit", MANAGEMENT);
    story.part("Groups that arrive", COMMANDS);
    story.open_part(
        "Priority queues",
        const {
            &[
                bits("queues.enter"),
                number("queues.place_{queue,level}"),
                bits("queues.heads"),
                number("queues.slice_#.taken"),
                bits("dispatcher.kernel_valid"),
                number("dispatcher.kernel"),
            ]
        },
    );
    story.open_part(
        "Selection",
        const {
            &[
                number("dispatcher.choice.selector.{turn,own}"),
                bits("dispatcher.choice.selector.{one_valid,two_valid,three_valid}"),
                bits("dispatcher.choice.selector.{from_queue,from_zero}"),
                number("dispatcher.choice.selector.chosen"),
                number("dispatcher.choice.chosen_head_level"),
                bits("dispatcher.room"),
                bits("dispatcher.{request,allow}"),
            ]
        },
    );
    story.part(
        "Dispatch",
        const {
            &[
                bits("dispatcher.given_valid"),
                number("dispatcher.given_register_kernel"),
                number("dispatcher.given_register_block_{x,y,z}"),
                number("level"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.part(
        "Overflow to memory",
        const {
            &[
                bits("spill_valid"),
                number("spill_place_{queue,level}"),
                number("spill_index"),
                bits("fetch_entry_valid"),
                bits("refill_{valid,taken}"),
            ]
        },
    );
    story.smx.extend(GROUP_BLOCKS);
    story.smx.extend(&[
        number("queues.slice_#.taken"),
        bits("queues.slice_#.head_valid"),
        number("queues.slice_#.head_{level,register_kernel}"),
        bits("queues.slice_#.{spills,refill}"),
    ]);
    story.smx.extend(IN_USE);
    common_causes(story, "dispatcher.accepted_valid");
    story.cause(Event::Coalesce, "dispatcher.coalesced_valid");
    story.cause(Event::Overflow, "spill_valid");
    story.cause(Event::Refill, "refill_taken");
    if adaptive {
        let stage = "dispatcher.choice.selector.three_valid";
        story.cause_with(Event::Backup, stage, "dispatcher.some_taken");
    }
}
