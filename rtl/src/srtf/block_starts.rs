//! When the blocks of one SMX started.

use crate::port::Limits;
use crate::prelude::*;
use crate::prim::{PriorityEncoder, Register, RegisterFile};

hdl_module! {
    /// `Block_Start` of each thread-block slot (SRTF, Table 1 and Algorithm 1, lines 8 and 9; rule
    /// 8 of `docs/srtf.md`), and which slot a block takes. At most 32 slots.
    ///
    /// ```text
    ///   finished, finished_slot --> [ slots in use ] --lowest free--> slot
    ///   now, taken -------------> [ start of each ] --(now - )--> duration
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `finished` | `slot`, `duration` | 0 |
    ///
    /// Storage: slots, rounded up to a power of two, x 40 bits; 32 registers, of which as many
    /// count as there are slots.
    pub struct BlockStarts (limits: Limits) clocked {
        inputs {
            /// The number of the cycle; valid with `finished` or `taken`.
            now: Signal<In, U<40>> => Self::is_timed,
            /// A block ends.
            finished: Signal<In, Bit>,
            /// Its slot; valid with `finished`.
            finished_slot: Signal<In, U<5>>,
            /// A block takes `slot`.
            taken: Signal<In, Bit>,
        }
        outputs {
            /// The lowest slot that is free or becomes it in this cycle; zero when there is none.
            slot: Signal<Out, U<5>>,
            /// How long the block that ends has run, at most 2^32 - 1; zero without `finished`.
            duration: Signal<Out, U<32>>,
        }
        locals {
            gone: Signal<Local, U<32>>,
            staying: Signal<Local, U<32>>,
            elapsed: Signal<Local, U<40>>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            slots: Constant<U<32>> = Constant::new(U::new((1 << limits.slots.min(32)) - 1)),
            no_time: Lit<32, 0>,
            most: Lit<32, 0xffff_ffff>,
        }
        children {
            used: Register<U<32>>,
            lowest: PriorityEncoder<U<32>>,
            starts: RegisterFile<U<40>, 5> =
                RegisterFile::of((limits.slots.clamp(1, 32) as usize).next_power_of_two(), 1, 0),
        }
    }
}

impl BlockStarts {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val() | self.taken.val()
    }
}

impl Logic for BlockStarts {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.used.control);
        Control::link(&mut self.control, &mut self.starts.control);
        self.gone.next = self.nobody.val();
        if self.finished.val() {
            self.gone.next = self.bit_zero.val() << self.finished_slot.val();
        }
        self.staying.next = self.used.q.val() & !self.gone.val();
        self.lowest.request.next = !self.staying.val() & self.slots.val();
        self.slot.next = self.lowest.index.val();
        self.used.d.next = self.staying.val();
        if self.taken.val() {
            self.used.d.next = self.staying.val() | self.lowest.grant.val();
        }
        self.starts.write_enable[0].next = self.taken.val();
        self.starts.write_address[0].next = self.lowest.index.val();
        self.starts.write_data[0].next = self.now.val();
        self.starts.address.next = self.finished_slot.val();
        self.elapsed.next = self.now.val() - self.starts.data.val();
        self.duration.next = self.no_time.val();
        if self.finished.val() {
            self.duration.next = bit_cast::<32, 40>(self.elapsed.val());
            if self.elapsed.val().get_bits::<8>(32).any() {
                self.duration.next = self.most.val();
            }
        }
    }
}
