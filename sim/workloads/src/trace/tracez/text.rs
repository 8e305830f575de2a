//! The text that a block stands for: its warps, with the lines in its frames.

use std::cell::RefCell;
use std::io::{Read, Result};
use std::rc::Rc;

use super::frames::{wrong, Frames};
use super::index::WarpEntry;

/// See the module; from the line before `warp = 0` to `#END_TB`.
pub(super) struct BlockText {
    frames: Rc<RefCell<Frames>>,
    warps: std::iter::Enumerate<std::vec::IntoIter<WarpEntry>>,
    /// Text that is not in a frame and is next, and how much of it was given out.
    between: Vec<u8>,
    given: usize,
    /// Frames of the warp that were not begun yet.
    left: u32,
    /// Where the next one is.
    at: u64,
    state: State,
    /// The frame at hand has given text.
    filled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    InFrame,
    BetweenFrames,
    Ended,
}

impl BlockText {
    /// That of a block with the warps `warps`. Another block's may be read only when this one's is
    /// not read on.
    pub fn new(frames: Rc<RefCell<Frames>>, warps: Vec<WarpEntry>) -> Self {
        Self {
            frames,
            warps: warps.into_iter().enumerate(),
            between: Vec::new(),
            given: 0,
            left: 0,
            at: 0,
            state: State::BetweenFrames,
            filled: false,
        }
    }

    /// Goes on to what follows a frame, or the text between two.
    fn advance(&mut self) -> Result<()> {
        self.given = 0;
        self.between.clear();
        if self.left > 0 {
            self.left -= 1;
            self.at = self.frames.borrow_mut().begin(self.at)?;
            (self.state, self.filled) = (State::InFrame, false);
        } else if let Some((warp, entry)) = self.warps.next() {
            let WarpEntry { instructions, frames, offset } = entry;
            let stated = self.frames.borrow_mut().pair(offset)?;
            if stated != (instructions, frames) {
                let (other, others) = stated;
                let problem = format!(
                    "warp {warp} has {other} instructions in {others} frames here, and \
                     {instructions} in {frames} in the index"
                );
                return Err(wrong(offset, &problem));
            }
            (self.left, self.at) = (frames, offset + 8);
            self.between = format!("\nwarp = {warp}\ninsts = {instructions}\n").into_bytes();
        } else {
            self.between.extend_from_slice(b"\n#END_TB\n");
            self.state = State::Ended;
        }
        Ok(())
    }
}

impl Read for BlockText {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            if self.given < self.between.len() {
                let count = (&self.between[self.given..]).read(buffer)?;
                self.given += count;
                return Ok(count);
            }
            match self.state {
                State::InFrame => {
                    let (count, ended) = self.frames.borrow_mut().decompress(buffer)?;
                    self.filled |= count > 0;
                    if ended {
                        // The last line of a frame has no end.
                        self.state = State::BetweenFrames;
                        let end: &[u8] = if self.filled { b"\n" } else { b"" };
                        (self.between, self.given) = (end.to_vec(), 0);
                    }
                    if count > 0 {
                        return Ok(count);
                    }
                }
                State::BetweenFrames => self.advance()?,
                State::Ended => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_frame_without_text_has_no_line_and_does_not_end_the_text() {
        let mut file = tempfile::tempfile().unwrap();
        let mut warp = [2_u32, 3].map(u32::to_le_bytes).concat();
        for lines in ["first", "", "second"] {
            let frame = zstd::bulk::compress(lines.as_bytes(), 3).unwrap();
            warp.extend((frame.len() as u32).to_le_bytes());
            warp.extend(frame);
        }
        file.write_all(&warp).unwrap();
        let frames = Rc::new(RefCell::new(Frames::new(file, &[]).unwrap()));
        let entry = WarpEntry { instructions: 2, frames: 3, offset: 0 };
        let mut text = String::new();
        BlockText::new(frames, vec![entry]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "\nwarp = 0\ninsts = 2\nfirst\nsecond\n\n#END_TB\n");
    }
}
