//! Whose block a walk over a grid stands at.

mod properties;

use crate::prelude::*;
use crate::prim::Register;
use crate::word::count_bits;

hdl_module! {
    /// The counter of domain `number` of `domains`, 1 to 8, which get chunks of `chunk` blocks, 1
    /// to 1,024, in turn (`docs/domains.md`, rule 4).
    ///
    /// ```text
    ///   step ----> [ blocks within the chunk ] --> [ whose chunk ] --> = number --> own
    ///   restart -------^------------------------------^
    /// ```
    ///
    /// `own` depends on the state alone. Storage: 3 registers, and as many as the number of a block
    /// in its chunk has bits if chunks have several.
    pub struct Walk (domains: usize, number: usize, chunk: usize) clocked {
        inputs {
            /// The walk goes on by one block in this cycle.
            step: Signal<In, Bit>,
            /// At the clock edge the walk stands at block 0 again, whatever `step` says.
            restart: Signal<In, Bit>,
        }
        outputs {
            /// The block where it stands is this domain's; always valid, and after reset it stands
            /// at block 0.
            own: Signal<Out, Bit>,
        }
        locals {
            passes: Signal<Local, Bit>,
        }
        constants {
            first: Lit<3, 0>,
            one: Lit<3, 1>,
            last: Constant<U<3>> = Constant::new(U::new(domains as u64 - 1)),
            itself: Constant<U<3>> = Constant::new(U::new(number as u64)),
            first_block: Constant<Word> = of_chunk(chunk, 0),
            one_block: Constant<Word> = of_chunk(chunk, 1),
            last_block: Constant<Word> = of_chunk(chunk, chunk - 1),
        }
        children {
            whose: Register<U<3>>,
            position: Optional<Register<Word>> = Optional::new(
                (chunk > 1).then(|| Register::new(Word::zero(count_bits(chunk - 1))))
            ),
        }
        state {
            counted: usize = usize::from(chunk > 1),
            domains: usize = domains,
            number: usize = number,
            chunk: usize = chunk,
        }
        properties { properties::of }
    }
}

/// The number of a block in its chunk, where chunks have several.
fn of_chunk(chunk: usize, number: usize) -> Constant<Word> {
    let most = chunk.max(2) - 1;
    Constant::optional(chunk > 1, Word::new(count_bits(most), number as u64))
}

impl Logic for Walk {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.whose.control);
        self.own.next = self.whose.q.val() == self.itself.val();

        // The chunk ends with this step.
        self.passes.next = self.step.val();
        for _is in 0..self.counted {
            Control::link(&mut self.control, &mut self.position.control);
            self.passes.next = self.step.val() & (self.position.q.val() == self.last_block.val());
            self.position.d.next = self.position.q.val();
            if self.step.val() {
                self.position.d.next = self.position.q.val() + self.one_block.val();
            }
            if self.passes.val() | self.restart.val() {
                self.position.d.next = self.first_block.val();
            }
        }

        self.whose.d.next = self.whose.q.val();
        if self.passes.val() {
            self.whose.d.next = self.whose.q.val() + self.one.val();
            if self.whose.q.val() == self.last.val() {
                self.whose.d.next = self.first.val();
            }
        }
        if self.restart.val() {
            self.whose.d.next = self.first.val();
        }
    }
}
