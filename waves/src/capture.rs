//! A design's signals, streamed into a dump as they change.

use crate::error::WaveError;
use crate::layout::{layout, split, Step, Variable};
use crate::sink::{Body, Code, Format, Header};
use rust_hdl::core::atom::Atom;
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use std::io::{Seek, Write};
use std::ops::RangeInclusive;

/// What to dump.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// First and last cycle.
    pub window: RangeInclusive<u64>,
    /// Dotted paths of the modules to dump with all below them, without the top's name; empty for
    /// the whole design.
    pub scopes: Vec<String>,
    /// How it is written.
    pub format: Format,
}

impl Default for CaptureOptions {
    /// Everything, as VCD.
    fn default() -> Self {
        Self { window: 0..=u64::MAX, scopes: Vec::new(), format: Format::Vcd }
    }
}

/// A dump that is being written. One time unit is one clock cycle, and so clocks are left out. The
/// same samples give the same bytes: the header has no date.
///
/// Cycles without a sample repeat the one before, so that a run that skips quiet cycles gives the
/// same dump as one that does not.
pub struct Capture<W: Write + Seek> {
    body: Body<W>,
    window: RangeInclusive<u64>,
    signals: Vec<Option<Recorded>>,
    sampled: Option<u64>,
    started: bool,
}

/// A signal with its place in the dump and its last value.
struct Recorded {
    variables: Vec<Variable>,
    codes: Vec<Code>,
    last: VCDValue,
    changed: bool,
}

impl<W: Write + Seek> Capture<W> {
    /// Writes the header of a dump of `block` under the name `top`.
    ///
    /// # Errors
    /// When a scope of `options` does not exist, or writing fails.
    pub fn new(
        writer: W,
        top: &str,
        block: &dyn Block,
        options: CaptureOptions,
    ) -> Result<Self, WaveError> {
        let steps = layout(top, block, &options.scopes);
        check_scopes(&steps, &options.scopes)?;
        let mut comments =
            vec!["Blockyard: one time unit is one clock cycle; clocks are left out".to_owned()];
        comments.extend(enum_comments(&steps));
        let mut header = Header::new(writer, options.format, &comments)?;
        let mut signals = Vec::new();
        for step in shown(steps) {
            match step {
                Step::Enter(name) => header.enter(&name)?,
                Step::Leave => header.leave()?,
                Step::Hidden => signals.push(None),
                Step::Signal(variables) => {
                    let codes = variables
                        .iter()
                        .map(|each| header.variable(each.width, &each.name))
                        .collect::<Result<_, _>>()?;
                    let last = VCDValue::Composite(Vec::new());
                    signals.push(Some(Recorded { variables, codes, last, changed: false }));
                }
            }
        }
        let body = header.finish()?;
        Ok(Self { body, window: options.window, signals, sampled: None, started: false })
    }

    /// Records the settled signals of `cycle`. Cycles must increase.
    ///
    /// # Errors
    /// When writing fails, or `cycle` is not after the cycle sampled before it.
    pub fn sample(&mut self, cycle: u64, block: &dyn Block) -> Result<(), WaveError> {
        if let Some(last) = self.sampled.filter(|last| *last >= cycle) {
            return Err(WaveError::CycleWentBack { cycle, last });
        }
        if cycle > *self.window.end() {
            return self.start_late(cycle);
        }
        if cycle > *self.window.start() {
            self.start_late(cycle)?;
        }
        let mut sampler = Sampler { signals: self.signals.iter_mut(), changed: false };
        block.accept("", &mut sampler);
        let changed = sampler.changed;
        self.sampled = Some(cycle);
        if cycle < *self.window.start() {
            return Ok(());
        }
        if !self.started {
            return self.dump_all(cycle);
        }
        if changed {
            self.body.time(cycle)?;
            self.write(|signal| signal.changed)?;
        }
        Ok(())
    }

