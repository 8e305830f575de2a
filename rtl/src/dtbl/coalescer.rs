//! The search for a kernel that groups can be coalesced to.

use super::Command;
use crate::port::{Context, Extent};
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Looks for the eligible kernel of a warp's groups (DTBL, sections 4.2 and 4.3): same entry
    /// PC, same block configuration, one entry of the Kernel Distributor a cycle.
    ///
    /// ```text
    ///   command --> [ search stage ] --result--> [ allocation stage ] --> take, matched, kernel
    ///                 |       ^                      ^
    ///               probe   context           group_valid, stall
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `command` accepted, entry e matches | first `take` | e + 2, when the allocation stage is free |
    /// | `command` accepted, no entry matches | first `take` | 33 |
    /// | `take` | the next group's | 1 |
    ///
    /// The stages work on different commands at the same time. From the match to the last group of
    /// its command a kernel is held: it must not leave the Kernel Distributor. Storage: 81
    /// registers in the search stage, 19 in the allocation stage.
    pub struct Coalescer clocked {
        inputs {
            /// A warp's command is offered; accepted when `command_ready`.
            command: Signal<In, Command>,
            /// Whether the entry at `probe` is occupied.
            probe_valid: Signal<In, Bit>,
            /// Its context; valid with `probe_valid`.
            probe_context: Signal<In, Context>,
            /// One bit for each entry whose kernel ends in this cycle.
            finished_kernels: Signal<In, U<32>>,
            /// The command's next group is there.
            group_valid: Signal<In, Bit>,
            /// No group is taken in this cycle.
            stall: Signal<In, Bit>,
        }
        outputs {
            /// The search stage is free.
            command_ready: Signal<Out, Bit>,
            /// The entry that is looked at; zero when no search is under way.
            probe: Signal<Out, U<5>>,
            /// The group is taken in this cycle.
            take: Signal<Out, Bit>,
            /// To be coalesced; low when not `take`.
            matched: Signal<Out, Bit>,
            /// The eligible kernel; zero unless `matched`.
            kernel: Signal<Out, U<5>>,
            /// One bit for each entry that must stay.
            hold: Signal<Out, U<32>>,
        }
        locals {
            target: Signal<Local, U<32>>,
            ends: Signal<Local, Bit>,
            looks: Signal<Local, Bit>,
            equal: Signal<Local, Bit>,
            hit: Signal<Local, Bit>,
            known: Signal<Local, Bit>,
            takes: Signal<Local, Bit>,
            leaves: Signal<Local, Bit>,
            moves: Signal<Local, Bit>,
            accepts: Signal<Local, Bit>,
            held: Signal<Local, U<32>>,
            found_bit: Signal<Local, U<32>>,
            search_wait_next: Signal<Local, U<6>>,
        }
        constants {
            none: Lit<6, 0>,
            one: Lit<6, 1>,
            first: Lit<5, 0>,
            following: Lit<5, 1>,
            last: Lit<5, 31>,
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
        }
        children {
            searching: Register<Bit>,
            searched: Register<Bit>,
            found: Register<Bit>,
            at: Register<U<5>>,
            entry_pc: Register<U<32>>,
            block: Register<Extent>,
            groups: Register<U<6>>,
            waits: Register<U<6>>,
            allocating: Register<Bit>,
            eligible: Register<Bit>,
            target_kernel: Register<U<5>>,
            left: Register<U<6>>,
            due: Register<U<6>>,
        }
    }
}

