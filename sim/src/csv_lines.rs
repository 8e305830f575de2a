//! Lines of CSV that are written as a run goes on.

use std::io::Write;

use serde::Serialize;

/// Writes a header and lines. An error that comes up on the way is kept for [`CsvLines::finish`].
pub(crate) struct CsvLines<W: Write> {
    writer: csv::Writer<W>,
    error: Option<csv::Error>,
}

impl<W: Write> CsvLines<W> {
    /// Starts with a line of `columns`.
    pub(crate) fn new(out: W, columns: &[&str]) -> Self {
        let mut lines = Self { writer: csv::Writer::from_writer(out), error: None };
        lines.write(columns);
        lines
    }

    /// Adds a line.
    pub(crate) fn write(&mut self, line: impl Serialize) {
        if self.error.is_none() {
            self.error = self.writer.serialize(line).err();
        }
    }

    /// Everything is written: returns where to.
    ///
    /// # Errors
    /// The first error of writing.
    pub(crate) fn finish(mut self) -> std::io::Result<W> {
        match self.error.take() {
            Some(error) => Err(std::io::Error::other(error)),
            None => self.writer.into_inner().map_err(|error| error.into_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_writing_comes_out_at_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("disk full"))
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let error = CsvLines::new(Full, &["a"]).finish().err().expect("writing fails");
        assert!(error.to_string().contains("disk full"), "{error}");
    }
}
