//! One design with faults: which of them random lockstep finds, and which nobody can.

use super::alone::{self, Alone, Caught};
use super::bounds::Bounds;
use super::equivalence::{Circuit, Found};
use super::fault::Fault;
use super::faulty::{self, Sample};
use super::harness::{harness, packed, seen, Seen};
use super::promises::{self, Proved};
use crate::engine::RtlScheduler;
use crate::export;
use crate::kit::Recorder;
use crate::prove::Limits;
use crate::random_lockstep::RandomLockstep;
use crate::regress::{Few, StopFlag};
use crate::replay::{
    self, build_with_verilator, write_file, How, Patience, PortTrace, ReplayError, TOP,
};
use std::path::{Path, PathBuf};

/// Yosys' Verilog is not for people: nothing is warned of.
const HOW: How = How {
    warnings: &["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT"],
    // A fault that survives runs for hundreds of thousands of cycles.
    optimizing: "-O1",
};

/// Seconds for Yosys, and for all faults on one recording.
const SECONDS: u64 = 1200;
/// Seconds for the proof of what a module promises, with one fault.
const PROMISE_SECONDS: u64 = 300;
/// Seconds for the proof that one fault cannot be seen.
const PROOF_SECONDS: u64 = 6;
/// Memory of Yosys and ABC.
const MEBIBYTES: u64 = 8192;

/// A scheduler's hardware that faults are put into.
pub struct Design {
    /// Its family.
    pub family: &'static str,
    /// `rr/dtbl8/rr+claso/n4`: family, launch mode, scheduler, SMXs.
    pub id: String,
    traffic: Few,
}

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Lockstep of `quick` finds it, after so many cycles of its traffic.
    Quick(u64),
    /// This proof of `quick` fails with it, where lockstep of `quick` does not find it.
    Proof(String),
    /// Lockstep of `full` finds it, after so many cycles behind those of `quick`.
    Full(u64),
    /// This proof that only `full` has fails with it, where no lockstep finds it.
    FullProof(String),
    /// It is proved that no inputs show it.
    Equivalent,
    /// Lockstep does not find it. Whether some inputs show it, and within few cycles.
    Survives {
        /// Some inputs do, be they legal or not.
        visible: bool,
    },
}

/// What became of each fault of a design.
pub struct Fates {
    /// The design.
    pub design: String,
    /// Its family.
    pub family: &'static str,
    /// Each fault with its fate.
    pub faults: Vec<(Fault, Fate)>,
    /// Cycles of the traffic until nothing was left to be found, or of all of it.
    pub cycles: u64,
}

impl Design {
    /// With this traffic.
    pub fn new(traffic: Few) -> Self {
        let RandomLockstep { composition, plan, .. } = &traffic.quick[0];
        let family = composition.source.base().family().name;
        let id = format!("{family}/{}/{}/n{}", traffic.mode, composition.brief(), plan.smx());
        Self { family, id, traffic }
    }

