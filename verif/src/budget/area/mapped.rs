//! Modules in cells: each is mapped once, alone, for whatever schedulers it is in.
//!
//! ```text
//!   module's text, stubs of those in it --Yosys, ABC--> FOLDER/<how>/<module>.json
//! ```
//!
//! Both names are hashes: that of the module of its text and of all below it, `<how>` of the
//! version of Yosys, its script and the cells. So what is there is what would come out again, and a
//! run that was killed goes on where it was. Modules are mapped on all cores.

use super::fanout::{Buffer, FAN_OUT};
use super::Technology;
use crate::export::{Modules, Named};
use crate::regress::StopFlag;
use crate::replay::{
    read_file, run_until, scratch, write_file, yosys_map, Finished, Patience, ReplayError,
};
use blockyard_sim::output;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What ABC sizes gates for, in picoseconds: less than any scheduler reaches, so that it always
/// tries. docs/budgets.md has what other targets give.
const TARGET: u32 = 1000;

/// A folder of modules that are mapped to one library by one version of Yosys.
#[derive(Debug)]
pub struct Mapped {
    folder: PathBuf,
    /// `Yosys 0.23 (...)`.
    yosys: String,
    cells: String,
    constraints: String,
}

/// What Yosys writes of a module.
#[derive(Deserialize)]
struct Netlist<'a> {
    #[serde(borrow)]
    modules: BTreeMap<Cow<'a, str>, &'a RawValue>,
}

impl Mapped {
    /// What is in `folder` of modules in the cells of `technology`, whose fastest buffer is
    /// `buffer`.
    ///
    /// # Errors
    /// When Yosys cannot be run or is stopped, or the folder cannot be made.
    pub fn new(
        folder: &Path,
        technology: &Technology,
        buffer: &Buffer,
        stop: Option<&StopFlag>,
    ) -> Result<Self, ReplayError> {
        let (cells, constraints) = (technology.text.clone(), constraints(buffer));
        let scratch = scratch()?;
        let patience = Patience { seconds: 60, mebibytes: None, stop };
        let Finished { success, log } = run_until("yosys", &["-V"], scratch.path(), patience)?;
        if !success {
            return Err(ReplayError::Rejected { tool: "yosys", log });
        }
        let yosys = log.trim().to_owned();
        let mut how = Sha256::new();
        for part in [&yosys, &script("top"), &steps(), &constraints, &cells] {
            how.update((part.len() as u64).to_le_bytes());
            how.update(part);
        }
        let digits: String =
            how.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let folder = folder.join(digits);
        fs::create_dir_all(&folder).map_err(|source| ReplayError::Io {
            what: format!("making {}", folder.display()),
            source,
        })?;
        Ok(Self { folder, yosys, cells, constraints })
    }

    /// The netlist of a design, as Yosys' `write_json` would have it; what is not there yet is
    /// mapped until `stop` is raised.
    ///
    /// # Errors
    /// When Yosys fails or is stopped, or a file cannot be read or written.
    pub fn netlist(
        &self,
        modules: &Modules,
        stop: Option<&StopFlag>,
    ) -> Result<String, ReplayError> {
        let texts = modules.all.par_iter().with_max_len(1).map(|module| {
            if let Some(text) = self.whole(&module.name) {
                return Ok(text);
            }
            self.map(module, &modules.all, stop)?;
            read_file(&self.path(&module.name))
        });
        let texts: Vec<String> = texts.collect::<Result<_, ReplayError>>()?;
        let named = modules.all.iter().zip(texts);
        let named: Vec<String> =
            named.map(|(module, text)| format!("\"{}\":{text}", module.name)).collect();
        let creator = serde_json::Value::from(self.yosys.as_str());
        Ok(format!("{{\"creator\":{creator},\"modules\":{{{}}}}}", named.join(",\n")))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("json")
    }

    /// A module that is there, unless who copied the folder has cut it off.
    fn whole(&self, name: &str) -> Option<String> {
        let text = read_file(&self.path(name)).ok()?;
        serde_json::from_str::<&RawValue>(&text).is_ok().then_some(text)
    }

    fn map(
        &self,
        module: &Named,
        all: &[Named],
        stop: Option<&StopFlag>,
    ) -> Result<(), ReplayError> {
        let scratch = scratch()?;
        let place = scratch.path();
        write_file(&place.join("cells.lib"), &self.cells)?;
        write_file(&place.join("abc.constr"), &self.constraints)?;
        write_file(&place.join("abc.script"), steps())?;
        let inside = all.iter().filter(|other| module.children.contains(&other.name));
        let verilog: String =
            inside.map(Named::stub).chain([module.text.clone(), "\n".to_owned()]).collect();
        yosys_map(&verilog, &script(&module.name), place, stop)?;
        let rejected = |log: String| ReplayError::Rejected { tool: "yosys", log };
        let text = read_file(&place.join("netlist.json"))?;
        let netlist: Netlist =
            serde_json::from_str(&text).map_err(|error| rejected(error.to_string()))?;
        let netlist = netlist.modules.get(module.name.as_str());
        let netlist = netlist.ok_or_else(|| rejected(format!("`{}` is gone", module.name)))?;
        let path = self.path(&module.name);
        output::write_file(&path, |out| out.write_all(netlist.get().as_bytes())).map_err(|error| {
            ReplayError::Io {
                what: format!("writing {}", path.display()),
                source: std::io::Error::other(error),
            }
        })
    }
}

/// What ABC takes to be in front of inputs and behind outputs: a buffer, and four of its inputs.
fn constraints(buffer: &Buffer) -> String {
    let femtofarads = buffer.input * 1000.0 * FAN_OUT / 2.0;
    format!("set_driving_cell {}\nset_load {femtofarads:.3} [fF]\n", buffer.name)
}

/// ABC's steps as Yosys has them for a library with times, but for three: `dc2` makes trees of
/// adders and arbiters deep again, `&fraig -x` does not end on the dividers of IKRA, and `stime -p`,
/// which prints times, breaks down on a module without gates.
fn steps() -> String {
    format!(
        "strash; scorr; strash; &get -n; &dch -f; &nf -D {TARGET}; &put; \
         buffer; upsize -D {TARGET}; dnsize -D {TARGET}\n"
    )
}

/// Memories are gathered before anything is shared, as in the flow for FPGAs. Nothing is flattened.
fn script(module: &str) -> String {
    format!(
        "read_verilog top.v; hierarchy -check -top {module}; proc; opt -fast; memory_collect; opt -full; \
         memory_map; opt -fast; alumacc; techmap; opt -fast; dfflibmap -liberty cells.lib; opt -fast; \
         abc -liberty cells.lib -constr abc.constr -script abc.script; opt_clean; \
         setattr -unset src t:*; write_json netlist.json"
    )
}
