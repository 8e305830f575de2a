//! Where a dump goes: into VCD text or into an FST file.

use crate::contents::Told;
use crate::error::WaveError;
use crate::text::bits;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use std::cell::RefCell;
use std::io::{Seek, Write};
use std::rc::Rc;
use vcd::{IdCode, ScopeType, SimulationCommand, TimescaleUnit, Value, VarType};

/// The format of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text that every tool reads.
    #[default]
    Vcd,
    /// Compressed, for GTKWave and Surfer.
    Fst,
}

/// Bytes of changes that an FST file holds back before it compresses and writes them.
const FST_SECTION: usize = 64 << 20;

/// A dump whose scopes and variables are being declared.
pub(crate) enum Header<W: Write + Seek> {
    Vcd(vcd::Writer<Shared<W>>, Shared<W>),
    Fst(FstHeaderWriter<W>),
}

/// A dump of values, and what views will want to know of it.
pub(crate) struct Body<W: Write + Seek> {
    stream: Stream<W>,
    /// A change on its way there; kept so that not every one takes memory.
    line: Vec<u8>,
    told: Told,
}

/// Where values go.
enum Stream<W: Write + Seek> {
    Vcd(vcd::Writer<Shared<W>>, Shared<W>),
    Fst(FstBodyWriter<W>),
}

/// A variable in a dump.
#[derive(Clone, Copy)]
pub(crate) enum Code {
    Vcd(Identifier),
    /// With its bits.
    Fst(FstSignalId, u32),
}

/// A variable's code in VCD, and how it is written.
#[derive(Clone, Copy)]
pub(crate) struct Identifier {
    code: IdCode,
    text: [u8; Self::MOST],
    length: usize,
}

impl Identifier {
    /// Characters of the longest code.
    const MOST: usize = 10;

    fn new(code: IdCode) -> Self {
        let (mut text, written) = ([0; Self::MOST], code.to_string());
        text[..written.len()].copy_from_slice(written.as_bytes());
        Self { code, text, length: written.len() }
    }

