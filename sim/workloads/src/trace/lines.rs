//! The lines of a text that is too large for memory.

use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use super::fault::Fault;
use crate::diagnostic::InputError;

/// Most bytes of a line: a name of a C++ template may have many kilobytes, and a binary file
/// without line ends must be refused and not swallowed.
const MAX_LINE: usize = 1 << 20;

/// Bytes that are read at a time.
const CHUNK: usize = 128 << 10;

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes before it.
    pub offset: u64,
    /// Lines before it.
    pub lines: u64,
}

impl Place {
    /// The begin of a file.
    pub const START: Self = Self { offset: 0, lines: 0 };
}

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub number: u64,
    pub text: &'a [u8],
}

impl Line<'_> {
    /// Whether there is nothing in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }
}

/// Reads a text line by line. Lines end with LF or CRLF.
pub(super) struct Lines {
    reader: Box<dyn Read>,
    path: Rc<Path>,
    buffer: Vec<u8>,
    /// What of `buffer` has been read and not given out.
    start: usize,
    end: usize,
    at_end: bool,
    /// Where the next line begins.
    place: Place,
}

impl Lines {
    /// The lines that `reader` gives; the first of them is at `place` of the file `path`.
    pub fn new(reader: Box<dyn Read>, path: Rc<Path>, place: Place) -> Self {
        let buffer = vec![0; CHUNK];
        Self { reader, path, buffer, start: 0, end: 0, at_end: false, place }
    }

    /// Lets go of a file that was read to its end; its number of lines stays known.
    pub fn close(&mut self) {
        self.reader = Box::new(std::io::empty());
        self.buffer = Vec::new();
        (self.start, self.end, self.at_end) = (0, 0, true);
    }

    /// The file.
    pub fn path(&self) -> &Rc<Path> {
        &self.path
    }

    /// Where the next line begins.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next line, or `None` at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read, or the line is longer than a mebibyte.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, InputError> {
        let found = memchr::memchr(b'\n', &self.buffer[self.start..self.end]);
        let (length, taken) = match found {
            Some(length) => (length, length + 1),
            None => match self.fill()? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        if length > MAX_LINE {
            return Err(self.too_long());
        }
        let text = &self.buffer[self.start..self.start + length];
        self.start += taken;
        self.place.offset += taken as u64;
        self.place.lines += 1;
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Ok(Some(Line { number: self.place.lines, text }))
    }

    /// What has been read and not given out: some lines, and maybe the begin of another.
    #[inline]
    pub fn ahead(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Passes over the first `bytes` bytes of [`Lines::ahead`], which are `lines` lines.
    #[inline]
    pub fn pass(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.place.offset += bytes as u64;
        self.place.lines += lines;
    }

    /// Passes over the next line if it is `text`, ends with LF and is in memory. Most lines of a
    /// trace are known to begin with, and this takes no search for their end.
    #[inline]
    pub fn skip(&mut self, text: &[u8]) -> bool {
        let rest = self.ahead();
        let is_next = rest.get(text.len()) == Some(&b'\n') && rest[..text.len()] == *text;
        if is_next {
            self.pass(text.len() + 1, 1);
        }
        is_next
    }

    /// The next line that is not blank.
    ///
    /// # Errors
    /// Those of [`Lines::next`].
    pub fn next_filled(&mut self) -> Result<Option<Line<'_>>, InputError> {
        // The place is kept by hand, for a loop cannot give out what it borrows.
        loop {
            match self.next()? {
                None => return Ok(None),
                Some(line) if line.is_blank() => {}
                Some(_) => break,
            }
        }
        Ok(Some(self.again()))
    }

