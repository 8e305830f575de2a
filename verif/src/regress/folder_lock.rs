//! One run at a time in a folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::RegressError;

/// Holds a folder until it is dropped.
///
/// The system drops the lock with the process that holds it, however that ends: there are no
/// stale locks. The file `lock` stays behind, as removing it would race with the next holder.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
}

impl FolderLock {
    /// Takes the folder, which must exist.
    ///
    /// # Errors
    /// [`RegressError::Locked`] if another run holds it, in this process or another one;
    /// [`RegressError::Folder`] if the lock file cannot be made or locked.
    pub(crate) fn take(folder: &Path) -> Result<Self, RegressError> {
        let path = folder.join("lock");
        let fail = |action, source| RegressError::Folder { action, path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| fail("make", e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                // Only for the message: on some systems a locked file cannot even be read.
                let _ = file.read_to_string(&mut owner);
                let owner = match owner.trim() {
                    "" => "unknown".to_owned(),
                    id => id.to_owned(),
                };
                let path = folder.to_owned();
                return Err(RegressError::Locked { path, owner });
            }
            Err(TryLockError::Error(e)) => return Err(fail("lock", e)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(|e| fail("write", e))?;
        Ok(Self { file })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread is just starting holds a
        // copy of it until it has loaded its program. Should it fail, closing does the rest.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::{FolderLock, RegressError};

    #[test]
    fn a_held_folder_is_refused_with_the_process_that_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        match FolderLock::take(folder.path()) {
            Err(RegressError::Locked { owner, .. }) => {
                assert_eq!(owner, std::process::id().to_string());
            }
            other => panic!("{other:?}"),
        }
        drop(held);
        FolderLock::take(folder.path()).unwrap();
    }

    #[test]
    fn a_lock_file_that_nobody_holds_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("lock"), "1\n").unwrap();
        FolderLock::take(folder.path()).unwrap();
    }

    #[test]
    fn a_copy_of_the_file_that_outlives_the_holder_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        let _copy = held.file.try_clone().unwrap();
        drop(held);
        FolderLock::take(folder.path()).unwrap();
    }
}
