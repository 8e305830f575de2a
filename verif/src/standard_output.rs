//! What a command prints.

use std::io::{stdout, ErrorKind, Write};

use miette::{miette, Result};

/// Prints to standard output; a reader that has gone away (`| head`) has seen enough and is no error.
///
/// # Errors
/// When it cannot be written, as on a full disk.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(miette!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}
