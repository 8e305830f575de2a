//! Where a dump goes: into VCD text or into an FST file.

use crate::error::WaveError;
use crate::text::bits;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use std::cell::RefCell;
use std::io::{Seek, Write};
use std::rc::Rc;
use vcd::{ScopeType, TimescaleUnit, VarType};

/// The format of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text that every tool reads.
    #[default]
    Vcd,
    /// Compressed, for GTKWave and Surfer.
    Fst,
}

/// Where an FST file, which has no comments here, says what it is of; no signal.
pub(crate) const ABOUT: (&str, &str) = ("run", "about");

/// Bytes of changes that an FST file holds back before it compresses and writes them.
const FST_SECTION: usize = 4 << 20;

/// A dump whose scopes and variables are being declared.
pub(crate) struct Header<W: Write + Seek> {
    stream: Declaring<W>,
    variables: Vec<Place>,
    /// What an FST file has to say of itself.
    about: String,
}

/// Where declarations go.
enum Declaring<W: Write + Seek> {
    Vcd(vcd::Writer<Shared<W>>, Shared<W>),
    Fst(FstHeaderWriter<W>),
}

/// A dump of values.
pub(crate) struct Body<W: Write + Seek> {
    stream: Stream<W>,
    variables: Vec<Place>,
    /// A line on its way there; kept so that not every one takes memory.
    line: Vec<u8>,
    /// What is still to be said of the dump.
    about: Option<(FstSignalId, String)>,
}

/// Where values go.
enum Stream<W: Write + Seek> {
    Vcd(W),
    Fst(Box<FstBodyWriter<W>>),
}

/// A variable, by its number in the dump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code(u32);

/// Where a variable is.
enum Place {
    /// What VCD calls it.
    Vcd(String),
    /// With its bits.
    Fst(FstSignalId, u32),
}

impl<W: Write + Seek> Header<W> {
    /// A dump with these comments, where the format has any, and what it is of, in ASCII, if that
    /// is not empty.
    pub(crate) fn new(
        writer: W,
        format: Format,
        version: &str,
        comments: &[String],
        about: &str,
    ) -> Result<Self, WaveError> {
        let stream = match format {
            Format::Fst => {
                let info = FstInfo {
                    start_time: 0,
                    timescale_exponent: -9,
                    version: version.to_owned(),
                    // The same samples give the same bytes.
                    date: String::new(),
                    file_type: FstFileType::Verilog,
                };
                Declaring::Fst(FstHeaderWriter::new(writer, &info)?)
            }
            Format::Vcd => {
                let stream = Shared(Rc::new(RefCell::new(writer)));
                let mut writer = vcd::Writer::new(stream.clone());
                writer.version(version)?;
                for comment in comments {
                    writer.comment(comment)?;
                }
                if !about.is_empty() {
                    writer.comment(&format!("{} {about}", ABOUT.0))?;
                }
                writer.timescale(1, TimescaleUnit::NS)?;
                Declaring::Vcd(writer, stream)
            }
        };
        Ok(Self { stream, variables: Vec::new(), about: about.to_owned() })
    }

