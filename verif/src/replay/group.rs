//! Programs that run, each with all that it starts: Yosys starts ABC, which would go on alone if
//! only Yosys were killed.

use std::collections::BTreeSet;
use std::io::Result;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups that there are, by their first process.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program, as long as somebody waits for it.
pub(super) struct Running {
    child: Child,
    leads: bool,
}

impl Running {
    /// Starts `command`. If it `leads`, all that it starts is of its group, which a terminal's
    /// Ctrl-C does not reach: somebody has to kill it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &mut Command, leads: bool) -> Result<Self> {
        let mut running = running();
        if leads {
            lead(command);
        }
        let child = command.spawn()?;
        if leads {
            running.insert(child.id());
        }
        Ok(Self { child, leads })
    }

    /// The program.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Kills it, and its group if it leads one, and waits until it has gone.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn kill(&mut self) -> Result<()> {
        if self.leads {
            kill(self.child.id())?;
        } else {
            self.child.kill()?;
        }
        self.child.wait().map(drop)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        running().remove(&self.child.id());
    }
}

/// Ends this process with status `code` at once, and with it all programs that lead a group.
pub fn exit_with_groups(code: i32) -> ! {
    // Held to the end: nothing starts any more.
    let running = running();
    for group in &*running {
        // One that has just ended is not there.
        let _ = kill(*group);
    }
    std::process::exit(code)
}

#[cfg(unix)]
fn lead(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn kill(group: u32) -> Result<()> {
    use nix::sys::signal::{killpg, Signal};
    let group = i32::try_from(group).map_err(std::io::Error::other)?;
    Ok(killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL)?)
}

#[cfg(not(unix))]
fn lead(_command: &mut Command) {}

/// A program of Windows does that, with what the program has started.
#[cfg(not(unix))]
fn kill(group: u32) -> Result<()> {
    let group = group.to_string();
    Command::new("taskkill").args(["/f", "/t", "/pid", &group]).status().map(drop)
}
