//! Inputs that count only under a condition.
//!
//! A word that changes in every cycle, as the number of the cycle does, would wake whatever may
//! ever store it. A module that looks at it only while something else says so declares the input as
//! `now: Signal<In, U<40>> => Self::is_timed`, and sleeps on while the word alone changes and the
//! function says no. The word is latched all the same. The function may look at the module's other
//! inputs and at what its children drive: a change of either wakes the module anyway, and it sees
//! the word then.
//!
//! That nothing that the module stores or drives depends on the word otherwise is its own claim.
//! With [`ignored`] every change counts, so that both ways can be compared; in Verilog it does
//! anyway.

use std::cell::Cell;

thread_local! {
    static IGNORED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a change of an input counts of which its module says whether it is `valid`.
#[doc(hidden)]
#[inline]
pub fn counts(valid: bool) -> bool {
    valid || IGNORED.get()
}

/// What `run` gives when conditions are ignored on this thread.
pub fn ignored<R>(run: impl FnOnce() -> R) -> R {
    let before = IGNORED.replace(true);
    let result = run();
    IGNORED.set(before);
    result
}
