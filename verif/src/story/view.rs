//! What viewers show of a dump: its scheduler's story first, then SMX by SMX, then all signals.

use super::{difference, pattern, Line, Story, Subject, Written};
use crate::waves::tracks;
use blockyard_waves::{modules, Contents, DumpSignal, Marker, Section, Shown, Trace, View};
use std::collections::BTreeMap;

/// Most tracks of blocks that are seen at once.
const TRACKS: usize = 64;

/// Most of them that stand before what the scheduler is about, so that both are on the first
/// screen.
const FEW_TRACKS: usize = 8;

/// Markers that viewers have.
const MARKERS: usize = 26;

/// Markers of a kind before the next kind has its turn.
const SHARE: usize = 4;

/// Events that viewers mark with the cycle in which they happen, the most important kind first: the
/// end of a run that failed, then what only some schedulers do, then launches.
const MARKED: [&str; 10] = [
    "mismatch",
    tracks::STUCK,
    "backup",
    "steal",
    "coalesce",
    "overflow",
    "refuse",
    "launch",
    "dispatch",
    "finish",
];

/// The view of a dump. Of one whose scheduler is not known, only its modules.
pub fn view(dump: &Contents) -> View {
    let signals = &dump.signals;
    let mut view = View { title: dump.version.clone(), ..View::default() };
    view.sections.extend(difference::sections(dump));
    view.sections.extend(events(dump));
    let blocks = below(dump, tracks::BLOCKS_PATH);
    let few = blocks.len() <= FEW_TRACKS;
    let shown = blocks.len() <= TRACKS;
    let mut blocks = section("What each SMX runs", blocks, shown);
    if few {
        view.sections.extend(blocks.take());
    }
    let subject: Option<Subject> = dump.version.parse().ok();
    let story = subject.map(|Subject { scheduler, launch }| Story::of(&scheduler, launch));
    let parts = |is_open| {
        let parts = story.iter().flat_map(|story| &story.parts);
        parts.filter(move |part| part.is_open == is_open).filter_map(move |part| {
            let traces = part.lines.iter().flat_map(|line| traces(line, line.pattern, signals));
            section(part.name, traces.collect(), is_open)
        })
    };
    view.sections.extend(parts(true));
    view.sections.extend(blocks);
    view.sections.extend(section("Kernels by entry", below(dump, tracks::KERNELS_PATH), false));
    view.sections.extend(parts(false));
    view.sections.extend(story.as_ref().and_then(|story| smxs(story, signals)));
    let hardware = signals.iter().filter(|signal| !signal.is_text);
    let everything = modules(hardware);
    if view.sections.is_empty() {
        view.sections = everything;
    } else if !everything.is_empty() {
        let name = "All signals".to_owned();
        let section = Section { name, is_raw: true, sections: everything, ..Section::default() };
        view.sections.push(section);
    }
    view.markers = markers(dump);
    view
}

pub(super) fn section(name: &str, traces: Vec<Trace>, is_open: bool) -> Option<Section> {
    let section = Section { name: name.to_owned(), is_open, traces, ..Section::default() };
    (!section.traces.is_empty()).then_some(section)
}

/// What happens, cycle by cycle.
fn events(dump: &Contents) -> Option<Section> {
    let events = dump.signals.iter().filter(|text| text.path == tracks::EVENTS_PATH);
    section("What happens", events.map(told).collect(), true)
}

/// The texts below `scope` that ever say something.
fn below(dump: &Contents, scope: &str) -> Vec<Trace> {
    let texts = dump.signals.iter().filter(|signal| signal.is_text);
    let all = texts.filter(|text| text.path.starts_with(scope));
    all.filter(|text| !dump.said(&text.path).is_empty()).map(told).collect()
}

pub(super) fn told(text: &DumpSignal) -> Trace {
    let label = label(&text.path);
    Trace { path: text.path.clone(), label, width: text.width, shown: Shown::Text }
}

