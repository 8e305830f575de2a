//! The block log: one line of CSV for each stay of a thread block on an SMX, when it ends.

use std::io::Write;

use crate::csv_lines::CsvLines;
use crate::port::Dim3;
use crate::run::observer::{DispatchedBlock, Observer};

/// The columns: cycles of dispatch and of the end, the SMX, and the block as in the dispatch log.
pub const COLUMNS: [&str; 9] =
    ["dispatched", "completed", "smx", "kernel", "instance", "group", "x", "y", "z"];

/// Writes [`COLUMNS`], in the order of completion and, within a cycle, of SMXs.
///
/// A block that waits for what it launched leaves its SMX, and has a line for each stay. What is
/// still on an SMX when the run is stopped has none.
pub struct BlockLog<W: Write> {
    lines: CsvLines<W>,
    /// For each SMX, what is in its slots.
    resident: Vec<Vec<Option<Resident>>>,
}

/// A block on an SMX.
struct Resident {
    dispatched: u64,
    kernel: String,
    instance: u32,
    group: u32,
    block: Dim3,
}

impl<W: Write> BlockLog<W> {
    /// Starts a log with its header. An error that comes up on the way is kept for
    /// [`BlockLog::finish`].
    pub fn new(out: W) -> Self {
        Self { lines: CsvLines::new(out, &COLUMNS), resident: Vec::new() }
    }

    /// Everything is logged: returns where it was written to.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(self) -> std::io::Result<W> {
        self.lines.finish()
    }
}

impl<W: Write> Observer for BlockLog<W> {
    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        let slots = self.resident.get_mut(smx);
        let ended = slots.and_then(|slots| slots.get_mut(usize::from(slot))?.take());
        let Some(Resident { dispatched, kernel, instance, group, block }) = ended else { return };
        let line = (dispatched, cycle, smx, kernel, instance, group, block.x, block.y, block.z);
        self.lines.write(line);
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let DispatchedBlock { cycle, smx, kernel, instance, group, block } = *block;
        if self.resident.len() <= smx {
            self.resident.resize_with(smx + 1, Vec::new);
        }
        let slots = &mut self.resident[smx];
        let resident =
            Some(Resident { dispatched: cycle, kernel: kernel.to_owned(), instance, group, block });
        match slots.iter_mut().find(|slot| slot.is_none()) {
            Some(free) => *free = resident,
            None => slots.push(resident),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatch(log: &mut BlockLog<Vec<u8>>, cycle: u64, smx: usize, kernel: &str, x: u32) {
        let block = Dim3::new(x, 0, 0);
        log.dispatched(&DispatchedBlock { cycle, smx, kernel, instance: 1, group: 2, block });
    }

    fn text(log: BlockLog<Vec<u8>>) -> String {
        String::from_utf8(log.finish().expect("no error")).expect("text")
    }

    #[test]
    fn a_block_takes_the_lowest_free_slot_and_has_its_line_when_it_ends() {
        let mut log = BlockLog::new(Vec::new());
        dispatch(&mut log, 3, 1, "a,b", 0);
        dispatch(&mut log, 4, 1, "P", 1);
        log.block_ended(9, 1, 0);
        dispatch(&mut log, 9, 1, "P", 2);
        log.block_ended(12, 1, 0);
        log.block_ended(15, 1, 1);
        let expected = "dispatched,completed,smx,kernel,instance,group,x,y,z\n\
                        3,9,1,\"a,b\",1,2,0,0,0\n9,12,1,P,1,2,2,0,0\n4,15,1,P,1,2,1,0,0\n";
        assert_eq!(text(log), expected);
    }

    #[test]
    fn what_has_not_ended_has_no_line_and_an_empty_log_has_its_header() {
        let mut log = BlockLog::new(Vec::new());
        dispatch(&mut log, 3, 0, "P", 0);
        log.block_ended(4, 0, 7);
        log.block_ended(4, 5, 0);
        assert_eq!(text(log), "dispatched,completed,smx,kernel,instance,group,x,y,z\n");
    }
}
