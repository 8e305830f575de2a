//! The Aggregated Group Table.

use super::Served;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{AheadMemory, Bundle, FlagFile, Register, RegisterFile};

hdl_module! {
    /// The table of aggregated groups on chip (DTBL, section 4.2 and figure 4) with `size` entries
    /// (a power of two, at most 2,048).
    ///
    /// ```text
    ///   hardware_thread & (size - 1) --> [ used                ] --> free, index
    ///   allocate, grid, parameter -----> [ used, AggDim, Param ]
    ///   link, link_index, link_next ---> [ Next                ] --> current_grid, current_next (of next_current's
    ///   dispatched, last --------------> [ dispatched blocks   ]      group, a cycle later)
    ///   served ------------------------> [ counted blocks      ] --> used
    ///   lookup_index ------------------> [ Param               ] --> lookup_parameter
    /// ```
    ///
    /// What is allocated, linked or counted in `c` is seen in `c + 1`. An entry is released in the
    /// cycle in which as many of its blocks are counted as were dispatched (rules 11 and 11b of
    /// `docs/dtbl.md`); the paper's ExeBL is the difference. All but Param are SRAMs where they are
    /// large. Storage: `size` entries of 20 bytes: AggDim 63 bits and the bit that tells that the
    /// entry is used, Param and Next of 32 bits each, two counts of 16; a flag for each entry that
    /// tells that its count has begun; 39 registers and those of its [`AheadMemory`].
    pub struct GroupTable (size: usize) clocked {
        inputs {
            /// The launching thread's number on its SMX.
            hardware_thread: Signal<In, U<16>>,
            /// The entry at `index` takes a group; only when `free`.
            allocate: Signal<In, Bit>,
            /// The group's extent; valid with `allocate`.
            grid: Signal<In, BlockId>,
            /// Address of its parameters; valid with `allocate`.
            parameter_address: Signal<In, U<32>>,
            /// A group is linked behind the one at `link_index`.
            link: Signal<In, Bit>,
            /// Valid with `link`.
            link_index: Signal<In, U<11>>,
            /// The reference of the later group; valid with `link`.
            link_next: Signal<In, U<32>>,
            /// The entry whose group is distributed in the next cycle.
            next_current: Signal<In, U<11>>,
            /// A block of the group that is distributed in this cycle is dispatched.
            dispatched: Signal<In, Bit>,
            /// It is its last one; valid with `dispatched`.
            last: Signal<In, Bit>,
            /// A block of this group is counted in the next cycle.
            served: Signal<In, Served>,
            /// The entry whose parameters an SMX asks for.
            lookup_index: Signal<In, U<11>>,
        }
        outputs {
            /// The entry that `hardware_thread` names is free.
            free: Signal<Out, Bit>,
            /// Its index.
            index: Signal<Out, U<11>>,
            /// The extent of the group that is distributed; valid when one is there.
            current_grid: Signal<Out, BlockId>,
            /// The group after it; valid when one was linked to it.
            current_next: Signal<Out, U<32>>,
            /// The parameters' address of the group at `lookup_index`; valid when one is there.
            lookup_parameter: Signal<Out, U<32>>,
        }
        locals {
            place: Signal<Local, U<11>>,
            so_far: Signal<Local, U<16>>,
            counted: Signal<Local, U<16>>,
            apart: Signal<Local, U<11>>,
            complete: Signal<Local, Bit>,
            ends: Signal<Local, Bit>,
        }
        constants {
            low: Constant<U<11>> = Constant::new(U::new(size as u64 - 1)),
            none: Lit<16, 0>,
            one: Lit<16, 1>,
        }
        children {
            used: FlagFile<11> = FlagFile::new(size, 1),
            grids: AheadMemory<BlockId, 11> = AheadMemory::of(size),
            parameters: RegisterFile<U<32>, 11> = RegisterFile::of(size, 1, 0),
            nexts: AheadMemory<U<32>, 11> = AheadMemory::of(size),
            totals: AheadMemory<U<16>, 11> = AheadMemory::of(size),
            counts: AheadMemory<U<16>, 11> = AheadMemory::of(size),
            begun: FlagFile<11> = FlagFile::new(size, 1),
            current: Register<U<11>>,
            going: Register<U<16>>,
            counting: Register<Served>,
            ended: Bundle<Mask> = Bundle::of(1),
        }
    }
}

