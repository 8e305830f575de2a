//! What tells one build of the tool from another.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};

/// The package version and a hash of the running executable, such as `0.1.0+5f2c...`.
///
/// The package version alone stays the same while the sources change, and a resumed run would
/// mix the results of two builds. The standard hasher is enough: it need only be stable within
/// one executable.
pub(crate) fn of_this_executable() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match hash_executable() {
        Ok(hash) => format!("{version}+{hash:016x}"),
        Err(_) => version.to_owned(),
    }
}

fn hash_executable() -> io::Result<u64> {
    let mut file = File::open(std::env::current_exe()?)?;
    let mut hasher = DefaultHasher::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finish()),
            n => hasher.write(&chunk[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_fingerprint_of_one_executable_is_always_the_same() {
        let print = super::of_this_executable();
        assert!(print.starts_with(concat!(env!("CARGO_PKG_VERSION"), "+")), "{print}");
        assert_eq!(print, super::of_this_executable());
    }
}
