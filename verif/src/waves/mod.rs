//! Dumps of the hardware while it runs.

mod events;
pub(crate) mod sides;
mod subject;
pub mod tracks;

pub use sides::{HARDWARE_PATH, TWIN_PATH};
pub use subject::Dumped;

use crate::engine::{Comparison, Failure, Tap, Witness};
use crate::regress::StopFlag;
use crate::story::{view, Event, Story, Subject};
use blockyard_rtl::changes::Changes;
use blockyard_rtl::module::Module;
use blockyard_sim::input::is_standard;
use blockyard_sim::output::{unwritable, WholeFile};
use blockyard_sim::port::{DevicePorts, Inputs, Outputs};
use blockyard_sim::run::observer::{CoalescedGroup, DispatchedBlock, EnteredKernel, Observer};
use blockyard_waves::{
    Capture, CaptureOptions, Design, Format, Trigger, Views, Watch, WaveError, TEXT_SCOPE,
};
use events::{check_events, SIGNALLED};
use miette::{miette, Report, Result};
use sides::Sides;
use std::cell::RefCell;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tracks::Teller;

/// Which part of a run and of the hardware is dumped.
#[derive(Clone, Debug)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
    /// Modules to dump with all below them; empty for all. `story` stands for what is told in
    /// words.
    pub scopes: Vec<String>,
    /// Only the cycles around these events; empty for all.
    pub on: Vec<Event>,
    /// Cycles before and after each of them.
    pub around: u64,
}

/// Most characters of a dump's version: FST has no room for more.
const VERSION_LENGTH: usize = 127;

/// The format that a dump of this name has: FST for `F.fst`, else VCD.
fn format(path: &Path) -> Format {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("fst") => Format::Fst,
        _ => Format::Vcd,
    }
}

/// A dump that appears under its name when it is complete.
pub struct WaveFile {
    path: PathBuf,
    from: u64,
    recording: Rc<RefCell<Recording>>,
    stop: StopFlag,
}

/// What is dumped of whom.
struct Plan {
    window: Window,
    format: Format,
    story: Story,
    version: String,
    about: String,
    smx: usize,
    slots: usize,
    has_group_table: bool,
    has_sides: bool,
    lingers: u64,
}

/// The dump starts with the first sample, which brings the hierarchy.
enum Recording {
    Waiting(BufWriter<WholeFile>, Box<Plan>),
    Running(Box<Running>),
    Failed(String),
    Done,
}

struct Running {
    capture: Capture<BufWriter<WholeFile>>,
    /// What has changed since the first sample.
    changes: Option<Changes>,
    teller: Teller,
    /// What each side of lockstep says, where that is dumped.
    sides: Option<Sides>,
    /// The events that signals tell, by their number in the capture.
    signalled: Vec<Event>,
    /// Whether a mismatch is dumped.
    on_mismatch: bool,
}

impl WaveFile {
    /// A dump at `path` of a run, of nothing yet.
    ///
    /// # Errors
    /// When the folder cannot be written to, or the scheduler does not have an event of the window.
    pub fn create(path: &Path, window: Window, of: Dumped<'_>) -> Result<Self> {
        if path.is_dir() {
            return Err(miette!("cannot write {}: it is a folder", path.display()));
        }
        if path.extension().is_some_and(|extension| extension == "gtkw" || extension == "sucl") {
            let name = path.display();
            return Err(miette!(help = "expected F.vcd", "{name} is the name of a dump's view"));
        }
        let (scheduler, launch) = (of.scheduler.clone(), of.launch);
        let story = Story::of(&scheduler, launch);
        check_events(&window.on, &story, of)?;
        let ports = scheduler.ports(launch);
        let version = Subject { scheduler, launch }.to_string();
        let known = version.len() <= VERSION_LENGTH && version.is_ascii();
        let from = window.from;
        let file = WholeFile::create(path).map_err(|error| unwritable(path, &error))?;
        let plan = Plan {
            window,
            format: format(path),
            story,
            about: String::new(),
            version: if known { version } else { "Blockyard".to_owned() },
            smx: of.smx,
            slots: of.slots,
            has_group_table: ports.device == DevicePorts::Groups,
            has_sides: false,
            lingers: 0,
        };
        let recording = Recording::Waiting(BufWriter::new(file), Box::new(plan));
        let recording = Rc::new(RefCell::new(recording));
        Ok(Self { path: path.to_owned(), from, recording, stop: StopFlag::new() })
    }

    /// Says in the dump what its run is: `text` is a line of ASCII without a `$`.
    pub fn about(self, text: String) -> Self {
        if let Recording::Waiting(_, plan) = &mut *self.recording.borrow_mut() {
            plan.about = text;
        }
        self
    }

