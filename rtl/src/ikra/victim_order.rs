//! In which order an SMX asks the others.

use crate::hdl_module;
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// The victims of SMX `number` of `smx` (rule 10 of `docs/ikra.md`): the left neighbour, the right one, then the
    /// others by increasing number, without a wrap.
    ///
    /// ```text
    ///   place --> [ neighbours | the others ] --> victim
    /// ```
    ///
    /// Combinational, no storage.
    ///
    /// # Panics
    /// The constructor, unless `number < smx <= 32`.
    pub struct VictimOrder [] [] (number: usize, smx: usize) combinational {
        inputs {
            /// The place in the order, below `smx - 1`.
            place: Signal<In, U<5>>,
        }
        outputs {
            /// Who is there.
            victim: Signal<Out, U<5>>,
        }
        locals {
            whom: Signal<Local, U<5>>,
            other: Signal<Local, U<5>>,
        }
        constants {
            zero: Lit<5, 0>,
            first_victim: Constant<U<5>> = Constant::new(U::new(neighbours(number, smx).0)),
            second_victim: Constant<U<5>> = Constant::new(U::new(neighbours(number, smx).1)),
            beside: Constant<U<5>> = Constant::new(U::new(neighbours(number, smx).2)),
            left_of: Constant<U<5>> = Constant::new(U::new(number.saturating_sub(1) as u64)),
            gap: Constant<U<5>> = Constant::new(U::new(neighbours(number, smx).2 + 1)),
        }
    }
}

/// The left and the right neighbour, or the one there is, and how many there are.
fn neighbours(number: usize, smx: usize) -> (u64, u64, u64) {
    assert!(number < smx && smx <= 32, "SMX {number} of {smx}: expected one of 1 to 32");
    let left = number.checked_sub(1);
    let right = Some(number + 1).filter(|&right| right < smx);
    let first = left.or(right).unwrap_or(0) as u64;
    let second = left.and(right).unwrap_or(0) as u64;
    (first, second, left.iter().chain(&right).count() as u64)
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
