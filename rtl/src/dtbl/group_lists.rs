//! The lists of the groups that are coalesced to each kernel.

mod properties;

use crate::prelude::*;
use crate::prim::{RegisterFile, Tagged};

hdl_module! {
    /// NAGEI and LAGEI of each entry of the Kernel Distributor (DTBL, section 4.2 and figure 5):
    /// the group that is distributed next, or none, and the one that was coalesced last.
    ///
    /// ```text
    ///   coalesce, group_reference --> [ LAGEI ] --> link, link_to (when the list is not empty)
    ///   enter ----------------> [ NAGEI ] --> next_group (of the head)
    ///   advance, advance_next ->[       ] --> waiting, coming (of the next cycle's head)
    /// ```
    ///
    /// A group that is coalesced in the very cycle in which the last one of its kernel is fully
    /// distributed becomes NAGEI. Outputs are combinational; what is written in `c` is seen in
    /// `c + 1`. Storage: 32 x (32 + 32) bits.
    pub struct GroupLists clocked {
        inputs {
            /// A kernel enters the Kernel Distributor; not in a cycle with `coalesce`.
            enter: Signal<In, Tagged>,
            /// A group is coalesced to this kernel.
            coalesce: Signal<In, Tagged>,
            /// Its reference; valid with `coalesce`.
            group_reference: Signal<In, U<32>>,
            /// Whether `head` names an entry.
            head_valid: Signal<In, Bit>,
            /// The kernel whose blocks are distributed; valid with `head_valid`.
            head: Signal<In, U<5>>,
            /// The head of the next cycle; always valid.
            next_head: Signal<In, U<5>>,
            /// The group at the head's NAGEI is fully distributed in this cycle; only when there is
            /// one.
            advance: Signal<In, Bit>,
            /// The group after it; valid with `advance` when it is not the last one.
            advance_next: Signal<In, U<32>>,
        }
        outputs {
            /// NAGEI of the head; none without a head.
            next_group: Signal<Out, U<32>>,
            /// After this cycle the head has a group to distribute; low without a head.
            waiting: Signal<Out, Bit>,
            /// NAGEI of `next_head` after this cycle; undefined for an entry that no kernel has
            /// entered.
            coming: Signal<Out, U<32>>,
            /// The group of `coalesce` is linked behind another one.
            link: Signal<Out, Bit>,
            /// That other one; none when not `link`.
            link_to: Signal<Out, U<32>>,
        }
        locals {
            to_head: Signal<Local, Bit>,
            last: Signal<Local, Bit>,
            emptied: Signal<Local, Bit>,
            begins: Signal<Local, Bit>,
            further: Signal<Local, U<32>>,
            comer: Signal<Local, Tagged>,
            first: Signal<Local, U<32>>,
        }
        constants {
            none: Constant<U<32>> = Constant::new(U::wrap(u64::MAX)),
        }
        children {
            nagei: RegisterFile<U<32>, 5> = RegisterFile::of(32, 2, 2),
            lagei: RegisterFile<U<32>, 5> = RegisterFile::of(32, 1, 1),
        }
        properties { properties::of }
    }
}

impl GroupLists {
    /// For `kernels` entries alone (a power of two, at most 32): what is proved of fewer is proved
    /// sooner.
    pub fn with_kernels(kernels: usize) -> Self {
        Self {
            nagei: RegisterFile::of(kernels, 2, 2),
            lagei: RegisterFile::of(kernels, 1, 1),
            ..Self::new()
        }
    }

    /// How many entries there are.
    fn kernels(&self) -> usize {
        self.nagei.words()
    }

    /// NAGEI and LAGEI of an entry.
    pub(super) fn ends(&self, kernel: usize) -> (u32, u32) {
        (self.nagei.peek(kernel).raw() as u32, self.lagei.peek(kernel).raw() as u32)
    }
}

impl Logic for GroupLists {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.nagei.control);
        Control::link(&mut self.control, &mut self.lagei.control);
        self.nagei.address.next = self.head.val();
        self.lagei.address.next = self.head.val();
        self.nagei.also_address[0].next = self.coalesce.val().entry;
        self.lagei.also_address[0].next = self.coalesce.val().entry;
        self.next_group.next = self.none.val();
        if self.head_valid.val() {
            self.next_group.next = self.nagei.data.val();
        }

        // The head's list without the group that comes in this cycle.
        self.to_head.next = self.coalesce.val().valid
            & self.head_valid.val()
            & (self.coalesce.val().entry == self.head.val());
        self.last.next = self.nagei.data.val() == self.lagei.data.val();
        self.emptied.next =
            (self.nagei.data.val() == self.none.val()) | (self.advance.val() & self.last.val());
        self.waiting.next = self.head_valid.val() & (self.to_head.val() | !self.emptied.val());

        // The group that comes begins a list or is linked to its end.
        self.begins.next = self.nagei.also_data[0].val() == self.none.val();
        if self.to_head.val() {
            self.begins.next = self.emptied.val();
        }
        self.link.next = self.coalesce.val().valid & !self.begins.val();
        self.link_to.next = self.none.val();
        if self.coalesce.val().valid & !self.begins.val() {
            self.link_to.next = self.lagei.also_data[0].val();
        }
        self.lagei.write_enable[0].next = self.coalesce.val().valid;
        self.lagei.write_address[0].next = self.coalesce.val().entry;
        self.lagei.write_data[0].next = self.group_reference.val();

        self.further.next = self.advance_next.val();
        if self.last.val() {
            self.further.next = self.none.val();
        }
        self.nagei.write_enable[0].next = self.advance.val();
        self.nagei.write_address[0].next = self.head.val();
        self.nagei.write_data[0].next = self.further.val();
        // The higher port wins: the group that comes, over the end of the list that it comes to.
        self.comer.next.valid =
            self.enter.val().valid | (self.coalesce.val().valid & self.begins.val());
        self.comer.next.entry = self.coalesce.val().entry;
        self.first.next = self.group_reference.val();
        if self.enter.val().valid {
            self.comer.next.entry = self.enter.val().entry;
            self.first.next = self.none.val();
        }
        self.nagei.write_enable[1].next = self.comer.val().valid;
        self.nagei.write_address[1].next = self.comer.val().entry;
        self.nagei.write_data[1].next = self.first.val();

        // What the next cycle's head will have there.
        self.nagei.also_address[1].next = self.next_head.val();
        self.coming.next = self.nagei.also_data[1].val();
        if self.advance.val() & (self.head.val() == self.next_head.val()) {
            self.coming.next = self.further.val();
        }
        if self.comer.val().valid & (self.comer.val().entry == self.next_head.val()) {
            self.coming.next = self.first.val();
        }
    }
}