    /// Dumps the outputs of both sides in words, too, and what the twin says of its state, and goes
    /// on for that many cycles after the first difference.
    pub fn beside_the_twin(self, lingers: u64) -> Self {
        if let Recording::Waiting(_, plan) = &mut *self.recording.borrow_mut() {
            (plan.has_sides, plan.lingers) = (true, lingers);
        }
        self
    }

    /// Raises `stop` when the dump cannot be written any further: see [`failure`](Self::failure).
    pub fn stops(mut self, stop: &StopFlag) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Why the dump cannot be written any further.
    pub fn failure(&self) -> Option<Report> {
        match &*self.recording.borrow() {
            Recording::Failed(error) => Some(miette!("{error}")),
            _ => None,
        }
    }

    /// What fills it.
    pub fn tap(&self) -> Box<dyn Tap> {
        Box::new(self.recorder())
    }

    fn recorder(&self) -> Recorder {
        Recorder { recording: Rc::clone(&self.recording), stop: self.stop.clone() }
    }

    /// Ends the dump of a run of `cycles` cycles, puts it under its name and writes the views
    /// beside it. Returns all paths; none when no event happened around which something is dumped.
    ///
    /// # Errors
    /// When nothing was sampled, the run ended before the window, or a file cannot be written.
    pub fn finish(self, cycles: u64) -> Result<Vec<PathBuf>> {
        let recording = std::mem::replace(&mut *self.recording.borrow_mut(), Recording::Done);
        let mut running = match recording {
            Recording::Running(running) => running,
            Recording::Failed(error) => return Err(miette!("{error}")),
            Recording::Waiting(..) | Recording::Done => return Err(miette!("nothing to dump")),
        };
        let last = cycles.saturating_sub(1);
        if self.from > last {
            return Err(miette!(
                help = "expected a first cycle within the run",
                "the dump begins in cycle {}, but the run ended in cycle {last}",
                self.from
            ));
        }
        if running.capture.is_empty().map_err(|error| miette!("{error}"))? {
            return Ok(Vec::new());
        }
        let (ending, contents) = running.capture.end(last).map_err(|error| miette!("{error}"))?;
        let views = Views::of(&self.path, &contents, view);
        let buffer = ending.wait().map_err(|error| miette!("{error}"))?;
        let file = buffer.into_inner().map_err(|error| unwritable(&self.path, error.error()))?;
        file.finish().map_err(|error| unwritable(&self.path, &error))?;
        let mut files = vec![self.path.clone()];
        if is_standard(&self.path) || !self.path.is_file() {
            // A device, or a pipe: there is nothing to be viewed.
            return Ok(files);
        }
        files.extend(views.write().map_err(|error| miette!("{error}"))?);
        Ok(files)
    }
}

impl Plan {
    fn start(
        self,
        writer: BufWriter<WholeFile>,
        module: &dyn Module,
    ) -> Result<Running, WaveError> {
        let Self { window, format, story, version, about, smx, slots, .. } = self;
        let mut scopes = window.scopes;
        let asked = scopes.len();
        scopes.retain(|scope| scope != TEXT_SCOPE);
        let texts_only = scopes.is_empty() && asked > 0;
        let design = Design::new("top", module.as_block());
        // In a dump of texts alone nothing is looked at for a text.
        let mut signalled: Vec<Event> = if texts_only { Vec::new() } else { SIGNALLED.to_vec() };
        signalled.retain(|event| story.events().contains(event));
        // What is dumped around is worth a word, too.
        let told = |event: &&Event| matches!(event, Event::Dispatch | Event::Finish);
        signalled.extend(window.on.iter().filter(told));
        let told = signalled.len();
        signalled.extend(window.on.iter().filter(|event| **event != Event::Mismatch));
        let all = if signalled.is_empty() { Vec::new() } else { design.signals() };
        let watches: Vec<Watch> = signalled.iter().map(|event| story.watch(*event, &all)).collect();
        let triggers = (told..signalled.len()).collect();
        let trigger = Trigger { watches: triggers, margin: window.around };
        signalled.truncate(told);
        let mut texts = tracks::variables(smx, slots);
        let sides = self.has_sides.then(|| Sides::new(texts.len(), smx, window.from));
        texts.extend(sides.iter().flat_map(Sides::variables));
        let options = CaptureOptions {
            version,
            about,
            window: window.from..=window.to,
            scopes,
            format,
            texts_only,
            texts,
            watches,
            trigger: (!window.on.is_empty()).then_some(trigger),
        };
        let on_mismatch = window.on.contains(&Event::Mismatch);
        Ok(Running {
            capture: Capture::new(writer, design, options)?,
            changes: None,
            teller: Teller::new(smx, slots, self.has_group_table),
            sides,
            signalled,
            on_mismatch,
        })
    }
}

