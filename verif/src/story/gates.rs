//! Gates over a scheduler.

use super::{bits, number, Event, Story};

/// `+claso(...)`.
pub(super) fn claso(story: &mut Story) {
    story.part(
        "CLASO's credits",
        const {
            &[
                number("gate.kernel"),
                bits("gate.{request,allow}"),
                bits("gate.core_#.needs_global"),
                number("gate.shared.available"),
                number("gate.spend"),
            ]
        },
    );
    story
        .smx
        .extend(&[number("gate.core_#.{credits,threshold}"), bits("gate.core_#.needs_global")]);
    story.cause_unless(Event::Refuse, "gate.request", "gate.allow");
}

/// `+dyncta(...)`.
pub(super) fn dyncta(story: &mut Story) {
    story.part(
        "DYNCTA's limits",
        const { &[bits("sample"), bits("throttle.{request,allow}"), number("throttle.smx_#.limit")] },
    );
    story.smx.extend(&[
        number("throttle.smx_#.{limit,now,idle,memory}"),
        bits("throttle.smx_#.{up,down}"),
    ]);
    story.cause_unless(Event::Refuse, "throttle.request", "throttle.allow");
}
