//! Where a domain's range of a grid is.

mod properties;

use crate::ikra::ChunkStart;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The share of domain `number` of `domains`, 1 to 8: its first block, and how many are left
    /// (`docs/domains.md`, rule 5).
    ///
    /// ```text
    ///   begins, blocks, grid --> [chunk_start] --> ready, start
    ///                                 | count
    ///   step ----------------------> [ - 1 ] ----> left, last
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins` | `ready` | 63 |
    /// | `step` | `left`, `last` | 1 |
    ///
    /// Storage: that of the `chunk_start`, and 31 registers.
    pub struct Share (domains: usize, number: usize) clocked {
        inputs {
            /// Takes `blocks` and starts, whatever was under way.
            begins: Signal<In, Bit>,
            /// Blocks of the kernel, at least one; valid with `begins`.
            blocks: Signal<In, U<31>>,
            /// The extent of its grid, no dimension zero; the same from `begins` until `ready`.
            grid: Signal<In, BlockId>,
            /// A block of the share is dispatched; only with `left`, and not with `begins`.
            step: Signal<In, Bit>,
        }
        outputs {
            /// `start` is known, until the next `begins`; low after reset.
            ready: Signal<Out, Bit>,
            /// The first block; valid with `ready`, zero otherwise.
            start: Signal<Out, BlockId>,
            /// Blocks of the share are left; low when not `ready`. Depends on the state alone.
            left: Signal<Out, Bit>,
            /// Exactly one is; valid with `left`. Depends on the state alone.
            last: Signal<Out, Bit>,
        }
        constants {
            itself: Constant<Word> = Constant::id(domains, number),
            one: Lit<31, 1>,
            no_id: Lit<31, 0>,
            shared: Constant<Bit> = Constant::new(false),
        }
        children {
            place: ChunkStart = ChunkStart::counting(domains),
            count: Register<U<31>>,
        }
        state { domains: usize = domains, number: usize = number }
        properties { properties::of }
    }
}

impl Logic for Share {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.place.control);
        Control::link(&mut self.control, &mut self.count.control);
        self.place.begins.next = self.begins.val();
        self.place.position.next = self.itself.val();
        self.place.blocks.next = self.blocks.val();
        self.place.grid.next = self.grid.val();
        self.place.derived.next = self.shared.val();
        self.place.derived_first.next = self.no_id.val();
        self.place.derived_vacant.next = self.shared.val();
        self.ready.next = self.place.ready.val();
        self.start.next = self.place.start.val();

        self.left.next = self.place.ready.val() & self.count.q.val().any();
        self.last.next = self.count.q.val() == self.one.val();
        self.count.d.next = self.count.q.val();
        if self.step.val() {
            self.count.d.next = self.count.q.val() - self.one.val();
        }
        if self.begins.val() {
            self.count.d.next = self.place.count.val();
        }
    }
}
