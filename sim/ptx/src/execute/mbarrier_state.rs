//! What an `mbarrier` keeps, and what arrivals and transactions make of it.
//!
//! The object and the state that an arrival gives are the same 64 bits, of which a thread may know
//! nothing else: from bit 0 on those that have not arrived in this phase, those that are awaited in
//! each, the transactions that are expected and not done, the number of the phase, and a one. The
//! 20 bits of the counts are those of the manual's largest count; transactions have a sign. Two
//! bits of the phase tell the one at hand from the one before, which are those that may be asked
//! for.

use crate::lower::COUNT_BITS;
use crate::program::Phased;

/// The largest count.
pub(super) const MOST: u64 = (1 << COUNT_BITS) - 1;
const TRANSACTION_BITS: u32 = COUNT_BITS + 1;
const PHASE_BITS: u32 = 2;
const PHASE_AT: u32 = 2 * COUNT_BITS + TRANSACTION_BITS;

/// What is wrong with what is done, and what was expected.
type Wrong = (String, String);

/// An object, or a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pending: u64,
    awaited: u64,
    transactions: i64,
    phase: u64,
}

impl State {
    /// A new one for `count` arrivals in each phase.
    pub fn new(count: u64) -> Self {
        Self { pending: count, awaited: count, transactions: 0, phase: 0 }
    }

    /// `None`: nobody has made one there.
    pub fn of(bits: u64) -> Option<Self> {
        let above = 64 - TRANSACTION_BITS;
        let valid = bits >> 63 == 1;
        valid.then_some(Self {
            pending: bits & MOST,
            awaited: bits >> COUNT_BITS & MOST,
            transactions: (bits >> (2 * COUNT_BITS) << above) as i64 >> above,
            phase: bits >> PHASE_AT & ((1 << PHASE_BITS) - 1),
        })
    }

    pub fn bits(self) -> u64 {
        let phase = self.phase & ((1 << PHASE_BITS) - 1);
        let transactions = self.transactions as u64 & ((1 << TRANSACTION_BITS) - 1);
        let counts = self.awaited << COUNT_BITS | self.pending;
        1 << 63 | phase << PHASE_AT | transactions << (2 * COUNT_BITS) | counts
    }

    /// `count` arrive, and do not count in later phases if one `drops`; if `more_come` they must
    /// not be the last ones.
    pub fn arrive(mut self, count: u64, drops: bool, more_come: bool) -> Result<Self, Wrong> {
        let most = if more_come { self.pending.saturating_sub(1) } else { self.pending };
        if count > most {
            let message = match more_come {
                false => format!("{count} arrive at an mbarrier that waits for {}", self.pending),
                true => format!("{count} of {} arrive, and complete the phase", self.pending),
            };
            return Err((message, format!("at most {most}")));
        }
        self.pending -= count;
        if drops {
            self.awaited -= count.min(self.awaited);
        }
        Ok(if count > 0 { self.completed() } else { self })
    }

    /// `count` more transactions are expected.
    pub fn expect(self, count: u64) -> Result<Self, Wrong> {
        self.with_transactions(self.transactions.saturating_add_unsigned(count))
    }

    /// `count` of them are done; the phase may be over.
    pub fn complete(self, count: u64) -> Result<Self, Wrong> {
        let left = self.transactions.saturating_sub_unsigned(count);
        self.with_transactions(left).map(Self::completed)
    }

    fn with_transactions(self, transactions: i64) -> Result<Self, Wrong> {
        if transactions.unsigned_abs() <= MOST {
            return Ok(Self { transactions, ..self });
        }
        let message = format!("an mbarrier comes to {transactions} transactions");
        Err((message, format!("-{MOST} to {MOST}")))
    }

    /// The next phase, if nobody and nothing is awaited in this one.
    fn completed(mut self) -> Self {
        if self.pending == 0 && self.transactions == 0 {
            self.phase += 1;
            self.pending = self.awaited;
        }
        self
    }

    /// Whether the phase that `operand` names, which is that of now or the one before, is over.
    pub fn is_over(self, phased: Phased, operand: u64) -> Result<bool, Wrong> {
        if phased == Phased::TestParity {
            return match operand {
                0 | 1 => Ok(self.phase & 1 != operand),
                other => Err((format!("a phase has no parity of {other}"), "0 or 1".to_owned())),
            };
        }
        match State::of(operand) {
            Some(then) => Ok(then.phase != self.phase),
            None => Err((
                format!("{operand:#x} is no state of an mbarrier"),
                "what `mbarrier.arrive` has given".to_owned(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(state: State) -> State {
        State::of(state.bits()).expect("an object")
    }

    #[test]
    fn what_is_kept_is_found_again_at_both_ends_of_each_count() {
        for count in [1, MOST] {
            for transactions in [-(MOST as i64), -1, 0, 1, MOST as i64] {
                for phase in 0..4 {
                    let state = State { transactions, phase, ..State::new(count) };
                    assert_eq!(again(state), state);
                }
            }
        }
        assert_eq!(State::of(0), None);
    }

    #[test]
    fn a_phase_is_over_when_all_have_arrived_and_all_transactions_are_done() {
        let open = State::new(1).expect(16).unwrap();
        let arrived = again(open.arrive(1, false, false).unwrap());
        assert_eq!(arrived.is_over(Phased::TestParity, 0), Ok(false));
        let done = again(arrived.complete(16).unwrap());
        assert_eq!(done.is_over(Phased::TestParity, 0), Ok(true));
        // The other way round, and in two parts.
        let part = again(open.complete(10).unwrap().complete(6).unwrap());
        assert_eq!(part.is_over(Phased::TestParity, 0), Ok(false));
        let done = part.arrive(1, false, false).unwrap();
        assert_eq!(done.is_over(Phased::Test, open.bits()), Ok(true));
    }

    #[test]
    fn transactions_may_be_done_before_they_are_expected() {
        let early = again(State::new(1).complete(16).unwrap());
        let done = early.expect(16).unwrap().arrive(1, false, false).unwrap();
        assert_eq!(done.is_over(Phased::TestParity, 0), Ok(true));
    }

    #[test]
    fn more_transactions_than_the_manual_allows_are_refused_at_both_ends() {
        let most = State::new(1).expect(MOST).unwrap();
        let message = |of: Result<State, Wrong>| of.expect_err("refused").0;
        assert_eq!(message(most.expect(1)), "an mbarrier comes to 1048576 transactions");
        let least = State::new(1).complete(MOST).unwrap();
        assert_eq!(message(least.complete(1)), "an mbarrier comes to -1048576 transactions");
    }
}