    fn text(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

impl<W: Write + Seek> Header<W> {
    /// A dump with these comments, where the format has any.
    pub(crate) fn new(
        writer: W,
        format: Format,
        version: &str,
        comments: &[String],
    ) -> Result<Self, WaveError> {
        if format == Format::Fst {
            let info = FstInfo {
                start_time: 0,
                timescale_exponent: -9,
                version: version.to_owned(),
                // The same samples give the same bytes.
                date: String::new(),
                file_type: FstFileType::Verilog,
            };
            return Ok(Self::Fst(FstHeaderWriter::new(writer, &info)?));
        }
        let stream = Shared(Rc::new(RefCell::new(writer)));
        let mut writer = vcd::Writer::new(stream.clone());
        writer.version(version)?;
        for comment in comments {
            writer.comment(comment)?;
        }
        writer.timescale(1, TimescaleUnit::NS)?;
        Ok(Self::Vcd(writer, stream))
    }

    pub(crate) fn enter(&mut self, name: &str) -> Result<(), WaveError> {
        match self {
            Self::Vcd(writer, _) => writer.scope_def(ScopeType::Module, name)?,
            Self::Fst(writer) => writer.scope(name, "", FstScopeType::Module)?,
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) -> Result<(), WaveError> {
        match self {
            Self::Vcd(writer, _) => writer.upscope()?,
            Self::Fst(writer) => writer.up_scope()?,
        }
        Ok(())
    }

    /// GTKWave appends `[7:0]` to the name of a wider wire, and then finds it under no other name; it
    /// leaves integers alone. So that a save file can name words without brackets, they are integers.
    pub(crate) fn variable(&mut self, width: u32, name: &str) -> Result<Code, WaveError> {
        Ok(match self {
            Self::Vcd(writer, _) => {
                let kind = if width == 1 { VarType::Wire } else { VarType::Integer };
                Code::Vcd(Identifier::new(writer.add_var(kind, width, name, None)?))
            }
            Self::Fst(writer) => {
                let kind = if width == 1 { FstVarType::Wire } else { FstVarType::Integer };
                let bits = FstSignalType::bit_vec(width);
                let id = writer.var(name, bits, kind, FstVarDirection::Implicit, None)?;
                Code::Fst(id, width)
            }
        })
    }

    /// Where there are no variables of text, a word of ASCII characters.
    pub(crate) fn text(&mut self, name: &str, length: usize) -> Result<Code, WaveError> {
        match self {
            Self::Vcd(writer, _) => {
                Ok(Code::Vcd(Identifier::new(writer.add_var(VarType::String, 1, name, None)?)))
            }
            Self::Fst(_) => self.variable(8 * length as u32, name),
        }
    }

    pub(crate) fn finish(self) -> Result<Body<W>, WaveError> {
        let stream = match self {
            Self::Vcd(mut writer, stream) => {
                writer.enddefinitions()?;
                Stream::Vcd(writer, stream)
            }
            Self::Fst(writer) => Stream::Fst(writer.finish()?),
        };
        Ok(Body { stream, line: Vec::new(), told: Told::default() })
    }
}

impl<W: Write + Seek> Body<W> {
    pub(crate) fn time(&mut self, cycle: u64) -> Result<(), WaveError> {
        self.told.time(cycle);
        self.stream.time(cycle)
    }

    /// What follows up to [`Self::end_all`] is the value of everything.
    pub(crate) fn begin_all(&mut self) -> Result<(), WaveError> {
        self.stream.begin_all()
    }

    pub(crate) fn end_all(&mut self) -> Result<(), WaveError> {
        self.stream.end_all()
    }

    /// # Panics
    /// When the code is one of another dump.
    pub(crate) fn change(&mut self, code: Code, bits: &[Value]) -> Result<(), WaveError> {
        self.line.clear();
        self.stream.change(code, bits, &mut self.line)
    }

    /// The text of that number, whose code this is, is another one.
    ///
    /// # Panics
    /// When the code is one of another dump.
    pub(crate) fn text(&mut self, number: usize, code: Code, text: &str) -> Result<(), WaveError> {
        self.told.text(number, text);
        self.stream.text(code, text)
    }

    pub(crate) fn finish(self) -> Result<(W, Told), WaveError> {
        Ok((self.stream.finish()?, self.told))
    }
}

impl<W: Write + Seek> Stream<W> {
    fn time(&mut self, cycle: u64) -> Result<(), WaveError> {
        match self {
            Self::Vcd(writer, ..) => writer.timestamp(cycle)?,
            Self::Fst(writer) => {
                // Between two times nothing is torn apart.
                if writer.size() > FST_SECTION {
                    writer.flush()?;
                }
                writer.time_change(cycle)?;
            }
        }
        Ok(())
    }

    fn begin_all(&mut self) -> Result<(), WaveError> {
        if let Self::Vcd(writer, ..) = self {
            writer.begin(SimulationCommand::Dumpvars)?;
        }
        Ok(())
    }

    fn end_all(&mut self) -> Result<(), WaveError> {
        if let Self::Vcd(writer, ..) = self {
            writer.end()?;
        }
        Ok(())
    }

    fn change(&mut self, code: Code, bits: &[Value], line: &mut Vec<u8>) -> Result<(), WaveError> {
        match (self, code) {
            // The `vcd` crate formats each bit by itself, which takes most of a dump's time.
            (Self::Vcd(_, stream), Code::Vcd(code)) => {
                write_change(line, &code, bits);
                stream.0.borrow_mut().write_all(line)?;
            }
            (Self::Fst(writer), Code::Fst(code, _)) => {
                line.extend(bits.iter().map(|bit| character(*bit)));
                writer.signal_change(code, line)?;
            }
            _ => unreachable!("a code belongs to the dump that gave it"),
        }
        Ok(())
    }

    fn text(&mut self, code: Code, text: &str) -> Result<(), WaveError> {
        match (self, code) {
            (Self::Vcd(writer, ..), Code::Vcd(id)) => writer.change_string(id.code, text)?,
            (Self::Fst(writer), Code::Fst(code, width)) => {
                writer.signal_change(code, &bits(text, width as usize / 8))?;
            }
            _ => unreachable!("a code belongs to the dump that gave it"),
        }
        Ok(())
    }

    fn finish(self) -> Result<W, WaveError> {
        let mut stream = match self {
            Self::Vcd(writer, stream) => {
                drop(writer);
                Rc::into_inner(stream.0).expect("the writer was the other owner").into_inner()
            }
            Self::Fst(writer) => writer.finish()?,
        };
        stream.flush()?;
        Ok(stream)
    }
}

fn character(bit: Value) -> u8 {
    match bit {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    }
}

/// A change in VCD: `1!`, or `b0101 !` for a word.
fn write_change(line: &mut Vec<u8>, id: &Identifier, bits: &[Value]) {
    if let [bit] = bits {
        line.push(character(*bit));
    } else {
        line.push(b'b');
        line.extend(bits.iter().map(|bit| character(*bit)));
        line.push(b' ');
    }
    line.extend(id.text());
    line.push(b'\n');
}

/// The stream under the `vcd` crate's writer, which does not give it back.
pub(crate) struct Shared<W>(Rc<RefCell<W>>);

impl<W> Clone for Shared<W> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
