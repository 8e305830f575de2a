//! Dumps that are not written to their end.

use blockyard_waves::{Capture, CaptureOptions, Design, Format};
use rust_hdl::prelude::*;
use std::io::{Cursor, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

#[derive(LogicBlock, Default)]
struct Top {
    count: Signal<Out, Bits<8>>,
}
impl Logic for Top {
    fn update(&mut self) {}
}

fn at(cycle: u64) -> Top {
    let mut top = Top::default();
    top.count.next = (cycle % 256).into();
    top.update_all();
    top
}

/// A file that has room for some bytes only, and notes when it is gone.
struct Small {
    file: Cursor<Vec<u8>>,
    room: usize,
    gone: Arc<AtomicBool>,
}

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.file.get_ref().len() + bytes.len() > self.room {
            return Err(std::io::Error::other("no room"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Small {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::SeqCst);
    }
}

fn small(room: usize, format: Format) -> (Capture<Small>, Arc<AtomicBool>) {
    let gone = Arc::new(AtomicBool::new(false));
    let file = Small { file: Cursor::new(Vec::new()), room, gone: Arc::clone(&gone) };
    let options = CaptureOptions { format, ..CaptureOptions::default() };
    let capture = Capture::new(file, Design::new("top", &at(0)), options);
    (capture.expect("room for a header"), gone)
}

#[test]
fn a_dump_that_cannot_be_written_to_its_end_says_why_at_the_end_at_the_latest() {
    // A run that is ahead of its dump by 2 MB waits for it, and so learns of a failure.
    let cases = [
        (300, Format::Vcd, 2000, false),
        (400_000, Format::Vcd, 2000, true),
        (300, Format::Fst, 600, false),
    ];
    for (cycles, format, room, early) in cases {
        let (mut capture, gone) = small(room, format);
        let failed = (0..cycles).find_map(|cycle| capture.sample(cycle, &at(cycle)).err());
        assert_eq!(failed.is_some(), early, "{cycles} cycles");
        let error = failed.or_else(|| capture.finish(cycles).err()).expect("no room");
        assert!(error.to_string().contains("no room"), "{error}");
        assert!(gone.load(Ordering::SeqCst), "the file is closed");
    }
}

#[test]
fn a_dump_that_is_given_up_has_let_go_of_its_file() {
    let (mut capture, gone) = small(usize::MAX, Format::Vcd);
    capture.sample(0, &at(0)).expect("a sample");
    assert!(!gone.load(Ordering::SeqCst));
    drop(capture);
    assert!(gone.load(Ordering::SeqCst));
}
