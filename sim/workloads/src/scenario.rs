//! Scenarios: small TOML files that state thread blocks by duration, so that a worked example of a
//! paper fits on a page.
//!
//! ```toml
//! [gpu]                         # optional overrides of the preset's keys
//! smx = 4
//! thread_block_slots = 1
//! smx_slowdown = [1, 1, 1.5, 1] # a block's duration times its SMX's factor, rounded up
//!
//! [[kernel]]
//! name = "P"
//! grid = [8, 1, 1]
//! block = [64, 1, 1]
//! registers_per_thread = 16     # default 0
//! shared_memory = 0             # bytes a block, default 0
//! arrive = 0                    # cycle at which the host launches it, default 0
//! stream = 0                    # kernels of one stream run in order; default: one of its own
//! repeat = 1                    # instances, each launched when the one before has finished
//! duration = 100_000            # cycles; or [one entry a block]; or { mean = 5238, rsd = 0.3 }
//! relation = { back = 1, ratio = 1, offset = 0 } # block i needs block ratio * i + offset of the kernel `back`
//!                               # before; each key optional, with these defaults; for ikra/steal(relations=on)
//! cluster = [2, 1, 1]           # blocks that run together, 1 to 16, a divisor of the grid;
//!                               # default [1, 1, 1]; for clusters and launch-control(policy=...)
//! priority = 0                  # how urgent it is, 0 to 7; for the scheduler priority
//! partition = 0                 # of smx.partitions the one that it is for, 0 to 7; for the scheduler partitions
//! trigger = 60_000              # cycles of a block after which it lets a dependent begin; default: all
//! setup = 500                   # cycles at the begin of a block that was dispatched, of its duration; default 0
//! cancels = true                # a block asks for another one when its work is done, and spares its setup; default
//!                               # false; for the scheduler launch-control
//!
//! [[kernel]]
//! name = "Q"
//! stream = 0                    # that of a kernel before
//! dependent = true              # may begin when each block of that one has triggered; for the scheduler dependent
//! prologue = 20_000             # cycles of a block before it waits for the end of that one; default: all
//! grid = [8, 1, 1]
//! block = [64, 1, 1]
//! duration = 100_000
//!
//! [[kernel.launch]]             # what its blocks launch while they run, under --launch cdp or dtbl
//! by = 2                        # linear id of the parent block
//! at = 10_000                   # cycles after that block's dispatch, not scaled; within its duration
//! thread = 0                    # the launching thread of the block, default 0
//! kernel = "C"
//! grid = [2, 1, 1]
//! cluster = [2, 1, 1]           # as of a kernel; default [1, 1, 1]
//!
//! [[kernel]]
//! name = "C"
//! child = true                  # launched by blocks alone: no grid, arrive, stream, repeat, relation, cluster,
//!                               # priority, partition, dependent, trigger, prologue, setup, cancels
//! resident = false              # true: under dtbl the host launches it without blocks, for groups to find
//! block = [64, 1, 1]
//! duration = 100_000            # a list must fit every launch; what is drawn is drawn for each launch
//! ```
//!
//! A launch is an API call in the cycle that it states. Threads of one warp that state the same
//! cycle and kernel make one call; further kernels of that warp and cycle follow when the call
//! before has ended. Calls do not extend the block, nor do they put off calls that state a later
//! cycle. A block that runs shorter than `at`, because its duration was drawn or its SMX is a fast
//! one, launches in its last cycle.

mod check;
mod children;
mod cluster;
mod duration;
mod file;
mod launch;
mod overlap;
mod persistence;
mod program;
mod relation;

pub use duration::DurationSpec;
pub use launch::LaunchSpec;
pub use program::ScenarioProgram;

use std::ops::Range;
use std::path::Path;

use crate::diagnostic::InputError;
use crate::gpu::config::GpuConfig;
use crate::gpu::host::{Overlap, Persistence};
use crate::input;
use crate::plain::plain;
use crate::port::{BlockNeeds, Cluster, Dim3, LaunchMode, Relation};

/// Largest cycle number and duration in a scenario: half an hour of a GPU's time, and far from
/// overflowing the run's cycle number.
pub const MAX_CYCLES: u64 = 1 << 40;

/// Bytes of the file from which something was read.
type Span = Range<usize>;

/// A scenario that has been read and is sound as far as that can be seen without a GPU.
#[derive(Debug)]
pub struct Scenario {
    source: Source,
    overrides: Vec<Override>,
    kernels: Vec<KernelSpec>,
}

/// The file, for diagnostics.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
}

/// One key of the `[gpu]` table.
#[derive(Debug)]
struct Override {
    key: String,
    value: toml::Value,
    key_span: Span,
    value_span: Span,
}

/// A kernel of a scenario.
#[derive(Clone, Debug)]
pub struct KernelSpec {
    /// Its name, unique in the file.
    pub name: String,
    /// Extent of its grid; `None` for a child, whose launches state it.
    pub grid: Option<Dim3>,
    /// Extent of a block in threads.
    pub block: Dim3,
    /// 32-bit registers of a thread.
    pub registers_per_thread: u32,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
    /// The cycle of the host's launch.
    pub arrive: u64,
    /// Its stream; `None`: one of its own.
    pub stream: Option<u32>,
    /// Instances in all.
    pub repeat: u32,
    /// How long its blocks run.
    pub duration: DurationSpec,
    /// Where its blocks' data come from.
    pub relation: Relation,
    /// Which of its blocks run together; the grid is a multiple of it.
    pub cluster: Cluster,
    /// How urgent it is, 0 to 7, more is more urgent.
    pub priority: u8,
    /// Which partition of the SMXs it is for, 0 to 7.
    pub partition: u8,
    /// How its blocks overlap with those of the kernels before and after it in its stream.
    pub overlap: Overlap,
    /// How its blocks stay when their work is done.
    pub persistence: Persistence,
    /// Whether the host launches a child without blocks, at cycle 0, that groups find
    /// ([`HostLaunch::resident`](crate::gpu::host::HostLaunch::resident)).
    pub resident: bool,
    /// What its blocks launch while they run.
    pub launches: Vec<LaunchSpec>,
    /// Where its name and its block stand in the file.
    name_span: Span,
    block_span: Span,
}

