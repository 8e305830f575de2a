//! `blockyard run --traffic`: random but legal traffic on a scheduler's ports, without a GPU.

use super::super::traffic_spec::TrafficSpec;
use super::dump::{keep, wave_file};
use super::{check_report, note_faults, RunArgs};
use crate::cli::{command_line, complain, interrupt, outputs, print, Exit};
use crate::mismatch::{self, Made};
use crate::random_lockstep::{Counts, RandomFailure, RandomLockstep};
use crate::session::Engine;
use crate::story::Event;
use crate::traffic_run::TrafficRun;
use crate::waves::WaveFile;
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::output::write_file;
use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::observer::{DispatchedBlock, Observer};
use miette::{miette, Report, Result};
use std::ops::ControlFlow;

/// Runs the traffic that `text` describes.
///
/// # Errors
/// Bad use or bad input.
pub fn main(args: &RunArgs, text: &str) -> Result<Exit> {
    refuse_what_needs_a_gpu(args)?;
    let spec = TrafficSpec::read(text, args.spec.seed)?;
    let run = described(args, &spec)?;
    let stop = interrupt::flag()?;
    let mut written = outputs::dump_with_views(args.wave.as_deref());
    written.extend(outputs::named("--dispatch-log", args.dispatch_log.as_ref()));
    let read = outputs::named("--gpu", args.spec.gpu.file());
    outputs::check(&written, read.as_slice())?;
    check_report(&args.report)?;
    let wave = wave_file(args, run.engine, mismatch::Repeatable::dumped(&run))?;
    let wave = wave.map(|wave| wave.stops(&stop));
    let mut seen = Seen::new();
    let ended = run.run(wave.as_ref().map(WaveFile::tap), &stop, Some(&mut seen));
    match ended {
        Ok(counts) => {
            if let Some(error) = wave.as_ref().and_then(WaveFile::failure) {
                return Err(error);
            }
            if let Some(path) = &args.dispatch_log {
                let log = seen.log.finish();
                write_file(path, |out| out.write_all(&log?))?;
            }
            if stop.is_raised() {
                keep(wave, seen.cycles.saturating_sub(1));
                complain(&format!("stopped in cycle {}", seen.cycles));
                return Ok(Exit::Interrupted);
            }
            wave.map(|wave| wave.finish(seen.cycles)).transpose()?;
            if !args.quiet {
                print(&summary(&run, &spec, &counts))?;
                note_faults(args.spec.engine, args.spec.inject.len(), seen.cycles);
            }
            Ok(Exit::Fine)
        }
        Err(RandomFailure::Mismatch(found)) => {
            // The report has a dump of its own.
            if args.wave_on.contains(&Event::Mismatch) {
                keep(wave, found.cycle);
            }
            let command = command_line();
            let made = Made { command: &command, run: None, part: None };
            match mismatch::report(&run, &found, &args.report, &made, &stop) {
                Ok(written) => complain(&written.text),
                Err(error) => complain(&format!(
                    "mismatch in cycle {}: {}\nrepeat with: {command}\n{error:?}",
                    found.cycle, found.difference
                )),
            }
            Ok(Exit::CheckFailed)
        }
        Err(RandomFailure::Invariant { cycle, message }) => {
            keep(wave, cycle);
            let command = command_line();
            complain(&format!(
                "invariant broken in cycle {cycle}: {message}\nrepeat with: {command}"
            ));
            Ok(Exit::CheckFailed)
        }
        Err(RandomFailure::Rtl(error)) => Err(Report::new(error)),
        Err(RandomFailure::Twin(error)) => Err(miette!("{error}")),
    }
}

/// Scheduler, ports and engine, on the SMXs of the GPU that the options name.
fn described(args: &RunArgs, spec: &TrafficSpec) -> Result<TrafficRun> {
    let options = &args.spec;
    let composition = options.gpu.scheduler(options.scheduler.as_deref().unwrap_or("rr"))?;
    let (mut gpu, settings) = options.gpu.preset()?;
    if let Some(key) = settings.keys.first() {
        return Err(miette!(
            help = "random traffic takes only keys of the GPU, and --traffic those of its own",
            "`--set {key}` does nothing in random traffic"
        ));
    }
    options.gpu.override_gpu(&mut gpu)?;
    Ok(TrafficRun {
        random: RandomLockstep {
            composition,
            plan: gpu.floor_plan(),
            limits: gpu.limits(),
            launch: options.launch.into(),
            storage: gpu.launch.storage(),
            intensity: spec.intensity,
            seed: spec.seed,
            cycles: spec.cycles,
        },
        engine: options.engine,
        faults: options.faults()?,
    })
}

/// What would do nothing.
fn refuse_what_needs_a_gpu(args: &RunArgs) -> Result<()> {
    let given = [
        ("--functional", args.functional),
        ("--input", args.spec.input.is_some()),
        ("--host", args.spec.kernel.host.is_some()),
        ("--footprint", args.spec.footprint),
        ("--intervals", args.spec.intervals.is_some()),
        ("--max-cycles", args.spec.max_cycles.is_some()),
        ("--record", args.instruments.record.is_some()),
        ("--check-shared", args.instruments.check_shared),
        ("--stats", args.stats.is_some()),
        ("--blocks", args.blocks.is_some()),
        ("--provenance", args.provenance),
        ("--no-skip", args.no_skip),
        ("--threads", args.threads.get() > 1),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(miette!(
            help =
                "leave it out: --traffic drives a scheduler's ports in every cycle, without a GPU",
            "`{option}` does nothing with --traffic"
        )),
    }
}

fn summary(run: &TrafficRun, spec: &TrafficSpec, counts: &Counts) -> String {
    let Counts { launches, dispatches, ends, resets, most, records, coalesced, .. } = counts;
    let mut text = format!("scheduler  {}\n", run.random.composition);
    text += &format!("traffic    {spec}\n");
    text += &format!("kernels    {} entered, {ends} ended\n", launches + records);
    text += &format!("groups     {coalesced} coalesced\n");
    text += &format!("blocks     {dispatches} dispatched, at most {most} in a cycle\n");
    text += &format!("resets     {resets}\n");
    if run.engine == Engine::Lockstep {
        text += "lockstep   no difference\n";
    }
    text + "invariants hold\n"
}

/// What a run of traffic leaves beside its counts.
struct Seen {
    cycles: u64,
    log: DispatchLog<Vec<u8>>,
}

impl Seen {
    fn new() -> Self {
        Self { cycles: 0, log: DispatchLog::new(Vec::new()) }
    }
}

impl Observer for Seen {
    fn cycle(&mut self, cycle: u64, _: &Inputs, _: &Outputs) -> ControlFlow<()> {
        self.cycles = cycle + 1;
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.log.dispatched(block);
    }
}
