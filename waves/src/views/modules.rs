//! A view of a design of which nothing is known: its modules as groups.

use super::{Section, Shown, Trace};
use crate::read::DumpSignal;

/// Modules down to this depth start open; the ones below are there, closed.
const OPEN_DEPTH: usize = 2;

/// All signals, in a group for each module; those of the highest ones are open.
pub fn modules<'a>(signals: impl IntoIterator<Item = &'a DumpSignal>) -> Vec<Section> {
    let mut root = Section::default();
    for signal in signals {
        let mut section = &mut root;
        if let Some((scope, _)) = signal.path.rsplit_once('.') {
            for (depth, end) in ends(scope).enumerate() {
                section = inside(section, &scope[..end], depth < OPEN_DEPTH);
            }
        }
        section.traces.push(trace(signal));
    }
    if !root.traces.is_empty() {
        let loose = Section { traces: root.traces, is_open: true, ..Section::default() };
        root.sections.insert(0, loose);
    }
    root.sections
}

/// A signal as it is shown when nothing is known of it.
pub fn trace(signal: &DumpSignal) -> Trace {
    let DumpSignal { path, width, names, is_text } = signal.clone();
    let shown = match width {
        _ if is_text => Shown::Text,
        _ if !names.is_empty() => Shown::Names(names),
        1 => Shown::Binary,
        _ => Shown::Hexadecimal,
    };
    Trace { path, label: String::new(), width, shown }
}

/// Where the parts of a dotted path end.
fn ends(path: &str) -> impl Iterator<Item = usize> + '_ {
    path.match_indices('.').map(|(at, _)| at).chain([path.len()])
}

/// The group of that name in `section`, the last one if there is one, else a new one.
fn inside<'a>(section: &'a mut Section, name: &str, is_open: bool) -> &'a mut Section {
    if section.sections.last().is_none_or(|last| last.name != name) {
        let name = name.to_owned();
        section.sections.push(Section { name, is_open, is_raw: true, ..Section::default() });
    }
    section.sections.last_mut().expect("there is one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn signal(path: &str, width: u32) -> DumpSignal {
        DumpSignal { path: path.to_owned(), width, names: BTreeMap::new(), is_text: false }
    }

    /// A group and those in it: how deep each is, its name, whether it is open, and its signals.
    fn listed(section: &Section, depth: usize, list: &mut Vec<(usize, String, bool, String)>) {
        assert_eq!(section.is_raw, !section.name.is_empty(), "as the dump has them");
        let paths: Vec<&str> = section.traces.iter().map(|trace| &*trace.path).collect();
        list.push((depth, section.name.clone(), section.is_open, paths.join(" ")));
        section.sections.iter().for_each(|inner| listed(inner, depth + 1, list));
    }

    #[test]
    fn two_levels_of_modules_are_open_and_what_is_in_none_comes_first() {
        let paths = ["top.a", "top.core.b", "top.core.unit.c", "loose", "top.core.d", "top.e"];
        let signals = paths.map(|path| signal(path, 1));
        let mut list = Vec::new();
        modules(&signals).iter().for_each(|section| listed(section, 0, &mut list));
        let expected = [
            (0, "", true, "loose"),
            (0, "top", true, "top.a top.e"),
            (1, "top.core", true, "top.core.b top.core.d"),
            (2, "top.core.unit", false, "top.core.unit.c"),
        ];
        let expected = expected
            .map(|(depth, name, open, paths)| (depth, name.to_owned(), open, paths.to_owned()));
        assert_eq!(list, expected);
        let without = modules(&[signal("top.a", 1)]);
        assert_eq!(without.len(), 1, "no group of nothing");
    }

    #[test]
    fn a_signal_of_which_nothing_is_known_is_shown_as_what_it_is() {
        let names: BTreeMap<u64, String> = [(0, "idle".to_owned())].into();
        let of = |signal: DumpSignal| trace(&signal).shown;
        assert_eq!(of(signal("top.a", 1)), Shown::Binary);
        assert_eq!(of(signal("top.a", 2)), Shown::Hexadecimal);
        let named = DumpSignal { names: names.clone(), ..signal("top.a", 1) };
        assert_eq!(of(named), Shown::Names(names));
        let text = DumpSignal { is_text: true, ..signal("story.a", 8) };
        assert_eq!(of(text), Shown::Text);
    }
}
