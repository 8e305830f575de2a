//! Groups in memory whose information was asked for.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{AheadMemory, FlagFile, Register, RegisterFile};

/// Most groups whose information can be asked for ahead.
pub const MOST_AHEAD: usize = 64;

hdl_module! {
    /// The groups in memory that were asked for and are not fully distributed, `ahead` of them at
    /// most, the oldest first (DTBL, section 4.2: what an overflowed group's fetch brings). Answers
    /// come in the order of the requests.
    ///
    /// ```text
    ///   ask ------> [ tail    ]        +--------------------+
    ///   fetched --> [ arrived ] -----> | extent, Next,      | --> known, extent, after (of the oldest)
    ///   leave ----> [ oldest  ]        | whether it has one |
    ///                    | room        +--------------------+
    ///   link, link_next --------------------------^ of the youngest
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `fetched`, of the oldest | `known` | 1 |
    /// | `leave`, of `ahead` | `room` | 1 |
    ///
    /// Outputs depend on the state alone. A `fetched` that nothing waits for is ignored. Storage:
    /// 95 bits and a flag for each of `ahead` groups (rounded up to a power of two), 21 registers,
    /// and those of an [`AheadMemory`] of the extents.
    pub struct HeldGroups (ahead: usize) clocked {
        inputs {
            /// One more group is asked for; only with `room`.
            ask: Signal<In, Bit>,
            /// The information of the oldest group that has none arrives.
            fetched: Signal<In, Bit>,
            /// The group's extent; valid with `fetched`.
            fetched_grid: Signal<In, BlockId>,
            /// The group after it, as memory knew it; valid with `fetched`.
            fetched_next: Signal<In, U<32>>,
            /// A group is linked behind the youngest one, that of `ask` included.
            link: Signal<In, Bit>,
            /// That group; valid with `link`.
            link_next: Signal<In, U<32>>,
            /// The oldest group is fully distributed; only with `known`.
            leave: Signal<In, Bit>,
        }
        outputs {
            /// Fewer than `ahead` groups are held.
            room: Signal<Out, Bit>,
            /// The information of the oldest group is there.
            known: Signal<Out, Bit>,
            /// Its extent; valid with `known`.
            extent: Signal<Out, BlockId>,
            /// The group after it; valid with `known`.
            after: Signal<Out, U<32>>,
        }
        locals {
            first: Signal<Local, U<7>>,
            next_first: Signal<Local, U<7>>,
            waiting: Signal<Local, U<7>>,
            youngest: Signal<Local, U<7>>,
            arrives: Signal<Local, Bit>,
        }
        constants {
            one: Lit<7, 1>,
            most: Constant<U<7>> = Constant::new(most(ahead)),
            stays: Constant<Mask> = Constant::new(Mask::none(1)),
            leaves: Constant<Mask> = Constant::new(Mask::one(1)),
        }
        children {
            oldest: Register<U<7>>,
            arrived: Register<U<7>>,
            tail: Register<U<7>>,
            extents: AheadMemory<BlockId, 6> = AheadMemory::of(ahead.next_power_of_two()),
            nexts: RegisterFile<U<32>, 6> = RegisterFile::of(ahead.next_power_of_two(), 2, 0),
            linked: FlagFile<6> = FlagFile::new(ahead.next_power_of_two(), 1),
        }
    }
}

/// `ahead` as a count of groups.
///
/// # Panics
/// When it is not 1 to [`MOST_AHEAD`].
fn most(ahead: usize) -> U<7> {
    assert!((1..=MOST_AHEAD).contains(&ahead), "{ahead} groups ahead: expected 1 to {MOST_AHEAD}");
    U::new(ahead as u64)
}

impl HeldGroups {
    /// How many there are after the last clock edge.
    pub(super) fn count(&self) -> usize {
        (self.tail.q.val() - self.oldest.q.val()).index()
    }

    /// Next of one of them, the oldest being 0, once it has arrived or has a link.
    pub(super) fn next_of(&self, place: usize) -> Option<u32> {
        let arrived = (self.arrived.q.val() - self.oldest.q.val()).index();
        let at = (self.oldest.q.val().index() + place) % self.linked.words();
        let known = place < arrived || self.linked.peek(at);
        known.then(|| self.nexts.peek(at).raw() as u32)
    }
}

impl Logic for HeldGroups {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.oldest.control);
        Control::link(&mut self.control, &mut self.arrived.control);
        Control::link(&mut self.control, &mut self.tail.control);
        Control::link(&mut self.control, &mut self.extents.control);
        Control::link(&mut self.control, &mut self.nexts.control);
        Control::link(&mut self.control, &mut self.linked.control);

        // Places count modulo 128, twice the largest ring, so that all and none differ.
        self.first.next = self.oldest.q.val();
        self.waiting.next = self.arrived.q.val();
        self.room.next = (self.tail.q.val() - self.oldest.q.val()) != self.most.val();
        self.known.next = self.oldest.q.val() != self.arrived.q.val();
        self.nexts.address.next = self.first.val().get_bits::<6>(0);
        self.extent.next = self.extents.data.val();
        self.after.next = self.nexts.data.val();

        self.next_first.next = self.oldest.q.val();
        if self.leave.val() {
            self.next_first.next = self.oldest.q.val() + self.one.val();
        }
        self.oldest.d.next = self.next_first.val();
        self.extents.next_address.next = self.next_first.val().get_bits::<6>(0);
        self.tail.d.next = self.tail.q.val();
        self.youngest.next = self.tail.q.val() - self.one.val();
        if self.ask.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
            self.youngest.next = self.tail.q.val();
        }

        self.arrives.next = self.fetched.val() & (self.arrived.q.val() != self.tail.q.val());
        self.arrived.d.next = self.arrived.q.val();
        if self.arrives.val() {
            self.arrived.d.next = self.arrived.q.val() + self.one.val();
        }
        self.extents.write_enable.next = self.arrives.val();
        self.extents.write_address.next = self.waiting.val().get_bits::<6>(0);
        self.extents.write_data.next = self.fetched_grid.val();
        // Memory may have been read before a link reached it.
        self.linked.address.next = self.waiting.val().get_bits::<6>(0);
        self.nexts.write_enable[0].next = self.arrives.val() & !self.linked.flag.val();
        self.nexts.write_address[0].next = self.waiting.val().get_bits::<6>(0);
        self.nexts.write_data[0].next = self.fetched_next.val();
        // The higher port wins: a link over what arrives with it.
        self.nexts.write_enable[1].next = self.link.val();
        self.nexts.write_address[1].next = self.youngest.val().get_bits::<6>(0);
        self.nexts.write_data[1].next = self.link_next.val();
        self.linked.raise.next = self.link.val();
        self.linked.raise_address.next = self.youngest.val().get_bits::<6>(0);
        self.linked.clear.next = self.stays.val();
        if self.leave.val() {
            self.linked.clear.next = self.leaves.val();
        }
        self.linked.clear_address[0].next = self.first.val().get_bits::<6>(0);
    }
}
