//! A design with all its faults in it, of which a port chooses one: by Yosys.

use super::fault::{self, Fault, PORT};
use crate::replay::{read_file, run_until, write_file, Finished, Patience, ReplayError, TOP};
use std::path::Path;

/// Which faults are taken.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// How many; there are fewer where the design has no more.
    pub faults: u32,
    /// Makes the choice repeatable.
    pub seed: u32,
    /// More options of Yosys' `mutate -list`, which leave fewer to choose among:
    /// `-wire launch_ready`.
    pub only: &'a str,
}

/// A design with faults.
pub struct Faulty {
    /// The faults, by number from 1 on.
    pub faults: Vec<Fault>,
    /// The flat design, with a port that turns one of them on.
    pub verilog: String,
}

/// Where the design waits for [`circuit`], in the folder of [`insert`].
const DESIGN: &str = "mutated.il";

/// Puts faults into `verilog`, whose top module is [`TOP`]; files go to the existing folder
/// `folder`.
///
/// # Errors
/// When Yosys cannot be run, fails or reaches a limit.
pub fn insert(
    verilog: &str,
    sample: Sample,
    folder: &Path,
    patience: Patience,
) -> Result<Faulty, ReplayError> {
    let Sample { faults, seed, only } = sample;
    // One value more than there are faults: zero, which is none.
    let bits = u32::BITS - faults.leading_zeros();
    write_file(&folder.join("top.v"), verilog)?;
    // A fault sits between single bits, and words then seem to depend on themselves. Verilator
    // 5.006 settles such words wrongly, so that they are split.
    let script = format!(
        "read_verilog top.v\nhierarchy -check -top {TOP}\nproc\nflatten\nopt -fast\nmemory -nomap\n\
         opt_clean\nmutate -list {faults} -seed {seed} -ctrl {PORT} {bits} 1 -o list.txt {only}\n\
         script list.txt\nopt_clean\nwrite_rtlil {DESIGN}\nsplitnets -driver\nopt_clean\nwrite_verilog -noattr mutated.v\n"
    );
    yosys("insert.ys", &script, folder, patience)?;
    let list = read_file(&folder.join("list.txt"))?;
    let verilog_with_faults = read_file(&folder.join("mutated.v"))?;
    Ok(Faulty { faults: fault::read(&list, verilog), verilog: verilog_with_faults })
}

/// The design of [`insert`] as gates, in `top.aig`, with the names of its inputs and outputs in
/// `top.map`.
///
/// # Errors
/// As [`insert`].
pub fn circuit(folder: &Path, patience: Patience) -> Result<(), ReplayError> {
    // Memories become registers. No optimization: gates that are the same are found later, and much
    // faster.
    let script = format!(
        "read_rtlil {DESIGN}\nmemory_map\nopt_clean -purge\ndffunmap\nsetundef -undriven -zero\n\
         simplemap\ntechmap\ndffunmap\naigmap\n\
         write_aiger -zinit -no-startoffset -map top.map top.aig\n"
    );
    yosys("circuit.ys", &script, folder, patience)
}

fn yosys(name: &str, script: &str, folder: &Path, patience: Patience) -> Result<(), ReplayError> {
    write_file(&folder.join(name), script)?;
    let arguments = ["-Q", "-T", "-q", name];
    let Finished { success, log } = run_until("yosys", &arguments, folder, patience)?;
    match success {
        true => Ok(()),
        false => Err(ReplayError::Rejected { tool: "yosys", log }),
    }
}