    /// Puts faults into it and looks for each. Files go to the existing folder `folder`.
    ///
    /// # Errors
    /// When a tool fails or is stopped, when twin and hardware differ, or when the design without a
    /// fault does not do what was recorded.
    pub fn run(
        &self,
        sample: Sample,
        folder: &Path,
        stop: &StopFlag,
    ) -> Result<Fates, ReplayError> {
        let mut bench = Bench::new(self, sample, folder, stop)?;
        let mut fates: Vec<Option<Fate>> = vec![None; bench.faults.len()];
        let mut visible = vec![false; bench.faults.len()];
        let (mut cycles, mut all_cycles) = (0, 0);
        let quick = self.traffic.quick.len();
        for (place, run) in self.traffic.quick.iter().chain(&self.traffic.full).enumerate() {
            // What a first stretch has left is worth the search for a proof.
            if place == 1 {
                bench.prove(&mut fates, &mut visible)?;
            }
            if place == quick {
                bench.ask_proofs(&promises::quick(), Fate::Proof, &mut fates)?;
                cycles = 0;
            }
            let open: Vec<usize> = (0..fates.len()).filter(|&at| fates[at].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let found = bench.replay(run, &open)?;
            for (at, cycle) in found {
                let cycle = cycles + cycle;
                fates[at] = Some(match place < quick {
                    true => Fate::Quick(cycle),
                    false => Fate::Full(cycle),
                });
            }
            cycles += run.cycles;
            all_cycles += run.cycles;
        }
        bench.ask_proofs(&promises::only_full(), Fate::FullProof, &mut fates)?;
        let fate =
            |(fate, visible): (Option<Fate>, bool)| fate.unwrap_or(Fate::Survives { visible });
        let fates = fates.into_iter().zip(visible).map(fate);
        Ok(Fates {
            design: self.id.clone(),
            family: self.family,
            faults: bench.faults.into_iter().zip(fates).collect(),
            cycles: all_cycles,
        })
    }
}

impl Design {
    /// Puts faults into it and looks which of those that lockstep of `quick` finds break a rule of
    /// the ports without a twin. Files go to the existing folder `folder`.
    ///
    /// # Errors
    /// As [`Design::run`], and when the design without a fault breaks a rule.
    pub fn run_alone(
        &self,
        sample: Sample,
        folder: &Path,
        stop: &StopFlag,
    ) -> Result<Alone, ReplayError> {
        let mut bench = Bench::new(self, sample, folder, stop)?;
        let mut caught: Vec<Option<Caught>> = vec![None; bench.faults.len()];
        let mut cycles = 0;
        for run in &self.traffic.quick {
            let open: Vec<usize> = (0..caught.len()).filter(|&at| caught[at].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let found = bench.replay(run, &open)?;
            if let (false, Some((cycle, rule))) = (found.is_empty(), bench.alone(run, 0)?) {
                let mismatch = format!("{}, without a fault: cycle {cycle}: {rule}", self.id);
                return Err(ReplayError::Mismatch { tool: "invariants", mismatch });
            }
            for (at, cycle) in found {
                let rule = bench.alone(run, bench.faults[at].number)?;
                caught[at] = Some(Caught { lockstep: cycles + cycle, rule });
            }
            cycles += run.cycles;
        }
        let faults = bench.faults.into_iter().zip(caught).collect();
        Ok(Alone { design: self.id.clone(), family: self.family, faults })
    }
}

/// A design with its faults, built.
struct Bench<'a> {
    design: &'a str,
    folder: &'a Path,
    stop: &'a StopFlag,
    ports: Vec<replay::Port>,
    bounds: Bounds,
    faults: Vec<Fault>,
    hardware: RtlScheduler,
    verilog: String,
    program: Option<PathBuf>,
    /// The first recording.
    first: Option<PortTrace>,
}

impl<'a> Bench<'a> {
    fn new(
        design: &'a Design,
        sample: Sample,
        folder: &'a Path,
        stop: &'a StopFlag,
    ) -> Result<Self, ReplayError> {
        let hardware = design.traffic.quick[0].hardware().map_err(differs)?;
        let ports = replay::ports(hardware.module());
        let verilog = export::verilog(hardware.module().as_module(), TOP)?;
        let patience = Patience { seconds: SECONDS, mebibytes: Some(MEBIBYTES), stop: Some(stop) };
        let faulty = faulty::insert(&verilog, sample, folder, patience)?;
        let (faults, verilog) = (faulty.faults, faulty.verilog);
        let RandomLockstep { composition, limits, plan, launch, .. } = &design.traffic.quick[0];
        let bounds = Bounds::new(composition, plan.smx(), *limits, *launch);
        let id = &design.id;
        let (program, first) = (None, None);
        Ok(Self {
            design: id,
            folder,
            stop,
            ports,
            bounds,
            faults,
            hardware,
            verilog,
            program,
            first,
        })
    }