impl Running {
    fn sample(&mut self, cycle: u64, module: &dyn Module) -> Result<(), WaveError> {
        let Self { capture, changes, teller, signalled, .. } = self;
        match changes {
            Some(changes) => capture.sample_changes(cycle, |see| changes.see(module, see))?,
            None => {
                capture.sample(cycle, module.as_block())?;
                *changes = Some(Changes::new(module, &|number| capture.wants(number)));
            }
        }
        let happening: Vec<Event> = (0..)
            .zip(&*signalled)
            .filter(|(watch, _)| capture.happens(*watch))
            .map(|each| *each.1)
            .collect();
        teller.cycle(capture, cycle, happening.into_iter())
    }
}

/// What fills a dump: with signals as a tap, with words as a witness.
struct Recorder {
    recording: Rc<RefCell<Recording>>,
    stop: StopFlag,
}

impl Recorder {
    /// Does `what` with the running dump, and stops the run when it fails.
    fn record(&mut self, what: impl FnOnce(&mut Running) -> Result<(), WaveError>) {
        let mut recording = self.recording.borrow_mut();
        if let Recording::Running(running) = &mut *recording {
            if let Err(error) = what(running) {
                *recording = Recording::Failed(error.to_string());
            }
        }
        if let Recording::Failed(_) = *recording {
            self.stop.raise();
        }
    }
}

impl Tap for Recorder {
    fn sample(&mut self, cycle: u64, module: &dyn Module) {
        let waiting = matches!(*self.recording.borrow(), Recording::Waiting(..));
        if waiting {
            let mut recording = self.recording.borrow_mut();
            let before = std::mem::replace(&mut *recording, Recording::Done);
            let Recording::Waiting(writer, plan) = before else { return };
            *recording = match plan.start(writer, module) {
                Ok(running) => Recording::Running(Box::new(running)),
                Err(error) => Recording::Failed(error.to_string()),
            };
        }
        self.record(|running| running.sample(cycle, module));
    }

    fn witness(&self) -> Option<Box<dyn Witness>> {
        let (recording, stop) = (Rc::clone(&self.recording), self.stop.clone());
        Some(Box::new(Self { recording, stop }))
    }

    fn lingers(&self) -> u64 {
        match &*self.recording.borrow() {
            Recording::Waiting(_, plan) => plan.lingers,
            _ => 0,
        }
    }
}

impl Observer for Recorder {
    fn cycle(&mut self, cycle: u64, _inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        self.record(|running| running.teller.outputs(&mut running.capture, cycle, outputs));
        ControlFlow::Continue(())
    }

    fn follows_turns(&self) -> bool {
        matches!(*self.recording.borrow(), Recording::Waiting(..) | Recording::Running(_))
    }

    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        self.record(|running| {
            running.teller.block_ended(&mut running.capture, cycle, smx, usize::from(slot))
        });
    }

    fn entered(&mut self, kernel: &EnteredKernel<'_>) {
        self.record(|running| running.teller.entered(&mut running.capture, kernel));
    }

    fn coalesced(&mut self, group: &CoalescedGroup<'_>) {
        self.record(|running| running.teller.coalesced(&mut running.capture, group));
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.record(|running| running.teller.dispatched(&mut running.capture, block));
    }
}

impl Witness for Recorder {
    fn compared(&mut self, comparison: &Comparison<'_>) {
        self.record(|running| match &mut running.sides {
            Some(sides) => sides.compared(&mut running.capture, comparison),
            None => Ok(()),
        });
    }

    fn asks_for_state(&self, cycle: u64) -> bool {
        match &*self.recording.borrow() {
            Recording::Running(running) => {
                running.sides.as_ref().is_some_and(|sides| sides.asks_for_state(cycle))
            }
            _ => false,
        }
    }

    fn failed(&mut self, cycle: u64, failure: &Failure<'_>) {
        self.record(|running| {
            let Running { capture, teller, on_mismatch, .. } = running;
            let event = match failure {
                Failure::Mismatch(port) => format!("{}:{port}", Event::Mismatch),
                Failure::Stuck => tracks::STUCK.to_owned(),
            };
            teller.ends(capture, cycle, event)?;
            match failure {
                Failure::Mismatch(_) if *on_mismatch => capture.fire(cycle),
                _ => Ok(()),
            }
        });
    }
}
