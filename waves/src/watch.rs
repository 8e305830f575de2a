//! Events that signals stand for, and the parts of a run around them.

/// Something that a signal says: one of its bits is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Path of the signal, with the top's name.
    pub set: String,
    /// Bits that are set in this signal too do not count.
    pub unless: Option<String>,
    /// A bit of this signal has to be set too.
    pub with: Option<String>,
}

/// An event: in a cycle in which one of its conditions holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Any of them.
    pub conditions: Vec<Condition>,
}

/// Dumps only the cycles around events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Places in [`crate::CaptureOptions::watches`]; any of these events. An event can also be told
    /// by [`crate::Capture::fire`].
    pub watches: Vec<usize>,
    /// Cycles before and after.
    pub margin: u64,
}
