//! Gates over a scheduler: the first of the list, or the one behind it. Their place is in the top
//! module or in one below it.

use super::{bits, number, Event, Story};

macro_rules! claso_at {
    ($story:ident, $at:literal) => {{
        $story.first_part(
            "CLASO's credits",
            const {
                &[
                    number(concat!($at, ".kernel")),
                    bits(concat!($at, ".{request,allow}")),
                    number(concat!($at, ".shared.{available,spend}")),
                    number(concat!($at, ".core_#.credits")),
                    bits(concat!($at, ".core_#.needs_global")),
                ]
            },
        );
        $story.smx.extend(&[
            number(concat!($at, ".core_#.{credits,threshold}")),
            bits(concat!($at, ".core_#.needs_global")),
        ]);
        $story.cause_unless(Event::Refuse, concat!($at, ".request"), concat!($at, ".allow"));
    }};
}

macro_rules! dyncta_at {
    ($story:ident, $at:literal) => {{
        $story.first_part(
            "DYNCTA's limits",
            const {
                &[
                    bits("sample"),
                    bits(concat!($at, ".{request,allow}")),
                    number(concat!($at, ".smx_#.limit")),
                ]
            },
        );
        $story.smx.extend(&[
            number(concat!($at, ".smx_#.{limit,now,idle,memory}")),
            bits(concat!($at, ".smx_#.{up,down}")),
        ]);
        $story.cause_unless(Event::Refuse, concat!($at, ".request"), concat!($at, ".allow"));
    }};
}

/// `+claso(...)`, the `first` gate or the second one.
pub(super) fn claso(story: &mut Story, first: bool) {
    if first {
        claso_at!(story, "*gates.claso");
    } else {
        claso_at!(story, "*gates.rest.claso");
    }
}

/// `+dyncta(...)`, the `first` gate or the second one.
pub(super) fn dyncta(story: &mut Story, first: bool) {
    if first {
        dyncta_at!(story, "*gates.dyncta");
    } else {
        dyncta_at!(story, "*gates.rest.dyncta");
    }
}