impl KernelSpec {
    /// Whether it is launched by blocks instead of the host.
    pub fn child(&self) -> bool {
        self.grid.is_none()
    }

    /// What each block takes of its SMX.
    pub fn needs(&self) -> BlockNeeds {
        BlockNeeds::of(self.block, self.registers_per_thread, self.shared_memory)
    }
}

impl Source {
    /// A complaint about the bytes `span`; `expected` stands under them.
    fn error(&self, span: &Span, message: impl Into<String>, expected: &str) -> InputError {
        InputError::new(message).at(&self.name, &self.text, span.clone(), expected)
    }
}

impl Scenario {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is not UTF-8, or is no sound scenario.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let bytes = input::read(path).map_err(|error| InputError::file("read", path, &error))?;
        let name = path.display().to_string();
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse(&name, &text),
            Err(error) => {
                let first = error.utf8_error().valid_up_to();
                let byte = error.as_bytes()[first];
                let text = String::from_utf8_lossy(error.as_bytes());
                Err(InputError::new(format!("{name} is not UTF-8: byte 0x{byte:02x}")).at(
                    &name,
                    &text,
                    first..first + 1,
                    "expected UTF-8 text",
                ))
            }
        }
    }

    /// Reads `text`; `name` stands for the file in diagnostics.
    ///
    /// # Errors
    /// When it is no sound scenario.
    pub fn parse(name: &str, text: &str) -> Result<Self, InputError> {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        let file: file::File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            source.error(&span, plain(error.message().trim_end()), "here")
        })?;
        check::scenario(source, file)
    }

    /// The kernels in the order of the file.
    pub fn kernels(&self) -> &[KernelSpec] {
        &self.kernels
    }

    /// Whether any block launches kernels.
    pub fn has_launches(&self) -> bool {
        self.kernels.iter().any(|kernel| !kernel.launches.is_empty())
    }

    /// Applies the `[gpu]` table to `config`.
    ///
    /// # Errors
    /// When a key or a value is refused, or the result is not sound; then `config` is as before.
    pub fn configure(&self, config: &mut GpuConfig) -> Result<(), InputError> {
        let mut changed = config.clone();
        for entry in &self.overrides {
            let set = changed.set_value(&entry.key, entry.value.clone());
            set.map_err(|error| {
                let unknown = error.to_string().starts_with("unknown");
                let span = if unknown { &entry.key_span } else { &entry.value_span };
                error.at(&self.source.name, &self.source.text, span.clone(), "refused")
            })?;
        }
        if let Err(error) = changed.validate() {
            let culprit = self.culprit(config);
            return Err(match culprit {
                Some(entry) => {
                    let span = entry.value_span.clone();
                    error.at(&self.source.name, &self.source.text, span, "refused")
                }
                None => error,
            });
        }
        *config = changed;
        Ok(())
    }

    /// The override without which the configuration would be sound.
    fn culprit(&self, base: &GpuConfig) -> Option<&Override> {
        self.overrides.iter().rev().find(|suspect| {
            let mut config = base.clone();
            let others = self.overrides.iter().filter(|entry| entry.key != suspect.key);
            let set = |entry: &Override| config.set_value(&entry.key, entry.value.clone());
            others.map(set).all(|set| set.is_ok()) && config.validate().is_ok()
        })
    }

    /// Checks what depends on the GPU: every kernel's block fits an SMX.
    ///
    /// # Errors
    /// When `config` is not sound, or a block fits no SMX; the message names the resource.
    pub fn check(&self, config: &GpuConfig) -> Result<(), InputError> {
        config.validate()?;
        for kernel in &self.kernels {
            if let Some(lack) = config.lack(kernel.needs()) {
                let message = format!("a block of kernel `{}` fits no SMX: {lack}", kernel.name);
                return Err(self.source.error(&kernel.block_span, message, "this block"));
            }
        }
        Ok(())
    }

    /// The host program that launches the scenario's kernels under the launch mode `mode`; `seed`
    /// decides the durations that are drawn.
    ///
    /// # Errors
    /// When blocks launch kernels under [`LaunchMode::Flat`].
    pub fn program(&self, mode: LaunchMode, seed: u64) -> Result<ScenarioProgram, InputError> {
        let launches = self.kernels.iter().flat_map(|kernel| &kernel.launches);
        if let (LaunchMode::Flat, Some(launch)) = (mode, launches.into_iter().next()) {
            let message = "a block launches a kernel, which `--launch flat` does not allow";
            let error = self.source.error(&launch.span, message, "launched from the device here");
            return Err(error.help("use --launch cdp or --launch dtbl"));
        }
        Ok(ScenarioProgram::new(&self.kernels, seed))
    }
}

#[cfg(test)]
mod tests;