    /// The line that was given out last, which is still in the buffer.
    fn again(&self) -> Line<'_> {
        let given = &self.buffer[..self.start];
        let given = given.strip_suffix(b"\n").unwrap_or(given);
        let begin = memchr::memrchr(b'\n', given).map_or(0, |at| at + 1);
        let text = &given[begin..];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Line { number: self.place.lines, text }
    }

    /// Reads on until a line is whole: its length without and with its end. `None` at the end of
    /// the file.
    #[cold]
    fn fill(&mut self) -> Result<Option<(usize, usize)>, InputError> {
        let mut searched = self.end - self.start;
        loop {
            if self.at_end {
                let rest = self.end - self.start;
                return Ok((rest > 0).then_some((rest, rest)));
            }
            if searched > MAX_LINE {
                return Err(self.too_long());
            }
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            if self.buffer.len() - self.end < CHUNK / 2 {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            let read = self.reader.read(&mut self.buffer[self.end..]);
            match read {
                Ok(0) => self.at_end = true,
                Ok(count) => {
                    self.end += count;
                    let fresh = &self.buffer[searched..self.end];
                    if let Some(at) = memchr::memchr(b'\n', fresh) {
                        return Ok(Some((searched + at, searched + at + 1)));
                    }
                    searched = self.end;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unreadable(&error)),
            }
        }
    }

    #[cold]
    fn too_long(&self) -> InputError {
        let text = &self.buffer[self.start..self.start + 80];
        let problem = format!("the line has more than {MAX_LINE} bytes");
        let fault = Fault::new(0..0, problem, "a line of text");
        fault.at(&self.path, self.place.lines + 1, text)
    }

    fn unreadable(&self, error: &std::io::Error) -> InputError {
        let path = self.path.display();
        let (place, expected) = match self.place.lines {
            0 => (String::new(), "a readable file"),
            lines => (format!(" after line {lines}"), "a whole file"),
        };
        InputError::new(format!("cannot read {path}{place}: {error}"))
            .help(format!("expected {expected}"))
    }

    /// The diagnostic for a file that ends where `what` should follow.
    pub fn ends_early(&self, problem: &str, expected: &str) -> InputError {
        let (path, line) = (self.path.display(), self.place.lines);
        InputError::new(format!("{path}, line {line}: the file ends here: {problem}"))
            .help(format!("expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::rendered;

    /// Gives so many bytes at a time.
    struct Pieces(std::io::Cursor<String>, usize);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(self.1);
            self.0.read(&mut buffer[..length])
        }
    }

    /// The lengths of the lines of `text`, until one is refused.
    fn lengths(text: String, at_a_time: usize) -> Vec<usize> {
        let reader = Box::new(Pieces(std::io::Cursor::new(text), at_a_time));
        let mut lines = Lines::new(reader, Path::new("k.traceg").into(), Place::START);
        std::iter::from_fn(|| lines.next().ok().flatten().map(|line| line.text.len())).collect()
    }

    #[test]
    fn a_line_has_at_most_a_mebibyte_however_much_is_read_at_a_time() {
        for at_a_time in [usize::MAX, 1000] {
            for end in ["", "\n", "\nnext\n"] {
                let text = |length| format!("short\n{}{end}", "A".repeat(length));
                assert_eq!(lengths(text(1 << 20), at_a_time)[..2], [5, 1 << 20]);
                assert_eq!(lengths(text((1 << 20) + 1), at_a_time), [5]);
            }
            // The buffer has become larger by the first of them, and both are in it at once.
            let twice = ["A".repeat(1 << 20), "B".repeat((1 << 20) + 1)].join("\n") + "\n";
            assert_eq!(lengths(twice, at_a_time), [1 << 20]);
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_its_begin_is_shown() {
        // As many as there is room for, and so many that the limit is passed in the middle.
        for at_a_time in [usize::MAX, 1000] {
            let text = format!("short\nlong {}", "A".repeat(1 << 20));
            let reader = Box::new(Pieces(std::io::Cursor::new(text), at_a_time));
            let mut lines = Lines::new(reader, Path::new("k.traceg").into(), Place::START);
            assert_eq!(lines.next().unwrap().unwrap().text, b"short");
            let shown = rendered(&lines.next().unwrap_err());
            assert!(shown.contains("line 2: the line has more than 1048576 bytes"), "{shown}");
            assert!(shown.contains("2 │ long AAAA"), "{shown}");
        }
    }
}
