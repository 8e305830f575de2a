//! The baseline dispatcher with a port for admission gates.

mod kinds;
mod properties;

use super::{FcfsControl, KernelTable, ResourceTable, RoundRobin};
use crate::port::{
    resident_bits, BlockId, CancelPorts, Cancelled, Dispatch, InUse, LaunchPorts, Limits,
    LookupPorts, Needs,
};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};

hdl_module! {
    /// Kernel table, FCFS control, resource table and round robin, one block a cycle, with the gate
    /// port left open: `request` goes out, `allow` comes back in the same cycle.
    ///
    /// ```text
    ///                 +--------------+   head    +----------------+ request  (gates)  allow
    ///   launch ------>| kernel_table |---------->| resource_table |----------> ... -----+
    ///                 +--------------+           +----------------+                     v
    ///                   |          ^                     ^ take                 +-------------+
    ///                 mark       head                    +----------------------| round_robin |--> dispatch
    ///                   v          |                                            +-------------+
    ///                 +--------------+
    ///                 | fcfs_control |
    ///                 +--------------+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch` | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | `request` | `allow` (by the gate) | 0 |
    ///
    /// Storage: that of its children.
    pub struct Dispatcher (smxs: usize, limits: Limits) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            cancel_ports: CancelPorts = CancelPorts::new(false, false),
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each SMX that may receive the head's next block; within `request`, and
            /// at most one in a dispatcher that is [`Self::led`].
            allow: Signal<In, Mask> = Signal::mask(smxs),
            /// Round robin starts at this SMX from the next cycle on; not in a dispatcher that is
            /// [`Self::led`].
            restart: Signal<In, TaggedSmx> = Signal::of(TaggedSmx::none(smxs)),
            /// The priority of the kernel that `launch` offers, in a dispatcher
            /// [`Self::with_levels`]; valid with it.
            urgency: Signal<In, U<3>> = Signal::optional(false, U::new(0)),
            /// The kernel that is marked in this cycle, in a dispatcher [`Self::with_waiting`].
            mark: Signal<In, Tagged> = Signal::optional(false, Tagged::default()),
            /// One bit for each entry whose kernel waits to be marked, in a dispatcher
            /// [`Self::with_waiting`].
            waits: Signal<In, U<32>> = Signal::optional(false, U::new(0)),
            /// The head, in a dispatcher that is [`Self::led`].
            leader: Signal<In, Tagged> = Signal::optional(false, Tagged::default()),
            /// One bit for each entry that has blocks to distribute, in a dispatcher that is
            /// [`Self::led`].
            queued: Signal<In, U<32>> = Signal::optional(false, U::new(0)),
            /// One bit for each entry that is released at the end of the cycle, in a dispatcher
            /// [`Self::of_domain`] or [`Self::of_share`].
            released: Signal<In, U<32>> = Signal::optional(false, U::new(0)),
            /// The head's next block is for these SMXs, in a dispatcher [`Self::of_domain`], which
            /// passes it by if it is not, or [`Self::of_share`], which waits.
            own: Signal<In, Bit> = Signal::optional(false, false),
            /// With `own`: no further one is for them, in a dispatcher [`Self::of_share`].
            own_last: Signal<In, Bit> = Signal::optional(false, false),
            /// None of the head's blocks is for these SMXs, in a dispatcher [`Self::of_share`]; not
            /// with `own`.
            own_none: Signal<In, Bit> = Signal::optional(false, false),
            /// The head's blocks go on at `jump_to`, in a dispatcher [`Self::of_share`]; only with
            /// `leads`, not with `own`.
            jump: Signal<In, Bit> = Signal::optional(false, false),
            /// A block of the head; valid with `jump`.
            jump_to: Signal<In, BlockId> = Signal::optional(false, BlockId::default()),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// One bit for each SMX with room for the head's next block: the gates decide on these.
            request: Signal<Out, Mask> = Signal::mask(smxs),
            /// The kernel that `request` is about.
            head: Signal<Out, U<5>>,
            /// The SMX whose turn it is; not in a dispatcher that is [`Self::led`].
            first: Signal<Out, Word> = Signal::id(smxs),
            /// One bit for each SMX that receives a block in this cycle.
            taken: Signal<Out, Mask> = Signal::mask(smxs),
            /// A kernel is accepted in this cycle, into this entry.
            accepted: Signal<Out, Tagged>,
            /// What each of the head's blocks takes, in a dispatcher [`Self::with_free`]; valid
            /// with `request`.
            head_needs: Signal<Out, Needs> = Signal::optional(false, Needs::default()),
            /// What no block holds on each SMX, in a dispatcher [`Self::with_free`].
            free: Vec<Signal<Out, InUse>> = Vec::new(),
            /// The head has no blocks left to distribute, in a dispatcher that is [`Self::led`],
            /// [`Self::of_domain`] or [`Self::of_share`].
            unmark: Signal<Out, Bit> = Signal::optional(false, false),
            /// A block of the head is dispatched or passed by in this cycle, in a dispatcher
            /// [`Self::of_domain`] or [`Self::of_share`].
            moves: Signal<Out, Bit> = Signal::optional(false, false),
            /// There is a head, and its grid is not empty, in a dispatcher [`Self::of_share`];
            /// depends on the state alone.
            leads: Signal<Out, Bit> = Signal::optional(false, false),
            /// The extent of its grid, in a dispatcher [`Self::of_share`]; valid with `leads`.
            head_grid: Signal<Out, BlockId> = Signal::optional(false, BlockId::default()),
        }
        locals {
            accept: Signal<Local, Bit>,
            marking: Signal<Local, Tagged>,
            shown: Signal<Local, Tagged>,
            marked: Signal<Local, U<32>>,
            ends: Signal<Local, Bit>,
            grant: Signal<Local, Mask> = Signal::mask(smxs),
            some_taken: Signal<Local, Bit>,
            offer: Signal<Local, Dispatch>,
            passing: Signal<Local, Bit> = Signal::optional(false, false),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            no_block: Constant<Dispatch>,
            not_cancelled: Constant<Cancelled> = Constant::optional(false, Cancelled::default()),
        }
        children {
            kernels: KernelTable = KernelTable::new(smxs).ahead(),
            fcfs: Optional<FcfsControl> = Optional::new(Some(FcfsControl::with_second())),
            resources: ResourceTable = ResourceTable::new(smxs, limits),
            placement: Optional<RoundRobin> = Optional::new(Some(RoundRobin::new(smxs))),
        }
        state {
            smxs: usize = smxs,
            shows: usize = 0,
            leveled: usize = 0,
            waiting: usize = 0,
            ahead: usize = 1,
            follows: usize = 1,
            led: usize = 0,
            answers: usize = 0,
            passes: usize = 0,
            in_domain: usize = 0,
            in_turn: usize = 0,
            in_share: usize = 0,
        }
        properties { properties::of }
    }
}

