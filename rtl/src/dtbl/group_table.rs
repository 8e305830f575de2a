//! The Aggregated Group Table.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{CounterFile, FlagFile, RegisterFile};

hdl_module! {
    /// The table of aggregated groups on chip (DTBL, section 4.2 and figure 4) for `smxs` SMXs, with
    /// `size` entries (a power of two, at most 2,048).
    ///
    /// ```text
    ///   hardware_thread & (size - 1) --> [ used  |                             ] --> free, index
    ///   allocate, grid, parameter -----> [ used  | AggDim, Param, Next, ExeBL  ] --> current_grid, current_next
    ///   link, link_index, link_next ---> [       |                Next         ] --> lookup_parameter
    ///   dispatched, finished[s] -------> [ used  |                      ExeBL  ]
    /// ```
    ///
    /// Reads are combinational; what is allocated, linked or counted in `c` is seen in `c + 1`. ExeBL
    /// counts the blocks in execution, and one more while the group has blocks to distribute; at zero
    /// the entry is released. Storage: `size` entries of 20 bytes: AggDim 63 bits and the bit that
    /// tells that the entry is used, Param, Next and ExeBL of 32 bits each.
    pub struct GroupTable (smxs: usize, size: usize) clocked {
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
            /// The entry whose group is distributed.
            current: Signal<In, U<11>>,
            /// A block of that group is dispatched and another one follows.
            dispatched: Signal<In, Bit>,
            /// One bit for each SMX: a block of a group on chip ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Its entry; valid with its bit of `finished`.
            finished_index: Vec<Signal<In, U<11>>> = Signal::each(smxs, U::new(0)),
            /// The entry whose parameters an SMX asks for.
            lookup_index: Signal<In, U<11>>,
        }
        outputs {
            /// The entry that `hardware_thread` names is free.
            free: Signal<Out, Bit>,
            /// Its index.
            index: Signal<Out, U<11>>,
            /// The extent of the group at `current`; valid when one is there.
            current_grid: Signal<Out, BlockId>,
            /// The group after it; valid when one is there.
            current_next: Signal<Out, U<32>>,
            /// The parameters' address of the group at `lookup_index`; valid when one is there.
            lookup_parameter: Signal<Out, U<32>>,
        }
        locals {
            place: Signal<Local, U<11>>,
        }
        constants {
            low: Constant<U<11>> = Constant::new(U::new(size as u64 - 1)),
            no_next: Constant<U<32>> = Constant::new(U::wrap(u64::MAX)),
        }
        children {
            used: FlagFile<11> = FlagFile::new(size, smxs),
            grids: RegisterFile<BlockId, 11> = RegisterFile::of(size, 1, 0),
            parameters: RegisterFile<U<32>, 11> = RegisterFile::of(size, 1, 0),
            nexts: RegisterFile<U<32>, 11> = RegisterFile::of(size, 2, 0),
            alive: CounterFile<11> = CounterFile::new(size, smxs, 32),
        }
        state { smxs: usize = smxs }
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

    pub(super) fn alive_of(&self, index: usize) -> u64 {
        self.alive.peek(index)
    }
}

impl Logic for GroupTable {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.used.control);
        Control::link(&mut self.control, &mut self.grids.control);
        Control::link(&mut self.control, &mut self.parameters.control);
        Control::link(&mut self.control, &mut self.nexts.control);
        Control::link(&mut self.control, &mut self.alive.control);

        // The hash, and what is allocated there.
        self.place.next = self.hardware_thread.val().get_bits::<11>(0) & self.low.val();
        self.index.next = self.place.val();
        self.used.address.next = self.place.val();
        self.free.next = !self.used.flag.val();
        self.used.raise.next = self.allocate.val();
        self.used.raise_address.next = self.place.val();
        self.grids.write_enable[0].next = self.allocate.val();
        self.grids.write_address[0].next = self.place.val();
        self.grids.write_data[0].next = self.grid.val();
        self.parameters.write_enable[0].next = self.allocate.val();
        self.parameters.write_address[0].next = self.place.val();
        self.parameters.write_data[0].next = self.parameter_address.val();
        self.nexts.write_enable[0].next = self.allocate.val();
        self.nexts.write_address[0].next = self.place.val();
        // A block of constants alone would never fire in Icarus: the word is stored with `allocate` only.
        self.nexts.write_data[0].next = self.link_next.val();
        if self.allocate.val() {
            self.nexts.write_data[0].next = self.no_next.val();
        }
        self.alive.load.next = self.allocate.val();
        self.alive.load_address.next = self.place.val();

        // A later group.
        self.nexts.write_enable[1].next = self.link.val();
        self.nexts.write_address[1].next = self.link_index.val();
        self.nexts.write_data[1].next = self.link_next.val();

        // The group that is distributed.
        self.grids.address.next = self.current.val();
        self.nexts.address.next = self.current.val();
        self.current_grid.next = self.grids.data.val();
        self.current_next.next = self.nexts.data.val();
        self.alive.increase.next = self.dispatched.val();
        self.alive.increase_address.next = self.current.val();

        // Blocks that end, and with the last one the group.
        self.alive.decrease.next = self.finished.val();
        for i in 0..self.smxs {
            self.alive.decrease_address[i].next = self.finished_index[i].val();
            self.used.clear_address[i].next = self.finished_index[i].val();
        }
        self.used.clear.next = self.alive.emptied.val();

        self.parameters.address.next = self.lookup_index.val();
        self.lookup_parameter.next = self.parameters.data.val();
    }
}
