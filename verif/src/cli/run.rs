//! `blockyard run`.

mod dump;
mod traffic;

use super::instruments::{with_code, InstrumentArgs, Watched};
use super::number::{some, whole};
use super::run_progress::RunProgress;
use super::run_spec::RunSpec;
use super::{command_line, complain, functional, interrupt, outputs, print, Exit};
use crate::engine::Mismatch;
use crate::mismatch::{self, Made};
use crate::provenance::{self, Provenance, Recorded};
use crate::regress::StopFlag;
use crate::session::{Engine, Report, Session, SessionError, Workload};
use crate::story::Event;
use crate::waves::WaveFile;
use blockyard_sim::block_log::BlockLog;
use blockyard_sim::gpu::host::Products;
use blockyard_sim::output::write_file;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::{Observer, Observers};
use blockyard_sim::workload::graph::GraphStatistics;
use blockyard_sim::workload::trace::Record;
use clap::{ArgGroup, Args};
use dump::{keep, wave};
use miette::{miette, Report as Diagnostic, Result};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("logs").multiple(true))]
pub struct RunArgs {
    #[command(flatten)]
    spec: RunSpec,
    /// Repeat the run whose statistics are in F.json; its input files must be what they were
    #[arg(long, value_name = "F.json", group = "SourceArgs",
        conflicts_with_all = ["scheduler", "KernelArgs", "input", "GpuArgs", "launch", "engine", "seed",
            "footprint", "intervals", "max_cycles", "inject", "functional"])]
    from: Option<PathBuf>,
    /// Execute the instructions alone, without a GPU's timing and without a scheduler
    #[arg(long, conflicts_with_all = ["scheduler", "gpu", "engine", "dispatch_log", "blocks", "stats", "wave",
        "footprint", "intervals", "no_skip", "max_cycles", "threads", "inject", "report"])]
    functional: bool,
    #[command(flatten)]
    instruments: InstrumentArgs,
    /// Write every dispatch as CSV
    #[arg(long, value_name = "F.csv", group = "logs")]
    dispatch_log: Option<PathBuf>,
    /// Begin the logs with a line `# run: {...}` that says what they come from
    #[arg(long, requires = "logs")]
    provenance: bool,
    /// Write when and where each block ran as CSV, in the order of completion;
    /// `blockyard page blocks` draws it
    #[arg(long, value_name = "F.csv", group = "logs")]
    blocks: Option<PathBuf>,
    /// Write the statistics as JSON
    #[arg(long, value_name = "F.json")]
    stats: Option<PathBuf>,
    /// Dump the hardware's signals; time is clock cycles
    #[arg(long, value_name = "F.vcd")]
    wave: Option<PathBuf>,
    /// First cycle of the dump
    #[arg(long, value_name = "C", requires = "wave", value_parser = whole)]
    wave_from: Option<u64>,
    /// Last cycle of the dump
    #[arg(long, value_name = "C", requires = "wave", value_parser = whole)]
    wave_to: Option<u64>,
    /// Dump only this module and all below it: `dispatcher.fcfs`; `story` for the events and tracks
    /// alone; may be repeated
    #[arg(long, value_name = "PATH", requires = "wave")]
    wave_scope: Vec<String>,
    /// Dump only cycles around these events
    #[arg(long, value_name = "EVENT", requires = "wave", value_delimiter = ',')]
    wave_on: Vec<Event>,
    /// Cycles before and after each event of --wave-on
    #[arg(long, value_name = "N", requires = "wave_on", default_value_t = 100, value_parser = whole)]
    wave_around: u64,
    /// Print neither progress nor figures nor notes: only what kernels print, and what is wrong
    #[arg(long, short)]
    quiet: bool,
    /// Evaluate every cycle, also those in which nothing can happen
    #[arg(long)]
    no_skip: bool,
    /// Threads of the GPU; the results are the same for every number
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZeroUsize,
    /// Folder for the report when a check fails
    #[arg(long, value_name = "DIR", default_value = "blockyard-report")]
    report: PathBuf,
}

