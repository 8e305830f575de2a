//! Dumps of the hardware while it runs.

use crate::engine::Tap;
use crate::regress::StopFlag;
use blockyard_rtl::module::Module;
use blockyard_waves::{write_views, Capture, CaptureOptions, Format};
use miette::{miette, Report, Result};
use std::cell::RefCell;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::NamedTempFile;

/// Which part of a run and of the hardware is dumped.
#[derive(Clone, Debug)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
    /// Modules to dump with all below them; empty for all.
    pub scopes: Vec<String>,
}

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

/// The dump starts with the first sample, which brings the hierarchy.
enum Recording {
    Waiting(BufWriter<NamedTempFile>, CaptureOptions),
    Running(Box<Capture<BufWriter<NamedTempFile>>>),
    Failed(String),
    Done,
}

impl WaveFile {
    /// A dump at `path`, of nothing yet.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(path: &Path, window: Window) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.is_dir() {
            return Err(miette!("cannot write {}: it is a folder", path.display()));
        }
        if path.extension().is_some_and(|extension| extension == "gtkw") {
            let name = path.display();
            return Err(miette!(help = "expected F.vcd", "{name} is the name of a dump's view"));
        }
        let from = window.from;
        let file = tempfile::Builder::new()
            .prefix(".blockyard-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(|error| unwritable(path, &error))?;
        let options = CaptureOptions {
            window: window.from..=window.to,
            scopes: window.scopes,
            format: format(path),
        };
        let recording = Recording::Waiting(BufWriter::new(file), options);
        let recording = Rc::new(RefCell::new(recording));
        Ok(Self { path: path.to_owned(), from, recording, stop: StopFlag::new() })
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
        Box::new(WaveTap { recording: Rc::clone(&self.recording), stop: self.stop.clone() })
    }

    /// Ends the dump of a run of `cycles` cycles, puts it under its name and writes the views
    /// beside it. Returns all paths.
    ///
    /// # Errors
    /// When nothing was sampled, the run ended before the window, or a file cannot be written.
    pub fn finish(self, cycles: u64) -> Result<Vec<PathBuf>> {
        let recording = std::mem::replace(&mut *self.recording.borrow_mut(), Recording::Done);
        let capture = match recording {
            Recording::Running(capture) => capture,
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
        let buffer = capture.finish(last).map_err(|error| miette!("{error}"))?;
        let file = buffer.into_inner().map_err(|error| unwritable(&self.path, error.error()))?;
        publish(file, &self.path)?;
        let mut files = vec![self.path.clone()];
        files.extend(write_views(&self.path).map_err(|error| miette!("{error}"))?);
        Ok(files)
    }
}

/// Gives a finished temporary file its name and the rights of any new file.
fn publish(file: NamedTempFile, path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(rights).map_err(|error| unwritable(path, &error))?;
    }
    file.persist(path).map_err(|error| unwritable(path, &error.error))?;
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> Report {
    miette!(
        help = "expected a path in a writable folder",
        "cannot write {}: {error}",
        path.display()
    )
}

struct WaveTap {
    recording: Rc<RefCell<Recording>>,
    stop: StopFlag,
}

impl Tap for WaveTap {
    fn sample(&mut self, cycle: u64, module: &dyn Module) {
        let mut recording = self.recording.borrow_mut();
        if let Recording::Waiting(..) = *recording {
            let waiting = std::mem::replace(&mut *recording, Recording::Done);
            let Recording::Waiting(writer, options) = waiting else { return };
            *recording = match Capture::new(writer, "top", module.as_block(), options) {
                Ok(capture) => Recording::Running(Box::new(capture)),
                Err(error) => Recording::Failed(error.to_string()),
            };
        }
        if let Recording::Running(capture) = &mut *recording {
            if let Err(error) = capture.sample(cycle, module.as_block()) {
                *recording = Recording::Failed(error.to_string());
            }
        }
        if let Recording::Failed(_) = *recording {
            self.stop.raise();
        }
    }
}
