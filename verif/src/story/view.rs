//! What viewers show of a dump: its scheduler's story first, then SMX by SMX, then all signals.

use super::{pattern, Event, Line, Story, Subject, Written};
use crate::waves::tracks;
use blockyard_waves::{modules, Contents, DumpSignal, Marker, Section, Shown, Trace, View};
use std::collections::BTreeMap;

/// Most tracks of blocks that are seen at once.
const TRACKS: usize = 64;

/// The view of a dump. Of one whose scheduler is not known, only its modules.
pub fn view(dump: &Contents) -> View {
    let signals = &dump.signals;
    let mut view = View { title: dump.version.clone(), ..View::default() };
    view.sections.extend(what_happens(dump));
    if let Ok(Subject { scheduler, launch }) = dump.version.parse() {
        let story = Story::of(&scheduler, launch);
        for part in &story.parts {
            let traces = part.lines.iter().flat_map(|line| traces(line, line.pattern, signals));
            view.sections.extend(section(part.name, traces.collect(), true));
        }
        view.sections.extend(smxs(&story, signals));
    }
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

fn section(name: &str, traces: Vec<Trace>, is_open: bool) -> Option<Section> {
    let section = Section { name: name.to_owned(), is_open, traces, ..Section::default() };
    (!section.traces.is_empty()).then_some(section)
}

/// The events, what runs in each slot that is ever used, and the kernels of the entries.
fn what_happens(dump: &Contents) -> Vec<Section> {
    let texts: Vec<&DumpSignal> = dump.signals.iter().filter(|signal| signal.is_text).collect();
    let below = |scope: &'static str| {
        let all = texts.iter().filter(move |text| text.path.starts_with(scope));
        let used = all.filter(|text| !dump.said(&text.path).is_empty());
        used.map(|text| told(text)).collect::<Vec<_>>()
    };
    let events =
        texts.iter().filter(|text| text.path == tracks::EVENTS_PATH).map(|text| told(text));
    let blocks = below(tracks::BLOCKS_PATH);
    let few = blocks.len() <= TRACKS;
    let sections = [
        section("What happens", events.collect(), true),
        section("What each SMX runs", blocks, few),
        section("Kernels by entry", below(tracks::KERNELS_PATH), false),
    ];
    sections.into_iter().flatten().collect()
}

fn told(text: &DumpSignal) -> Trace {
    let label = label(&text.path);
    Trace { path: text.path.clone(), label, width: text.width, shown: Shown::Text }
}

/// A path without what many have in common, and empty when its last part says as much. GTKWave would
/// show no more than what follows the last dot.
fn label(path: &str) -> String {
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

/// The end of a run that failed, then launches, as many as viewers have markers for; in order of cycle.
fn markers(dump: &Contents) -> Vec<Marker> {
    let said = dump.said(tracks::EVENTS_PATH).iter();
    let mut found: Vec<Marker> = said
        .flat_map(|&(cycle, ref text)| {
            let names: Vec<String> = text.split(tracks::AND).map(str::to_owned).collect();
            names.into_iter().map(move |name| Marker { cycle, name })
        })
        .filter(|marker| rank(&marker.name).is_some())
        .collect();
    found.sort_by_key(|marker| (rank(&marker.name), marker.cycle));
    found.dedup_by_key(|marker| marker.cycle);
    found.truncate(26);
    found.sort_by_key(|marker| marker.cycle);
    found
}

fn rank(event: &str) -> Option<usize> {
    let marked = [Event::Mismatch.to_string(), tracks::STUCK.to_owned(), Event::Launch.to_string()];
    marked.iter().position(|known| event.starts_with(known))
}
