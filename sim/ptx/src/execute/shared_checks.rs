//! Shared memory that is read before it is written, and accesses of different warps with no barrier
//! between them: found on request, since it costs a look at every byte.
//!
//! Warps that have passed as many barriers are not ordered. Lanes of one warp are: they execute one
//! instruction after the other. In a block with an `mbarrier` nothing is said of races: which
//! accesses it orders is not followed.

use std::cell::{Cell, RefCell};
use std::ops::Range;

/// What is done to a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    Atomic,
}

/// Who did it: a thread, and how many barriers its warp had passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub thread: u32,
    pub passed: u32,
}

impl Who {
    fn warp(self) -> u32 {
        self.thread / 32
    }

    /// Whether nothing orders the two.
    fn races(self, other: Who) -> bool {
        self.passed == other.passed && self.warp() != other.warp()
    }
}

/// What happened to a byte.
#[derive(Clone, Copy, Debug, Default)]
struct Byte {
    written: Option<(Who, Kind)>,
    /// Who read it last, and before that in another warp.
    read: [Option<Who>; 2],
}

/// See the module.
#[derive(Debug)]
pub(crate) struct SharedChecks {
    bytes: RefCell<Vec<Byte>>,
    /// Whether accesses may be ordered by what is not followed.
    ordered_otherwise: Cell<bool>,
}

impl SharedChecks {
    /// Of `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let bytes = RefCell::new(vec![Byte::default(); bytes]);
        Self { bytes, ordered_otherwise: Cell::new(false) }
    }

    /// The block has an `mbarrier`, or uses the barrier of its cluster.
    pub fn is_ordered_otherwise(&self) {
        self.ordered_otherwise.set(true);
    }

    /// `who` accesses the bytes at `range`.
    ///
    /// # Errors
    /// What is wrong with that.
    pub fn note(&self, who: Who, kind: Kind, range: Range<usize>) -> Result<(), String> {
        let mut bytes = self.bytes.borrow_mut();
        let ordered_otherwise = self.ordered_otherwise.get();
        for (at, byte) in range.clone().zip(&mut bytes[range]) {
            byte.note(who, kind, ordered_otherwise)
                .map_err(|what| format!("byte {at:#x} of shared memory {what}"))?;
        }
        Ok(())
    }
}

impl Byte {
    fn note(&mut self, who: Who, kind: Kind, ordered_otherwise: bool) -> Result<(), String> {
        let races = |other: Who| !ordered_otherwise && other.races(who);
        match self.written {
            None if kind != Kind::Store => return Err("is read, and nobody has written it".into()),
            Some((writer, by)) if races(writer) && (by, kind) != (Kind::Atomic, Kind::Atomic) => {
                let verb = if kind == Kind::Load { "read" } else { "written" };
                return Err(format!(
                    "was written by thread {} and is {verb} with no barrier between",
                    writer.thread
                ));
            }
            _ => {}
        }
        if kind != Kind::Load {
            if let Some(reader) = self.read.into_iter().flatten().find(|reader| races(*reader)) {
                return Err(format!(
                    "was read by thread {} and is written with no barrier between",
                    reader.thread
                ));
            }
            self.written = Some((who, kind));
        } else {
            let [last, _] = self.read;
            if last.is_some_and(|last| last.warp() != who.warp()) {
                self.read[1] = last;
            }
            self.read[0] = Some(who);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(thread: u32, passed: u32) -> Who {
        Who { thread, passed }
    }

    #[test]
    fn a_byte_must_be_written_before_it_is_read() {
        let checks = SharedChecks::new(8);
        checks.note(who(0, 0), Kind::Store, 0..4).unwrap();
        checks.note(who(1, 0), Kind::Load, 0..4).unwrap();
        let error = checks.note(who(1, 0), Kind::Load, 1..5).unwrap_err();
        assert_eq!(error, "byte 0x4 of shared memory is read, and nobody has written it");
    }

    #[test]
    fn warps_race_unless_a_barrier_is_between_them() {
        for (first, second, races) in [
            (Kind::Store, Kind::Load, true),
            (Kind::Store, Kind::Store, true),
            (Kind::Load, Kind::Store, true),
            (Kind::Load, Kind::Load, false),
            (Kind::Atomic, Kind::Atomic, false),
            (Kind::Atomic, Kind::Load, true),
        ] {
            for (thread, passed) in [(32, 1), (32, 2), (31, 1)] {
                let checks = SharedChecks::new(4);
                checks.note(who(0, 0), Kind::Store, 0..4).unwrap();
                checks.note(who(0, 1), first, 0..4).unwrap();
                let found = checks.note(who(thread, passed), second, 3..4);
                let expected = races && thread == 32 && passed == 1;
                assert_eq!(found.is_err(), expected, "{first:?} {second:?} {thread} {passed}");
            }
        }
    }

    #[test]
    fn with_an_mbarrier_only_what_nobody_has_written_is_found() {
        let checks = SharedChecks::new(8);
        checks.is_ordered_otherwise();
        checks.note(who(0, 0), Kind::Store, 0..4).unwrap();
        checks.note(who(40, 0), Kind::Load, 0..4).unwrap();
        checks.note(who(80, 0), Kind::Store, 0..4).unwrap();
        assert!(checks.note(who(80, 0), Kind::Load, 4..8).is_err());
    }

    #[test]
    fn a_reader_is_not_forgotten_when_the_writer_s_own_warp_reads() {
        let checks = SharedChecks::new(1);
        checks.note(who(0, 0), Kind::Store, 0..1).unwrap();
        checks.note(who(40, 1), Kind::Load, 0..1).unwrap();
        checks.note(who(0, 1), Kind::Load, 0..1).unwrap();
        assert!(checks.note(who(0, 1), Kind::Store, 0..1).is_err());
    }
}