impl Dispatcher {
    /// The width of the counts of resident blocks.
    fn resident_bits(&self) -> usize {
        resident_bits(self.smxs)
    }
}

impl Logic for Dispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.resources.control);

        // Launch and marking.
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.accept.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.accepted.next.valid = self.accept.val();
        self.accepted.next.entry = self.launch_ports.launch_entry.val();
        for _is in 0..self.follows {
            Control::link(&mut self.control, &mut self.fcfs.control);
            self.marking.next.valid = self.accept.val();
            self.marking.next.entry = self.launch_ports.launch_entry.val();
            self.fcfs.mark.next = self.marking.val();
            self.shown.next.valid = self.fcfs.head_valid.val();
            self.shown.next.entry = self.fcfs.head.val();
            self.marked.next = self.fcfs.marked.val();
        }
        for _is in 0..self.leveled {
            self.fcfs.level.next = self.urgency.val();
        }
        for _is in 0..self.waiting {
            self.fcfs.mark.next = self.mark.val();
            self.marked.next = self.fcfs.marked.val() | self.waits.val();
        }
        for _is in 0..self.led {
            self.shown.next = self.leader.val();
            self.marked.next = self.queued.val();
        }

        // The head and the SMXs that have room for its next block.
        self.kernels.head_valid.next = self.shown.val().valid;
        self.kernels.head.next = self.shown.val().entry;
        self.kernels.marked.next = self.marked.val();
        self.head.next = self.shown.val().entry;
        self.resources.needs.next = self.kernels.head_needs.val();
        for i in 0..self.smxs {
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.resources.freed[i].next = self.kernels.freed[i].val();
        }
        self.kernels.finished.next = self.finished.val();
        self.resources.finished.next = self.finished.val();
        self.request.next = self.nobody.val();
        if self.shown.val().valid & !self.kernels.head_empty.val() {
            self.request.next = self.resources.room.val();
        }

        // A block that a running one takes, or that is for other SMXs, goes to none of these.
        for _is in 0..self.answers {
            self.passing.next = self.cancel_ports.cancel.val().valid
                & self.shown.val().valid
                & !self.kernels.head_empty.val()
                & (self.cancel_ports.cancel.val().entry == self.shown.val().entry);
            self.cancel_ports.cancelled.next = self.not_cancelled.val();
            if self.passing.val() {
                self.cancel_ports.cancelled.next.valid = true;
                self.cancel_ports.cancelled.next.block = self.kernels.head_block.val();
            }
        }
        for _is in 0..self.in_turn {
            self.passing.next =
                self.shown.val().valid & !self.kernels.head_empty.val() & !self.own.val();
        }
        for _is in 0..self.passes {
            self.kernels.skip.next = self.passing.val();
            if self.passing.val() {
                self.request.next = self.nobody.val();
            }
        }
        for _is in 0..self.in_share {
            self.leads.next = self.shown.val().valid & !self.kernels.head_empty.val();
            self.head_grid.next = self.kernels.head_grid.val();
            self.kernels.jump.next = self.jump.val();
            self.kernels.jump_to.next = self.jump_to.val();
            if !self.own.val() {
                self.request.next = self.nobody.val();
            }
        }

        for _is in 0..self.shows {
            self.head_needs.next = self.kernels.head_needs.val();
            for i in 0..self.smxs {
                self.free[i].next = self.resources.free[i].val();
            }
        }

        // One of the allowed SMXs receives the block.
        self.grant.next = self.allow.val();
        for _is in 0..self.follows {
            Control::link(&mut self.control, &mut self.placement.control);
            self.placement.request.next = self.allow.val();
            self.placement.restart.next = self.restart.val();
            self.first.next = self.placement.first.val();
            self.grant.next = self.placement.grant.val();
        }
        self.taken.next = self.grant.val();
        self.resources.take.next = self.grant.val();
        // Of those allowed, some SMX always receives it.
        self.some_taken.next = self.allow.val().any();
        self.kernels.step.next = self.some_taken.val();
        self.ends.next = self.shown.val().valid
            & (self.kernels.head_empty.val()
                | (self.some_taken.val() & self.kernels.head_last.val()));
        for _is in 0..self.passes {
            self.ends.next = self.shown.val().valid
                & (self.kernels.head_empty.val()
                    | ((self.some_taken.val() | self.passing.val())
                        & self.kernels.head_last.val()));
        }
        for _is in 0..self.in_share {
            self.ends.next = self.shown.val().valid
                & (self.kernels.head_empty.val()
                    | self.own_none.val()
                    | (self.some_taken.val() & self.own_last.val()));
        }
        for _is in 0..self.follows {
            self.fcfs.unmark.next = self.ends.val();
        }
        for _is in 0..self.ahead {
            self.kernels.second.next = self.fcfs.second.val();
            self.kernels.alone.next = self.fcfs.alone.val();
            self.kernels.leaves.next = self.ends.val();
        }
        for _is in 0..self.led {
            self.unmark.next = self.ends.val();
        }
        for _is in 0..self.in_domain {
            self.unmark.next = self.ends.val();
            self.moves.next = self.some_taken.val();
            self.kernels.released.next = self.released.val();
        }
        for _is in 0..self.in_turn {
            self.moves.next = self.some_taken.val() | self.passing.val();
        }
        self.offer.next.valid = true;
        self.offer.next.kernel = self.shown.val().entry;
        self.offer.next.block = self.kernels.head_block.val();
        for i in 0..self.smxs {
            self.dispatch[i].next = self.no_block.val();
            if self.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
        }

        self.finished_kernels.next = self.kernels.finished_kernels.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
    }
}
