//! The cases of the catalog.

use super::tool::{Tool, ToolStatus};
use super::trace::PortTrace;
use super::{exports, icarus, stimulus, verilator, yosys, ReplayError, YosysReport};
use crate::export;
use blockyard_rtl::catalog::{self, Size};
use blockyard_rtl::module::Module;
use blockyard_rtl::storage::{declared_bits, Declared, Storage};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// The name of the top module in every exported file.
pub const TOP: &str = "top";

/// What is done with an exported module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A recorded trace is replayed in Icarus Verilog.
    Icarus,
    /// A recorded trace is replayed in Verilator, after its lint.
    Verilator,
    /// Verilator's lint alone, without a build.
    Lint,
    /// Yosys reads, checks and counts: no more and no fewer bits than the module declares.
    Yosys,
}

impl Check {
    /// As in the id of a case.
    pub fn name(self) -> &'static str {
        match self {
            Check::Icarus => "icarus",
            Check::Verilator => "verilator",
            Check::Lint => "lint",
            Check::Yosys => "yosys",
        }
    }

    /// The tool that does it.
    pub fn tool(self) -> Tool {
        match self {
            Check::Icarus => Tool::Icarus,
            Check::Verilator | Check::Lint => Tool::Verilator,
            Check::Yosys => Tool::Yosys,
        }
    }
}

/// A check of one configuration of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayCase {
    /// `replay/icarus/claso/gate/n4_pa1_pl0`.
    pub id: String,
    /// What is done.
    pub check: Check,
    /// The configuration is small, or the module's first: Icarus replays no others.
    pub small: bool,
    /// The configuration is the module's first.
    pub first: bool,
    /// The configuration is [`Size::Wide`]: for the full suite.
    pub wide: bool,
    entry: &'static str,
    configuration: &'static str,
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayOutcome {
    /// No complaint, and no difference.
    Passed {
        /// Cycles in which every output was compared; zero where nothing is replayed.
        cycles: usize,
    },
    /// Not run, and why: `skipped: iverilog not found`.
    Skipped(String),
    /// The first difference, or what a tool complains of.
    Failed {
        /// What is wrong; on later lines of which case.
        message: String,
        /// Cycles up to the difference; zero where there is none.
        cycles: u64,
    },
}

/// All checks of the catalog: Icarus replays the small configurations and each module's first,
/// everything else is done with every configuration.
pub fn cases() -> Vec<ReplayCase> {
    let mut cases = Vec::new();
    for check in [Check::Icarus, Check::Verilator, Check::Lint, Check::Yosys] {
        for entry in catalog::entries() {
            for (place, configuration) in entry.configurations.iter().enumerate() {
                let small = place == 0 || configuration.size == Size::Small;
                if check == Check::Icarus && !small {
                    continue;
                }
                cases.push(ReplayCase {
                    id: format!("replay/{}/{}/{}", check.name(), entry.name, configuration.name),
                    check,
                    small,
                    first: place == 0,
                    wide: configuration.size == Size::Wide,
                    entry: entry.name,
                    configuration: configuration.name,
                });
            }
        }
    }
    cases
}

impl ReplayCase {
    /// Records `cycles` cycles with this seed and replays them. All files go below `workdir`, but
    /// for programs that serve other cases and later runs, also with other seeds: they go to
    /// `cache`.
    pub fn run(&self, seed: u64, cycles: usize, workdir: &Path, cache: &Path) -> ReplayOutcome {
        let status = self.check.tool().status();
        match (&status, status.message()) {
            (ToolStatus::Skipped(_), Some(message)) => return ReplayOutcome::Skipped(message),
            (_, Some(message)) => return ReplayOutcome::Failed { message, cycles: 0 },
            (_, None) => {}
        }
        match self.check(seed, cycles, workdir, cache) {
            Ok(cycles) => ReplayOutcome::Passed { cycles },
            Err(error) => ReplayOutcome::Failed {
                // The first line is the cause, which other cases may share.
                message: format!("{error}\n{}, seed {seed}, {cycles} cycles", self.id),
                cycles: error.cycles(),
            },
        }
    }

    /// Records the trace that [`run`](Self::run) replays.
    pub fn trace(&self, seed: u64, cycles: usize) -> PortTrace {
        self.watched_trace(seed, cycles, &mut |_| {})
    }

