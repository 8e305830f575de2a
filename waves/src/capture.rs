//! A design's signals, streamed into a dump as they change.

mod around;
mod steps;
mod track;
mod watched;

use crate::contents::Contents;
use crate::error::WaveError;
use crate::layout::{every_signal, variables, Design, Step};
use crate::outbox::{Ending, Outbox, Target};
use crate::read::DumpSignal;
use crate::sink::{Code, Format, Header};
use crate::text::{TextVariable, TEXT_SCOPE};
use crate::watch::{Trigger, Watch};
use around::Around;
use rust_hdl::core::block::Block;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use steps::{check_scopes, enum_comments, hidden, places, shown};
use track::Tracks;
use watched::{watched, Watched};

/// What to dump.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// Who wrote the dump, and of what: at most 127 characters of ASCII.
    pub version: String,
    /// What the run is of which it is, in a line of ASCII without a `$`; empty for nothing.
    pub about: String,
    /// First and last cycle.
    pub window: RangeInclusive<u64>,
    /// Dotted paths of the modules to dump with all below them, without the top's name; empty for
    /// the whole design.
    pub scopes: Vec<String>,
    /// How it is written.
    pub format: Format,
    /// No signal is dumped. When none is watched either, sampling costs nothing.
    pub texts_only: bool,
    /// Texts beside the signals, those of one scope together.
    pub texts: Vec<TextVariable>,
    /// Events that signals stand for; see [`Capture::happens`].
    pub watches: Vec<Watch>,
    /// Dumps only the cycles around some events.
    pub trigger: Option<Trigger>,
}

impl Default for CaptureOptions {
    /// All signals in every cycle, as VCD.
    fn default() -> Self {
        Self {
            version: "Blockyard".to_owned(),
            about: String::new(),
            window: 0..=u64::MAX,
            scopes: Vec::new(),
            format: Format::Vcd,
            texts_only: false,
            texts: Vec::new(),
            watches: Vec::new(),
            trigger: None,
        }
    }
}

/// A dump that is being written. One time unit is one clock cycle, and so clocks are left out. The
/// same samples give the same bytes: the header has no date.
///
/// Cycles without a sample repeat the one before, so that a run that skips quiet cycles gives the
/// same dump as one that does not.
pub struct Capture<W: Target> {
    body: Outbox<W>,
    version: String,
    /// What is dumped, the texts last.
    signals: Vec<DumpSignal>,
    texts: usize,
    window: RangeInclusive<u64>,
    tracks: Tracks,
    watches: Vec<Vec<Watched>>,
    /// Which of them happen in the cycle that was sampled last.
    happening: Vec<bool>,
    /// Those of `watches` that are dumped around.
    triggers: Vec<usize>,
    around: Option<Around>,
    sampled: Option<u64>,
    /// The cycle that is known and not yet written: more may be said of it.
    pending: Option<u64>,
    fired: bool,
    started: bool,
}

impl<W: Target> Capture<W> {
    /// Writes the header of a dump of `design`. What follows is written on a thread of its own, and
    /// may fail some calls later.
    ///
    /// # Errors
    /// When a scope or a signal of `options` does not exist, or writing fails.
    pub fn new(writer: W, design: Design, options: CaptureOptions) -> Result<Self, WaveError> {
        check_scopes(&design.steps, &options.scopes)?;
        let steps = design.scoped(&options.scopes);
        let places = if options.watches.is_empty() { HashMap::new() } else { places(&steps) };
        let watches: Vec<Vec<Watched>> = options
            .watches
            .iter()
            .map(|watch| watched(watch, &places))
            .collect::<Result<_, _>>()?;
        let needed =
            watches.iter().flatten().flat_map(|each| [Some(each.set), each.unless, each.with]);
        let needed: Vec<usize> = needed.flatten().map(|(track, _)| track).collect();
        let mut comments =
            vec!["Blockyard: one time unit is one clock cycle; clocks are left out".to_owned()];
        comments.extend(enum_comments(&steps));
        let mut header = {
            let CaptureOptions { format, version, about, .. } = &options;
            Header::new(writer, *format, version, &comments, about)?
        };
        let mut tracks = Tracks::default();
        let steps =
            if options.texts_only { steps.into_iter().map(hidden).collect() } else { steps };
        let steps = shown(steps);
        let mut signals = variables(&steps);
        let texts = texts(&options);
        signals.extend(texts.iter().cloned());
        for step in steps {
            match step {
                Step::Enter(name) => header.enter(&name)?,
                Step::Leave => header.leave()?,
                Step::Outside(variables) if needed.contains(&tracks.signals()) => {
                    tracks.add_signal(variables.into_iter().map(|variable| (variable, None)));
                }
                Step::Hidden | Step::Outside(_) => tracks.add_gap(),
                Step::Signal(variables) => {
                    let codes: Vec<Code> = variables
                        .iter()
                        .map(|each| header.variable(each.width, &each.name))
                        .collect::<Result<_, _>>()?;
                    tracks.add_signal(variables.into_iter().zip(codes.into_iter().map(Some)));
                }
            }
        }
        tracks.trim();
        declare_texts(&mut header, &options.texts, &mut tracks)?;
        let around = options.trigger.as_ref().map(|trigger| Around::new(trigger.margin, &tracks));
        Ok(Self {
            body: Outbox::new(header.finish()?)?,
            version: options.version,
            signals,
            window: options.window,
            tracks,
            texts: options.texts.len(),
            happening: vec![false; watches.len()],
            watches,
            triggers: options.trigger.map_or_else(Vec::new, |trigger| trigger.watches),
            around,
            sampled: None,
            pending: None,
            fired: false,
            started: false,
        })
    }

