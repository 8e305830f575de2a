//! `--kernel`: a module of PTX or CUDA C++, and the file that says what to launch.

use super::cuda;
use blockyard_ptx::Program;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::kernel_file::KernelFile;
use clap::Args;
use miette::Result;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What belongs to `--kernel`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Args, Serialize, Deserialize)]
pub struct KernelArgs {
    /// What to launch, with which buffers; else the .toml beside the kernel
    #[arg(long, value_name = "F.toml", requires = "kernel")]
    pub host: Option<PathBuf>,
    /// Architecture that clang compiles a .cu for
    #[arg(long, value_name = "sm_NN", default_value = cuda::ARCHITECTURE, value_parser = cuda::architecture)]
    pub cuda_arch: String,
}

/// A module, and what it was made of.
pub struct Module {
    /// The module.
    pub program: Rc<Program>,
    /// The files that the CUDA C++ includes; none of PTX.
    pub includes: Vec<PathBuf>,
}

/// The module in `path`; CUDA C++ is compiled for `architecture`.
///
/// # Errors
/// When it cannot be read, compiled or executed.
pub fn module(path: &Path, architecture: &str, launch: LaunchMode) -> Result<Module> {
    let mut shown = path.display().to_string();
    let mut includes = Vec::new();
    let text = match path.extension().and_then(|kind| kind.to_str()) {
        Some("cu") => {
            // Its lines are not those of the source.
            shown.insert_str(0, "PTX of ");
            let compiled = cuda::compile(path, architecture, launch)?;
            includes = compiled.includes;
            compiled.ptx
        }
        _ => {
            let bytes =
                std::fs::read(path).map_err(|error| InputError::file("read", path, &error))?;
            String::from_utf8(bytes).map_err(|_| {
                InputError::new(format!("{} is no text", path.display()))
                    .help("expected a .ptx or a .cu file")
            })?
        }
    };
    Ok(Module { program: blockyard_ptx::load(&shown, &text)?, includes })
}

/// The kernels in `path` and what is launched of them.
///
/// # Errors
/// As [`module`], or when the host file is not sound.
pub fn kernels(path: &Path, args: &KernelArgs, launch: LaunchMode) -> Result<Rc<KernelFile>> {
    let Module { program, includes } = module(path, &args.cuda_arch, launch)?;
    let host = args.host.clone().unwrap_or_else(|| path.with_extension("toml"));
    Ok(Rc::new(KernelFile::read(&host, program)?.made_of(includes)))
}
