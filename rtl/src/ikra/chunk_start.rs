//! Where the chunk of one SMX starts.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{remainder_bits, ConstantDivider, Register};

hdl_module! {
    /// The first block of the chunk at a position (rules 3 and 4 of `docs/ikra.md`; IKRA, section
    /// 4.1): the shares of the positions before it, or an id that is given (rule 18), divided by
    /// the grid's x and the quotient by its y, one bit a cycle.
    ///
    /// ```text
    ///   blocks --> [ / smxs ] --> share, rest --> x position --> [ quotient ] <---+
    ///                                        derived_first--> [ rest     ] ----+-- - grid x or y
    ///   begins --> [ step ] --> ready                            |
    ///                                                            +--> x, then y and z --> start
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins` | `ready` | 63 |
    ///
    /// Storage: 3 x 31 + 6 + 1 registers.
    ///
    /// # Panics
    /// The constructor, when `smxs` is zero or larger than 256.
    pub struct ChunkStart (smxs: usize) clocked {
        inputs {
            /// Takes the other inputs and starts, whatever was under way.
            begins: Signal<In, Bit>,
            /// The position of the SMX, below the number of SMXs; valid with `begins`.
            position: Signal<In, Word> = Signal::id(smxs),
            /// Blocks of the kernel, at least one; valid with `begins`.
            blocks: Signal<In, U<31>>,
            /// The extent of its grid, no dimension zero; the same from `begins` until `ready`.
            grid: Signal<In, BlockId>,
            /// With `begins`: the chunk is not the share of the position but one that is given.
            derived: Signal<In, Bit>,
            /// Its first linear id, at most `blocks`; valid with `derived`.
            derived_first: Signal<In, U<31>>,
            /// It has no block; valid with `derived`.
            derived_vacant: Signal<In, Bit>,
        }
        outputs {
            /// `start` is valid, until the next `begins`.
            ready: Signal<Out, Bit>,
            /// The first block, or the place behind the grid's last one; zero when not `ready`.
            start: Signal<Out, BlockId>,
            /// The chunk has no block; valid with `ready`, low otherwise.
            vacant: Signal<Out, Bit>,
            /// The first linear id of the share; zero without `begins` or with `derived`.
            first_id: Signal<Out, U<31>>,
            /// Blocks of the share, in a module that is [`Self::counting`]; valid with `begins`.
            count: Signal<Out, U<31>> = Signal::optional(false, U::new(0)),
        }
        locals {
            done: Signal<Local, Bit>,
            working: Signal<Local, Bit>,
            share: Signal<Local, U<31>>,
            extra: Signal<Local, U<31>>,
            rank: Signal<Local, Word> = Signal::word(remainder_bits(smxs as u64)),
            begin_id: Signal<Local, U<31>>,
            divisor: Signal<Local, U<32>>,
            shifted: Signal<Local, U<32>>,
            less: Signal<Local, U<32>>,
            left: Signal<Local, U<32>>,
            digits: Signal<Local, U<31>>,
            whole: Signal<Local, U<31>>,
            below: Signal<Local, U<31>>,
            first: Signal<Local, BlockId>,
        }
        constants {
            no_block: Constant<BlockId>,
            idle: Lit<6, 0>,
            one: Lit<6, 1>,
            by_x: Lit<6, 31>,
            arrived: Lit<6, 63>,
            zero: Lit<31, 0>,
            digit: Lit<31, 1>,
            carried: Lit<32, 1>,
        }
        children {
            divider: ConstantDivider = ConstantDivider::new(smxs as u64),
            step: Register<U<6>>,
            quotient: Register<U<31>>,
            rest: Register<U<31>>,
            x: Register<U<31>>,
            none: Register<Bit>,
        }
        state { rank_bits: usize = remainder_bits(smxs as u64), counts: usize = 0 }
    }
}

impl ChunkStart {
    /// With the port `count`.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn counting(smxs: usize) -> Self {
        Self { count: Signal::of(U::new(0)), counts: 1, ..Self::new(smxs) }
    }
}

impl Logic for ChunkStart {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.step.control);
        Control::link(&mut self.control, &mut self.quotient.control);
        Control::link(&mut self.control, &mut self.rest.control);
        Control::link(&mut self.control, &mut self.x.control);
        Control::link(&mut self.control, &mut self.none.control);

        // The first linear id: a share for each position before, and one more for as many as are
        // left over.
        self.divider.dividend.next = bit_cast::<32, 31>(self.blocks.val());
        self.share.next = bit_cast::<31, 32>(self.divider.quotient.val());
        self.rank.next = bit_cast_to(self.position.val(), self.rank_bits);
        self.extra.next = bit_cast_of::<31>(self.rank.val());
        if self.divider.remainder.val() < self.rank.val() {
            self.extra.next = bit_cast_of::<31>(self.divider.remainder.val());
        }

        self.begin_id.next =
            self.share.val() * bit_cast_of::<31>(self.position.val()) + self.extra.val();
        self.first_id.next = self.zero.val();
        if self.begins.val() & !self.derived.val() {
            self.first_id.next = self.begin_id.val();
        }

        for _is in 0..self.counts {
            self.count.next = self.share.val();
            if self.rank.val() < self.divider.remainder.val() {
                self.count.next = self.share.val() + self.digit.val();
            }
        }

        // One digit of the quotient a cycle.
        self.done.next = self.step.q.val() == self.arrived.val();
        self.working.next = (self.step.q.val() != self.idle.val()) & !self.done.val();
        self.divisor.next = bit_cast::<32, 16>(self.grid.val().y);
        if self.step.q.val() <= self.by_x.val() {
            self.divisor.next = bit_cast::<32, 31>(self.grid.val().x);
        }
        self.shifted.next = bit_cast::<32, 31>(self.rest.q.val());
        self.shifted.next = self.shifted.val() + self.shifted.val();
        if self.quotient.q.val().get_bit(30) {
            self.shifted.next = self.shifted.val() + self.carried.val();
        }
        self.digits.next = self.quotient.q.val() + self.quotient.q.val();
        self.less.next = self.shifted.val() - self.divisor.val();
        self.left.next = self.shifted.val();
        if self.divisor.val() <= self.shifted.val() {
            self.left.next = self.less.val();
            self.digits.next = self.digits.val() + self.digit.val();
        }

        self.step.d.next = self.step.q.val();
        self.quotient.d.next = self.quotient.q.val();
        self.rest.d.next = self.rest.q.val();
        self.x.d.next = self.x.q.val();
        self.none.d.next = self.none.q.val();
        if self.working.val() {
            self.step.d.next = self.step.q.val() + self.one.val();
            self.quotient.d.next = self.digits.val();
            self.rest.d.next = bit_cast::<31, 32>(self.left.val());
            if self.step.q.val() == self.by_x.val() {
                self.x.d.next = bit_cast::<31, 32>(self.left.val());
                self.rest.d.next = self.zero.val();
            }
        }
        if self.begins.val() {
            self.step.d.next = self.one.val();
            self.quotient.d.next = self.begin_id.val();
            self.rest.d.next = self.zero.val();
            self.none.d.next = (self.share.val() == self.zero.val())
                & (self.divider.remainder.val() <= self.rank.val());
            if self.derived.val() {
                self.quotient.d.next = self.derived_first.val();
                self.none.d.next = self.derived_vacant.val();
            }
        }

        self.ready.next = self.done.val();
        self.vacant.next = self.done.val() & self.none.q.val();
        self.whole.next = self.quotient.q.val();
        self.below.next = self.rest.q.val();
        self.first.next.x = self.x.q.val();
        self.first.next.y = self.below.val().get_bits::<16>(0);
        self.first.next.z = self.whole.val().get_bits::<16>(0);
        self.start.next = self.no_block.val();
        if self.done.val() {
            self.start.next = self.first.val();
        }
    }
}
