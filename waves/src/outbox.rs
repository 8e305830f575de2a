//! The way from a run to its dump, which is written on a thread of its own: what takes time there,
//! making text of values or compressing them, does not hold the run up.

use crate::contents::Told;
use crate::error::WaveError;
use crate::sink::{Body, Code};
use std::io::{Seek, Write};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

/// Bytes of values that go to the writer at a time.
const BATCH: usize = 32 << 10;

/// Batches on their way: a run that is ahead of its dump by more waits.
const AHEAD: usize = 64;

/// Where a dump is written to, by another thread than the run's.
pub trait Target: Write + Seek + Send + 'static {}

impl<W: Write + Seek + Send + 'static> Target for W {}

/// Something to be written.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Time(u64),
    BeginAll,
    EndAll,
    /// The bits of a variable, by how many they are in the batch.
    Bits(Code, u32),
    /// The same of a text.
    Text(Code, u32),
}

/// What is written one after the other.
#[derive(Debug, Default)]
struct Batch {
    entries: Vec<Entry>,
    /// The characters of the entries that have any, one after the other.
    characters: Vec<u8>,
}

impl Batch {
    fn write<W: Target>(&self, body: &mut Body<W>) -> Result<(), WaveError> {
        let mut left = self.characters.as_slice();
        let mut take = |length: u32| {
            let (taken, rest) = left.split_at(length as usize);
            left = rest;
            taken
        };
        for entry in &self.entries {
            match *entry {
                Entry::Time(cycle) => body.time(cycle)?,
                Entry::BeginAll => body.begin_all()?,
                Entry::EndAll => body.end_all()?,
                Entry::Bits(code, length) => body.change(code, take(length))?,
                Entry::Text(code, length) => body.text(code, take(length))?,
            }
        }
        Ok(())
    }
}

/// A dump whose header is written. Values that are sent are written some time later; whether that
/// went well is known at the end at the latest.
pub(crate) struct Outbox<W: Target> {
    batch: Batch,
    /// None when the writer has given up. It ends with what this sends, and so goes before `ending`
    /// waits.
    sender: Option<SyncSender<Batch>>,
    ending: Ending<W>,
    told: Told,
}

/// A dump that is being written to its end.
///
/// One that is given up is gone when this is: its file may be one that removes itself.
pub struct Ending<W: Target> {
    thread: Option<JoinHandle<Result<W, WaveError>>>,
}

impl<W: Target> Ending<W> {
    /// Waits until everything is written, and returns where to.
    ///
    /// # Errors
    /// When writing has failed.
    pub fn wait(mut self) -> Result<W, WaveError> {
        self.join().expect("nobody has waited yet")
    }

    fn join(&mut self) -> Option<Result<W, WaveError>> {
        let thread = self.thread.take()?;
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

impl<W: Target> Drop for Ending<W> {
    fn drop(&mut self) {
        // Nobody is left who could be told how it went.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl<W: Target> Outbox<W> {
    /// The way to `body`, which is written from now on.
    ///
    /// # Errors
    /// When there can be no thread.
    pub(crate) fn new(body: Body<W>) -> Result<Self, WaveError> {
        let (sender, receiver) = sync_channel(AHEAD);
        let thread =
            thread::Builder::new().name("dump".to_owned()).spawn(|| write(body, receiver))?;
        let ending = Ending { thread: Some(thread) };
        Ok(Self { batch: Batch::default(), sender: Some(sender), ending, told: Told::default() })
    }

    pub(crate) fn time(&mut self, cycle: u64) -> Result<(), WaveError> {
        self.told.time(cycle);
        // Between two times nothing is torn apart.
        if self.batch.characters.len() >= BATCH {
            self.send()?;
        }
        self.batch.entries.push(Entry::Time(cycle));
        Ok(())
    }

    /// What follows up to [`Self::end_all`] is the value of everything.
    pub(crate) fn begin_all(&mut self) {
        self.batch.entries.push(Entry::BeginAll);
    }

    pub(crate) fn end_all(&mut self) {
        self.batch.entries.push(Entry::EndAll);
    }

    /// A variable has another value: its bits, highest first, are characters.
    pub(crate) fn change(&mut self, code: Code, bits: &[u8]) {
        self.batch.entries.push(Entry::Bits(code, bits.len() as u32));
        self.batch.characters.extend_from_slice(bits);
    }

    /// The text of that number, whose code this is, is another one.
    pub(crate) fn text(&mut self, number: usize, code: Code, text: &str) {
        self.told.text(number, text);
        self.batch.entries.push(Entry::Text(code, text.len() as u32));
        self.batch.characters.extend_from_slice(text.as_bytes());
    }

    /// Sends what is left.
    pub(crate) fn end(mut self) -> Result<(Ending<W>, Told), WaveError> {
        self.send()?;
        Ok((self.ending, self.told))
    }

    fn send(&mut self) -> Result<(), WaveError> {
        let batch = std::mem::take(&mut self.batch);
        let sent = self.sender.as_ref().is_some_and(|sender| sender.send(batch).is_ok());
        if sent {
            return Ok(());
        }
        self.sender = None;
        // The writer has given up, and says why.
        let gone = || std::io::Error::from(std::io::ErrorKind::BrokenPipe).into();
        self.ending.join().map_or_else(|| Err(gone()), |ended| ended.map(|_| ()))
    }
}

/// Writes what comes until nothing more does.
fn write<W: Target>(mut body: Body<W>, batches: Receiver<Batch>) -> Result<W, WaveError> {
    for batch in batches {
        batch.write(&mut body)?;
    }
    body.finish()
}
