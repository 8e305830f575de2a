//! The lengths in an FST file. wellen goes where they point, round and round if they point back,
//! and makes room for what they promise.
//!
//! ```text
//!   file:  [ kind, length, ... ] [ kind, length, ... ] ...
//!   data:  start, end, memory | frame | signals, kind, values ... chain | chain's length | times | 3 lengths
//! ```

use super::WIDEST;
use fst_reader::{FstHierarchyEntry, FstReader};
use std::io::Cursor;

/// The most bytes that a byte stands for when it is compressed: by deflate, the denser of both
/// ways.
const DENSEST: u64 = 1032;

/// Bytes of a header block behind its kind.
const HEADER: usize = 329;

/// Whether it begins as an FST file does: with a header block.
pub fn is_fst(file: &[u8]) -> bool {
    file.starts_with(&[0, 0, 0, 0, 0, 0, 0, 1, 73])
}

/// Checks the lengths of a whole file, and its variables.
///
/// # Errors
/// What is wrong first: a length with the place of its block in bytes, or a variable.
///
/// # Panics
/// When the list of variables is damaged.
pub fn check(file: &[u8]) -> Result<(), String> {
    check_variables(file, check_lengths(file)?)
}

/// Each variable has the values of one of so many signals: for all up to it room is made.
fn check_variables(file: &[u8], signals: u64) -> Result<(), String> {
    let mut wrong = None;
    let mut reader = FstReader::open(Cursor::new(file)).map_err(|error| error.to_string())?;
    let read = reader.read_hierarchy(|entry| {
        let FstHierarchyEntry::Var { name, length, handle, .. } = entry else { return };
        if handle.get_index() as u64 >= signals {
            wrong.get_or_insert(format!("`{name}` has the values of no signal that is there"));
        } else if length > WIDEST {
            wrong.get_or_insert(format!("`{name}` has {length} bits: expected at most {WIDEST}"));
        }
    });
    read.map_err(|error| error.to_string())?;
    wrong.map_or(Ok(()), Err)
}

/// The number of signals, if all lengths are right.
fn check_lengths(file: &[u8]) -> Result<u64, String> {
    let blocks = blocks(file)?;
    let geometry = blocks.iter().find(|block| block.kind == 3);
    let geometry = geometry.ok_or("it says of no signal how wide it is")?;
    let signals = geometry.number(8).ok_or_else(|| geometry.fault("is too short"))?;
    for block in &blocks {
        block.check(signals).map_err(|what| block.fault(what))?;
    }
    Ok(signals)
}

/// A part of a file.
struct Block<'a> {
    at: usize,
    kind: u8,
    /// What is behind its length.
    bytes: &'a [u8],
}

/// The blocks of a file, without a gap.
fn blocks(file: &[u8]) -> Result<Vec<Block<'_>>, String> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(&kind) = file.get(at) {
        let behind = &file[at + 1..];
        let length = number(behind, 0).and_then(|length| usize::try_from(length).ok());
        let bytes = length.and_then(|length| behind.get(8..length));
        let Some(bytes) = bytes else {
            return Err(format!("the block at byte {at} is cut off, or its length is wrong"));
        };
        all.push(Block { at, kind, bytes });
        at += 1 + 8 + bytes.len();
    }
    Ok(all)
}

