//! The dispatch log: one line of CSV for each thread block, in order of cycle and SMX.

use std::io::Write;

use crate::run::observer::{DispatchedBlock, Observer};

/// Writes `cycle,smx,kernel,instance,group,x,y,z`.
pub struct DispatchLog<W: Write> {
    writer: csv::Writer<W>,
    error: Option<csv::Error>,
}

impl<W: Write> DispatchLog<W> {
    /// Starts a log with its header. An error that comes up on the way is kept for
    /// [`DispatchLog::finish`].
    pub fn new(out: W) -> Self {
        let mut log = Self { writer: csv::Writer::from_writer(out), error: None };
        log.write(|writer| {
            writer.write_record(["cycle", "smx", "kernel", "instance", "group", "x", "y", "z"])
        });
        log
    }

    /// Everything is logged: returns where it was written to.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self) -> std::io::Result<W> {
        if let Some(error) = self.error.take() {
            return Err(std::io::Error::other(error));
        }
        self.writer.into_inner().map_err(|error| error.into_error())
    }

    fn write(&mut self, line: impl FnOnce(&mut csv::Writer<W>) -> csv::Result<()>) {
        if self.error.is_none() {
            self.error = line(&mut self.writer).err();
        }
    }
}

impl<W: Write> Observer for DispatchLog<W> {
    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let DispatchedBlock { cycle, smx, kernel, instance, group, block } = *block;
        let line = (cycle, smx, kernel, instance, group, block.x, block.y, block.z);
        self.write(|writer| writer.serialize(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Dim3;

    #[test]
    fn a_line_has_the_columns_of_the_header_and_names_are_quoted_where_needed() {
        let mut log = DispatchLog::new(Vec::new());
        let block = Dim3::new(1, 2, 3);
        for kernel in ["P", "a,\"b\""] {
            log.dispatched(&DispatchedBlock {
                cycle: 9,
                smx: 4,
                kernel,
                instance: 5,
                group: 0,
                block,
            });
        }
        let text = String::from_utf8(log.finish().unwrap()).unwrap();
        let expected = "cycle,smx,kernel,instance,group,x,y,z\n\
                        9,4,P,5,0,1,2,3\n9,4,\"a,\"\"b\"\"\",5,0,1,2,3\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_empty_log_still_has_its_header() {
        let text = DispatchLog::new(Vec::new()).finish().unwrap();
        assert_eq!(text, b"cycle,smx,kernel,instance,group,x,y,z\n");
    }

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
        let error = DispatchLog::new(Full).finish().err().expect("writing fails");
        assert!(error.to_string().contains("disk full"), "{error}");
    }
}
