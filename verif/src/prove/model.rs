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

impl Model {
    /// Of a module; files go to `folder`, which is made.
    ///
    /// # Errors
    /// When it cannot be exported, or Yosys fails.
    pub fn new(proof: &Proof, folder: &Path, patience: Patience) -> Result<Self, ReplayError> {
        let (verilog, inner) =
            export::with_properties(&*proof.build(), TOP, properties::Whose::Top)?;
        let connects: Vec<String> = inner.iter().map(properties::Inner::connect).collect();
        let io =
            |what: &'static str| move |source| ReplayError::Io { what: what.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io("making a folder"))?;
        write(&folder.join("top.v"), &verilog)?;
        write(&folder.join("script.ys"), script(&connects))?;
        let arguments = ["-Q", "-T", "-q", "script.ys"];
        let finished = run_until("yosys", &arguments, folder, patience)?;
        if !finished.success {
            return Err(ReplayError::Rejected { tool: "yosys", log: finished.log });
        }
        let file = std::fs::read(folder.join("top.aig")).map_err(io("reading a circuit"))?;
        let map = std::fs::read_to_string(folder.join("top.map")).map_err(io("reading names"))?;
        let aiger = Aiger::parse(&file);
        let aiger = aiger
            .map_err(|error| ReplayError::Rejected { tool: "yosys", log: error.to_string() })?;
        let model = Self { folder: folder.to_owned(), aiger, signals: names::parse(&map) };
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

/// Memories become registers, the hierarchy goes, and gates remain. What has no initial value may
/// begin as anything.
fn script(connects: &[String]) -> String {
    format!(
        "read_verilog -sv -formal -D {} -D {} top.v\nhierarchy -check -top {TOP}\nproc\nflatten\n\
         delete -output\nopt_clean\nmemory_collect\nmemory_map\ncd {TOP}\n{}\ncd\nopt_clean\n\
         check\nasync2sync\ndffunmap\nformalff -clk2ff -ff2anyinit\nsetundef -undriven -anyseq\n\
         opt -fast\ntechmap\nopt -fast\ndffunmap\naigmap\nopt_clean\n\
         write_aiger -I -B -zinit -no-startoffset -vmap top.map top.aig\n",
        properties::DEFINE,
        properties::COVERS,
        connects.join("\n")
    )
}
