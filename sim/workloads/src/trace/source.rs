//! Trace files, plain or compressed.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use liblzma::bufread::XzDecoder;
use liblzma::stream::{Stream, CONCATENATED};

use super::lines::{Lines, Place};
use crate::diagnostic::InputError;

/// How an xz file begins.
const XZ_MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];

/// Most memory, in bytes, that decompression may take: enough for `xz -9`, whose dictionary has
/// 64 MiB.
const XZ_MEMORY: u64 = 80 << 20;

/// The lines of the file `path` from its begin, and whether any place of it can be read again
/// with [`reopen`]. The first bytes decide whether it is compressed, and so does `.xz` at the end
/// of its name.
pub(super) fn open(path: &Rc<Path>) -> Result<(Lines, bool), InputError> {
    let failed = |error| InputError::file("read", path, &error).help("expected a trace file");
    let mut file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    file.by_ref().take(XZ_MAGIC.len() as u64).read_to_end(&mut start).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let compressed = start == XZ_MAGIC || path.extension().is_some_and(|end| end == "xz");
    let reader: Box<dyn Read> = if compressed { xz(file).map_err(failed)? } else { Box::new(file) };
    Ok((Lines::new(reader, Rc::clone(path), Place::START), !compressed))
}

/// The lines of the file `path`, which is not compressed, from `place` on.
pub(super) fn reopen(path: &Rc<Path>, place: Place) -> Result<Lines, InputError> {
    let failed = |error| InputError::file("read", path, &error);
    let mut file = File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
    Ok(Lines::new(Box::new(file), Rc::clone(path), place))
}

fn xz(file: File) -> std::io::Result<Box<dyn Read>> {
    let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED)?;
    Ok(Box::new(XzDecoder::new_stream(BufReader::with_capacity(64 << 10, file), stream)))
}
