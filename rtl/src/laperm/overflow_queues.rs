//! What a priority queue keeps in memory.

use super::LevelRings;
use crate::prelude::*;
use crate::prim::{Bundle, OptionalRegister, PriorityEncoder, Register};

hdl_module! {
    /// The overflow queues of one priority queue, one a level (LaPerm, sections IV-A and IV-E):
    /// units for which there is no room on chip, and units behind them, in order.
    ///
    /// ```text
    ///   spill, spill_rank ---> [ level_rings ] --> spill_index
    ///   fetch ---------------> [             ] --> any, fetch_rank, fetch_index (highest level first)
    ///   arrive, arrive_rank -> [ on the way  ] --> behind, promised
    /// ```
    ///
    /// A unit that is spilled in `c` can be fetched from `c + 1` on. Storage: that of its child, 12
    /// registers for each of `levels` levels, and 12 registers.
    pub(super) struct OverflowQueues (levels: usize) clocked {
        inputs {
            /// A unit is put into memory.
            spill: Signal<In, Bit>,
            /// 8 less its level; always valid.
            spill_rank: Signal<In, U<3>>,
            /// The unit at `fetch_index` is asked for; only with `any`.
            fetch: Signal<In, Bit>,
            /// A unit that was asked for is on chip.
            arrive: Signal<In, Bit>,
            /// 8 less its level; valid with `arrive`.
            arrive_rank: Signal<In, U<3>>,
        }
        outputs {
            /// The place that a spilled unit takes.
            spill_index: Signal<Out, U<32>>,
            /// There is a unit in memory.
            any: Signal<Out, Bit>,
            /// 8 less the highest level of which there is one; zero without `any`.
            fetch_rank: Signal<Out, U<3>>,
            /// The place of its first; valid with `any`.
            fetch_index: Signal<Out, U<32>>,
            /// One bit for each rank of which units are in memory or on their way from there.
            behind: Signal<Out, U<8>>,
            /// Units on their way.
            promised: Signal<Out, U<12>>,
        }
        locals {
            rank: Signal<Local, U<3>>,
            rank_index: Signal<Local, U<5>>,
            asked: Signal<Local, U<8>>,
            came: Signal<Local, U<8>>,
            more: Signal<Local, U<12>>,
        }
        constants {
            no_level: Lit<8, 0>,
            one_level: Lit<8, 1>,
            one: Lit<12, 1>,
        }
        children {
            rings: LevelRings = LevelRings::new(levels),
            highest: PriorityEncoder<U<8>>,
            on_way: [OptionalRegister<U<12>>; 8] =
                std::array::from_fn(|rank| OptionalRegister::new(rank + levels >= 8, U::new(0))),
            coming: Bundle<U<8>>,
            total: Register<U<12>>,
        }
    }
}

impl Logic for OverflowQueues {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.rings.control);
        Control::link(&mut self.control, &mut self.total.control);
        self.rings.put.next = self.spill.val();
        self.rings.put_rank.next = self.spill_rank.val();
        self.spill_index.next = self.rings.put_index.val();

        self.highest.request.next = self.rings.waiting.val();
        self.any.next = self.highest.valid.val();
        self.rank_index.next = self.highest.index.val();
        self.rank.next = self.rank_index.val().get_bits::<3>(0);
        self.fetch_rank.next = self.rank.val();
        self.rings.take.next = self.fetch.val();
        self.rings.take_rank.next = self.rank.val();
        self.fetch_index.next = self.rings.take_index.val();

        self.asked.next = self.no_level.val();
        if self.fetch.val() {
            self.asked.next = self.one_level.val() << self.rank.val();
        }
        self.came.next = self.no_level.val();
        if self.arrive.val() {
            self.came.next = self.one_level.val() << self.arrive_rank.val();
        }
        for i in 0..8 {
            Control::link(&mut self.control, &mut self.on_way[i].control);
            self.coming.bits[i].next = self.on_way[i].q.val().any();
            self.on_way[i].d.next = self.on_way[i].q.val();
            if self.asked.val().get_bit(i) & !self.came.val().get_bit(i) {
                self.on_way[i].d.next = self.on_way[i].q.val() + self.one.val();
            }
            if self.came.val().get_bit(i) & !self.asked.val().get_bit(i) {
                self.on_way[i].d.next = self.on_way[i].q.val() - self.one.val();
            }
        }
        self.behind.next = self.rings.waiting.val() | self.coming.word.val();
        self.promised.next = self.total.q.val();
        self.more.next = self.total.q.val();
        if self.fetch.val() {
            self.more.next = self.total.q.val() + self.one.val();
        }
        self.total.d.next = self.more.val();
        if self.arrive.val() {
            self.total.d.next = self.more.val() - self.one.val();
        }
    }
}
