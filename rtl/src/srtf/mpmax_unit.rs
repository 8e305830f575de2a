//! One SMX under MPMax.

use super::choice_room::ChoiceRoom;
use super::{Choice, Facts, OldestBelow, Residents};
use crate::port::Limits;
use crate::prelude::*;
use crate::prim::Unpack;

hdl_module! {
    /// What each SMX decides for itself under `mpmax` (rules 4 and 7 of `docs/srtf.md`).
    ///
    /// ```text
    ///   eligible, older[8], limit[8] --> [oldest_below] --> choice --> [choice_room] --> asks
    ///   finished ----------------------> [residents] ---------------------------------^
    /// ```
    ///
    /// Storage: that of its children.
    pub struct MpmaxUnit (limits: Limits) clocked {
        inputs {
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// What is known of each kernel.
            facts: Signal<In, [Facts; 8]>,
            /// Most resident blocks of each.
            limits_word: Signal<In, [U<6>; 8]>,
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// Whose it is, an entry below 8; valid with `finished`.
            finished_kernel: Signal<In, U<5>>,
            /// The SMX receives a block of its choice.
            taken: Signal<In, Bit>,
        }
        outputs {
            /// The kernel that it serves.
            choice: Signal<Out, Choice>,
            /// A block of it fits.
            asks: Signal<Out, Bit>,
        }
        locals {
            kernel: Signal<Local, Facts>,
        }
        children {
            known_facts: Unpack<Facts, 8>,
            known_limits: Unpack<U<6>, 8>,
            residents: Residents,
            select: OldestBelow,
            room: ChoiceRoom = ChoiceRoom::new(limits),
        }
    }
}

impl Logic for MpmaxUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        Control::link(&mut self.control, &mut self.room.control);
        self.select.eligible.next = self.eligible.val();
        self.known_facts.row.next = self.facts.val();
        self.known_limits.row.next = self.limits_word.val();
        for k in 0..8 {
            self.kernel.next = self.known_facts.parts[k].val();
            self.select.older[k].next = self.kernel.val().older;
            self.select.staying[k].next = self.residents.staying[k].val();
            self.select.limit[k].next = self.known_limits.parts[k].val();
            self.room.needs[k].next = self.kernel.val().needs;
        }
        self.choice.next = self.select.choice.val();
        self.room.choice.next = self.select.choice.val();
        self.room.finished.next = self.finished.val();
        self.room.finished_kernel.next = self.finished_kernel.val();
        self.room.taken.next = self.taken.val();
        self.asks.next = self.room.asks.val();
        self.residents.finished.next = self.room.ended.val();
        self.residents.taken.next = self.room.received.val();
    }
}