/// Most threads that a user may ask for.
const MAX_THREADS: usize = 256;

fn threads(text: &str) -> std::result::Result<NonZeroUsize, String> {
    let number = some(text).ok().filter(|number| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("expected 1 to {MAX_THREADS}"))
}

/// Runs one workload.
///
/// # Errors
/// Bad use or bad input.
pub fn main(args: &RunArgs) -> Result<Exit> {
    if let Some(text) = &args.spec.source.traffic {
        return traffic::main(args, text);
    }
    let (spec, session) = described(args)?;
    let session =
        Session { skip_from: (!args.no_skip).then_some(0), threads: args.threads, ..session };
    // Whoever sees a file of this run may interrupt it.
    let stop = interrupt::flag()?;
    check_outputs(args, &spec, &session)?;
    if args.functional {
        with_code("--functional", &session.workload)?;
        functional::check(&spec.gpu)?;
    }
    let watched = args.instruments.watch(&session)?;
    if args.functional {
        return functional::run(watched, &stop, args.quiet);
    }
    let Watched { program, record } = watched;
    let comes_from =
        [&args.stats, &args.dispatch_log, &args.wave].iter().any(|file| file.is_some())
            || args.provenance;
    let comes_from = comes_from.then(|| Provenance::of(&spec, &session)).transpose()?;
    let comes_from = comes_from.as_ref();
    let wave = wave(args, &session, comes_from)?.map(|wave| wave.stops(&stop));
    let mut products = Products::default();
    let mut blocks = args.blocks.as_ref().map(|_| BlockLog::new(Vec::new()));
    let ended = {
        let mut progress = RunProgress::on_stderr(!args.quiet);
        let mut observers = Observers(vec![&mut progress]);
        observers.0.extend(blocks.iter_mut().map(|log| log as &mut dyn Observer));
        let tap = wave.as_ref().map(WaveFile::tap);
        session.run_program(program, tap, &stop, &mut observers, &mut products)
    };
    print(&products.printed)?;
    match ended {
        Ok(report) if report.stats.cut_off.is_some() => {
            write_blocks(args, blocks, comes_from)?;
            cut_off(args, &report, wave, comes_from)
        }
        Ok(report) => {
            record.map_or(Ok(()), Record::finish)?;
            write_outputs(args, &report, comes_from)?;
            write_blocks(args, blocks, comes_from)?;
            outputs::write_products(&products)?;
            let dumped = wave.map(|wave| wave.finish(report.summary.cycles)).transpose()?;
            if !args.quiet {
                print(&summary(&session, &report))?;
                notes(&session, &report);
                if dumped.is_some_and(|files| files.is_empty()) {
                    print(&nothing_dumped(args))?;
                }
            }
            Ok(Exit::Fine)
        }
        Err(SessionError::Mismatch(found)) => {
            // The report has a dump of its own.
            if args.wave_on.contains(&Event::Mismatch) {
                keep(wave, found.cycle);
            }
            report_mismatch(args, &spec, &session, &found, &stop);
            Ok(Exit::CheckFailed)
        }
        Err(error) if error.is_bad_input() => Err(Diagnostic::new(error)),
        Err(error) => {
            match &error {
                SessionError::Run(
                    RunError::Stuck { cycle, .. } | RunError::Invariant { cycle, .. },
                ) => keep(wave, *cycle),
                // The results are there, if not those that were expected.
                SessionError::Run(RunError::Wrong(_)) => {
                    record.map_or(Ok(()), Record::finish)?;
                    outputs::write_products(&products)?;
                }
                _ => {}
            }
            complain(&format!("{error}\nrepeat with: {}", command_line()));
            Ok(Exit::CheckFailed)
        }
    }
}