    /// Whether the signal of that number, in the order in which the probe visits them, is needed.
    pub fn wants(&self, number: usize) -> bool {
        self.tracks.wants(number)
    }

    /// Records the settled signals of `cycle`. Cycles must increase.
    ///
    /// # Errors
    /// When writing fails, or `cycle` is not after the cycle sampled before it.
    pub fn sample(&mut self, cycle: u64, block: &dyn Block) -> Result<(), WaveError> {
        self.sample_with(cycle, |tracks| {
            every_signal(block, &mut |number, signal| tracks.take(number, signal));
        })
    }

    /// Like [`sample`](Self::sample) for all samples but the first, of a design that knows itself
    /// what has changed: `changes` shows up to 64 bits of a variable that have another value than
    /// in the sample before: with the number of its signal, its own number in it, the place of the
    /// lowest bit, and the bits.
    ///
    /// # Errors
    /// As for [`sample`](Self::sample).
    pub fn sample_changes(
        &mut self,
        cycle: u64,
        changes: impl FnOnce(&mut dyn FnMut(usize, usize, usize, u64)),
    ) -> Result<(), WaveError> {
        self.sample_with(cycle, |tracks| {
            changes(&mut |number, variable, from, bits| {
                tracks.take_bits((number, variable), from, bits);
            });
        })
    }

    fn sample_with(&mut self, cycle: u64, look: impl FnOnce(&mut Tracks)) -> Result<(), WaveError> {
        if let Some(last) = self.sampled.filter(|last| *last >= cycle) {
            return Err(WaveError::CycleWentBack { cycle, last });
        }
        self.reach(cycle)?;
        self.sampled = Some(cycle);
        look(&mut self.tracks);
        if self.tracks.take_signal_changed() {
            for (happens, watched) in self.happening.iter_mut().zip(&self.watches) {
                *happens = watched.iter().any(|condition| condition.holds(&self.tracks));
            }
        }
        Ok(())
    }

    /// From `cycle` on, the text of that number in the options is `text`. A cycle that is sampled
    /// is told after it was sampled.
    ///
    /// # Errors
    /// When writing fails, or a later cycle is known already.
    ///
    /// # Panics
    /// When there is no such text.
    pub fn say(&mut self, cycle: u64, number: usize, text: &str) -> Result<(), WaveError> {
        self.reach(cycle)?;
        self.tracks.say(number, text);
        Ok(())
    }

    /// An event that no signal stands for: with a trigger, `cycle` is dumped, with the cycles
    /// around it.
    ///
    /// # Errors
    /// As for [`say`](Self::say).
    pub fn fire(&mut self, cycle: u64) -> Result<(), WaveError> {
        self.reach(cycle)?;
        self.fired = true;
        Ok(())
    }

    /// Whether the event of that number in the options happens in the cycle that was sampled last.
    ///
    /// # Panics
    /// When there is no such event.
    pub fn happens(&self, watch: usize) -> bool {
        self.happening[watch]
    }

    /// Whether there is a trigger, and nothing has happened that it waits for.
    ///
    /// # Errors
    /// When writing fails.
    pub fn is_empty(&mut self) -> Result<bool, WaveError> {
        self.flush()?;
        Ok(self.around.as_ref().is_some_and(Around::is_empty))
    }

