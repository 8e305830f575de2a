//! A module with its properties as a circuit.

use super::aiger::Aiger;
use super::names::{self, Signals};
use crate::export::{self, properties};
use crate::replay::{run_until, write_file as write, Patience, ReplayError, TOP};
use blockyard_rtl::proofs::Proof;
use std::path::{Path, PathBuf};

/// The circuit, and what its literals are called.
pub struct Model {
    /// Where its files are.
    pub folder: PathBuf,
    /// The circuit.
    pub aiger: Aiger,
    /// Its signals, by their names in the flat design.
    pub signals: Signals,
}

/// The Verilog of a module with its properties, in a folder.
pub struct Source {
    /// Where it is, and where what is made of it goes.
    folder: PathBuf,
    /// The Verilog.
    pub verilog: String,
    /// Commands of Yosys that show inner signals to the properties.
    connects: Vec<String>,
}

impl Source {
    /// Of a module; files go to `folder`, which is made.
    ///
    /// # Errors
    /// When it cannot be exported or written.
    pub fn new(proof: &Proof, folder: &Path) -> Result<Self, ReplayError> {
        let (verilog, inner) =
            export::with_properties(&*proof.build(), TOP, properties::Whose::Top)?;
        let connects = inner.iter().map(properties::Inner::connect).collect();
        std::fs::create_dir_all(folder).map_err(io("making a folder"))?;
        write(&folder.join("top.v"), &verilog)?;
        Ok(Self { folder: folder.to_owned(), verilog, connects })
    }

    /// Runs Yosys on the flat design, in which memories are cells, with these `steps`.
    ///
    /// # Errors
    /// When Yosys fails or reaches a limit.
    pub fn run(&self, steps: &str, patience: Patience) -> Result<(), ReplayError> {
        let script = format!(
            "read_verilog -sv -formal -D {} -D {} top.v\nhierarchy -check -top {TOP}\nproc\nflatten\n\
             delete -output\nopt_clean\nmemory_collect\n{steps}",
            properties::DEFINE,
            properties::COVERS,
        );
        write(&self.folder.join("script.ys"), script)?;
        let arguments = ["-Q", "-T", "-q", "script.ys"];
        let finished = run_until("yosys", &arguments, &self.folder, patience)?;
        match finished.success {
            true => Ok(()),
            false => Err(ReplayError::Rejected { tool: "yosys", log: finished.log }),
        }
    }
}

fn io(what: &'static str) -> impl Fn(std::io::Error) -> ReplayError {
    move |source| ReplayError::Io { what: what.to_owned(), source }
}

impl Model {
    /// Of a module; files go to `folder`, which is made.
    ///
    /// # Errors
    /// When it cannot be exported, or Yosys fails.
    pub fn new(proof: &Proof, folder: &Path, patience: Patience) -> Result<Self, ReplayError> {
        Self::changed(&Source::new(proof, folder)?, "", patience)
    }

    /// Of a module, with equal gates apart: a promise is computed by gates of its own.
    ///
    /// # Errors
    /// When it cannot be exported, or Yosys fails.
    pub fn apart(proof: &Proof, folder: &Path, patience: Patience) -> Result<Self, ReplayError> {
        Self::of(&Source::new(proof, folder)?, "", APART, patience)
    }

    /// Of a module that these `steps` of Yosys change first.
    ///
    /// # Errors
    /// When Yosys fails.
    pub fn changed(source: &Source, steps: &str, patience: Patience) -> Result<Self, ReplayError> {
        Self::of(source, steps, MERGED, patience)
    }

    fn of(
        source: &Source,
        steps: &str,
        simpler: &str,
        patience: Patience,
    ) -> Result<Self, ReplayError> {
        source.run(&format!("{steps}{}", to_gates(&source.connects, simpler)), patience)?;
        let folder = &source.folder;
        let file = std::fs::read(folder.join("top.aig")).map_err(io("reading a circuit"))?;
        let map = std::fs::read_to_string(folder.join("top.map")).map_err(io("reading names"))?;
        let aiger = Aiger::parse(&file);
        let aiger = aiger
            .map_err(|error| ReplayError::Rejected { tool: "yosys", log: error.to_string() })?;
        let model = Self { folder: folder.clone(), aiger, signals: names::parse(&map) };
        match model.has_unnamed_claims() {
            true => Err(ReplayError::Rejected {
                tool: "yosys",
                log: "a claim has lost its name".into(),
            }),
            false => Ok(model),
        }
    }

    /// Whether Yosys wants something never to be true that is neither a broken promise nor a cover
    /// point by name: then a promise would be missed.
    fn has_unnamed_claims(&self) -> bool {
        let named = self.signals.iter().filter_map(|(name, bits)| {
            let literal = bits.first().copied().flatten()?;
            match name.split_once('$')?.0 {
                "holds" => Some(literal ^ 1),
                "reached" => Some(literal),
                _ => None,
            }
        });
        self.aiger.has_other_claims(&named.collect::<Vec<u32>>())
    }

    /// The literal of a promise: true in the cycles in which it holds.
    pub fn holds(&self, name: &str) -> u32 {
        self.literal(&format!("holds${name}")).unwrap_or(u32::from(!self.aiger.fails_always()))
    }

    /// The literal of a cover point: true in the cycles that have it.
    pub fn reached(&self, name: &str) -> u32 {
        self.literal(&format!("reached${name}")).unwrap_or(u32::from(self.aiger.fails_always()))
    }

    /// The literal of a signal of one bit. What Yosys finds to be constant has none; then its
    /// assertion is gone, or fails always.
    fn literal(&self, name: &str) -> Option<u32> {
        self.signals.get(name)?.first().copied().flatten()
    }
}

/// Makes the circuit simpler: equal cells become one.
const MERGED: &str = "opt -fast\n";

/// The same, but that equal cells stay apart: a promise computes for itself.
pub const APART: &str = "opt_expr\nopt_dff\nopt_clean\n";

/// Memories become registers, and gates remain. What has no initial value may begin as anything.
/// ABC merges gates that are equal in less time than Yosys.
fn to_gates(connects: &[String], simpler: &str) -> String {
    format!(
        "memory_map\ncd {TOP}\n{}\ncd\nopt_clean\n\
         check\nasync2sync\ndffunmap\nformalff -clk2ff -ff2anyinit\nsetundef -undriven -anyseq\n\
         {simpler}techmap\nopt_expr\nopt_clean\ndffunmap\naigmap\n\
         write_aiger -I -B -zinit -no-startoffset -vmap top.map top.aig\n",
        connects.join("\n")
    )
}
