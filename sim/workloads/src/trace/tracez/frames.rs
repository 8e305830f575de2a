//! The frames of a trace, decompressed one after the other.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// The logarithm of the most bytes of text that a frame may refer back to: 8 MiB, and Accel-Sim's
/// compression goes back 2 MiB at most.
const WINDOW: u32 = 23;

/// Compressed bytes that are read at a time.
const CHUNK: usize = 32 << 10;

/// The warps of a file, and what is decompressed of them.
pub(super) struct Frames {
    file: File,
    decoder: Decoder<'static>,
    /// Compressed text; what of it was read and not decompressed.
    input: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the next compressed bytes of the frame are, and how many.
    at: u64,
    left: u32,
}

impl Frames {
    /// Those of `file`, with `dictionary`.
    ///
    /// # Errors
    /// When zstd cannot use that.
    pub fn new(file: File, dictionary: &[u8]) -> Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW))?;
        Ok(Self { file, decoder, input: vec![0; CHUNK], start: 0, end: 0, at: 0, left: 0 })
    }

    /// The two numbers at byte `at`.
    ///
    /// # Errors
    /// When the file ends there or cannot be read.
    pub fn pair(&mut self, at: u64) -> Result<(u32, u32)> {
        Ok((self.number(at)?, self.number(at + 4)?))
    }

    fn number(&mut self, at: u64) -> Result<u32> {
        let mut bytes = [0; 4];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes).map_err(|error| wrong(at, &error.to_string()))?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Begins the frame whose size is at byte `at`, and gives where it ends.
    ///
    /// # Errors
    /// Those of [`Frames::pair`].
    pub fn begin(&mut self, at: u64) -> Result<u64> {
        self.left = self.number(at)?;
        self.at = at + 4;
        (self.start, self.end) = (0, 0);
        self.decoder.reinit()?;
        Ok(self.at + u64::from(self.left))
    }

    /// Decompresses some of the frame to `text`: how many bytes, and whether the frame has ended.
    ///
    /// # Errors
    /// When the frame is damaged, or not as long as stated.
    pub fn decompress(&mut self, text: &mut [u8]) -> Result<(usize, bool)> {
        loop {
            if self.start == self.end {
                self.fill()?;
            }
            let mut input = InBuffer::around(&self.input[self.start..self.end]);
            let mut output = OutBuffer::around(&mut *text);
            let hint = self.decoder.run(&mut input, &mut output);
            let (taken, given) = (input.pos(), output.pos());
            let at = self.at - (self.end - self.start) as u64;
            let hint = hint.map_err(|error| wrong(at, &format!("the frame: {error}")))?;
            self.start += taken;
            if hint == 0 {
                if self.start < self.end || self.left > 0 {
                    return Err(wrong(at, "the frame is shorter than stated"));
                }
                return Ok((given, true));
            }
            if given > 0 {
                return Ok((given, false));
            }
            if self.start == self.end && self.left == 0 {
                return Err(wrong(self.at, "the frame is longer than stated"));
            }
        }
    }

    /// Reads compressed bytes, if there are more.
    fn fill(&mut self) -> Result<()> {
        let count = (self.left as usize).min(CHUNK);
        self.file.seek(SeekFrom::Start(self.at))?;
        let read = self.file.read_exact(&mut self.input[..count]);
        read.map_err(|error| wrong(self.at, &error.to_string()))?;
        (self.start, self.end) = (0, count);
        self.at += count as u64;
        self.left -= count as u32;
        Ok(())
    }
}

/// What is wrong at byte `at`; who reads the text adds the file and the line.
pub(super) fn wrong(at: u64, problem: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("byte {at}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;
    use std::io::Write;

    /// Bytes that do not shrink.
    fn noise(count: usize) -> Vec<u8> {
        (0..count as u64).map(|at| mix(at) as u8).collect()
    }

    /// What is in a file of `frame` and a byte, if that is said to be `stated` bytes long.
    fn read(frame: &[u8], stated: usize) -> Result<Vec<u8>> {
        let mut file = tempfile::tempfile()?;
        file.write_all(&(stated as u32).to_le_bytes())?;
        file.write_all(frame)?;
        file.write_all(&[0])?;
        let mut frames = Frames::new(file, b"")?;
        frames.begin(0)?;
        let (mut all, mut text) = (Vec::new(), vec![0; CHUNK]);
        loop {
            let (given, ended) = frames.decompress(&mut text)?;
            all.extend(&text[..given]);
            if ended {
                return Ok(all);
            }
        }
    }

    #[test]
    fn a_frame_that_ends_with_what_is_read_at_once_is_as_long_as_stated() {
        let frame = |count| zstd::bulk::compress(&noise(count), 1).unwrap();
        let count = (CHUNK - 64..CHUNK).find(|&count| frame(count).len() == CHUNK).unwrap();
        assert_eq!(read(&frame(count), CHUNK).unwrap(), noise(count));
        for (stated, wrong) in [(CHUNK + 1, "shorter"), (CHUNK - 1, "longer")] {
            let said = read(&frame(count), stated).unwrap_err().to_string();
            assert!(said.contains(&format!("the frame is {wrong} than stated")), "{said}");
        }
    }
}
