//! Writes what a run executes as an instruction trace, in the format that this module reads.
//!
//! ```text
//!   host program -- Recording --> launches whose blocks are watched --> GPU
//!                                             |
//!                           lines of a block, once its last warp has exited
//!                                             '--> folder.part/kernel-N.traceg --> folder
//! ```
//!
//! Opcodes stand for what the timing knows: `IADD3` for any instruction of the integer unit, `FADD`,
//! `DADD`, `MUFU`, `HMMA` for those of the others. What the format does not have is refused: launches
//! from the device, barriers of a part of a block.

mod book;
mod line;
mod watch;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::diagnostic::InputError;
use crate::gpu::host::{Body, HostLaunch, HostProgram};
use book::Book;
use watch::WatchedCode;

/// A trace that is being written.
pub struct Record {
    book: Rc<Book>,
    folder: PathBuf,
}

impl Record {
    /// Begins a trace that will be the folder `folder`, which must not exist yet.
    ///
    /// # Errors
    /// When it exists, or the folder beside it cannot be made in which the trace is written.
    pub fn new(folder: &Path) -> Result<Self, InputError> {
        if folder.exists() {
            let message = format!("{} exists", folder.display());
            return Err(InputError::new(message).help("name a folder that does not exist yet"));
        }
        let mut part = folder.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let made = std::fs::create_dir_all(&part);
        made.map_err(|error| InputError::file("write", &part, &error))?;
        Ok(Self { book: Rc::new(Book::new(part)), folder: folder.to_owned() })
    }

    /// `program`, whose kernels are written.
    pub fn watch(&self, program: Box<dyn HostProgram>) -> Recording {
        Recording { program, book: Rc::clone(&self.book) }
    }

    /// The run has ended well: the trace is moved to its folder.
    ///
    /// # Errors
    /// When something was executed that the format does not have, or the trace cannot be written.
    pub fn finish(&self) -> Result<(), InputError> {
        let part = self.book.finish()?;
        let moved = std::fs::rename(part, &self.folder);
        moved.map_err(|error| InputError::file("write", &self.folder, &error))
    }
}

impl Drop for Record {
    /// What was not finished leaves nothing.
    fn drop(&mut self) {
        self.book.remove();
    }
}

/// A host program whose kernels are written as they run.
pub struct Recording {
    program: Box<dyn HostProgram>,
    book: Rc<Book>,
}

impl Recording {
    fn watched(&self, mut launches: Vec<HostLaunch>) -> Vec<HostLaunch> {
        for launch in &mut launches {
            let number = self.book.launched(launch);
            if let Body::Code(code) = &launch.body {
                let code = WatchedCode::new(Rc::clone(code), number, &self.book);
                launch.body = Body::Code(Rc::new(code));
            }
        }
        launches
    }
}

impl HostProgram for Recording {
    fn start(&mut self) -> Vec<HostLaunch> {
        let launches = self.program.start();
        self.watched(launches)
    }

    fn kernel_finished(&mut self, name: &str, instance: u32, cycle: u64) -> Vec<HostLaunch> {
        let launches = self.program.kernel_finished(name, instance, cycle);
        self.watched(launches)
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        let launches = self.program.all_finished(cycle);
        self.watched(launches)
    }

    fn remark(&self) -> Option<String> {
        self.program.remark()
    }

    fn verify(&mut self) -> Result<(), String> {
        self.program.verify()
    }
}