impl Logic for Coalescer {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.searching.control);
        Control::link(&mut self.control, &mut self.searched.control);
        Control::link(&mut self.control, &mut self.found.control);
        Control::link(&mut self.control, &mut self.at.control);
        Control::link(&mut self.control, &mut self.entry_pc.control);
        Control::link(&mut self.control, &mut self.block.control);
        Control::link(&mut self.control, &mut self.groups.control);
        Control::link(&mut self.control, &mut self.waits.control);
        Control::link(&mut self.control, &mut self.allocating.control);
        Control::link(&mut self.control, &mut self.eligible.control);
        Control::link(&mut self.control, &mut self.target_kernel.control);
        Control::link(&mut self.control, &mut self.left.control);
        Control::link(&mut self.control, &mut self.due.control);

        // The allocation stage: one group a cycle.
        self.takes.next = self.allocating.q.val()
            & (self.due.q.val() == self.none.val())
            & self.group_valid.val()
            & !self.stall.val();
        self.leaves.next = self.takes.val() & (self.left.q.val() == self.one.val());
        self.take.next = self.takes.val();
        self.matched.next = self.takes.val() & self.eligible.q.val();
        self.kernel.next = self.first.val();
        if self.takes.val() & self.eligible.q.val() {
            self.kernel.next = self.target_kernel.q.val();
        }

        // The search stage: one entry a cycle.
        self.target.next = self.bit_zero.val() << self.at.q.val();
        self.ends.next = (self.finished_kernels.val() & self.target.val()).any();
        self.equal.next = (self.probe_context.val().entry_pc == self.entry_pc.q.val())
            & (self.probe_context.val().block == self.block.q.val());
        self.looks.next = self.searching.q.val() & !self.searched.q.val();
        self.probe.next = self.first.val();
        if self.looks.val() {
            self.probe.next = self.at.q.val();
        }
        self.hit.next =
            self.looks.val() & self.probe_valid.val() & self.equal.val() & !self.ends.val();
        self.known.next = self.searched.q.val()
            | self.hit.val()
            | (self.looks.val() & (self.at.q.val() == self.last.val()));
        self.moves.next = self.known.val() & (!self.allocating.q.val() | self.leaves.val());
        self.command_ready.next = !self.searching.q.val();
        self.accepts.next = self.command.val().valid & !self.searching.q.val();

        self.searching.d.next = (self.searching.q.val() & !self.moves.val()) | self.accepts.val();
        self.searched.d.next = self.known.val() & !self.moves.val();
        self.found.d.next = (self.found.q.val() | self.hit.val()) & !self.moves.val();
        self.at.d.next = self.at.q.val();
        if self.looks.val() & !self.known.val() {
            self.at.d.next = self.at.q.val() + self.following.val();
        }
        self.search_wait_next.next = self.waits.q.val();
        if self.waits.q.val() != self.none.val() {
            self.search_wait_next.next = self.waits.q.val() - self.one.val();
        }
        self.waits.d.next = self.search_wait_next.val();
        self.entry_pc.d.next = self.entry_pc.q.val();
        self.block.d.next = self.block.q.val();
        self.groups.d.next = self.groups.q.val();
        if self.accepts.val() {
            self.at.d.next = self.first.val();
            self.entry_pc.d.next = self.command.val().entry_pc;
            self.block.d.next = self.command.val().block;
            self.groups.d.next = self.command.val().groups;
            self.waits.d.next = self.command.val().wait;
            if self.command.val().wait != self.none.val() {
                self.waits.d.next = self.command.val().wait - self.one.val();
            }
        }

        self.allocating.d.next = (self.allocating.q.val() & !self.leaves.val()) | self.moves.val();
        self.eligible.d.next = self.eligible.q.val();
        self.target_kernel.d.next = self.target_kernel.q.val();
        self.left.d.next = self.left.q.val();
        if self.takes.val() {
            self.left.d.next = self.left.q.val() - self.one.val();
        }
        self.due.d.next = self.due.q.val();
        if self.due.q.val() != self.none.val() {
            self.due.d.next = self.due.q.val() - self.one.val();
        }
        if self.moves.val() {
            self.eligible.d.next = self.found.q.val() | self.hit.val();
            self.target_kernel.d.next = self.at.q.val();
            self.left.d.next = self.groups.q.val();
            self.due.d.next = self.search_wait_next.val();
        }

        // Who must stay.
        self.held.next = self.nobody.val();
        if self.allocating.q.val() & self.eligible.q.val() {
            self.held.next = self.bit_zero.val() << self.target_kernel.q.val();
        }
        self.found_bit.next = self.bit_zero.val() << self.at.q.val();
        if self.found.q.val() {
            self.held.next = self.held.val() | self.found_bit.val();
        }
        self.hold.next = self.held.val();
    }
}
