//! When a kernel begins and ends.

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// One kernel after the other (IKRA, Algorithm 1, lines 2 to 9; rules 2, 7 and 13 of
    /// `docs/ikra.md`).
    ///
    /// ```text
    ///   head_valid, head_blocks --> [ idle -> chunking -> running ] --> assigns, begins, load, running, finish
    ///   keeps, chunks_ready, done ->[                             ]
    ///   filled, told -------------> [ timer                       ]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `head_valid`, `keeps` | `assigns`, `begins`, `finish` of an empty kernel | 0 |
    /// | `chunks_ready`, `done` | `begins`, `finish` | 0 |
    /// | `filled` | the next kernel may begin | 1 + `latency` |
    ///
    /// Storage: 2 + 5 registers.
    pub struct KernelControl (latency: u64) clocked {
        inputs {
            /// A kernel waits or runs.
            head_valid: Signal<In, Bit>,
            /// Its blocks; valid with `head_valid`.
            head_blocks: Signal<In, U<31>>,
            /// Its chunks are kept; valid with `head_valid` before it begins.
            keeps: Signal<In, Bit>,
            /// The starts of all chunks are known.
            chunks_ready: Signal<In, Bit>,
            /// No SMX has anything to run or to wait for.
            done: Signal<In, Bit>,
            /// A queue becomes full and asks for new chunks.
            filled: Signal<In, Bit>,
            /// That was told to all before.
            told: Signal<In, Bit>,
        }
        outputs {
            /// The assignment of chunks starts.
            assigns: Signal<Out, Bit>,
            /// The kernel begins.
            begins: Signal<Out, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<Out, Bit>,
            /// It runs; depends on the state alone.
            running: Signal<Out, Bit>,
            /// The head ends and leaves.
            finish: Signal<Out, Bit>,
        }
        locals {
            ready: Signal<Local, Bit>,
            nothing: Signal<Local, Bit>,
            asks: Signal<Local, Bit>,
            starts: Signal<Local, Bit>,
            assigned: Signal<Local, Bit>,
            ends: Signal<Local, Bit>,
        }
        constants {
            no_blocks: Lit<31, 0>,
            zero: Lit<5, 0>,
            one: Lit<5, 1>,
            delay: Constant<U<5>> = Constant::new(U::new(latency)),
        }
        children {
            chunking: Register<Bit>,
            runs: Register<Bit>,
            timer: Register<U<5>>,
        }
    }
}

impl Logic for KernelControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.chunking.control);
        Control::link(&mut self.control, &mut self.runs.control);
        Control::link(&mut self.control, &mut self.timer.control);

        self.ready.next = self.head_valid.val()
            & !self.chunking.q.val()
            & !self.runs.q.val()
            & (self.timer.q.val() == self.zero.val());
        self.nothing.next = self.head_blocks.val() == self.no_blocks.val();
        self.asks.next = self.ready.val() & !self.nothing.val() & !self.keeps.val();
        self.assigned.next = self.chunking.q.val() & self.chunks_ready.val();
        self.starts.next =
            (self.ready.val() & !self.nothing.val() & self.keeps.val()) | self.assigned.val();
        self.ends.next =
            (self.ready.val() & self.nothing.val()) | (self.runs.q.val() & self.done.val());
        self.assigns.next = self.asks.val();
        self.begins.next = self.starts.val();
        self.load.next = self.assigned.val();
        self.running.next = self.runs.q.val();
        self.finish.next = self.ends.val();

        self.chunking.d.next = (self.chunking.q.val() | self.asks.val()) & !self.assigned.val();
        self.runs.d.next = (self.runs.q.val() | self.starts.val()) & !self.ends.val();

        // A full queue is told to all once; until all know, no kernel begins.
        self.timer.d.next = self.zero.val();
        if self.timer.q.val() != self.zero.val() {
            self.timer.d.next = self.timer.q.val() - self.one.val();
        }
        if self.filled.val() & !self.told.val() {
            self.timer.d.next = self.delay.val();
        }
    }
}
