//! A design's signals, streamed into a VCD dump as they change.

use crate::error::WaveError;
use crate::layout::{layout, split, Step, Variable};
use rust_hdl::core::atom::Atom;
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use std::cell::RefCell;
use std::io::Write;
use std::ops::RangeInclusive;
use std::rc::Rc;
use vcd::{IdCode, ScopeType, SimulationCommand, TimescaleUnit, VarType};

/// What to dump.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// First and last cycle.
    pub window: RangeInclusive<u64>,
    /// Dotted paths of the modules to dump with all below them, without the top's name; empty for
    /// the whole design.
    pub scopes: Vec<String>,
}

impl Default for CaptureOptions {
    /// Everything.
    fn default() -> Self {
        Self { window: 0..=u64::MAX, scopes: Vec::new() }
    }
}

/// A dump that is being written. One time unit is one clock cycle, and so clocks are left out. The
/// same samples give the same bytes: the header has no date.
///
/// Cycles without a sample repeat the one before, so that a run that skips quiet cycles gives the
/// same dump as one that does not.
pub struct Capture<W: Write> {
    writer: vcd::Writer<Shared<W>>,
    stream: Shared<W>,
    window: RangeInclusive<u64>,
    signals: Vec<Option<Recorded>>,
    sampled: Option<u64>,
    started: bool,
}

/// The stream under the `vcd` crate's writer, which does not give it back.
struct Shared<W>(Rc<RefCell<W>>);

impl<W> Clone for Shared<W> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// A signal with its place in the dump and its last value.
struct Recorded {
    variables: Vec<Variable>,
    codes: Vec<IdCode>,
    last: VCDValue,
    changed: bool,
}

impl<W: Write> Capture<W> {
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
        let stream = Shared(Rc::new(RefCell::new(writer)));
        let mut writer = vcd::Writer::new(stream.clone());
        writer.comment("Blockyard: one time unit is one clock cycle; clocks are left out")?;
        for line in enum_comments(&steps) {
            writer.comment(&line)?;
        }
        writer.timescale(1, TimescaleUnit::NS)?;
        let mut signals = Vec::new();
        for step in shown(steps) {
            match step {
                Step::Enter(name) => writer.scope_def(ScopeType::Module, &name)?,
                Step::Leave => writer.upscope()?,
                Step::Hidden => signals.push(None),
                Step::Signal(variables) => {
                    let codes = variables
                        .iter()
                        .map(|each| {
                            writer.add_var(var_type(each.width), each.width, &each.name, None)
                        })
                        .collect::<std::io::Result<_>>()?;
                    let last = VCDValue::Composite(Vec::new());
                    signals.push(Some(Recorded { variables, codes, last, changed: false }));
                }
            }
        }
        writer.enddefinitions()?;
        Ok(Self { writer, stream, window: options.window, signals, sampled: None, started: false })
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
            self.writer.timestamp(cycle)?;
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
            self.writer.timestamp(last.saturating_add(1))?;
        }
        let Self { writer, stream, .. } = self;
        drop(writer);
        let mut stream =
            Rc::into_inner(stream.0).expect("the writer was the other owner").into_inner();
        stream.flush()?;
        Ok(stream)
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
        self.writer.timestamp(cycle)?;
        self.writer.begin(SimulationCommand::Dumpvars)?;
        self.write(|_| true)?;
        self.writer.end()?;
        Ok(())
    }

    fn write(&mut self, which: impl Fn(&Recorded) -> bool) -> Result<(), WaveError> {
        for signal in self.signals.iter_mut().flatten().filter(|signal| which(signal)) {
            let parts = split(&signal.last, &signal.variables);
            for (code, bits) in signal.codes.iter().zip(parts) {
                match bits.as_slice() {
                    [bit] => self.writer.change_scalar(*code, *bit)?,
                    bits => self.writer.change_vector(*code, bits)?,
                }
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

/// GTKWave appends `[7:0]` to the name of a wider wire, and then finds it under no other name; it
/// leaves integers alone. So that a save file can name words without brackets, they are integers.
fn var_type(width: u32) -> VarType {
    if width == 1 {
        VarType::Wire
    } else {
        VarType::Integer
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