    /// The cycle in which each of these faults is found, of those that are.
    fn replay(
        &mut self,
        run: &RandomLockstep,
        open: &[usize],
    ) -> Result<Vec<(usize, u64)>, ReplayError> {
        let trace = record(run, &self.ports, self.stop)?;
        let program = match &self.program {
            Some(program) => program.clone(),
            None => {
                let built =
                    build_with_verilator(&self.verilog, &harness(&trace), HOW, self.folder)?;
                self.program.insert(built).clone()
            }
        };
        write_file(&self.folder.join("trace.bin"), packed(&trace))?;
        // Without a fault it has to do what was recorded.
        let numbers: Vec<u32> =
            std::iter::once(0).chain(open.iter().map(|&at| self.faults[at].number)).collect();
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let arguments: Vec<&str> =
            std::iter::once("trace.bin").chain(words.iter().map(String::as_str)).collect();
        let finished = run_tool(&program, &arguments, self.folder, self.stop)?;
        let mut all = seen(&finished, &numbers, trace.cycles.len())?.into_iter();
        let sound = all.next().map(|(_, seen)| seen);
        if sound != Some(Seen::Survives) {
            let mismatch = format!("{}, without a fault: {sound:?}", self.design);
            return Err(ReplayError::Mismatch { tool: "verilator", mismatch });
        }
        let found = all
            .zip(open)
            .filter_map(|((_, seen), &at)| match seen {
                Seen::Differs { cycle, .. } => Some((at, cycle as u64)),
                Seen::Unsettled => Some((at, 0)),
                Seen::Survives => None,
            })
            .collect();
        self.first.get_or_insert(trace);
        Ok(found)
    }

    /// The rule that the hardware with this fault breaks without a twin, and when; after a replay.
    fn alone(
        &self,
        run: &RandomLockstep,
        fault: u32,
    ) -> Result<Option<(u64, String)>, ReplayError> {
        let program = self.program.as_deref().expect("a replay has built it");
        alone::broken(run, fault, (program, &self.ports), self.stop)
    }

    /// Finds those of the open ones with which one of these proofs fails.
    fn ask_proofs(
        &self,
        proved: &[Proved],
        found: fn(String) -> Fate,
        fates: &mut [Option<Fate>],
    ) -> Result<(), ReplayError> {
        let out = self.folder.join("proof");
        let limits = Limits {
            seconds: PROMISE_SECONDS,
            mebibytes: MEBIBYTES,
            out: &out,
            stop: Some(self.stop),
        };
        let module = self.hardware.module();
        for (fault, fate) in self.faults.iter().zip(fates).filter(|(_, fate)| fate.is_none()) {
            *fate = promises::fails(proved, module, fault, limits)?.map(found);
        }
        Ok(())
    }

    /// Finds those that cannot be seen among the open ones.
    fn prove(&self, fates: &mut [Option<Fate>], visible: &mut [bool]) -> Result<(), ReplayError> {
        if fates.iter().all(Option::is_some) {
            return Ok(());
        }
        let patience =
            |seconds| Patience { seconds, mebibytes: Some(MEBIBYTES), stop: Some(self.stop) };
        let circuit = Circuit::new(self.folder, &self.ports, &self.bounds, patience(SECONDS))?;
        if let Some(bit) = self.first.as_ref().and_then(|trace| circuit.exception(trace)) {
            let mismatch = format!("{}: {bit} is set, which no legal run does", self.design);
            return Err(ReplayError::Mismatch { tool: "bounds", mismatch });
        }
        for (at, fate) in fates.iter_mut().enumerate().filter(|(_, fate)| fate.is_none()) {
            match circuit.decide(self.faults[at].number, patience(PROOF_SECONDS))? {
                Found::Equivalent => *fate = Some(Fate::Equivalent),
                Found::Visible => visible[at] = true,
                Found::Undecided => {}
            }
        }
        Ok(())
    }
}

/// What goes over the hardware's ports in a stretch of random lockstep.
fn record(
    run: &RandomLockstep,
    ports: &[replay::Port],
    stop: &StopFlag,
) -> Result<PortTrace, ReplayError> {
    let recorder = Recorder::default();
    run.run_watched(Some(Box::new(recorder.clone())), stop).map_err(differs)?;
    match stop.is_raised() {
        true => Err(ReplayError::Stopped { tool: "lockstep".to_owned() }),
        false => Ok(recorder.trace(ports.to_vec())),
    }
}

pub(super) fn differs(error: impl std::fmt::Display) -> ReplayError {
    ReplayError::Mismatch { tool: "lockstep", mismatch: error.to_string() }
}

fn run_tool(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    stop: &StopFlag,
) -> Result<String, ReplayError> {
    let program = program.to_string_lossy();
    let patience = Patience { seconds: SECONDS, mebibytes: None, stop: Some(stop) };
    Ok(replay::run_until(&program, arguments, folder, patience)?.log)
}

#[cfg(test)]
mod tests;
