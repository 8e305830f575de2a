//! What a channel tells its device to do, and how often it did.

/// A command on the command bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Opens a row.
    Activate,
    /// Closes the open row.
    Precharge,
    /// Reads a burst of the open row.
    Read,
    /// Writes a burst of the open row.
    Write,
}

/// Kinds of commands.
pub(super) const KINDS: usize = 4;

impl CommandKind {
    /// All of them, in order.
    pub(super) const ALL: [Self; KINDS] =
        [Self::Activate, Self::Precharge, Self::Read, Self::Write];

    /// Its bit in a set of kinds.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A command and when it was issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The cycle.
    pub cycle: u64,
    /// What.
    pub kind: CommandKind,
    /// Where.
    pub bank: u16,
    /// The row that is opened, closed, read or written.
    pub row: u32,
}

/// What a channel has done since it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelCounts {
    /// Bursts read.
    pub reads: u64,
    /// Bursts written.
    pub writes: u64,
    /// Rows opened.
    pub activates: u64,
    /// Rows closed.
    pub precharges: u64,
    /// Bursts that were not the first of their row since it was opened.
    pub row_hits: u64,
    /// Cycles in which the data bus carried data.
    pub data_cycles: u64,
    /// Cycles in which at least one request was on its way: from its arrival to the end of its
    /// data. DTBL divides the accesses by these to get the DRAM efficiency (section 5.2.2).
    pub pending_cycles: u64,
}
