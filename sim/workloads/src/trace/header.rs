//! The header of a kernel's trace: `-key = value` lines up to the line `#traces format`.

use std::rc::Rc;

use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::lines::{Line, Lines};
use super::opcode::Architecture;
use super::tail::Tail;
use crate::diagnostic::InputError;
use crate::port::{Dim3, MAX_BLOCKS};
use crate::program::WARP_LANES;

/// What the header says of the kernel and of the lines that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The kernel's (mangled) name.
    pub name: Rc<str>,
    /// Number of the launch in the traced program.
    pub id: u64,
    /// Extent of the grid in thread blocks, 1 to [`MAX_BLOCKS`] of them.
    pub grid: Dim3,
    /// Extent of a block in threads, 1 to 1024 of them.
    pub block: Dim3,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// The traced GPU's architecture.
    pub architecture: Architecture,
    /// The CUDA stream, as the tracer saw it (often a pointer).
    pub stream: u64,
    /// Where the window of generic addresses for shared memory begins.
    pub shared_base: u64,
    /// Version of the tracer, 3 to 6.
    pub version: u32,
    /// Whether an instruction begins with its line in the source.
    pub(super) line_numbers: bool,
    /// What an instruction ends with.
    pub(super) tail: Tail,
}

/// Bytes of the shared-memory window of generic addresses.
const SHARED_WINDOW: u64 = 16 << 20;

/// Most threads of a block, on every architecture.
const MAX_THREADS: u128 = 1024;

impl Header {
    /// Thread blocks in all.
    pub fn blocks(&self) -> u32 {
        u32::try_from(self.grid.volume()).expect("checked when it was read")
    }

    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.block.volume().div_ceil(WARP_LANES as u128) as u32
    }

    /// Whether the generic address `address` is one of shared memory.
    pub(super) fn is_shared(&self, address: u64) -> bool {
        address.wrapping_sub(self.shared_base) < SHARED_WINDOW
    }
}

/// The keys of a header; the last two may be absent.
const KEYS: [&str; 13] = [
    "kernel name",
    "kernel id",
    "grid dim",
    "block dim",
    "shmem",
    "nregs",
    "binary version",
    "cuda stream id",
    "shmem base_addr",
    "local mem base_addr",
    "accelsim tracer version",
    "nvbit version",
    "enable lineinfo",
];
const REQUIRED: usize = 11;

/// A header of which some lines are read.
#[derive(Default)]
struct Draft {
    name: Option<Rc<str>>,
    architecture: Option<Architecture>,
    grid: Dim3,
    block: Dim3,
    id: u64,
    stream: u64,
    shared_memory: u32,
    registers: u32,
    shared_base: u64,
    version: u32,
    line_numbers: bool,
    /// The line of each key that was there.
    lines: [Option<u64>; KEYS.len()],
}

/// Reads the header; the next line is then the one behind `#traces format`.
///
/// # Errors
/// When a key is missing, there twice or has a value that it does not take, or a line is none of a
/// header.
pub(super) fn read(lines: &mut Lines) -> Result<Header, InputError> {
    let path = Rc::clone(lines.path());
    let mut draft = Draft::default();
    while let Some(line) = lines.next_filled()? {
        match draft.line(line) {
            Ok(None) => {}
            Ok(Some(header)) => return Ok(header),
            Err(fault) => return Err(fault.at(&path, line.number, line.text)),
        }
    }
    if lines.place().lines == 0 {
        let problem = format!("{}: the file is empty", path.display());
        return Err(
            InputError::new(problem).help("expected a trace that begins with `-kernel name = ...`")
        );
    }
    Err(lines.ends_early("the header has no line `#traces format`", "`#traces format = ...`"))
}

impl Draft {
    fn line(&mut self, line: Line<'_>) -> Parsed<Option<Header>> {
        let text = line.text;
        match text.first() {
            Some(b'-') => self.key(line).map(|()| None),
            Some(b'#') if text.starts_with(b"#traces format") => self.finish(text).map(Some),
            Some(b'#') if !text.starts_with(b"#BEGIN_TB") => Ok(None),
            _ => {
                let problem = format!("`{}` is not a line of a header", shown(text));
                let expected = "`-key = value` lines and then `#traces format = ...`";
                Err(Fault::new(0..text.len(), problem, expected))
            }
        }
    }

    fn key(&mut self, line: Line<'_>) -> Parsed<()> {
        let text = line.text;
        let Some(equals) = memchr::memchr(b'=', text) else {
            let problem = format!("`{}` has no `=`", shown(text));
            return Err(Fault::new(0..text.len(), problem, "`-key = value`"));
        };
        let key = text[1..equals].trim_ascii();
        let Some(index) = KEYS.iter().position(|known| known.as_bytes() == key) else {
            // Other tracers may say more.
            return Ok(());
        };
        if let Some(before) = self.lines[index] {
            let problem = format!("`-{}` is here again, after line {before}", KEYS[index]);
            return Err(Fault::new(0..equals, problem, "each key once"));
        }
        self.lines[index] = Some(line.number);
        self.value(KEYS[index], Value { text, start: equals + 1 })
    }

