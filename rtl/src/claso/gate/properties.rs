//! Credits are conserved, and suffice.

use super::Gate;
use crate::property::{all, Properties};

/// The kernel in entry 0, which stands for all: entries are treated alike. No group is coalesced to
/// it.
pub fn of(gate: &Gate) -> Properties {
    let smxs = gate.request.val().len();
    // More blocks than a grid can have, plus all that layers of credits add.
    const MANY: &str = "34'h80020000";
    let mut p = Properties::of_alone("CLASO, section 3 and Algorithm 1");
    let threshold = gate.core[0].threshold();
    p.inner("common", "shared.global_credits.memory[0]");
    for core in 0..smxs {
        p.inner(format!("local_{core}"), format!("core${core}.local_credits.memory[0]"));
        // Blocks that a core may still receive without a global credit.
        p.wire(
            format!("free_{core}"),
            34,
            format!("local_{core} > {threshold} ? local_{core} - {threshold} : 0"),
        );
    }
    p.wire("launches", 1, "launch[0] & launch[1 +: 5] == 0");
    p.wire("ours", 1, "kernel == 0");
    p.register("loaded", 1, "loaded | launches");
    p.register("remaining", 34, "launches ? blocks : remaining - (ours & (|taken))");
    let entries = gate.shared.entries();
    p.assume(
        "entries",
        "kernels are in entries that there are",
        format!("launch[1 +: 5] < {entries} & kernel < {entries}"),
    );
    p.assume("no_groups", "no group is coalesced", "~coalesced[0]");
    p.assume(
        "within",
        "a block goes where it is allowed, one at a time",
        "(taken & ~allow) == 0 & (taken & (taken - 1'b1)) == 0",
    );
    p.assume("first", "the pointer is an SMX", format!("first < {smxs}"));
    p.assume(
        "reuse",
        "an entry is used again when its blocks are gone, and is not the head then",
        "~launches | remaining == 0 & ~ours",
    );
    p.assume(
        "head",
        "the head is a kernel with blocks",
        "~ours | loaded & (remaining != 0 | taken == 0)",
    );
    p.assume(
        "not_head",
        "what is launched is not the head",
        "~launch[0] | launch[1 +: 5] != kernel",
    );

    p.assert("requested", "only who asks is allowed", "(allow & ~request) == 0");
    p.assert(
        "suffice",
        "while blocks remain, credits let one of all SMXs go on",
        "~(ours & loaded & remaining != 0 & (&request)) | (|allow)",
    );
    let sum =
        |name: &str| (0..smxs).map(|core| format!("{name}_{core}")).collect::<Vec<_>>().join(" + ");
    p.assert(
        "conserved",
        "free local and global credits are never fewer than the blocks that remain",
        format!("~loaded | 34'h0 + {} + common >= remaining", sum("free")),
    );
    p.assert(
        "local",
        "local credits are never fewer than the blocks that remain",
        format!("~loaded | 34'h0 + {} >= remaining", sum("local")),
    );
    let small = (0..smxs).map(|core| format!("local_{core}")).chain(["common".to_owned()]);
    p.invariant(
        "no_wrap",
        "no count of credits wraps",
        format!(
            "~loaded | remaining < 34'h80000000 & {}",
            all(small.map(|name| format!("{name} < {MANY}")))
        ),
    );
    p.cover("spends", "a core uses a global credit", "ours & (|taken) & remaining == 1");
    p
}