/// A path without what many have in common, and empty when its last part says as much. GTKWave
/// would show no more than what follows the last dot.
pub(super) fn label(path: &str) -> String {
    let below = path.split_once('.').map_or(path, |(_, below)| below);
    let below = below.strip_prefix("dispatcher.").unwrap_or(below);
    if below.contains('.') {
        below.replace('.', "/")
    } else {
        String::new()
    }
}

/// A group for each SMX.
fn smxs(story: &Story, signals: &[DumpSignal]) -> Option<Section> {
    let of = |smx: usize| {
        let blocks = format!("{}{smx}.", tracks::BLOCKS_PATH);
        let blocks = signals.iter().filter(|signal| signal.path.starts_with(&blocks)).map(told);
        let lines = story.smx.iter().flat_map(|line| {
            let pattern = line.pattern.replace('#', &smx.to_string());
            traces(line, &pattern, signals)
        });
        section(&format!("SMX {smx}"), blocks.chain(lines).collect(), false)
    };
    let sections: Vec<Section> = (0..blockyard_sim::port::MAX_SMX).map_while(of).collect();
    let name = "SMX by SMX".to_owned();
    (!sections.is_empty()).then(|| Section { name, sections, ..Section::default() })
}

fn traces(line: &Line, pattern: &str, signals: &[DumpSignal]) -> Vec<Trace> {
    let trace = |signal: &DumpSignal| {
        let shown = match line.written {
            // More than these are no longer read as bits.
            Written::Bits if signal.width > 16 => Shown::Hexadecimal,
            Written::Bits => Shown::Binary,
            Written::Decimal => Shown::Decimal,
            Written::Address => Shown::Hexadecimal,
            Written::Names(names) => {
                let names = names.iter().map(|name| (*name).to_owned());
                Shown::Names((0..).zip(names).collect::<BTreeMap<u64, String>>())
            }
        };
        let label = label(&signal.path);
        Trace { path: signal.path.clone(), label, width: signal.width, shown }
    };
    pattern::find(pattern, signals).map(trace).collect()
}

/// Events worth a look, as many as viewers have markers for, in order of cycle: of each kind the
/// first ones, and of no kind more than its share as long as there are others.
fn markers(dump: &Contents) -> Vec<Marker> {
    let said = dump.said(tracks::EVENTS_PATH).iter();
    let events = said.flat_map(|&(cycle, ref text)| {
        let names: Vec<String> = text.split(tracks::AND).map(str::to_owned).collect();
        names.into_iter().map(move |name| Marker { cycle, name })
    });
    let mut ranked: Vec<(usize, usize, Marker)> = Vec::new();
    let mut seen = [0; MARKED.len()];
    for marker in events {
        let Some(kind) = MARKED.iter().position(|kind| marker.name.starts_with(kind)) else {
            continue;
        };
        // What lasts for some cycles is one event.
        let lasts =
            ranked.iter().rev().find(|(_, of, _)| *of == kind).is_some_and(|(_, _, last)| {
                last.name == marker.name && last.cycle + 1 >= marker.cycle
            });
        if !lasts {
            ranked.push((seen[kind] / SHARE, kind, marker));
            seen[kind] += 1;
        }
    }
    // Gates refuse now and then, thieves' victims in every other cycle.
    let steals = ranked.iter().any(|(_, kind, _)| MARKED[*kind] == "steal");
    ranked.retain(|(round, kind, _)| MARKED[*kind] != "refuse" || (*round == 0 && !steals));
    ranked.sort_by_key(|(round, kind, marker)| (*round, *kind, marker.cycle));
    let mut found: Vec<Marker> = Vec::new();
    for (_, _, marker) in ranked {
        if found.len() < MARKERS && !found.iter().any(|other| other.cycle == marker.cycle) {
            found.push(marker);
        }
    }
    found.sort_by_key(|marker| marker.cycle);
    found
}
