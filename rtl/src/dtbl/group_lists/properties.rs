//! Every group on one list, the last one known.

use super::GroupLists;
use crate::property::{among, Properties};

/// Groups that a list is watched with; where more wait, watching ends until the kernel's entry is
/// used again.
const WATCHED: usize = 3;

/// No group.
const NONE: &str = "32'hffffffff";

/// Any one kernel's NAGEI and LAGEI against its list (rules 7 to 9 of `docs/dtbl.md`).
pub fn of(lists: &GroupLists) -> Properties {
    let kernels = lists.kernels();
    let mut p = Properties::of("DTBL, section 4.2 and figure 5");
    for kernel in 0..kernels {
        p.inner(format!("nagei_{kernel}"), format!("nagei.memory[{kernel}]"));
        p.inner(format!("lagei_{kernel}"), format!("lagei.memory[{kernel}]"));
    }
    p.chosen("kernel", 5);
    p.wire("enters", 1, "enter[0] & enter[1 +: 5] == kernel");
    p.wire("comes", 1, "coalesce[0] & coalesce[1 +: 5] == kernel");
    p.wire("heads", 1, "head_valid & head == kernel");
    p.wire("goes", 1, "heads & advance");
    p.register("entered", 1, "entered | enters");
    p.register("watched", 1, format!("enters | watched & ~(comes & left == {WATCHED})"));
    p.register("groups", 3, "enters ? 0 : left + comes");
    p.wire("left", 3, "groups - goes");
    for at in 0..WATCHED {
        let above = (at + 1).min(WATCHED - 1);
        p.wire(format!("left_{at}"), 32, format!("goes ? group_{above} : group_{at}"));
        let next = format!("comes & left == {at} ? group_reference : left_{at}");
        p.register(format!("group_{at}"), 32, next);
    }
    let each = |claim: &dyn Fn(usize) -> String| crate::property::all((0..WATCHED).map(claim));
    let newcomer = each(&|at| format!("{at} >= groups | group_{at} != group_reference"));
    p.assume(
        "entries",
        "kernels are in entries that there are",
        format!("enter[1 +: 5] < {kernels} & coalesce[1 +: 5] < {kernels} & head < {kernels}"),
    );
    p.assume(
        "enters_alone",
        "nothing is coalesced while a kernel enters",
        "~(enter[0] & coalesce[0])",
    );
    p.assume(
        "enters_empty",
        "an entry is used again when its list is empty",
        "~(enters & watched) | groups == 0 & ~heads",
    );
    p.assume(
        "comes_later",
        "groups come to kernels that have entered",
        "~(comes | heads) | entered",
    );
    p.assume("comes_once", "a group comes once", format!("~(comes & watched) | {newcomer}"));
    p.assume("is_group", "and is one", format!("~coalesce[0] | group_reference != {NONE}"));
    p.assume(
        "goes_there",
        "only what there is is distributed",
        "~advance | head_valid & (~(heads & watched) | groups != 0)",
    );
    p.assume(
        "goes_on",
        "the group after the first is as it was linked",
        "~(goes & watched & groups > 1) | advance_next == group_1",
    );

    let ends = |name: &str| among("kernel", (0..kernels).map(|kernel| format!("{name}_{kernel}")));
    let last = |count: &str, name: &str| {
        among(format!("{count} - 1"), (0..WATCHED).map(|at| format!("{name}_{at}")))
    };
    p.assert(
        "first",
        "the group that is distributed is the first of the list",
        format!("~(heads & watched) | next_group == (groups == 0 ? {NONE} : group_0)"),
    );
    p.assert(
        "waiting",
        "a kernel waits while its list has groups",
        "~(heads & watched) | waiting == (left + comes != 0)",
    );
    p.assert(
        "linked",
        "a group is linked when another one is before it",
        "~(comes & watched) | link == (left != 0)",
    );
    p.assert(
        "tail",
        "it is linked to the last one",
        format!("~(comes & watched & link) | link_to == {}", last("left", "left")),
    );
    p.ghost("bound", "as many as are watched", format!("groups <= {WATCHED} | ~watched"));
    p.ghost(
        "known",
        "what is watched has entered",
        format!("~watched | entered & kernel < {kernels}"),
    );
    p.invariant(
        "nagei",
        "NAGEI is the first group",
        format!("~watched | {} == (groups == 0 ? {NONE} : group_0)", ends("nagei")),
    );
    p.invariant(
        "lagei",
        "LAGEI is the last group",
        format!("~watched | groups == 0 | {} == {}", ends("lagei"), last("groups", "group")),
    );
    p.ghost(
        "groups",
        "each is a group",
        each(&|at| format!("~watched | {at} >= groups | group_{at} != {NONE}")),
    );
    let pairs = (0..WATCHED).flat_map(|at| (0..at).map(move |before| (before, at)));
    let differ = pairs
        .map(|(before, at)| format!("~watched | {at} >= groups | group_{before} != group_{at}"));
    p.ghost("distinct", "and on the list once", crate::property::all(differ));
    p.cover("links", "a group is linked while another one goes", "comes & goes & link");
    p
}
