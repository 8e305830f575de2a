//! Launches from the device: the Kernel Management Unit, and aggregated groups.

use super::round_robin::{common_causes, IN_USE, LAUNCHES, SELECTION};
use super::{address, bits, number, Event, Line, Part, Story};
use blockyard_sim::port::LaunchMode;

pub(super) const MANAGEMENT: &[Line] = &[
    number("work_queue"),
    bits("inspect"),
    bits("device_launch"),
    bits("suspend"),
    bits("fetch_record"),
    number("fetch_index"),
    bits("record_valid"),
    bits("management.admission.{device_turn,device_waits,accepts}"),
    bits("management.offer_valid"),
];

pub(super) const COMMANDS: &[Line] = &[
    bits("command_{valid,ready}"),
    number("command_{groups,wait}"),
    bits("group_valid"),
    number("group_{hardware_thread,blocks}"),
    number("dispatcher.search.probe"),
    bits("dispatcher.search.hit"),
    bits("outcome_{taken,matched}"),
    number("outcome_kernel"),
    address("outcome_reference"),
    bits("keep"),
];

/// Blocks with their groups.
pub(super) const GROUP_BLOCKS: &[Line] = &[
    bits("dispatch_#_valid"),
    number("dispatch_#_register_kernel"),
    address("dispatch_#_register_group"),
    number("dispatch_#_register_block_{x,y,z}"),
    number("slot_#"),
];

/// What a scheduler has behind the Kernel Management Unit, under `--launch cdp`, beside the rest of
/// its story, which begins with launches.
pub(crate) fn managed(launch: LaunchMode, story: &mut Story) {
    if launch == LaunchMode::Cdp {
        let unit = Part { name: "Kernel Management Unit", lines: MANAGEMENT, is_open: true };
        story.parts.insert(1, unit);
    }
}

/// `--launch dtbl`.
pub(crate) fn dtbl(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part("Kernel Management Unit", MANAGEMENT);
    story.part("Groups that arrive", COMMANDS);
    story.open_part(
        "List of groups",
        const {
            &[
                bits("dispatcher.coalesced_valid"),
                number("dispatcher.coalesced_entry"),
                bits("dispatcher.groups.{free,allocate,link}"),
                number("dispatcher.groups.{index,link_index}"),
                bits("dispatcher.fcfs.head_valid"),
                number("dispatcher.fcfs.head"),
                bits("dispatcher.group_order.distributing"),
                address("dispatcher.group_order.group_reference"),
                bits("dispatcher.lists.advance"),
            ]
        },
    );
    story.part("Selection", SELECTION);
    story.part(
        "Dispatch",
        const {
            &[
                bits("dispatcher.offer_valid"),
                number("dispatcher.offer_register_kernel"),
                address("dispatcher.offer_register_group"),
                number("dispatcher.offer_register_block_{x,y,z}"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.part(
        "Groups in memory",
        const {
            &[
                bits("fetch_group_valid"),
                number("fetch_group_{kernel,index}"),
                bits("dispatcher.memory.{rings.room,known}"),
                bits("fetched_valid"),
                bits("link_write_valid"),
                address("link_write_pointer"),
            ]
        },
    );
    story.smx.extend(GROUP_BLOCKS);
    story.smx.extend(IN_USE);
    common_causes(story, "dispatcher.accepted_valid");
    story.cause(Event::Coalesce, "dispatcher.coalesced_valid");
    story.cause_unless(Event::Overflow, "dispatcher.coalesced_valid", "dispatcher.groups.free");
}
