//! What a scheduler's waveform tells: its signals in the order in which things happen, and what
//! they stand for.
//!
//! ```text
//!   composition, launch mode --> [parts] --> Story --+--> [view]   sections for GTKWave and Surfer
//!                                                    +--> [causes] events for `--wave-on` and the tracks
//! ```
//!
//! A story is data: patterns of signal paths below the top, where `#` stands for a number and
//! `{x,y}` for either. A test holds every pattern to the hardware.

pub(crate) mod clusters;
mod difference;
pub(crate) mod domains;
mod event;
mod gates;
pub(crate) mod ikra;
pub(crate) mod kernels;
pub(crate) mod laperm;
pub(crate) mod launches;
pub(crate) mod nested;
pub(crate) mod partitions;
mod pattern;
pub(crate) mod round_robin;
mod subject;
mod view;

pub use difference::port_signals;
pub use event::Event;
pub use pattern::find;
pub use subject::Subject;
pub use view::view;

use crate::family;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::composition::Gate;
use blockyard_sim::sched::Composition;
use blockyard_waves::{Condition, DumpSignal, Watch};

/// How the values of a signal are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// One bit for each of something, or a flag.
    Bits,
    /// A number.
    Decimal,
    /// An address.
    Address,
    /// By these names, from 0.
    Names(&'static [&'static str]),
}

/// Signals of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which ones.
    pub pattern: &'static str,
    /// How they are written.
    pub written: Written,
}

/// Signals that belong together: `Launches`, `Selection`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What they are about.
    pub name: &'static str,
    /// Which ones.
    pub lines: &'static [Line],
    /// Whether it is what the scheduler is about, and seen at first sight.
    pub is_open: bool,
}

/// Signals that stand for an event: one of their bits is set, and that of `unless` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The event.
    pub event: Event,
    /// Which signals.
    pub set: &'static str,
    /// The one signal whose bits excuse theirs.
    pub unless: Option<&'static str>,
    /// The one signal of which a bit has to be set too.
    pub with: Option<&'static str>,
}

/// What a scheduler's waveform tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// First what concerns all SMXs, in the order in which things happen.
    pub parts: Vec<Part>,
    /// Then what each SMX has for itself, where `#` is its number.
    pub smx: Vec<Line>,
    /// What stands for events.
    pub causes: Vec<Cause>,
}

impl Story {
    /// The story of a composition under `launch`.
    pub fn of(composition: &Composition, launch: LaunchMode) -> Self {
        let mut story = Self::default();
        (family::of(&composition.source).story)(&composition.source, launch, &mut story);
        if !composition.gates.is_empty() {
            // There is room for one thing at first sight.
            story.parts.iter_mut().for_each(|part| part.is_open = false);
        }
        for (place, gate) in composition.gates.iter().enumerate() {
            match gate {
                Gate::Claso(_) => gates::claso(&mut story, place == 0),
                Gate::Dyncta(_) => gates::dyncta(&mut story, place == 0),
            }
        }
        story
    }

    /// The events that its signals stand for, in order, each once.
    pub fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self.causes.iter().map(|cause| cause.event).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// What stands for `event` in a design of these signals; without a condition when nothing does.
    pub fn watch(&self, event: Event, signals: &[DumpSignal]) -> Watch {
        let causes = self.causes.iter().filter(|cause| cause.event == event);
        let conditions = causes.flat_map(|cause| {
            let one = |path| pattern::find(path, signals).next();
            let (unless, with) = (cause.unless.and_then(one), cause.with.and_then(one));
            pattern::find(cause.set, signals).map(move |signal| Condition {
                set: signal.path.clone(),
                unless: unless.map(|signal| signal.path.clone()),
                with: with.map(|signal| signal.path.clone()),
            })
        });
        Watch { conditions: conditions.collect() }
    }

    fn part(&mut self, name: &'static str, lines: &'static [Line]) {
        self.parts.push(Part { name, lines, is_open: false });
    }

    /// What the scheduler is about.
    fn open_part(&mut self, name: &'static str, lines: &'static [Line]) {
        self.parts.push(Part { name, lines, is_open: true });
    }

    /// What a gate over the scheduler is about: before everything else.
    fn first_part(&mut self, name: &'static str, lines: &'static [Line]) {
        self.parts.insert(0, Part { name, lines, is_open: true });
    }

    fn cause(&mut self, event: Event, set: &'static str) {
        self.causes.push(Cause { event, set, unless: None, with: None });
    }

    fn cause_unless(&mut self, event: Event, set: &'static str, unless: &'static str) {
        self.causes.push(Cause { event, set, unless: Some(unless), with: None });
    }

    fn cause_with(&mut self, event: Event, set: &'static str, with: &'static str) {
        self.causes.push(Cause { event, set, unless: None, with: Some(with) });
    }
}

const fn bits(pattern: &'static str) -> Line {
    Line { pattern, written: Written::Bits }
}

const fn number(pattern: &'static str) -> Line {
    Line { pattern, written: Written::Decimal }
}

const fn address(pattern: &'static str) -> Line {
    Line { pattern, written: Written::Address }
}

const fn named(pattern: &'static str, names: &'static [&'static str]) -> Line {
    Line { pattern, written: Written::Names(names) }
}