/// What the user should know beside the figures.
fn notes(session: &Session, report: &Report) {
    note_faults(session.engine, session.faults.len(), report.summary.cycles);
    if let Some(remark) = &report.remark {
        complain(&format!("note: {remark}"));
    }
    if report.stats.footprint.as_ref().is_some_and(|footprint| footprint.parents == 0) {
        let none = "no block that another one launched touched global memory";
        complain(&format!("note: --footprint found nothing: {none}"));
    }
}

/// The run that the options describe, or the file of results that they name.
fn described(args: &RunArgs) -> Result<(RunSpec, Session)> {
    let Some(path) = &args.from else {
        return Ok((args.spec.clone(), args.spec.session()?));
    };
    let recorded = Recorded::read(path)?;
    recorded.check_inputs()?;
    let session = recorded.options.session()?;
    if let Some(remark) = recorded.remark(&session.gpu).filter(|_| !args.quiet) {
        complain(&format!("note: {remark}"));
    }
    Ok((recorded.options, session))
}

/// Writes what there is of a run that was stopped, by Ctrl-C or because its dump cannot be written.
fn cut_off(
    args: &RunArgs,
    report: &Report,
    wave: Option<WaveFile>,
    comes_from: Option<&Provenance>,
) -> Result<Exit> {
    if let Some(error) = wave.as_ref().and_then(WaveFile::failure) {
        return Err(error);
    }
    write_outputs(args, report, comes_from)?;
    let cycle = report.summary.cycles;
    // The last one that there is.
    keep(wave, cycle.saturating_sub(1));
    complain(&format!("stopped in cycle {cycle}"));
    Ok(Exit::Interrupted)
}

fn nothing_dumped(args: &RunArgs) -> String {
    let events: Vec<String> = args.wave_on.iter().map(Event::to_string).collect();
    format!("no dump    there was no {}\n", events.join(", no "))
}

/// That the check failed matters more than that its report could not be written.
fn report_mismatch(
    args: &RunArgs,
    spec: &RunSpec,
    session: &Session,
    found: &Mismatch,
    stop: &StopFlag,
) {
    let command = command_line();
    let run = Provenance::of(spec, session).ok();
    let made = Made { command: &command, run: run.as_ref(), part: None };
    match mismatch::report(session, found, &args.report, &made, stop) {
        Ok(written) => complain(&written.text),
        Err(error) => complain(&format!(
            "mismatch in cycle {}: {}\nrepeat with: {command}\n{error:?}",
            found.cycle, found.difference
        )),
    }
}

/// Refuses a file in the place of the report.
fn check_report(report: &Path) -> Result<()> {
    if report.exists() && !report.is_dir() {
        return Err(miette!(
            help = "expected a folder, or a name that is free, for the report if a check fails",
            "--report is {}, which is no folder",
            report.display()
        ));
    }
    Ok(())
}

/// Says that no fault of `--inject` was found, though one was to be.
fn note_faults(engine: Engine, faults: usize, cycles: u64) {
    if engine == Engine::Lockstep && faults > 0 {
        complain(&format!("note: --inject made no difference in the {cycles} cycles of the run"));
    }
}

/// Better before the run than after hours of it.
fn check_outputs(args: &RunArgs, spec: &RunSpec, session: &Session) -> Result<()> {
    let named = |option, path: &Option<PathBuf>| outputs::named(option, path.as_ref());
    check_report(&args.report)?;
    let written = [
        named("--dispatch-log", &args.dispatch_log),
        named("--blocks", &args.blocks),
        named("--stats", &args.stats),
    ];
    let read = [
        named("--record", &args.instruments.record),
        named("--from", &args.from),
        named("--scenario", &spec.source.scenario),
        named("--trace", &spec.source.trace),
        named("--input", &spec.input),
        named("--kernel", &spec.source.kernel),
        named("--host", &spec.kernel.host),
    ];
    let mut written: Vec<_> = written.into_iter().flatten().collect();
    if let Workload::KernelFile(file) = &session.workload {
        let named = |path: &Path| outputs::Named { option: "[output]", path: path.to_owned() };
        written.extend(file.outputs().map(named));
    }
    written.extend(outputs::dump_with_views(args.wave.as_deref()));
    // What cannot be read is refused where it is.
    let inputs = provenance::inputs(spec, &session.workload).unwrap_or_default().into_iter();
    let inputs = inputs.map(|path| outputs::Named { option: "a file that the run reads", path });
    let read: Vec<_> = read.into_iter().flatten().chain(inputs).collect();
    outputs::check(&written, &read)
}

