//! In which order an SMX asks the others.

use crate::prelude::*;

hdl_module! {
    /// The victims of SMX `number` of `smxs` (rule 10 of `docs/ikra.md`): the left neighbour, the
    /// right one, then the others by increasing number, without a wrap.
    ///
    /// ```text
    ///   place --> [ neighbours | the others ] --> victim
    /// ```
    ///
    /// Combinational, no storage.
    ///
    /// # Panics
    /// The constructor, unless `number < smxs`.
    pub struct VictimOrder (number: usize, smxs: usize) combinational {
        inputs {
            /// The place in the order, below `smxs - 1`.
            place: Signal<In, Word> = Signal::id(smxs),
        }
        outputs {
            /// Who is there.
            victim: Signal<Out, Word> = Signal::id(smxs),
        }
        locals {
            whom: Signal<Local, Word> = Signal::id(smxs),
            other: Signal<Local, Word> = Signal::id(smxs),
        }
        constants {
            zero: Constant<Word> = Constant::id(smxs, 0),
            first_victim: Constant<Word> = Constant::id(smxs, neighbours(number, smxs).0),
            second_victim: Constant<Word> = Constant::id(smxs, neighbours(number, smxs).1),
            beside: Constant<Word> = Constant::id(smxs, neighbours(number, smxs).2),
            left_of: Constant<Word> = Constant::id(smxs, number.saturating_sub(1)),
            gap: Constant<Word> = Constant::id(smxs, neighbours(number, smxs).2 + 1),
        }
    }
}

/// The left and the right neighbour, or the one there is, and how many there are.
fn neighbours(number: usize, smxs: usize) -> (usize, usize, usize) {
    assert!(number < smxs, "there is no SMX {number} of {smxs}");
    let left = number.checked_sub(1);
    let right = Some(number + 1).filter(|&right| right < smxs);
    let first = left.or(right).unwrap_or(0);
    let second = left.and(right).unwrap_or(0);
    (first, second, left.iter().chain(&right).count())
}

impl Logic for VictimOrder {
    #[hdl_gen]
    fn update(&mut self) {
        self.other.next = self.place.val() - self.beside.val();
        self.whom.next = self.other.val() + self.gap.val();
        if self.other.val() < self.left_of.val() {
            self.whom.next = self.other.val();
        }
        if self.place.val() < self.beside.val() {
            self.whom.next = self.second_victim.val();
            if self.place.val() == self.zero.val() {
                self.whom.next = self.first_victim.val();
            }
        }
        self.victim.next = self.whom.val();
    }
}
