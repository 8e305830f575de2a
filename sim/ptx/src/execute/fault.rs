//! Why a thread cannot go on.

/// See the module.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The lane of the thread, if it is one.
    pub lane: Option<usize>,
    pub message: String,
    /// What was expected.
    pub expected: String,
}

impl Fault {
    /// Of the thread in `lane`.
    pub fn of_lane(lane: usize, message: String, expected: impl Into<String>) -> Self {
        Self { lane: Some(lane), message, expected: expected.into() }
    }

    /// Of the lowest thread in `lanes`.
    pub fn of_lanes(lanes: u32, message: impl Into<String>, expected: impl Into<String>) -> Self {
        let lane = (lanes != 0).then(|| lanes.trailing_zeros() as usize);
        Self { lane, message: message.into(), expected: expected.into() }
    }
}
