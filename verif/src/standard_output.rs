//! What a command prints.

use std::io::{stderr, stdout, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use miette::{miette, Result};

/// Whether a file goes to standard output (`--stats -`).
static IS_A_FILE: AtomicBool = AtomicBool::new(false);

/// Standard output holds a file from now on: what is printed goes to standard error.
pub(crate) fn give_to_a_file() {
    IS_A_FILE.store(true, Ordering::Relaxed);
}

/// Prints to standard output; a reader that has gone away (`| head`) has seen enough and is no
/// error.
///
/// # Errors
/// When it cannot be written, as on a full disk.
pub(crate) fn print(text: &str) -> Result<()> {
    if IS_A_FILE.load(Ordering::Relaxed) {
        // Nobody could be told if this fails.
        let _ = stderr().write_all(text.as_bytes());
        return Ok(());
    }
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(miette!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}
