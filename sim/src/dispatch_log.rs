//! The dispatch log: one line of CSV for each thread block, in order of cycle and SMX.

use std::io::Write;

use crate::csv_lines::CsvLines;
use crate::run::observer::{DispatchedBlock, Observer};

/// Writes `cycle,smx,kernel,instance,group,x,y,z`.
pub struct DispatchLog<W: Write>(CsvLines<W>);

impl<W: Write> DispatchLog<W> {
    /// Starts a log with its header. An error that comes up on the way is kept for
    /// [`DispatchLog::finish`].
    pub fn new(out: W) -> Self {
        let columns = ["cycle", "smx", "kernel", "instance", "group", "x", "y", "z"];
        Self(CsvLines::new(out, &columns))
    }

    /// Everything is logged: returns where it was written to.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(self) -> std::io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Observer for DispatchLog<W> {
    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let DispatchedBlock { cycle, smx, kernel, instance, group, block } = *block;
        let line = (cycle, smx, kernel, instance, group, block.x, block.y, block.z);
        self.0.write(line);
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
}
