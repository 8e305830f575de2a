//! What a block that executes instructions has to do with the kernels before and after its own in
//! their stream (`docs/dependent.md`), and with blocks of its own that have not started
//! (`docs/launch-control.md`).

/// See the module. That of a block of stated duration, which keeps none of it here, is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dependence {
    /// Whether the scheduler sees triggers, and it is not on its way to one: at the latest it
    /// triggers at its end.
    pub may_trigger: bool,
    /// Slots of its warps that have issued a trigger.
    pub past_trigger: u64,
    /// Whether its kernel follows one that has not finished. It does not end before that one.
    pub follows: bool,
    /// Slots of its warps that wait for that.
    pub waiting: u64,
    /// Whether the scheduler answers questions; if not, nothing is ever cancelled.
    pub is_answered: bool,
    /// Questions whose answers have not come. It does not end before they have.
    pub open_questions: u32,
}

impl Dependence {
    /// Whether it may end, as far as others are concerned.
    pub fn is_over(&self) -> bool {
        !self.follows && self.open_questions == 0
    }
}
