//! Writes what a run executes as an instruction trace, in the format that this module reads.
//!
//! ```text
//!   host program -- Recording --> launches whose blocks are watched --> GPU
//!                                             |
//!                           lines of a block, once its last warp has exited
//!                                             '--> folder beside it/kernel-N.traceg --> folder
//! ```
//!
//! Opcodes stand for what the timing knows: `IADD3` for any instruction of the integer unit,
//! `FADD`, `DADD`, `MUFU`, `HMMA` for those of the others. What the format does not have ends the
//! run when it is met: launches from the device and waiting for them, barriers of a part of a
//! block.

mod book;
mod line;
mod watch;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::TempDir;

use crate::diagnostic::InputError;
use crate::gpu::host::{Body, HostLaunch, HostProgram, Products};
use book::Book;
use watch::WatchedCode;

/// A trace that is being written. Dropped before [`Record::finish`], it leaves nothing.
pub struct Record {
    book: Rc<Book>,
    /// Where the files are until all are written.
    part: TempDir,
    folder: PathBuf,
}

impl Record {
    /// Begins a trace that will be the folder `folder`, which must not exist yet, or be empty.
    ///
    /// # Errors
    /// When there is something, or no folder can be made beside it.
    pub fn new(folder: &Path) -> Result<Self, InputError> {
        let cannot = |error| {
            let help = "expected a new or an empty folder, in a folder that is writable";
            InputError::file("write", folder, &error).help(help)
        };
        match std::fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return Err(cannot(ErrorKind::DirectoryNotEmpty.into())),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(cannot(error)),
        }
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        // First, because the error of a temporary folder shows its name, which means nothing to the
        // user.
        parent.metadata().map_err(cannot)?;
        let part = part(parent).map_err(cannot)?;
        let book = Rc::new(Book::new(part.path().to_owned(), folder.to_owned()));
        Ok(Self { book, part, folder: folder.to_owned() })
    }

    /// `program`, whose kernels are written.
    pub fn watch(&self, program: Box<dyn HostProgram>) -> Recording {
        Recording { program, book: Rc::clone(&self.book) }
    }

    /// The run has ended well: the trace is moved to its folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), InputError> {
        self.book.finish()?;
        let moved = std::fs::rename(self.part.path(), &self.folder);
        moved.map_err(|error| InputError::file("write", &self.folder, &error))
    }
}

/// A new folder in `parent` that can be renamed.
fn part(parent: &Path) -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".blockyard-");
    // As any new folder: the owner's mask decides, not the privacy of temporary ones.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(parent)
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
                let code = WatchedCode::new(Rc::clone(code), &launch.name, number, &self.book);
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

    fn products(&mut self) -> Products {
        self.program.products()
    }

    fn remark(&self) -> Option<String> {
        self.program.remark()
    }

    fn verify(&mut self) -> Result<(), String> {
        self.program.verify()
    }
}

#[cfg(test)]
mod tests;
