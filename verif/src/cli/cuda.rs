//! CUDA C++ to PTX, by clang, with the project's own header and no file of NVIDIA's.

mod dependencies;
mod header;

use blockyard_sim::port::LaunchMode;
use miette::{miette, IntoDiagnostic, Report, Result, WrapErr};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Names the compiler, instead of those that are looked for.
const CLANG: &str = "CLANG";
/// Versions of clang that are tried, and in which order: 16 made the project's own PTX.
const VERSIONS: [&str; 9] = [
    "clang-16", "clang-17", "clang-18", "clang-19", "clang-20", "clang-21", "clang-15", "clang-14",
    "clang",
];
/// What PTX must be made for if the user does not say.
pub const ARCHITECTURE: &str = "sm_35";

/// An architecture as clang takes it: `sm_35`.
///
/// # Errors
/// What was expected instead.
pub fn architecture(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("sm_").filter(|number| {
        (2..=3).contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    number.map(|_| text.to_owned()).ok_or_else(|| format!("expected sm_NN, as {ARCHITECTURE}"))
}

/// What clang makes of a file.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The PTX.
    pub ptx: String,
    /// The files that it includes, but for the project's own header and those of the system.
    pub includes: Vec<PathBuf>,
}

/// The PTX that clang makes of `source`.
///
/// # Errors
/// There is no clang, or it refuses the file: then it says why itself.
pub fn compile(source: &Path, architecture: &str, launch: LaunchMode) -> Result<Compiled> {
    if let Err(error) = std::fs::File::open(source) {
        return Err(miette!("cannot read {}: {error}", source.display()));
    }
    let folder = tempfile::tempdir().into_diagnostic().wrap_err("no temporary folder")?;
    header::write(folder.path()).into_diagnostic().wrap_err("cannot write the header")?;
    let ptx = folder.path().join("kernel.ptx");
    let rule = folder.path().join("kernel.d");
    let mut arguments: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    // Messages name the lines of the source: as the user names it, and the header's files by their
    // own names.
    arguments.push("-fdebug-compilation-dir=.".into());
    let mut own = OsString::from("-fdebug-prefix-map=");
    own.push(folder.path().join("="));
    arguments.push(own);
    arguments.push(format!("--cuda-gpu-arch={architecture}").into());
    arguments.push(format!("-DBLOCKYARD_LAUNCH={}", level(launch)).into());
    for include in [folder.path().to_owned(), folder.path().join(header::CUDA)] {
        arguments.extend(["-I".into(), include.into()]);
    }
    arguments.extend(["-include".into(), "blockyard.h".into()]);
    arguments.extend([
        "-MMD".into(),
        "-MT".into(),
        "ptx".into(),
        "-MF".into(),
        OsString::from(&rule),
    ]);
    arguments.extend(["-o".into(), OsString::from(&ptx), OsString::from(source)]);
    let output = run(&arguments, source)?;
    super::complain_as_is(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(miette!("clang does not compile {}", source.display()));
    }
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| miette!("cannot read what clang made: {error}"))
    };
    let mut includes = dependencies::dependencies(&read(&rule)?);
    includes.retain(|path| path != source && !path.starts_with(folder.path()));
    Ok(Compiled { ptx: read(&ptx)?, includes })
}

/// All but the paths and what the user decides.
const FLAGS: [&str; 8] = [
    "-x",
    "cuda",
    "--cuda-device-only",
    "-nocudainc",
    "-nocudalib",
    "-O2",
    "-gline-tables-only",
    "-S",
];

/// The header's word for how device code launches.
fn level(launch: LaunchMode) -> u8 {
    match launch {
        LaunchMode::Flat => 0,
        LaunchMode::Cdp => 1,
        LaunchMode::Dtbl => 2,
    }
}

/// Runs the first clang that there is.
fn run(arguments: &[OsString], source: &Path) -> Result<Output> {
    let chosen = std::env::var_os(CLANG).filter(|chosen| !chosen.is_empty());
    let names: Vec<OsString> = match &chosen {
        Some(chosen) => vec![chosen.clone()],
        None => VERSIONS.iter().map(OsString::from).collect(),
    };
    for name in &names {
        match Command::new(name).args(arguments).output() {
            Ok(output) => return Ok(output),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(miette!("cannot run {}: {error}", name.display())),
        }
    }
    Err(missing(chosen, source))
}

fn missing(chosen: Option<OsString>, source: &Path) -> Report {
    let ptx = source.with_extension("ptx");
    let flags = FLAGS.join(" ");
    let help = format!(
        "install it (`apt install clang`), or set {CLANG} to its path; or make the PTX where there is \
         one, with the folder sim/kernels/include of Blockyard, and give that to --kernel:\n\
         clang {flags} --cuda-gpu-arch={ARCHITECTURE} -I include -I include/cuda -include blockyard.h -o {} {}",
        ptx.display(),
        source.display()
    );
    match chosen {
        Some(chosen) => {
            miette!(help = help, "there is no {}, which {CLANG} names", chosen.display())
        }
        None => miette!(help = help, "{} needs clang, which is not found", source.display()),
    }
}