impl Block<'_> {
    fn fault(&self, what: &str) -> String {
        format!("the block at byte {} {what}", self.at)
    }

    fn number(&self, at: usize) -> Option<u64> {
        number(self.bytes, at)
    }

    /// What is wrong with it in a file of so many signals.
    fn check(&self, signals: u64) -> Result<(), &'static str> {
        let short = "is too short";
        let length = self.bytes.len() as u64;
        match self.kind {
            0 if self.bytes.len() + 8 == HEADER => Ok(()),
            0 => Err("is no header of 329 bytes"),
            1 | 5 | 8 => self.check_data(signals),
            2 => {
                let (blackouts, _) = variable(self.bytes).ok_or(short)?;
                within(blackouts, length)
            }
            3 => {
                let bytes = self.number(0).ok_or(short)?;
                expands(length.checked_sub(16).ok_or(short)?, bytes)?;
                within(signals, bytes)
            }
            4 | 6 => expands(length.checked_sub(8).ok_or(short)?, self.number(0).ok_or(short)?),
            7 => {
                // Compressed twice.
                let (once, _) = variable(self.bytes.get(8..).ok_or(short)?).ok_or(short)?;
                expands(length, once)?;
                expands(once, self.number(0).ok_or(short)?)
            }
            255 => Ok(()),
            254 => Err("is compressed once more, which is not read"),
            _ => Err("is of no kind that is known"),
        }
    }

    fn check_data(&self, signals: u64) -> Result<(), &'static str> {
        let short = "is too short";
        // From behind: three lengths, the times, the length of the chain, the chain.
        let lengths = self.bytes.len().checked_sub(24).ok_or(short)?;
        let [times, packed, count] =
            [0, 8, 16].map(|at| self.number(lengths + at).expect("there are three"));
        expands(packed, times)?;
        within(count, times)?;
        let place = (lengths as u64).checked_sub(packed).and_then(|at| at.checked_sub(8));
        let place = place.ok_or("is shorter than its times")? as usize;
        let chain = self.number(place).ok_or(short)?;
        // From the front: times and memory, the frame, and of how many signals there are values.
        let mut rest = self.bytes.get(24..place).ok_or(short)?;
        let mut next = || {
            let (number, behind) = variable(rest).ok_or(short)?;
            rest = behind;
            Ok::<u64, &str>(number)
        };
        let (frame, packed, count) = (next()?, next()?, next()?);
        expands(packed, frame)?;
        within(count, signals)?;
        rest = usize::try_from(packed).ok().and_then(|packed| rest.get(packed..)).ok_or(short)?;
        let (count, rest) = variable(rest).ok_or(short)?;
        within(count, signals)?;
        // One byte says how values are compressed.
        within(chain, (rest.len() as u64).checked_sub(1).ok_or(short)?)
    }
}

/// `packed` bytes can stand for so many.
fn expands(packed: u64, bytes: u64) -> Result<(), &'static str> {
    within(bytes, packed.saturating_mul(DENSEST)).map_err(|_| "stands for more than it can")
}

fn within(count: u64, most: u64) -> Result<(), &'static str> {
    if count > most {
        Err("counts more than it has")
    } else {
        Ok(())
    }
}