impl GroupTable {
    pub(super) fn size(&self) -> usize {
        self.used.words()
    }

    pub(super) fn is_used(&self, index: usize) -> bool {
        self.used.peek(index)
    }

    pub(super) fn next_of(&self, index: usize) -> u32 {
        self.nexts.peek(index).raw() as u32
    }
}

impl Logic for GroupTable {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.used.control);
        Control::link(&mut self.control, &mut self.grids.control);
        Control::link(&mut self.control, &mut self.parameters.control);
        Control::link(&mut self.control, &mut self.nexts.control);
        Control::link(&mut self.control, &mut self.totals.control);
        Control::link(&mut self.control, &mut self.counts.control);
        Control::link(&mut self.control, &mut self.begun.control);
        Control::link(&mut self.control, &mut self.current.control);
        Control::link(&mut self.control, &mut self.going.control);
        Control::link(&mut self.control, &mut self.counting.control);

        // The hash, and what is allocated there.
        self.place.next = self.hardware_thread.val().get_bits::<11>(0) & self.low.val();
        self.index.next = self.place.val();
        self.used.address.next = self.place.val();
        self.free.next = !self.used.flag.val();
        self.used.raise.next = self.allocate.val();
        self.used.raise_address.next = self.place.val();
        self.grids.write_enable.next = self.allocate.val();
        self.grids.write_address.next = self.place.val();
        self.grids.write_data.next = self.grid.val();
        self.parameters.write_enable[0].next = self.allocate.val();
        self.parameters.write_address[0].next = self.place.val();
        self.parameters.write_data[0].next = self.parameter_address.val();

        // A later group.
        self.nexts.write_enable.next = self.link.val();
        self.nexts.write_address.next = self.link_index.val();
        self.nexts.write_data.next = self.link_next.val();

        // The group that is distributed: how many blocks it has is known with the last one.
        self.current.d.next = self.next_current.val();
        self.grids.next_address.next = self.next_current.val();
        self.nexts.next_address.next = self.next_current.val();
        self.current_grid.next = self.grids.data.val();
        self.current_next.next = self.nexts.data.val();
        self.so_far.next = self.going.q.val() + self.one.val();
        self.going.d.next = self.going.q.val();
        if self.dispatched.val() {
            self.going.d.next = self.so_far.val();
            if self.last.val() {
                self.going.d.next = self.none.val();
            }
        }
        self.totals.write_enable.next = self.dispatched.val() & self.last.val();
        self.totals.write_address.next = self.current.q.val();
        self.totals.write_data.next = self.so_far.val();

        // Blocks that have ended, and with the last one the group. Of a group some of whose blocks
        // are still to be dispatched there is no total yet: it is the current one.
        self.counting.d.next = self.served.val();
        self.totals.next_address.next = self.served.val().index;
        self.counts.next_address.next = self.served.val().index;
        self.begun.address.next = self.counting.q.val().index;
        self.counted.next = self.one.val();
        if self.begun.flag.val() {
            self.counted.next = self.counts.data.val() + self.one.val();
        }
        self.apart.next = (self.counting.q.val().index ^ self.current.q.val()) & self.low.val();
        self.complete.next = (self.going.q.val() == self.none.val()) | self.apart.val().any();
        self.ends.next = self.counting.q.val().valid
            & self.complete.val()
            & (self.counted.val() == self.totals.data.val());
        self.counts.write_enable.next = self.counting.q.val().valid & !self.ends.val();
        self.counts.write_address.next = self.counting.q.val().index;
        self.counts.write_data.next = self.counted.val();
        self.begun.raise.next = self.counting.q.val().valid & !self.ends.val();
        self.begun.raise_address.next = self.counting.q.val().index;
        self.ended.bits[0].next = self.ends.val();
        self.begun.clear.next = self.ended.word.val();
        self.used.clear.next = self.ended.word.val();
        self.begun.clear_address[0].next = self.counting.q.val().index;
        self.used.clear_address[0].next = self.counting.q.val().index;

        self.parameters.address.next = self.lookup_index.val();
        self.lookup_parameter.next = self.parameters.data.val();
    }
}
