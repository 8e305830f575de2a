//! How many blocks of a kernel an empty SMX holds.

use crate::port::{Limits, Needs};
use crate::prelude::*;

/// Most that is told apart.
const MOST: usize = 16;

hdl_module! {
    /// The maximum residency of a kernel (SRTF, section 3.1; rule 3 of `docs/srtf.md`): for each
    /// number up to 16 each need against that part of the limit. Combinational, no storage.
    ///
    /// ```text
    ///   needs --> [ <= limits / 1 ] ... [ <= limits / 16 ] --> sum --> residency
    /// ```
    pub struct Residency (limits: Limits) combinational {
        inputs {
            /// What a block takes beside its slot.
            needs: Signal<In, Needs>,
        }
        outputs {
            /// How many fit, 0 to 16.
            residency: Signal<Out, U<5>>,
        }
        locals {
            count: Signal<Local, U<5>>,
        }
        constants {
            zero: Lit<5, 0>,
            one: Lit<5, 1>,
            threads: [Constant<U<12>>; MOST] = parts(limits.threads),
            registers: [Constant<U<17>>; MOST] = parts(limits.registers),
            shared_memory: [Constant<U<17>>; MOST] = parts(limits.shared_memory),
            slot: [Constant<Bit>; MOST] =
                std::array::from_fn(|i| Constant::new((i as u64) < limits.slots)),
        }
    }
}

/// `limit` by 1, 2, ...
fn parts<const W: usize>(limit: u64) -> [Constant<U<W>>; MOST] {
    std::array::from_fn(|i| Constant::new(U::new(limit / (i as u64 + 1))))
}

impl Logic for Residency {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.next = self.zero.val();
        for i in 0..16 {
            if self.slot[i].val()
                & (self.needs.val().threads <= self.threads[i].val())
                & (self.needs.val().registers <= self.registers[i].val())
                & (self.needs.val().shared_memory <= self.shared_memory[i].val())
            {
                self.count.next = self.count.val() + self.one.val();
            }
        }
        self.residency.next = self.count.val();
    }
}
