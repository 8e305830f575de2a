//! What ports are: the comments at their declarations, which stand nowhere else.

/// Where the ports of whole schedulers are declared, bundles first.
const SOURCES: [&str; 14] = [
    include_str!("../../../rtl/src/port/host.rs"),
    include_str!("../../../rtl/src/port/cancel.rs"),
    include_str!("../../../rtl/src/kmu/ports.rs"),
    include_str!("../../../rtl/src/dtbl/ports.rs"),
    include_str!("../../../rtl/src/laperm/ports.rs"),
    include_str!("../../../rtl/src/gate/samples.rs"),
    include_str!("../../../rtl/src/ikra/related_scheduler.rs"),
    include_str!("../../../rtl/src/srtf/scheduler.rs"),
    include_str!("../../../rtl/src/dtbl/scheduler.rs"),
    include_str!("../../../rtl/src/clusters/scheduler.rs"),
    include_str!("../../../rtl/src/priority/scheduler.rs"),
    include_str!("../../../rtl/src/partitions/scheduler.rs"),
    include_str!("../../../rtl/src/dependent/ports.rs"),
    include_str!("../../../rtl/src/dispatch/scheduler.rs"),
];

/// What the port with this name, or each of a row of ports, is, and when it means something.
pub fn of(name: &str) -> Option<String> {
    SOURCES.iter().find_map(|source| comment_at(source, name))
}

/// The comment above the declaration of a port in the text of a module or bundle.
fn comment_at(source: &str, name: &str) -> Option<String> {
    let mut comment = String::new();
    for line in source.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            comment += if comment.is_empty() { "" } else { " " };
            comment += words;
            continue;
        }
        let declared = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        let is_port = |kind: &str| kind.starts_with("Signal<") || kind.starts_with("Vec<Signal<");
        if declared.is_some_and(is_port) && !comment.is_empty() {
            return Some(comment);
        }
        comment.clear();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rtl_module;
    use crate::family;
    use crate::replay;
    use blockyard_sim::port::SmxLimits;
    use std::collections::BTreeSet;

    #[test]
    fn a_comment_is_that_of_the_declaration_below_it_alone() {
        let source = "/// Of a.\na: Signal<In, Bit>,\n/// Of b,\n/// in two lines.\nb: Vec<Signal<In, Bit>> = 1,\n\
                      b_c: Signal<In, Bit>,\n/// No port.\nd: Register,\n";
        assert_eq!(comment_at(source, "a").as_deref(), Some("Of a."));
        assert_eq!(comment_at(source, "b").as_deref(), Some("Of b, in two lines."));
        assert_eq!((comment_at(source, "b_c"), comment_at(source, "d")), (None, None));
    }

    #[test]
    fn every_port_of_every_scheduler_says_what_it_is() {
        let limits =
            SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 1 };
        let mut silent = BTreeSet::new();
        for (composition, launch) in family::everything() {
            let module = rtl_module(&composition, launch, 1, 1, limits).expect("it has hardware");
            let ports = replay::ports(module.as_module()).into_iter();
            let names = ports.map(|port| port.base_name().to_owned());
            silent.extend(names.filter(|name| name != "reset" && of(name).is_none()));
        }
        assert_eq!(silent, BTreeSet::new());
    }
}
