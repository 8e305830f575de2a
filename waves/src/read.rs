//! Reading dumps back, through the library that Surfer uses.

use crate::check::{fst, vcd};
use crate::contents::{cycles, Contents};
use crate::error::WaveError;
use crate::sink::ABOUT;
use crate::text::{from_bits, TEXT_SCOPE};
use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use wellen::simple::Waveform;
use wellen::{Signal, SignalRef, States};

/// Signals whose values are unpacked together.
const SOME: usize = 256;

/// A signal of a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpSignal {
    /// Dotted path from the top.
    pub path: String,
    /// Bits.
    pub width: u32,
    /// Names of its values, when it is an enum.
    pub names: BTreeMap<u64, String>,
    /// Whether its values are texts, and not bits.
    pub is_text: bool,
}

/// A dump, read whole.
pub struct Dump {
    /// The values of a signal are unpacked when they are asked for.
    waveform: RefCell<Waveform>,
    times: Vec<u64>,
    version: String,
    about: Option<String>,
    signals: Vec<(DumpSignal, SignalRef)>,
    /// Where each path stands in `signals`; of equal ones the first.
    places: BTreeMap<String, usize>,
}

impl Dump {
    /// Reads the VCD or FST file at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is not a dump with at least one signal.
    pub fn open(path: &Path) -> Result<Self, WaveError> {
        let text = std::fs::read(path).map_err(|source| WaveError::File {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let refuse =
            |reason: &str| WaveError::NotADump { path: path.to_owned(), reason: reason.to_owned() };
        let is_fst = fst::is_fst(&text);
        let (names, mut about) = if is_fst {
            (BTreeMap::new(), None)
        } else {
            let header_end = b"$enddefinitions";
            if !text.windows(header_end.len()).any(|window| window == header_end) {
                return Err(refuse("it has no $enddefinitions"));
            }
            vcd::check(&text).map_err(|reason| refuse(&reason))?;
            let comments = comments(&text);
            (enum_names(&comments), about(&comments))
        };
        // wellen and its reader of FST trust their input in places: what makes them panic is not a
        // dump either.
        let read = std::panic::catch_unwind(|| {
            if is_fst {
                fst::check(&text)?;
            }
            let read = wellen::simple::read_from_reader(std::io::Cursor::new(text));
            let mut waveform = read.map_err(|error| error.to_string())?;
            if is_fst {
                try_values(&mut waveform);
            }
            Ok::<_, String>(waveform)
        });
        let mut waveform = match read {
            Ok(Ok(waveform)) => waveform,
            Ok(Err(reason)) => return Err(refuse(&reason)),
            Err(_) => return Err(refuse("it is damaged")),
        };
        let hierarchy = waveform.hierarchy();
        let text_scope = format!("{TEXT_SCOPE}.");
        let mut signals: Vec<(DumpSignal, SignalRef)> = hierarchy
            .all_vars()
            .map(|var| {
                let var = &hierarchy[var];
                let path = var.full_name(hierarchy);
                let names = names.get(&path).cloned().unwrap_or_default();
                let width = var.length(hierarchy).unwrap_or(0);
                let is_text = var.is_string(hierarchy) || path.starts_with(&text_scope);
                (DumpSignal { path, width, names, is_text }, var.signal_ref())
            })
            .collect();
        let times = waveform.time_table().to_vec();
        let version = hierarchy.version().trim().to_owned();
        let own = format!("{}.{}", ABOUT.0, ABOUT.1);
        if let Some(place) = signals.iter().position(|(signal, _)| signal.path == own) {
            let (_, reference) = signals.remove(place);
            waveform.load_signals(&[reference]);
            let values = waveform.get_signal(reference);
            let first = values.and_then(|values| values.iter_changes().next());
            about = first.and_then(|(_, bits)| from_bits(&bits.to_string()));
        }
        if signals.is_empty() {
            return Err(refuse("it has no signals"));
        }
        let mut places = BTreeMap::new();
        for (place, (signal, _)) in signals.iter().enumerate() {
            places.entry(signal.path.clone()).or_insert(place);
        }
        let waveform = RefCell::new(waveform);
        Ok(Self { waveform, times, version, about, signals, places })
    }

    /// All signals, in the order of the dump.
    pub fn signals(&self) -> impl Iterator<Item = &DumpSignal> {
        self.signals.iter().map(|(signal, _)| signal)
    }

    /// The paths of all signals.
    pub fn paths(&self) -> BTreeSet<&str> {
        self.signals().map(|signal| signal.path.as_str()).collect()
    }

    /// The times at which something changes, in cycles, with the end of the dump.
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// Who wrote the dump, and of what.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What it says of the run of which it is:
    /// [`CaptureOptions::about`](crate::CaptureOptions::about).
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Whether the dump has a signal of that path.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// What views need to know of it.
    ///
    /// # Panics
    /// Never: it has the signals that it names.
    pub fn contents(&self) -> Contents {
        let texts = self.signals().filter(|signal| signal.is_text).map(|signal| {
            let mut said = self.changes(&signal.path).expect("it has it");
            said.retain(|(_, text)| !text.is_empty());
            (signal.path.clone(), said)
        });
        let cycles = cycles(self.times.first().copied(), self.times.last().copied());
        let mut stretch = cycles.clone();
        for gap in self.gaps() {
            if gap.start > stretch.start {
                stretch.end = gap.start;
                break;
            }
            stretch.start = gap.end;
        }
        Contents {
            version: self.version.clone(),
            signals: self.signals().cloned().collect(),
            cycles,
            stretch,
            texts: texts.filter(|(_, said)| !said.is_empty()).collect(),
        }
    }

    /// The cycles in which nothing is known: before the first value, and between stretches.
    pub fn gaps(&self) -> impl Iterator<Item = Range<u64>> {
        let hardware = self.signals().find(|signal| !signal.is_text);
        let values = hardware.and_then(|signal| self.changes(&signal.path).ok());
        let values = values.unwrap_or_default();
        let start = values.first().map(|(first, _)| 0..*first).filter(|start| !start.is_empty());
        let ends: Vec<u64> = values.iter().skip(1).map(|(cycle, _)| *cycle).collect();
        let end = self.times.last().copied().unwrap_or(0);
        let stretches = values.into_iter().zip(ends.into_iter().chain([end]));
        let unknown = stretches.filter(|((_, value), _)| value.starts_with('x'));
        start.into_iter().chain(unknown.map(|((from, _), to)| from..to))
    }

    /// All values that a signal takes, with the cycle from which each one holds.
    ///
    /// # Errors
    /// When the dump has no such signal.
    pub fn changes(&self, path: &str) -> Result<Vec<(u64, String)>, WaveError> {
        let (signal, reference) = self.find(path)?;
        let waveform = self.with(*reference);
        let Some(values) = waveform.get_signal(*reference) else { return Ok(Vec::new()) };
        let times = self.times();
        let change = |(time, value): (u32, wellen::SignalValueRef<'_>)| {
            (times[time as usize], decoded(signal, value.to_string()))
        };
        Ok(values.iter_changes().map(change).collect())
    }

    /// The value of a signal in `cycle`: a text, or bits with the highest first; `None` before its
    /// first one.
    ///
    /// # Errors
    /// When the dump has no such signal.
    pub fn value(&self, path: &str, cycle: u64) -> Result<Option<String>, WaveError> {
        let (signal, reference) = self.find(path)?;
        Ok(self.value_of(signal, *reference, cycle))
    }

    /// The name that an enum's value has; `None` for other signals and for values without a name.
    pub(crate) fn name(&self, path: &str, value: u64) -> Option<&str> {
        let (signal, _) = self.find(path).ok()?;
        signal.names.get(&value).map(String::as_str)
    }

    fn find(&self, path: &str) -> Result<&(DumpSignal, SignalRef), WaveError> {
        let place = self.places.get(path);
        Ok(&self.signals[*place.ok_or_else(|| WaveError::NoSuchSignal(path.to_owned()))?])
    }

    /// The dump with the values of that signal unpacked.
    fn with(&self, signal: SignalRef) -> Ref<'_, Waveform> {
        if self.waveform.borrow().get_signal(signal).is_none() {
            self.waveform.borrow_mut().load_signals(&[signal]);
        }
        self.waveform.borrow()
    }

    /// Every signal with its value in `cycle`.
    pub(crate) fn values(&self, cycle: u64) -> impl Iterator<Item = (&str, Option<String>)> {
        self.signals.iter().map(move |(signal, reference)| {
            (signal.path.as_str(), self.value_of(signal, *reference, cycle))
        })
    }

    /// The bits of a signal; 0 if there is none.
    pub(crate) fn width(&self, path: &str) -> u32 {
        self.find(path).map_or(0, |(signal, _)| signal.width)
    }

    /// Whether the values of a signal are texts.
    pub(crate) fn is_text(&self, path: &str) -> bool {
        self.find(path).is_ok_and(|(signal, _)| signal.is_text)
    }

    fn value_of(&self, of: &DumpSignal, reference: SignalRef, cycle: u64) -> Option<String> {
        let after = self.times().partition_point(|&time| time <= cycle);
        let index = u32::try_from(after.checked_sub(1)?).ok()?;
        let waveform = self.with(reference);
        let signal = waveform.get_signal(reference)?;
        let offset = signal.get_offset(index)?;
        let last = offset.elements.saturating_sub(1);
        Some(decoded(of, signal.get_value_at(&offset, last).to_string()))
    }
}

/// A text that is kept as bits as a text.
fn decoded(signal: &DumpSignal, value: String) -> String {
    if signal.is_text && value.len() == signal.width as usize {
        return from_bits(&value).unwrap_or_default();
    }
    value
}

/// Unpacks the values of all signals, which are looked at in no other way, some at a time.
///
/// # Panics
/// When they are damaged.
fn try_values(waveform: &mut Waveform) {
    let hierarchy = waveform.hierarchy();
    let signals: BTreeMap<usize, SignalRef> = hierarchy
        .all_vars()
        .map(|var| hierarchy[var].signal_ref())
        .map(|signal| (signal.index(), signal))
        .collect();
    let signals: Vec<SignalRef> = signals.into_values().collect();
    for some in signals.chunks(SOME) {
        waveform.load_signals(some);
        let times = waveform.time_table().len();
        some.iter().filter_map(|&signal| waveform.get_signal(signal)).for_each(|signal| {
            try_changes(signal, times);
        });
        waveform.unload_signals(some);
    }
}

/// Looks at all values of a signal, which change at some of so many times.
///
/// # Panics
/// When one is damaged, or a time is not there or before the one that it follows.
fn try_changes(signal: &Signal, times: usize) {
    let mut before = 0;
    for (time, value) in signal.iter_changes() {
        assert!((before..times).contains(&(time as usize)), "its times are in order");
        before = time as usize;
        // Any two bits are one of four states; four bits may be none of nine.
        if value.states() == Some(States::Nine) {
            drop(value.to_bit_string());
        }
    }
}

/// The comments in the header.
fn comments(text: &[u8]) -> Vec<String> {
    let end = text.windows(15).position(|window| window == b"$enddefinitions");
    let header = String::from_utf8_lossy(&text[..end.unwrap_or(text.len())]);
    let comments = header.split("$comment").skip(1).filter_map(|rest| rest.split("$end").next());
    comments.map(|comment| comment.trim().to_owned()).collect()
}

/// What one of the comments says of the run.
fn about(comments: &[String]) -> Option<String> {
    let of_run =
        |comment: &String| comment.strip_prefix(ABOUT.0)?.strip_prefix(' ').map(str::to_owned);
    comments.iter().find_map(of_run)
}

/// The names of enum values, from the comments that the capture leaves in the header.
fn enum_names(comments: &[String]) -> BTreeMap<String, BTreeMap<u64, String>> {
    let mut all = BTreeMap::new();
    for comment in comments {
        let mut words = comment.split_whitespace();
        let (Some("enum"), Some(path)) = (words.next(), words.next()) else { continue };
        let names = words.filter_map(|word| {
            let (number, name) = word.split_once('=')?;
            Some((number.parse().ok()?, name.to_owned()))
        });
        all.insert(path.to_owned(), names.collect());
    }
    all
}