    /// Ends the dump: the last value of each signal holds to the end of `last_cycle`. Returns where
    /// it was written to, and what views need to know of it.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(self, last_cycle: u64) -> Result<(W, Contents), WaveError> {
        let (ending, contents) = self.end(last_cycle)?;
        Ok((ending.wait()?, contents))
    }

    /// As [`finish`](Self::finish), but does not wait until everything is written.
    ///
    /// # Errors
    /// When writing has failed.
    pub fn end(mut self, last_cycle: u64) -> Result<(Ending<W>, Contents), WaveError> {
        self.flush()?;
        self.start_late(last_cycle.saturating_add(1))?;
        let last = last_cycle.min(*self.window.end());
        match &self.around {
            Some(around) => {
                if let Some(end) = around.end(last) {
                    self.body.time(end)?;
                }
            }
            None if self.started => self.body.time(last.saturating_add(1))?,
            None => {}
        }
        let first_end = self.around.as_ref().and_then(Around::first_end);
        let (ending, told) = self.body.end()?;
        let texts = &self.signals[self.signals.len() - self.texts..];
        let paths: Vec<String> = texts.iter().map(|text| text.path.clone()).collect();
        let mut contents = told.contents(self.version, self.signals, &paths);
        contents.stretch.end = first_end.unwrap_or(contents.stretch.end);
        Ok((ending, contents))
    }

    /// `cycle` is what is told now: what was told of an earlier one is all.
    fn reach(&mut self, cycle: u64) -> Result<(), WaveError> {
        if let Some(last) = self.pending {
            match last.cmp(&cycle) {
                Ordering::Less => {}
                Ordering::Equal => return Ok(()),
                Ordering::Greater => return Err(WaveError::CycleWentBack { cycle, last }),
            }
        }
        let lasting = self.triggers.iter().any(|watch| self.happens(*watch));
        self.flush()?;
        if let (Some(around), true) = (&mut self.around, lasting) {
            around.prolong(cycle);
        }
        self.start_late(cycle)?;
        self.pending = Some(cycle);
        Ok(())
    }

    /// Writes the cycle that is known.
    fn flush(&mut self) -> Result<(), WaveError> {
        let Some(cycle) = self.pending.take() else { return Ok(()) };
        let fired = std::mem::take(&mut self.fired);
        if self.around.is_some() {
            let event = fired || self.triggers.iter().any(|watch| self.happens(*watch));
            let Self { around, body, tracks, window, .. } = self;
            let around = around.as_mut().expect("there is one");
            around.frame(body, tracks, window, cycle, event)?;
        } else if self.window.contains(&cycle) {
            if !self.started {
                self.dump_all(cycle)?;
            } else if self.tracks.any_changed() {
                self.body.time(cycle)?;
                self.tracks.write_changes(&mut self.body);
            }
        }
        self.tracks.settle();
        Ok(())
    }

    /// Starts the dump at the window's first cycle with what was sampled before it, if no sample
    /// fell on that cycle and `cycle` is past it.
    fn start_late(&mut self, cycle: u64) -> Result<(), WaveError> {
        let late = self.around.is_none() && !self.started && self.sampled.is_some();
        if late && cycle > *self.window.start() {
            self.dump_all(*self.window.start())?;
        }
        Ok(())
    }

    fn dump_all(&mut self, cycle: u64) -> Result<(), WaveError> {
        self.started = true;
        self.body.time(cycle)?;
        self.body.begin_all();
        self.tracks.write_all(&mut self.body);
        self.body.end_all();
        Ok(())
    }
}

/// The texts as signals of the dump.
fn texts(options: &CaptureOptions) -> Vec<DumpSignal> {
    let signal = |text: &TextVariable| DumpSignal {
        path: format!("{TEXT_SCOPE}.{}", text.path),
        // VCD has variables of text, which have no bits.
        width: if options.format == Format::Fst { 8 * text.length as u32 } else { 0 },
        names: BTreeMap::new(),
        is_text: true,
    };
    options.texts.iter().map(signal).collect()
}

/// Declares the texts below [`TEXT_SCOPE`].
fn declare_texts<W: Target>(
    header: &mut Header<W>,
    texts: &[TextVariable],
    tracks: &mut Tracks,
) -> Result<(), WaveError> {
    let mut open: Vec<&str> = Vec::new();
    for text in texts {
        let mut scopes: Vec<&str> =
            std::iter::once(TEXT_SCOPE).chain(text.path.split('.')).collect();
        let name = scopes.pop().expect("a path has a name");
        let common = open.iter().zip(&scopes).take_while(|(a, b)| a == b).count();
        for _ in common..open.len() {
            header.leave()?;
        }
        for scope in &scopes[common..] {
            header.enter(scope)?;
        }
        tracks.add_text(header.text(name, text.length)?, text.length);
        open = scopes;
    }
    for _ in open {
        header.leave()?;
    }
    Ok(())
}
