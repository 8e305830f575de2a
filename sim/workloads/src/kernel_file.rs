//! Host files: small TOML files that say what a host does with the kernels of a PTX module.
//!
//! ```toml
//! # saxpy.toml, beside saxpy.ptx
//! [buffers]
//! x = { type = "f32", count = 1000, fill = "uniform", from = -1.0, to = 1.0 }
//! y = { file = "y.npy" }
//!
//! [[launch]]
//! kernel = "saxpy"                  # may be left out if the module has one
//! grid = 4                          # or [x, y, z]
//! block = 256
//! arguments = [2.0, "x", "y", 1000] # numbers by the parameter's type; a string is a buffer
//!
//! [output]
//! y = "out.npy"
//! ```
//!
//! All keys are in docs/kernels.md. Paths are relative to the folder of the file.
//!
//! ```text
//!   text -- file --> raw --+-- data ------> buffers, variables
//!                          +-- launch ----> steps, with argument, extent, write
//!                          '-- texture, expect      '--> host
//! ```

mod argument;
mod contents;
mod data;
mod dependent;
mod element;
mod expect;
mod extent;
mod file;
mod host;
mod launch;
mod npy;
mod texture;
mod turns;
mod write;

pub use host::KernelHost;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use blockyard_ptx::Program;
use toml::Spanned;

use crate::diagnostic::InputError;
use crate::plain::plain;
use data::Data;

/// Bytes of the file from which something was read.
type Span = Range<usize>;

/// A host file that has been read, with the module for which it is.
pub struct KernelFile {
    source: Source,
    program: Rc<Program>,
    buffers: Vec<Data>,
    variables: Vec<Data>,
    textures: Vec<texture::TextureSpec>,
    steps: Vec<launch::Step>,
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
    expectations: Vec<expect::Expectation>,
}

/// A buffer that is written to a file in the end.
#[derive(Clone, Debug)]
struct Output {
    buffer: usize,
    path: PathBuf,
}

/// The file, for diagnostics.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
    /// Paths are relative to this.
    folder: PathBuf,
}

impl Source {
    /// A complaint about the bytes `span`; `expected` stands under them.
    fn error(&self, span: &Span, message: impl Into<String>, expected: &str) -> InputError {
        InputError::new(message).at(&self.name, &self.text, span.clone(), expected)
    }

    /// The number of the key `what`, within `range`.
    fn number(
        &self,
        value: &Spanned<i64>,
        what: &str,
        range: RangeInclusive<u64>,
    ) -> Result<u64, InputError> {
        let found = u64::try_from(*value.get_ref()).ok();
        found.filter(|found| range.contains(found)).ok_or_else(|| {
            let message = format!("`{what}` is {}", value.get_ref());
            let expected = format!("expected {} to {}", range.start(), range.end());
            self.error(&value.span(), message, &expected)
        })
    }

    /// The number of the buffer `name`.
    fn buffer(&self, buffers: &[Data], name: &Spanned<String>) -> Result<usize, InputError> {
        let found = buffers.iter().position(|buffer| buffer.name == *name.get_ref());
        found.ok_or_else(|| {
            let message = format!("there is no buffer `{}`", name.get_ref());
            self.error(&name.span(), message, &format!("expected {}", names(buffers)))
        })
    }
}

/// The names of all buffers, for messages.
fn names(buffers: &[Data]) -> String {
    let names: Vec<&str> = buffers.iter().map(|buffer| &*buffer.name).collect();
    match names[..] {
        [] => "a buffer of [buffers]".to_owned(),
        _ => format!("one of {}", names.join(", ")),
    }
}

impl fmt::Debug for KernelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KernelFile({})", self.source.name)
    }
}

impl KernelFile {
    /// Reads the file at `path`, which is for `program`.
    ///
    /// # Errors
    /// When it or a file that it names cannot be read, or something in it does not fit.
    pub fn read(path: &Path, program: Rc<Program>) -> Result<Self, InputError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let help = "a host file says what to launch: docs/kernels.md; --host names it";
            InputError::file("read", path, &error).help(help)
        })?;
        Self::parse(path, &text, program)
    }

    /// Reads `text`, the contents of the file at `path`.
    ///
    /// # Errors
    /// As [`KernelFile::read`].
    pub fn parse(path: &Path, text: &str, program: Rc<Program>) -> Result<Self, InputError> {
        let source = Source {
            name: path.display().to_string(),
            text: text.to_owned(),
            folder: path.parent().map_or_else(PathBuf::new, Path::to_owned),
        };
        let file: file::File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let found = source.error(&span, plain(error.message().trim_end()), "here");
            match error.message().contains("too large") {
                true => found.help(
                    "TOML has whole numbers below 2^63; larger ones are written by their bits, as \
                     { i64 = -1 }",
                ),
                false => found,
            }
        })?;
        let held = file.buffers.values().chain(file.variables.values());
        let held = held.filter_map(|raw| raw.get_ref().file.as_ref());
        let expected = file.expect.values().filter_map(|raw| raw.get_ref().file.as_ref());
        let files = held.chain(expected).map(|name| source.folder.join(name.get_ref()));
        let inputs = std::iter::once(path.to_owned()).chain(files.collect::<BTreeSet<_>>());
        let inputs: Vec<PathBuf> = inputs.collect();
        let buffers = data::all(&source, file.buffers)?;
        let variables = data::all(&source, file.variables)?;
        let textures = texture::all(&source, &buffers, file.textures)?;
        let checker = launch::Checker {
            source: &source,
            program: &program,
            buffers: &buffers,
            textures: &textures,
        };
        let steps = checker.steps(&file.launch, &file.repeat)?;
        let mut outputs = Vec::new();
        for (name, path) in data::in_order(file.output) {
            let buffer = source.buffer(&buffers, &name)?;
            outputs.push(Output { buffer, path: source.folder.join(path.get_ref()) });
        }
        let expectations = expect::all(&source, &buffers, file.expect)?;
        Ok(Self {
            source,
            program,
            buffers,
            variables,
            textures,
            steps,
            inputs,
            outputs,
            expectations,
        })
    }

    /// Whether a kernel is given the texture with that number.
    fn passes(&self, texture: usize) -> bool {
        let passed = |launches: &[launch::LaunchSpec]| {
            launches.iter().any(|spec| spec.arguments.pass(texture))
        };
        self.steps.iter().any(|step| match step {
            launch::Step::Launches(launches) => passed(launches),
            launch::Step::Repeat(repeat) => repeat.turns.iter().any(|turn| passed(turn)),
        })
    }

    /// It, whose module was made of these files beside the one that was named.
    #[must_use]
    pub fn made_of(mut self, files: Vec<PathBuf>) -> Self {
        self.inputs.extend(files);
        self
    }

    /// The host file, those that it reads in alphabetical order, and those that the module was
    /// [made of](Self::made_of).
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path)
    }

    /// The files that a run writes.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.outputs.iter().map(|output| &*output.path)
    }

    /// The host program on a machine of its own; `seed` decides what is drawn.
    ///
    /// # Errors
    /// As [`KernelHost::new`].
    pub fn host(self: &Rc<Self>, seed: u64) -> Result<KernelHost, InputError> {
        KernelHost::new(Rc::clone(self), seed)
    }
}

#[cfg(test)]
mod tests;
