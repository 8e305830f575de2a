//! Never over capacity.

use super::SmxResources;
use crate::property::Properties;

/// What is resident is counted in ghosts that do not wrap.
pub fn of(smx: &SmxResources) -> Properties {
    let mut p = Properties::of("DTBL, section 2.3");
    // What a block needs, what is in use, the limit; where they begin, and how wide they are.
    let resources = [
        ("threads", 0, 12, 13, smx.most_threads.val().raw()),
        ("registers", 12, 17, 18, smx.most_registers.val().raw()),
        ("shared", 29, 17, 18, smx.most_shared_memory.val().raw()),
    ];
    p.register("blocks", 24, "blocks_left + take");
    p.wire("blocks_left", 24, "blocks - finished");
    let mut fits = format!("blocks_left + 1 <= {}", smx.most_slots.val().raw());
    let mut within = format!("blocks <= {}", smx.most_slots.val().raw());
    let (mut returned, mut stored) = (String::new(), String::from("blocks[0 +: 7]"));
    for (name, at, needed, used, most) in resources {
        p.wire(format!("{name}_freed"), 24, format!("freed[{at} +: {needed}]"));
        p.wire(format!("{name}_needed"), 24, format!("needs[{at} +: {needed}]"));
        p.wire(format!("{name}_left"), 24, format!("{name} - {name}_freed"));
        p.register(name, 24, format!("{name}_left + (take ? {name}_needed : 0)"));
        fits += &format!(" & {name}_left + {name}_needed <= {most}");
        within += &format!(" & {name} <= {most}");
        returned += &format!(" & {name}_freed <= {name}");
        // The first field is lowest.
        stored = match name {
            "threads" => format!("{stored}, SHARED, REGISTERS, threads[0 +: {used}]"),
            "registers" => stored.replace("REGISTERS", &format!("registers[0 +: {used}]")),
            _ => stored.replace("SHARED", &format!("shared[0 +: {used}]")),
        };
    }
    p.assume("one_ends", "a block that ends was resident", "~finished | blocks != 0");
    p.assume("returns", "it returns what was taken", format!("1'b1{returned}"));
    p.assume("returns_nothing", "nothing comes back without one", "finished | freed == 0");
    p.assume("takes", "a block goes where it fits", "~take | room");
    p.assert("capacity", "no limit is ever passed", within);
    p.assert("room", "a block fits exactly when it passes no limit", format!("room == ({fits})"));
    p.assert("vacant", "the SMX is vacant without a block", "vacant == (blocks == 0)");
    p.invariant(
        "in_use",
        "what is stored is what is resident",
        format!("in_use$q == {{{stored}}}"),
    );
    p.cover("no_room", "a block finds no room", "~room & blocks != 0");
    p
}
