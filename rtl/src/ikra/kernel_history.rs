//! What is known of the last four kernels.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{Register, RegisterFile};

hdl_module! {
    /// Which of four layouts the last four kernels used, and which one the head uses (rules 15 to
    /// 17 and 19 of `docs/ikra.md`; IKRA, section 8).
    ///
    /// ```text
    ///   back ---> [ names, known ] --source--> [ 4 grids ] <-- grid
    ///                  |            |              v
    ///                  v            +--> anew --> [ = ] --> keeps, derives
    ///             target, running_layout
    ///   filled --> [ anew ] --> told
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `grid`, `back`, `plain` | `keeps`, `derives`, `source` | 0 |
    /// | `begins`, `filled` | all outputs | 1 |
    ///
    /// Storage: 4 x 63 bits of register file, 4 x 2 + 4 + 4 registers.
    pub struct KernelHistory clocked {
        inputs {
            /// The extent of the head's grid; valid with `begins` and when an output that depends
            /// on it is looked at.
            grid: Signal<In, BlockId>,
            /// How many kernels its relation goes back, less one; valid as `grid`.
            back: Signal<In, U<2>>,
            /// The relation is that of a block to itself; valid as `grid`.
            plain: Signal<In, Bit>,
            /// The head begins.
            begins: Signal<In, Bit>,
            /// With `begins`: with new chunks.
            load: Signal<In, Bit>,
            /// A queue becomes full and asks for new chunks; not with `begins`.
            filled: Signal<In, Bit>,
        }
        outputs {
            /// The head's chunks are those of its source.
            keeps: Signal<Out, Bit>,
            /// The head's chunks follow from those of its source.
            derives: Signal<Out, Bit>,
            /// There is a source.
            source_known: Signal<Out, Bit>,
            /// The layout of the kernel to which the head's relation is; zero if there is none.
            source: Signal<Out, U<2>>,
            /// The layout of a kernel with new chunks; depends on the state alone.
            target: Signal<Out, U<2>>,
            /// The layout of the kernel that began last, else zero; depends on the state alone.
            running_layout: Signal<Out, U<2>>,
            /// A queue of that layout became full since its chunks were assigned; depends on the
            /// state alone.
            told: Signal<Out, Bit>,
        }
        locals {
            from: Signal<Local, U<2>>,
            some: Signal<Local, Bit>,
            stale: Signal<Local, Bit>,
            same_grid: Signal<Local, Bit>,
            named: Signal<Local, U<4>>,
            free: Signal<Local, U<2>>,
            last: Signal<Local, U<2>>,
            used: Signal<Local, U<2>>,
            flags: Signal<Local, U<4>>,
        }
        constants {
            zero: Lit<2, 0>,
            none: Lit<4, 0>,
            lowest: Lit<4, 1>,
            places: [Constant<U<2>>; 4] = std::array::from_fn(|k| Constant::new(U::new(k as u64))),
        }
        children {
            grids: RegisterFile<BlockId, 2> = RegisterFile::of(4, 1, 0),
            name: [Register<U<2>>; 4],
            known: Register<U<4>>,
            anew: Register<U<4>>,
        }
    }
}

impl Logic for KernelHistory {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.grids.control);
        Control::link(&mut self.control, &mut self.known.control);
        Control::link(&mut self.control, &mut self.anew.control);
        for k in 0..4 {
            Control::link(&mut self.control, &mut self.name[k].control);
        }

        // The source.
        self.from.next = self.zero.val();
        self.some.next = false;
        for k in 0..4 {
            if (self.back.val() == self.places[k].val()) & self.known.q.val().get_bit(k) {
                self.from.next = self.name[k].q.val();
                self.some.next = true;
            }
        }
        self.grids.address.next = self.from.val();
        self.same_grid.next = (self.grid.val().x == self.grids.data.val().x)
            & (self.grid.val().y == self.grids.data.val().y)
            & (self.grid.val().z == self.grids.data.val().z);
        self.stale.next = (self.anew.q.val() & (self.lowest.val() << self.from.val())).any();
        self.keeps.next =
            self.some.val() & !self.stale.val() & self.plain.val() & self.same_grid.val();
        self.derives.next = self.some.val() & !self.stale.val() & !self.plain.val();
        self.source_known.next = self.some.val();
        self.source.next = self.from.val();

        // A layout that none of the last three kernels used.
        self.named.next = self.none.val();
        for k in 0..3 {
            if self.known.q.val().get_bit(k) {
                self.named.next = self.named.val() | (self.lowest.val() << self.name[k].q.val());
            }
        }
        self.free.next = self.places[3].val();
        if !self.named.val().get_bit(2) {
            self.free.next = self.places[2].val();
        }
        if !self.named.val().get_bit(1) {
            self.free.next = self.places[1].val();
        }
        if !self.named.val().get_bit(0) {
            self.free.next = self.places[0].val();
        }
        self.target.next = self.free.val();
        self.last.next = self.zero.val();
        if self.known.q.val().get_bit(0) {
            self.last.next = self.name[0].q.val();
        }
        self.running_layout.next = self.last.val();
        self.told.next = self.known.q.val().get_bit(0)
            & (self.anew.q.val() & (self.lowest.val() << self.last.val())).any();

        // A kernel begins.
        self.used.next = self.from.val();
        if self.load.val() {
            self.used.next = self.free.val();
        }
        self.grids.write_enable[0].next = self.begins.val();
        self.grids.write_address[0].next = self.used.val();
        self.grids.write_data[0].next = self.grid.val();
        self.known.d.next = self.known.q.val();
        for k in 0..4 {
            self.name[k].d.next = self.name[k].q.val();
        }
        self.flags.next = self.anew.q.val();
        if self.filled.val() {
            self.flags.next = self.flags.val() | (self.lowest.val() << self.last.val());
        }
        if self.begins.val() {
            self.known.d.next = (self.known.q.val() + self.known.q.val()) | self.lowest.val();
            self.name[0].d.next = self.used.val();
            self.name[1].d.next = self.name[0].q.val();
            self.name[2].d.next = self.name[1].q.val();
            self.name[3].d.next = self.name[2].q.val();
            if self.load.val() {
                self.flags.next = self.flags.val() & !(self.lowest.val() << self.free.val());
            }
        }
        self.anew.d.next = self.flags.val();
    }
}
