//! What the hardware stores of kernels and groups, for whoever checks it from outside.

/// The registers that make up the lists of groups. What a free entry holds means nothing.
pub trait GroupState {
    /// Whether the Kernel Distributor's entry is occupied.
    fn occupied(&self, kernel: usize) -> bool;
    /// Whether that kernel is marked.
    fn marked(&self, kernel: usize) -> bool;
    /// Its NAGEI; all ones for none.
    fn nagei(&self, kernel: usize) -> u32;
    /// Its LAGEI; means nothing before its first group.
    fn lagei(&self, kernel: usize) -> u32;
    /// Entries of the Aggregated Group Table.
    fn table(&self) -> usize;
    /// Whether an entry of the table holds a group.
    fn used(&self, index: usize) -> bool;
    /// Next of that group; means nothing before a group is linked to it.
    fn next(&self, index: usize) -> u32;
    /// Groups in memory that were asked for and are not fully distributed.
    fn held(&self) -> usize;
    /// Next of one of them, the oldest being 0: all ones for none; `None` before it arrives or gets
    /// a link.
    fn held_next(&self, place: usize) -> Option<u32>;
}