    /// The same; `watch` sees the settled module in every cycle.
    pub fn watched_trace(
        &self,
        seed: u64,
        cycles: usize,
        watch: &mut dyn FnMut(&dyn Module),
    ) -> PortTrace {
        let mut stimulus = stimulus::for_module(self.entry, self.configuration);
        let mut hasher = DefaultHasher::new();
        // Icarus and Verilator replay the same trace of a configuration.
        (seed, self.entry, self.configuration).hash(&mut hasher);
        let (module, seed) = (&mut *self.build(), hasher.finish());
        PortTrace::record_watched(module, &mut *stimulus, seed, cycles, watch)
    }

    /// The exported Verilog; all checks of a configuration share one export.
    ///
    /// # Errors
    /// See [`export::verilog`].
    pub fn verilog(&self) -> Result<Arc<str>, export::ExportError> {
        let export = || export::verilog(&*self.build(), TOP);
        exports::find((self.entry, self.configuration), export)
    }

    fn build(&self) -> Box<dyn Module> {
        let configuration = catalog::find(self.entry).and_then(|entry| {
            entry.configurations.into_iter().find(|found| found.name == self.configuration)
        });
        configuration.expect("cases come from the catalog").build()
    }

    fn check(
        &self,
        seed: u64,
        cycles: usize,
        workdir: &Path,
        cache: &Path,
    ) -> Result<usize, ReplayError> {
        let directory = workdir.join(&self.id);
        fs::create_dir_all(&directory).map_err(|source| ReplayError::Io {
            what: format!("making {}", directory.display()),
            source,
        })?;
        let verilog = self.verilog()?;
        match self.check {
            Check::Lint => verilator::lint(&verilog, &directory).map(|()| 0),
            Check::Yosys => {
                let found = yosys::report(&verilog, &directory)?;
                stores_what_it_declares(&*self.build(), &found).map(|()| 0)
            }
            Check::Icarus => {
                let trace = self.trace(seed, cycles);
                icarus::replay(&verilog, &trace, &directory)?;
                Ok(trace.compared_cycles())
            }
            Check::Verilator => {
                let trace = self.trace(seed, cycles);
                verilator::replay(&verilog, &trace, &directory, cache)?;
                Ok(trace.compared_cycles())
            }
        }
    }
}

/// What a module and its parts declare, against what Yosys reads. Yosys takes a memory of a single
/// word for registers.
fn stores_what_it_declares(module: &dyn Declared, found: &YosysReport) -> Result<(), ReplayError> {
    let (registers, memories) = declared_bits(module);
    let declared = (registers as u64, memories as u64);
    let found = (found.register_bits, found.memory_bits);
    let one_word = has_one_word(module) && found.0 + found.1 == declared.0 + declared.1;
    if found == declared || one_word {
        return Ok(());
    }
    Err(ReplayError::Storage { declared, found })
}

/// Whether it has a memory of a single word.
fn has_one_word(module: &dyn Declared) -> bool {
    let is_one =
        |storage: &Storage| matches!(storage, Storage::Memory(memory) if memory.words == 1);
    let mut found = module.storage().iter().any(is_one);
    module.parts(&mut |_, _, part| found |= has_one_word(part));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_that_is_not_what_is_declared_fails() {
        let find = |stem: &str| {
            let case = cases().into_iter().find(|case| case.entry == stem);
            case.expect("it is in the catalog").build()
        };
        let register = find("prim/register");
        let (bits, memories) = declared_bits(&*register);
        let of = |registers, memories| YosysReport {
            register_bits: registers,
            memory_bits: memories,
            ..YosysReport::default()
        };
        let (bits, memories) = (bits as u64, memories as u64);
        assert!(bits > 0 && memories == 0);
        assert!(stores_what_it_declares(&*register, &of(bits, 0)).is_ok());
        for wrong in [of(bits - 1, 0), of(bits + 1, 0), of(bits - 1, 1), of(0, bits)] {
            let error = stores_what_it_declares(&*register, &wrong).expect_err("they differ");
            assert!(error.to_string().contains("declares"), "{error}");
        }
    }

    #[test]
    fn every_configuration_is_replayed_and_every_module_in_both_simulators() {
        let cases = cases();
        for entry in catalog::entries() {
            let count = |check: Check| {
                cases.iter().filter(|case| case.check == check && case.entry == entry.name).count()
            };
            assert!(count(Check::Icarus) >= 1, "{}", entry.name);
            for check in [Check::Verilator, Check::Lint, Check::Yosys] {
                assert_eq!(count(check), entry.configurations.len(), "{}", entry.name);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_trace_and_another_one_does_not() {
        let case = cases().into_iter().find(|case| case.entry == "dispatch/scheduler");
        let case = case.expect("it is in the catalog");
        assert_eq!(case.trace(1, 60), case.trace(1, 60));
        assert_ne!(case.trace(1, 60), case.trace(2, 60));
    }
}
