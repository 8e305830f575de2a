//! A run by the names and values of its options, as a study has them, and as a command.

use super::launch::Launch;
use super::run_spec::RunSpec;
use super::settings::GpuArgs;
use super::source::SourceArgs;
use super::{cuda, kernel_file::KernelArgs, workload};
use crate::regress::quoted;
use crate::session::Engine;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::sched::Composition;
use clap::ValueEnum;
use miette::{miette, Result};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The options of a run that have a value and decide on its results, but `--set`.
pub const OPTIONS: [&str; 11] = [
    "scheduler",
    "gpu",
    "workload",
    "scenario",
    "trace",
    "kernel",
    "host",
    "input",
    "launch",
    "engine",
    "seed",
];

/// What a run is run on: exactly one.
const SOURCES: [&str; 4] = ["workload", "scenario", "trace", "kernel"];

/// Whether `name` is an option of a run, or a key of `--set`.
pub fn is_option(name: &str) -> bool {
    OPTIONS.contains(&name) || name.contains('.')
}

/// Whether an option or key says what runs, and not on what machine.
pub fn says_what_runs(name: &str, value: &str) -> bool {
    let of_workload = || {
        let set = vec![format!("{name}={value}")];
        let alone = GpuArgs { gpu: "k20c".to_owned(), set }.preset();
        alone.is_ok_and(|(_, settings)| !settings.keys.is_empty())
    };
    SOURCES.contains(&name)
        || ["host", "input", "seed"].contains(&name)
        || (name.contains('.') && of_workload())
}

impl RunSpec {
    /// The run with these options, of which later ones win and empty ones are not given; paths are
    /// relative to `folder`.
    ///
    /// # Errors
    /// No scheduler, not exactly one thing to run, or a value that an option cannot have.
    pub fn of_options<'a>(
        options: impl IntoIterator<Item = (&'a str, &'a str)>,
        folder: &Path,
    ) -> Result<Self> {
        let mut spec = Self {
            scheduler: None,
            source: SourceArgs {
                workload: None,
                scenario: None,
                trace: None,
                kernel: None,
                traffic: None,
            },
            kernel: KernelArgs { host: None, cuda_arch: cuda::ARCHITECTURE.to_owned() },
            input: None,
            gpu: GpuArgs { gpu: "k20c".to_owned(), set: Vec::new() },
            launch: Launch::Flat,
            engine: Engine::Golden,
            seed: 1,
            footprint: false,
            intervals: None,
            max_cycles: None,
            inject: Vec::new(),
        };
        let mut keys = Vec::new();
        for (name, value) in options.into_iter().filter(|(_, value)| !value.is_empty()) {
            let path = || Some(folder.join(value));
            match name {
                "scheduler" => spec.scheduler = Some(value.to_owned()),
                "gpu" => spec.gpu.gpu = gpu(value, folder),
                "workload" => spec.source.workload = Some(value.to_owned()),
                "scenario" => spec.source.scenario = path(),
                "trace" => spec.source.trace = path(),
                "kernel" => spec.source.kernel = path(),
                "host" => spec.kernel.host = path(),
                "input" => spec.input = path(),
                "launch" => spec.launch = word(name, value)?,
                "engine" => spec.engine = word(name, value)?,
                "seed" => spec.seed = seed(value)?,
                key => {
                    keys.retain(|(known, _)| *known != key);
                    keys.push((key, value));
                }
            }
        }
        keys.sort_unstable();
        spec.gpu.set = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let SourceArgs { workload, scenario, trace, kernel, traffic: _ } = &spec.source;
        let given = usize::from(workload.is_some())
            + [scenario, trace, kernel].iter().filter(|path| path.is_some()).count();
        if given != 1 || spec.scheduler.is_none() {
            return Err(miette!(
                help = format!("expected a scheduler, and one of {}", SOURCES.join(", ")),
                "there is a run without a scheduler, or with {given} things to run"
            ));
        }
        Ok(spec)
    }

    /// The command that repeats it, as a shell takes it.
    pub fn command(&self) -> String {
        let mut words = vec!["blockyard".to_owned(), "run".to_owned()];
        let mut give = |option: &str, value: &dyn Display| {
            words.push(format!("--{option}"));
            words.push(quoted(&value.to_string()));
        };
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let SourceArgs { workload, scenario, trace, kernel, traffic } = &self.source;
        let options = [
            ("scheduler", self.scheduler.clone()),
            ("workload", workload.clone()),
            ("scenario", path(scenario)),
            ("trace", path(trace)),
            ("kernel", path(kernel)),
            ("traffic", traffic.clone()),
            ("host", path(&self.kernel.host)),
            ("input", path(&self.input)),
        ];
        for (option, value) in options {
            if let Some(value) = value {
                give(option, &value);
            }
        }
        give("gpu", &self.gpu.gpu);
        self.gpu.set.iter().for_each(|setting| give("set", setting));
        give("launch", &self.launch.name());
        if let Some(engine) = self.engine.to_possible_value() {
            give("engine", &engine.get_name());
        }
        give("seed", &self.seed);
        if let Some(cycles) = self.max_cycles {
            give("max-cycles", &cycles);
        }
        if let Some(cycles) = self.intervals {
            give("intervals", &cycles);
        }
        self.inject.iter().for_each(|fault| give("inject", fault));
        if self.footprint {
            words.push("--footprint".to_owned());
        }
        words.join(" ")
    }
}

/// Whether `value` is one that the option or key `name` can have, as far as it tells alone; paths
/// are relative to `folder`.
///
/// # Errors
/// What is wrong with it.
pub fn check(name: &str, value: &str, folder: &Path) -> Result<()> {
    match name {
        _ if value.is_empty() => {}
        "scheduler" => drop(value.parse::<Composition>()?),
        "gpu" => drop(GpuConfig::preset(&gpu(value, folder))?),
        "workload" => workload::check_name(value)?,
        "scenario" | "trace" | "kernel" | "host" | "input" => {
            let path = folder.join(value);
            path.metadata().map_err(|error| miette!("cannot read {}: {error}", path.display()))?;
        }
        "launch" => drop(word::<Launch>(name, value)?),
        "engine" => drop(word::<Engine>(name, value)?),
        "seed" => drop(seed(value)?),
        key => {
            let gpu = GpuArgs { gpu: "k20c".to_owned(), set: vec![format!("{key}={value}")] };
            gpu.preset()?;
            gpu.scheduler(if key.starts_with("laperm.") { "laperm/tb-pri" } else { "rr" })?;
        }
    }
    Ok(())
}

/// The GPU called `value`; that of a file lies where it does from `folder`.
fn gpu(value: &str, folder: &Path) -> String {
    if GpuConfig::is_file(value) {
        folder.join(value).display().to_string()
    } else {
        value.to_owned()
    }
}

fn word<T: ValueEnum>(option: &str, value: &str) -> Result<T> {
    T::from_str(value, false).map_err(|_| {
        let known = T::value_variants().iter().filter_map(T::to_possible_value);
        let known: Vec<String> = known.map(|word| word.get_name().to_owned()).collect();
        miette!(
            help = format!("expected one of {}", known.join(", ")),
            "`{option}` cannot be `{value}`"
        )
    })
}

fn seed(value: &str) -> Result<u64> {
    let help = "expected a whole number of 64 bits";
    value.parse().map_err(|_| miette!(help = help, "`seed` cannot be `{value}`"))
}
