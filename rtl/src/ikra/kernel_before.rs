//! What is known of the kernel before.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Whether a kernel keeps the chunks of the one before (rule 3 of `docs/ikra.md`): not the
    /// first one, not one of another grid, not behind a full queue, and never if chunks are
    /// `always` assigned.
    ///
    /// ```text
    ///   grid, begins --> [ grid of the kernel before, whether there was one ] --> keeps
    ///   filled, load --> [ anew                                             ] --> keeps, told
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `grid` | `keeps` | 0 |
    /// | `begins`, `filled` | `keeps`, `told` | 1 |
    ///
    /// Storage: 63 + 2 registers.
    pub struct KernelBefore (always: bool) clocked {
        inputs {
            /// The extent of the head's grid; valid with `begins` and when `keeps` is looked at.
            grid: Signal<In, BlockId>,
            /// The head begins.
            begins: Signal<In, Bit>,
            /// With `begins`: with new chunks.
            load: Signal<In, Bit>,
            /// A queue becomes full and asks for new chunks; not with `begins`.
            filled: Signal<In, Bit>,
        }
        outputs {
            /// The head's chunks are those of the kernel before.
            keeps: Signal<Out, Bit>,
            /// A queue became full since chunks were last assigned; depends on the state alone.
            told: Signal<Out, Bit>,
        }
        locals {
            same_grid: Signal<Local, Bit>,
        }
        constants {
            each: Constant<Bit> = Constant::new(always),
        }
        children {
            known: Register<Bit>,
            former: Register<BlockId>,
            anew: Register<Bit>,
        }
    }
}

impl Logic for KernelBefore {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.known.control);
        Control::link(&mut self.control, &mut self.former.control);
        Control::link(&mut self.control, &mut self.anew.control);

        self.same_grid.next = (self.grid.val().x == self.former.q.val().x)
            & (self.grid.val().y == self.former.q.val().y)
            & (self.grid.val().z == self.former.q.val().z);
        self.keeps.next =
            !self.each.val() & self.known.q.val() & self.same_grid.val() & !self.anew.q.val();
        self.told.next = self.anew.q.val();

        self.known.d.next = self.known.q.val() | self.begins.val();
        self.former.d.next = self.former.q.val();
        if self.begins.val() {
            self.former.d.next = self.grid.val();
        }
        self.anew.d.next = (self.anew.q.val() | self.filled.val()) & !self.load.val();
    }
}
