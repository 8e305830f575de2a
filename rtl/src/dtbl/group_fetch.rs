//! What is known of groups in memory.

use super::{FetchedGroup, HeldGroups, RingCounts, RingPlace};
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Tagged;

hdl_module! {
    /// Asks for the head's groups in memory ahead of their turn, `ahead` of them at most, and keeps
    /// what comes (DTBL, section 4.2: the information of an overflowed group is fetched from global
    /// memory).
    ///
    /// ```text
    ///   overflow, head --> [ ring_counts ] --> fetch
    ///                        ^ room | ask, head_asked
    ///   link, fetched -----> [ held_groups ] --> known, extent, after (of the oldest)
    ///   done ------------------^
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `overflow` of the head, nothing of its ring to ask for before it | `fetch` | 1 |
    /// | `fetched` of the oldest group | `known` | 1 |
    /// | `done`, `ahead` groups held | `fetch` of the next one | 1 |
    ///
    /// Storage: that of its children.
    pub struct GroupFetch (ahead: usize) clocked {
        inputs {
            /// A group of this kernel is left in memory.
            overflow: Signal<In, Tagged>,
            /// Whether `head` names an entry.
            head_valid: Signal<In, Bit>,
            /// The kernel whose blocks are distributed; valid with `head_valid`.
            head: Signal<In, U<5>>,
            /// A group of this kernel is linked behind its last one, which is in memory.
            link: Signal<In, Tagged>,
            /// That group; valid with `link`.
            link_next: Signal<In, U<32>>,
            /// Information that was asked for arrives, in the order of the requests.
            fetched: Signal<In, FetchedGroup>,
            /// The oldest group is fully distributed; only with `known`.
            done: Signal<In, Bit>,
        }
        outputs {
            /// A group's information is asked for.
            fetch: Signal<Out, RingPlace>,
            /// The information of the oldest group is there.
            known: Signal<Out, Bit>,
            /// Its extent; valid with `known`.
            extent: Signal<Out, BlockId>,
            /// The group after it; valid with `known`.
            after: Signal<Out, U<32>>,
        }
        children {
            rings: RingCounts,
            held: HeldGroups = HeldGroups::new(ahead),
        }
    }
}

impl GroupFetch {
    /// The groups that were asked for.
    pub(super) fn held(&self) -> &HeldGroups {
        &self.held
    }
}

impl Logic for GroupFetch {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.rings.control);
        Control::link(&mut self.control, &mut self.held.control);

        self.rings.overflow.next = self.overflow.val();
        self.rings.head_valid.next = self.head_valid.val();
        self.rings.head.next = self.head.val();
        self.rings.room.next = self.held.room.val();
        self.fetch.next = self.rings.ask.val();

        self.held.ask.next = self.rings.ask.val().valid;
        self.held.fetched.next = self.fetched.val().valid;
        self.held.fetched_grid.next = self.fetched.val().grid;
        self.held.fetched_next.next = self.fetched.val().after;
        // Only the last group of a list gets a link: of the head's, it is the youngest that was
        // asked for, unless it waits to be.
        self.held.link.next = self.link.val().valid
            & self.rings.head_asked.val()
            & (self.link.val().entry == self.head.val());
        self.held.link_next.next = self.link_next.val();
        self.held.leave.next = self.done.val();
        self.known.next = self.held.known.val();
        self.extent.next = self.held.extent.val();
        self.after.next = self.held.after.val();
    }
}