fn write_outputs(args: &RunArgs, report: &Report, comes_from: Option<&Provenance>) -> Result<()> {
    let Some(provenance) = comes_from else { return Ok(()) };
    if let Some(path) = &args.dispatch_log {
        write_file(path, |out| {
            out.write_all(heading(args, comes_from).as_bytes())?;
            out.write_all(&report.dispatch_log)
        })?;
    }
    if let Some(path) = &args.stats {
        write_file(path, |out| out.write_all(provenance.beside(&report.stats).as_bytes()))?;
    }
    Ok(())
}

/// What stands above a log.
fn heading(args: &RunArgs, comes_from: Option<&Provenance>) -> String {
    let provenance = comes_from.filter(|_| args.provenance);
    provenance.map_or(String::new(), |provenance| format!("# run: {}\n", provenance.line()))
}

fn write_blocks(
    args: &RunArgs,
    blocks: Option<BlockLog<Vec<u8>>>,
    comes_from: Option<&Provenance>,
) -> Result<()> {
    if let (Some(path), Some(log)) = (&args.blocks, blocks) {
        log.write(path, &heading(args, comes_from))?;
    }
    Ok(())
}

fn summary(session: &Session, report: &Report) -> String {
    let summary = &report.summary;
    let blocks: u64 = report.stats.smx.iter().map(|smx| smx.thread_blocks).sum();
    let mut text = String::new();
    let searched = match &session.workload {
        Workload::Graph { csr, workload } => workload.source(csr).map(|source| (csr, source)),
        Workload::Ikra { .. }
        | Workload::Scenario(_)
        | Workload::Erc(_)
        | Workload::Kernel(_)
        | Workload::Together(_)
        | Workload::KernelFile(_)
        | Workload::Trace(_) => None,
    };
    if let Some((csr, source)) = searched {
        text += &format!("graph      {}\n", GraphStatistics::of(csr, source));
    }
    text += &format!("scheduler  {}\n", session.scheduler);
    text += &format!("cycles     {}\n", summary.cycles);
    text += &format!("evaluated  {} ({} skipped)\n", summary.evaluated, summary.skipped);
    text += &format!("kernels    {}\n", report.stats.kernels.len());
    text += &format!("blocks     {blocks}\n");
    if session.engine == Engine::Lockstep {
        text += "lockstep   no difference\n";
    }
    if report.stats.execution.is_some() || report.stats.launches.is_some() {
        text += &format!("\n{}", report.stats.summary());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_decides_on_a_run_can_stand_beside_from() {
        let command = RunArgs::augment_args(clap::Command::new("run"));
        let from = command.get_arguments().find(|arg| arg.get_id() == "from").expect("--from");
        let excluded: Vec<_> =
            command.get_arg_conflicts_with(from).iter().map(|arg| arg.get_id().clone()).collect();
        let described = RunSpec::augment_args(clap::Command::new("run"));
        let sources = ["workload", "scenario", "trace", "kernel", "traffic"];
        for arg in described.get_arguments() {
            let id = arg.get_id();
            // One of the sources, of which `--from` is another.
            assert!(excluded.contains(id) || sources.contains(&id.as_str()), "--from and {id}");
        }
    }
}
