//! The files of a trace that is being written.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::watch::BlockText;
use crate::diagnostic::InputError;
use crate::gpu::host::HostLaunch;

/// See the module.
pub(super) struct Book {
    /// Where the files are until all are written, and where they will be.
    part: PathBuf,
    folder: PathBuf,
    list: RefCell<String>,
    kernels: RefCell<Vec<Kernel>>,
    /// What went wrong first.
    failure: RefCell<Option<InputError>>,
}

/// A kernel's file.
struct Kernel {
    header: String,
    path: PathBuf,
    /// Blocks that are not written yet.
    left: u128,
    /// Open from its first block to its last.
    file: Option<BufWriter<File>>,
}

impl Book {
    pub fn new(part: PathBuf, folder: PathBuf) -> Self {
        Self {
            part,
            folder,
            list: RefCell::default(),
            kernels: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// The next kernel of the list; its number.
    pub fn launched(&self, launch: &HostLaunch) -> usize {
        let mut kernels = self.kernels.borrow_mut();
        let id = kernels.len() + 1;
        let mut list = self.list.borrow_mut();
        for copy in &launch.copies {
            let _ = writeln!(list, "MemcpyHtoD,{:#x},{}", copy.address, copy.bytes);
        }
        let name = format!("kernel-{id}.traceg");
        let _ = writeln!(list, "{name}");
        let path = self.part.join(name);
        kernels.push(Kernel {
            header: header(id, launch),
            path,
            left: launch.grid.volume(),
            file: None,
        });
        let last = kernels.last_mut().expect("one was added");
        if last.left == 0 {
            let written = last.open().and_then(|()| last.close());
            self.note(written, &last.path);
        }
        id - 1
    }

    /// All warps of a block have exited.
    pub fn ended(&self, block: &BlockText) {
        let mut kernels = self.kernels.borrow_mut();
        let kernel = &mut kernels[block.kernel];
        let written = kernel.write(block);
        self.note(written, &kernel.path);
    }

    fn note(&self, written: io::Result<()>, path: &Path) {
        if let Err(error) = written {
            let error = self.unwritable(path, &error);
            self.failure.borrow_mut().get_or_insert(error);
        }
    }

    /// Everything was executed.
    pub fn finish(&self) -> Result<(), InputError> {
        if let Some(error) = self.failure.borrow_mut().take() {
            return Err(error);
        }
        let path = self.part.join("kernelslist.g");
        let written = std::fs::write(&path, &*self.list.borrow());
        written.map_err(|error| self.unwritable(&path, &error))
    }

    /// The complaint about a file, which the user knows by the folder that was asked for.
    fn unwritable(&self, path: &Path, error: &io::Error) -> InputError {
        let name = path.file_name().unwrap_or_default();
        InputError::file("write", &self.folder.join(name), error)
    }
}

impl Kernel {
    fn open(&mut self) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(&self.path)?);
        file.write_all(self.header.as_bytes())?;
        self.file = Some(file);
        Ok(())
    }

    fn write(&mut self, block: &BlockText) -> io::Result<()> {
        if self.file.is_none() {
            self.open()?;
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let index = block.block;
        write!(file, "\n#BEGIN_TB\n\nthread block = {},{},{}\n", index.x, index.y, index.z)?;
        for (number, warp) in block.warps.iter().enumerate() {
            write!(file, "\nwarp = {number}\ninsts = {}\n{}", warp.count, warp.lines)?;
        }
        file.write_all(b"\n#END_TB\n")?;
        self.left -= 1;
        if self.left == 0 {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        self.file.take().map_or(Ok(()), |mut file| file.flush())
    }
}

fn header(id: usize, launch: &HostLaunch) -> String {
    let HostLaunch { name, grid, block, shared_memory, registers_per_thread, stream, .. } = launch;
    format!(
        "-kernel name = {name}\n-kernel id = {id}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n\
         -shmem = {shared_memory}\n-nregs = {}\n-binary version = 80\n-cuda stream id = {stream}\n\
         -shmem base_addr = 0x0\n-local mem base_addr = 0x0\n-accelsim tracer version = 5\n\
         -enable lineinfo = 0\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num \
         [reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n",
        grid.x,
        grid.y,
        grid.z,
        block.x,
        block.y,
        block.z,
        registers_per_thread.min(&255),
    )
}
