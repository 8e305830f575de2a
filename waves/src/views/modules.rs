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