    pub(crate) fn enter(&mut self, name: &str) -> Result<(), WaveError> {
        match &mut self.stream {
            Declaring::Vcd(writer, _) => writer.scope_def(ScopeType::Module, name)?,
            Declaring::Fst(writer) => writer.scope(name, "", FstScopeType::Module)?,
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) -> Result<(), WaveError> {
        match &mut self.stream {
            Declaring::Vcd(writer, _) => writer.upscope()?,
            Declaring::Fst(writer) => writer.up_scope()?,
        }
        Ok(())
    }

    /// GTKWave appends `[7:0]` to the name of a wider wire, and then finds it under no other name;
    /// it leaves integers alone. So that a save file can name words without brackets, they are
    /// integers.
    pub(crate) fn variable(&mut self, width: u32, name: &str) -> Result<Code, WaveError> {
        let place = match &mut self.stream {
            Declaring::Vcd(writer, _) => {
                let kind = if width == 1 { VarType::Wire } else { VarType::Integer };
                Place::Vcd(writer.add_var(kind, width, name, None)?.to_string())
            }
            Declaring::Fst(writer) => {
                let kind = if width == 1 { FstVarType::Wire } else { FstVarType::Integer };
                let bits = FstSignalType::bit_vec(width);
                Place::Fst(writer.var(name, bits, kind, FstVarDirection::Implicit, None)?, width)
            }
        };
        Ok(self.place(place))
    }

    /// Where there are no variables of text, a word of ASCII characters.
    pub(crate) fn text(&mut self, name: &str, length: usize) -> Result<Code, WaveError> {
        if let Declaring::Vcd(writer, _) = &mut self.stream {
            let place = Place::Vcd(writer.add_var(VarType::String, 1, name, None)?.to_string());
            return Ok(self.place(place));
        }
        self.variable(8 * length as u32, name)
    }

    fn place(&mut self, place: Place) -> Code {
        self.variables.push(place);
        Code((self.variables.len() - 1) as u32)
    }

    pub(crate) fn finish(self) -> Result<Body<W>, WaveError> {
        let mut about = None;
        let stream = match self.stream {
            Declaring::Vcd(mut writer, stream) => {
                writer.enddefinitions()?;
                drop(writer);
                let stream = Rc::into_inner(stream.0).expect("the writer was the other owner");
                Stream::Vcd(stream.into_inner())
            }
            Declaring::Fst(mut writer) => {
                if !self.about.is_empty() {
                    let bits = FstSignalType::bit_vec(8 * self.about.len() as u32);
                    let (kind, direction) = (FstVarType::Integer, FstVarDirection::Implicit);
                    writer.scope(ABOUT.0, "", FstScopeType::Module)?;
                    let place = writer.var(ABOUT.1, bits, kind, direction, None)?;
                    writer.up_scope()?;
                    about = Some((place, self.about));
                }
                Stream::Fst(Box::new(writer.finish()?))
            }
        };
        Ok(Body { stream, variables: self.variables, line: Vec::new(), about })
    }
}

/// Values are written here and not by the `vcd` crate, which formats each bit by itself: that takes
/// most of a dump's time.
impl<W: Write + Seek> Body<W> {
    pub(crate) fn time(&mut self, cycle: u64) -> Result<(), WaveError> {
        match &mut self.stream {
            Stream::Vcd(stream) => writeln!(stream, "#{cycle}")?,
            Stream::Fst(writer) => {
                // Between two times nothing is torn apart.
                if writer.size() > FST_SECTION {
                    writer.flush()?;
                }
                writer.time_change(cycle)?;
                if let Some((place, about)) = self.about.take() {
                    bits(about.as_bytes(), about.len(), &mut self.line);
                    writer.signal_change(place, &self.line)?;
                }
            }
        }
        Ok(())
    }

    /// What follows up to [`Self::end_all`] is the value of everything.
    pub(crate) fn begin_all(&mut self) -> Result<(), WaveError> {
        if let Stream::Vcd(stream) = &mut self.stream {
            stream.write_all(b"$dumpvars\n")?;
        }
        Ok(())
    }

    pub(crate) fn end_all(&mut self) -> Result<(), WaveError> {
        if let Stream::Vcd(stream) = &mut self.stream {
            stream.write_all(b"$end\n")?;
        }
        Ok(())
    }

    /// The bits, highest first, are characters: `1!` in VCD, or `b0101 !` for a word.
    ///
    /// # Panics
    /// When the code is one of another dump.
    pub(crate) fn change(&mut self, code: Code, bits: &[u8]) -> Result<(), WaveError> {
        match (&mut self.stream, &self.variables[code.0 as usize]) {
            (Stream::Vcd(stream), Place::Vcd(name)) => {
                let line = &mut self.line;
                line.clear();
                match bits {
                    [bit] => line.push(*bit),
                    _ => {
                        line.push(b'b');
                        line.extend_from_slice(bits);
                        line.push(b' ');
                    }
                }
                line.extend_from_slice(name.as_bytes());
                line.push(b'\n');
                stream.write_all(line)?;
            }
            (Stream::Fst(writer), Place::Fst(id, _)) => writer.signal_change(*id, bits)?,
            _ => unreachable!("a code belongs to the dump that gave it"),
        }
        Ok(())
    }

    /// A text that a dump can hold, in ASCII.
    ///
    /// # Panics
    /// When the code is one of another dump.
    pub(crate) fn text(&mut self, code: Code, text: &[u8]) -> Result<(), WaveError> {
        match (&mut self.stream, &self.variables[code.0 as usize]) {
            (Stream::Vcd(stream), Place::Vcd(name)) => {
                stream.write_all(b"s")?;
                stream.write_all(text)?;
                writeln!(stream, " {name}")?;
            }
            (Stream::Fst(writer), Place::Fst(id, width)) => {
                bits(text, *width as usize / 8, &mut self.line);
                writer.signal_change(*id, &self.line)?;
            }
            _ => unreachable!("a code belongs to the dump that gave it"),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<W, WaveError> {
        let mut stream = match self.stream {
            Stream::Vcd(stream) => stream,
            Stream::Fst(writer) => writer.finish()?,
        };
        stream.flush()?;
        Ok(stream)
    }
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