/// A number of eight bytes.
fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// A number of seven bits a byte, the lowest first, and what is behind it.
fn variable(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = 1 + bytes.iter().take(10).position(|byte| byte & 0x80 == 0)?;
    let (number, behind) = bytes.split_at(length);
    let bits = |sum: u64, (place, byte): (usize, &u8)| sum | u64::from(byte & 0x7f) << (7 * place);
    Some((number.iter().enumerate().fold(0, bits), behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fst_writer::{
        FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection,
        FstVarType,
    };

    fn block(kind: u8, bytes: &[u8]) -> Vec<u8> {
        let length = (8 + bytes.len() as u64).to_be_bytes();
        [&[kind], &length[..], bytes].concat()
    }

    fn numbers(all: &[u64]) -> Vec<u8> {
        all.iter().flat_map(|number| number.to_be_bytes()).collect()
    }

    /// A data block with a frame of three bytes for `signals` signals, a chain of `chain` bytes, of
    /// which there are two, and `times` times in two bytes.
    fn data(signals: u8, chain: u64, times: u64) -> Vec<u8> {
        let front = [&numbers(&[0, 9, 100])[..], &[3, 3, signals, 7, 7, 7, signals, b'4', 1, 2]];
        let behind = [numbers(&[chain]), vec![1, 1], numbers(&[2, 2, times])];
        block(8, &[front.concat(), behind.concat()].concat())
    }

    /// A file of three signals with this block of data.
    fn file(data: &[u8]) -> Vec<u8> {
        let geometry = block(3, &[&numbers(&[3, 3])[..], &[1, 2, 3]].concat());
        let hierarchy = block(6, &[&numbers(&[8])[..], &[0; 8]].concat());
        [block(0, &[0; 321]), geometry, data.to_vec(), hierarchy].concat()
    }

    #[test]
    fn a_file_is_taken_whose_lengths_are_right() {
        assert!(is_fst(&file(&data(3, 2, 2))));
        assert_eq!(check_lengths(&file(&data(3, 2, 2))), Ok(3));
        assert_eq!(check_lengths(&file(&data(0, 0, 0))), Ok(3));
    }

    #[test]
    fn counts_end_at_what_there_is() {
        for wrong in [data(4, 2, 2), data(3, 3, 2), data(3, 2, 3), data(3, u64::MAX, 2)] {
            let error = check_lengths(&file(&wrong)).expect_err("it counts too much");
            assert_eq!(error, "the block at byte 358 counts more than it has");
        }
        let cut = block(8, &data(3, 2, 2)[9..40]);
        assert!(check_lengths(&file(&cut)).is_err_and(|error| error.contains("358")));
    }

    #[test]
    fn blocks_lie_one_behind_the_other_to_the_end_of_the_file() {
        let (data, whole) = (data(3, 2, 2), file(&data(3, 2, 2)));
        let ends = [358, 358 + data.len()];
        for end in 1..whole.len() {
            assert_eq!(check_lengths(&whole[..end]).is_ok(), ends.contains(&end), "{end}");
        }
        for length in [0, 7, u64::MAX, u64::MAX - 8, 1 << 40] {
            let mut wrong = whole.clone();
            wrong[359..367].copy_from_slice(&length.to_be_bytes());
            let error = check_lengths(&wrong).expect_err("it goes elsewhere");
            assert_eq!(error, "the block at byte 358 is cut off, or its length is wrong");
        }
    }

    #[test]
    fn nothing_stands_for_more_than_can_be_compressed() {
        let hierarchy = |bytes: u64, packed: &[u8]| {
            let block = block(4, &[&numbers(&[bytes])[..], packed].concat());
            check_lengths(&[file(&data(3, 2, 2)), block].concat())
        };
        assert_eq!(hierarchy(DENSEST, &[0]), Ok(3));
        assert!(hierarchy(DENSEST + 1, &[0]).is_err_and(|error| error.ends_with("than it can")));
        let twice = |once: u8, bytes: u64| {
            let block = block(7, &[&numbers(&[bytes])[..], &[once]].concat());
            check_lengths(&[file(&data(3, 2, 2)), block].concat())
        };
        assert_eq!(twice(2, 2 * DENSEST), Ok(3));
        assert!(twice(2, 2 * DENSEST + 1).is_err());
    }

    /// A whole file with two signals, one of which has so many bits.
    fn written(bits: u32) -> Vec<u8> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: 0,
            version: String::new(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut writer = FstHeaderWriter::write_to_mem(&info).expect("memory takes it");
        writer.scope("top", "", FstScopeType::Module).expect("a scope");
        for (name, bits) in [("one", 1), ("wide", bits)] {
            let bits = FstSignalType::bit_vec(bits);
            let (kind, direction) = (FstVarType::Wire, FstVarDirection::Implicit);
            writer.var(name, bits, kind, direction, None).expect("a variable");
        }
        writer.up_scope().expect("its end");
        writer.finish().and_then(|body| body.finish()).expect("its values").into_inner()
    }

    #[test]
    fn a_variable_has_a_signal_that_is_there_and_no_more_bits_than_any_has() {
        let file = written(40);
        assert_eq!(check(&file), Ok(()));
        let wrong = check_variables(&file, 1).expect_err("there are two");
        assert_eq!(wrong, "`wide` has the values of no signal that is there");
        assert_eq!(check_variables(&written(WIDEST), 2), Ok(()));
        let wrong = check_variables(&written(WIDEST + 1), 2).expect_err("it is too wide");
        assert!(wrong.starts_with("`wide` has 16777217 bits"), "{wrong}");
    }

    #[test]
    fn times_without_values_are_no_more_than_there_is_room_for() {
        let blackouts =
            |bytes: &[u8]| check_lengths(&[file(&data(3, 2, 2)), block(2, bytes)].concat());
        assert_eq!(blackouts(&[3, 0, 1]), Ok(3));
        assert!(blackouts(&[4, 0, 1]).is_err_and(|error| error.ends_with("more than it has")));
        assert!(blackouts(&[0x80]).is_err_and(|error| error.ends_with("is too short")));
    }

    #[test]
    fn kinds_that_are_not_read_are_refused() {
        for (kind, said) in [(254, "compressed once more"), (9, "no kind"), (0, "no header")] {
            let error = check_lengths(&[file(&data(3, 2, 2)), block(kind, &[0; 24])].concat());
            assert!(error.expect_err("it is not read").contains(said));
        }
        assert_eq!(check_lengths(&[file(&data(3, 2, 2)), block(255, &[])].concat()), Ok(3));
        let without = block(0, &[0; 321]);
        assert_eq!(check_lengths(&without), Err("it says of no signal how wide it is".to_owned()));
    }

    #[test]
    fn numbers_of_seven_bits_a_byte_begin_with_the_lowest() {
        assert_eq!(variable(&[0x85, 0x01, 9]), Some((133, &[9][..])));
        assert_eq!(variable(&[0x80; 12]), None);
        assert_eq!(variable(&[0x80]), None);
    }
}
