//! What a viewer shows first of a run in which twin and hardware differ: the port, from both sides.

use super::view::{label, section, told};
use super::Event;
use crate::waves::{sides, tracks, HARDWARE_PATH, TWIN_PATH};
use blockyard_waves::{Contents, DumpSignal, Section, Shown, Trace};

/// The port that differs: open, with what either side says in words and the hardware's signals;
/// then, closed, all else that the twin says. Nothing of a dump without a difference.
pub fn sections(dump: &Contents) -> Vec<Section> {
    let Some(port) = port(dump) else { return Vec::new() };
    let name = format!("Differs: {port}");
    let words = [TWIN_PATH, HARDWARE_PATH].map(|side| sides::path(side, &port));
    let text = |path: &String| dump.signals.iter().find(|signal| signal.path == *path);
    let words = words.iter().filter_map(text).map(side);
    let is_its = port_signals(&port);
    let signals = dump.signals.iter().filter(|signal| !signal.is_text && is_its(&signal.path));
    let differs = section(&name, words.chain(signals.map(bits)).collect(), true);

    let ever_said = |signal: &&DumpSignal| !dump.said(&signal.path).is_empty();
    let texts = dump.signals.iter().filter(|signal| signal.is_text).filter(ever_said);
    let twin = texts.filter(|text| text.path.starts_with(TWIN_PATH)).map(side).collect();
    differs.into_iter().chain(section("What the twin says", twin, false)).collect()
}

/// Whether a signal at some path belongs to the hardware's port, which is a word, a bit of one or a
/// structure: `top.dispatch_3_valid` to `dispatch[3]`, `top.finished_kernels` to
/// `finished_kernels[31]`.
pub fn port_signals(port: &str) -> impl Fn(&str) -> bool {
    let prefix = match port.split_once('[') {
        Some(("dispatch", rest)) => format!("top.dispatch_{}", rest.trim_end_matches(']')),
        Some((word, _)) => format!("top.{word}"),
        None => format!("top.{port}"),
    };
    move |path| {
        let rest = path.strip_prefix(&prefix).filter(|rest| !rest.contains('.'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}

/// The port of the first difference.
fn port(dump: &Contents) -> Option<String> {
    let marked = format!("{}:", Event::Mismatch);
    let events = dump.said(tracks::EVENTS_PATH).iter();
    let mut events = events.flat_map(|(_, text)| text.split(tracks::AND));
    events.find_map(|event| event.strip_prefix(&marked)).map(str::to_owned)
}

/// A text, called by its whole path: both sides have one of the same name.
fn side(text: &DumpSignal) -> Trace {
    Trace { label: label(&text.path), ..told(text) }
}

fn bits(signal: &DumpSignal) -> Trace {
    let shown = if signal.width > 16 { Shown::Hexadecimal } else { Shown::Binary };
    Trace { path: signal.path.clone(), label: label(&signal.path), width: signal.width, shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_has_the_signals_of_its_name_and_no_others() {
        let of = port_signals("dispatch[3]");
        assert!(of("top.dispatch_3_valid") && of("top.dispatch_3"));
        assert!(!of("top.dispatch_30_valid") && !of("top.dispatcher.x"));
        assert!(port_signals("finished_kernels[31]")("top.finished_kernels"));
        assert!(port_signals("launch_ready")("top.launch_ready"));
        assert!(!port_signals("launch_ready")("top.dispatcher.launch_ready"));
    }
}