    fn value(&mut self, key: &'static str, value: Value<'_>) -> Parsed<()> {
        match key {
            "kernel name" => {
                let name = value.text[value.start..].trim_ascii();
                if name.is_empty() {
                    return Err(value.refused(key, "which is empty", "the kernel's name"));
                }
                self.name = Some(String::from_utf8_lossy(name).into());
            }
            "kernel id" => self.id = value.decimal(key, u64::MAX)?,
            "grid dim" => self.grid = value.extent(key, u128::from(MAX_BLOCKS))?,
            "block dim" => self.block = value.extent(key, MAX_THREADS)?,
            "shmem" => self.shared_memory = value.decimal(key, u64::from(u32::MAX))? as u32,
            "nregs" => self.registers = value.decimal(key, 255)? as u32,
            "binary version" => {
                let version = value.decimal(key, u64::from(u32::MAX))? as u32;
                self.architecture = Architecture::of_binary(version);
                if self.architecture.is_none() {
                    let expected = "20 to 39 (Fermi, Kepler), 50 to 69 (Maxwell, Pascal), \
                                    70 to 79 (Volta, Turing), 80 to 89 (Ampere, Ada), \
                                    90 to 99 (Hopper) or 100 to 129 (Blackwell)";
                    return Err(value.refused(key, "whose opcodes are not known", expected));
                }
            }
            "cuda stream id" => self.stream = value.decimal(key, u64::MAX)?,
            "shmem base_addr" => self.shared_base = value.address(key)?,
            "local mem base_addr" => drop(value.address(key)?),
            "accelsim tracer version" => {
                self.version = value.decimal(key, u64::from(u32::MAX))? as u32;
                if !(3..=6).contains(&self.version) {
                    return Err(value.refused(key, "which is not supported", "3, 4, 5 or 6"));
                }
            }
            "enable lineinfo" => self.line_numbers = value.decimal(key, 1)? == 1,
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, format: &[u8]) -> Parsed<Header> {
        let found = |index: usize| self.lines[index].is_some();
        let missing = (0..REQUIRED).find(|&index| !found(index)).map(|index| KEYS[index]);
        let (None, Some(name), Some(architecture)) = (missing, self.name.take(), self.architecture)
        else {
            let key = missing.unwrap_or_default();
            let problem = format!("`-{key}` is missing in the header above");
            return Err(Fault::new(0..format.len(), problem, format!("`-{key} = ...`")));
        };
        let tail = match memchr::memmem::find(format, b"immediate") {
            _ if self.version >= 6 => Tail::Values,
            Some(_) => Tail::Immediate,
            None => Tail::None,
        };
        Ok(Header {
            name,
            id: self.id,
            grid: self.grid,
            block: self.block,
            shared_memory: self.shared_memory,
            registers: self.registers,
            architecture,
            stream: self.stream,
            shared_base: self.shared_base,
            version: self.version,
            line_numbers: self.line_numbers,
            tail,
        })
    }
}

/// What stands behind the `=` of a header line.
#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a [u8],
    start: usize,
}

impl Value<'_> {
    /// The columns of the value. The key is blanked, so places in the line stay right.
    fn read<T>(self, read: impl FnOnce(&mut Fields<'_>) -> Parsed<T>) -> Parsed<T> {
        let mut text = self.text.to_vec();
        text[..self.start].fill(b' ');
        let mut fields = Fields::new(&text);
        let value = read(&mut fields)?;
        fields.end("one value")?;
        Ok(value)
    }

    fn decimal(self, key: &str, limit: u64) -> Parsed<u64> {
        self.read(|fields| fields.decimal(&format!("`-{key}`"), limit))
    }

    fn address(self, key: &str) -> Parsed<u64> {
        self.read(|fields| fields.address(&format!("`-{key}`")))
    }

    /// `(x,y,z)`, with 1 to `most` points.
    fn extent(self, key: &str, most: u128) -> Parsed<Dim3> {
        let expected = "`(x,y,z)`, three whole numbers";
        let wrong = || self.refused(key, "which is not an extent", expected);
        let text = self.text[self.start..].trim_ascii();
        let inner = text.strip_prefix(b"(").and_then(|text| text.strip_suffix(b")"));
        let extent = inner.and_then(super::block::three_numbers).ok_or_else(wrong)?;
        if !(1..=most).contains(&extent.volume()) {
            let what = format!("which makes {}", extent.volume());
            let expected = format!("a product of 1 to {most}");
            return Err(self.refused(key, &what, expected));
        }
        Ok(extent)
    }

    fn refused(
        self,
        key: &str,
        what: &str,
        expected: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Box<Fault> {
        let rest = &self.text[self.start..];
        let start = self.start + rest.len() - rest.trim_ascii_start().len();
        let span = start..start + rest.trim_ascii().len();
        Fault::value(self.text, span, &format!("`-{key}`"), what, expected)
    }
}