    /// Ends the dump: the last value of each signal holds to the end of `last_cycle`.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self, last_cycle: u64) -> Result<W, WaveError> {
        self.start_late(last_cycle.saturating_add(1))?;
        if self.started {
            let last = last_cycle.min(*self.window.end());
            self.body.time(last.saturating_add(1))?;
        }
        self.body.finish()
    }

    /// Starts the dump at the window's first cycle with what was sampled before it, if no sample
    /// fell on that cycle and `cycle` is past it.
    fn start_late(&mut self, cycle: u64) -> Result<(), WaveError> {
        if !self.started && self.sampled.is_some() && cycle > *self.window.start() {
            self.dump_all(*self.window.start())?;
        }
        Ok(())
    }

    fn dump_all(&mut self, cycle: u64) -> Result<(), WaveError> {
        self.started = true;
        self.body.time(cycle)?;
        self.body.begin_all()?;
        self.write(|_| true)?;
        self.body.end_all()
    }

    fn write(&mut self, which: impl Fn(&Recorded) -> bool) -> Result<(), WaveError> {
        for signal in self.signals.iter_mut().flatten().filter(|signal| which(signal)) {
            let parts = split(&signal.last, &signal.variables);
            for (code, bits) in signal.codes.iter().zip(parts) {
                self.body.change(*code, &bits)?;
            }
        }
        Ok(())
    }
}

/// Visits the signals in the order of the layout and takes their values over.
struct Sampler<'a, I: Iterator<Item = &'a mut Option<Recorded>>> {
    signals: I,
    changed: bool,
}

impl<'a, I: Iterator<Item = &'a mut Option<Recorded>>> Probe for Sampler<'a, I> {
    fn visit_atom(&mut self, _name: &str, atom: &dyn Atom) {
        if let Some(Some(signal)) = self.signals.next() {
            let value = atom.vcd();
            signal.changed = value != signal.last;
            if signal.changed {
                signal.last = value;
                self.changed = true;
            }
        }
    }
}

/// The steps without scopes in which nothing is shown.
fn shown(steps: Vec<Step>) -> Vec<Step> {
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        let empty =
            matches!(kept.iter().rev().find(|step| **step != Step::Hidden), Some(Step::Enter(_)));
        if step == Step::Leave && empty {
            let enter = kept.iter().rposition(|step| matches!(step, Step::Enter(_)));
            // The hidden signals keep their places in the order of visits.
            kept.remove(enter.expect("the last step that is not hidden is one"));
        } else {
            kept.push(step);
        }
    }
    kept
}

fn check_scopes(steps: &[Step], scopes: &[String]) -> Result<(), WaveError> {
    let (mut path, mut paths, mut below_top) = (Vec::new(), Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => {
                path.push(name.as_str());
                paths.push(path[1..].join("."));
                if path.len() == 2 {
                    below_top.push(name.as_str());
                }
            }
            Step::Leave => {
                path.pop();
            }
            Step::Signal(_) | Step::Hidden => {}
        }
    }
    match scopes.iter().find(|scope| !paths.contains(scope)) {
        None => Ok(()),
        Some(scope) => {
            Err(WaveError::NoSuchScope { scope: scope.clone(), known: below_top.join(", ") })
        }
    }
}

/// `enum top.queue.state 0=Idle 1=Shift`: what the views need to name values.
fn enum_comments(steps: &[Step]) -> Vec<String> {
    let (mut path, mut lines) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => path.push(name.as_str()),
            Step::Leave => {
                path.pop();
            }
            Step::Hidden => {}
            Step::Signal(variables) => {
                for variable in variables.iter().filter(|variable| !variable.names.is_empty()) {
                    let values = variable.names.iter().enumerate();
                    let values: Vec<String> =
                        values.map(|(number, name)| format!("{number}={name}")).collect();
                    lines.push(format!(
                        "enum {}.{} {}",
                        path.join("."),
                        variable.name,
                        values.join(" ")
                    ));
                }
            }
        }
    }
    lines
}
