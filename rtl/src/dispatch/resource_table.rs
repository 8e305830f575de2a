//! What each SMX has in use, and whether another block fits.

mod properties;

use crate::port::{InUse, Limits, Needs};
use crate::prelude::*;
use crate::prim::{Bundle, Register};

hdl_module! {
    /// The resources of one SMX: in use, less what a finished block returns, plus what the next one
    /// needs, against the limits.
    ///
    /// ```text
    ///   [in use] --(limits - in use + freed - needs)--> slack --(>= 0)--> room
    ///    ^  +------(- freed)--> now --(+ needs)--> sum
    ///    +--------------- take ? sum : now ---------+
    /// ```
    ///
    /// `room` and `free` are combinational in `finished`, `freed` and `needs`. Storage: 56
    /// registers.
    pub struct SmxResources (limits: Limits) clocked {
        inputs {
            /// A resident block ends in this cycle.
            finished: Signal<In, Bit>,
            /// What it returns; zero unless `finished`.
            freed: Signal<In, Needs>,
            /// What the next block takes; always valid.
            needs: Signal<In, Needs>,
            /// The next block goes to this SMX.
            take: Signal<In, Bit>,
        }
        outputs {
            /// The next block fits.
            room: Signal<Out, Bit>,
            /// No block is resident; depends on the state alone.
            vacant: Signal<Out, Bit>,
            /// What no block holds, for whom [`Self::showing`] it.
            free: Signal<Out, InUse> = Signal::optional(false, InUse::default()),
        }
        locals {
            now: Signal<Local, InUse>,
            sum: Signal<Local, InUse>,
            threads_slack: Signal<Local, U<13>>,
            registers_slack: Signal<Local, U<18>>,
            shared_memory_slack: Signal<Local, U<18>>,
        }
        constants {
            none: Lit<7, 0>,
            one: Lit<7, 1>,
            most_threads: Constant<U<13>> = Constant::new(U::new(limits.threads)),
            most_registers: Constant<U<18>> = Constant::new(U::new(limits.registers)),
            most_shared_memory: Constant<U<18>> = Constant::new(U::new(limits.shared_memory)),
            most_slots: Constant<U<7>> = Constant::new(U::new(limits.slots)),
        }
        children {
            in_use: Register<InUse>,
        }
        state { shows: usize = 0 }
        properties { properties::of }
    }
}

impl SmxResources {
    /// With the port `free`.
    pub fn showing(limits: Limits) -> Self {
        Self { free: Signal::of(InUse::default()), shows: 1, ..Self::new(limits) }
    }
}

impl Logic for SmxResources {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.in_use.control);
        self.vacant.next = self.in_use.q.val().slots == self.none.val();
        self.now.next = self.in_use.q.val();
        self.now.next.threads =
            self.in_use.q.val().threads - bit_cast::<13, 12>(self.freed.val().threads);
        self.now.next.registers =
            self.in_use.q.val().registers - bit_cast::<18, 17>(self.freed.val().registers);
        self.now.next.shared_memory =
            self.in_use.q.val().shared_memory - bit_cast::<18, 17>(self.freed.val().shared_memory);
        if self.finished.val() {
            self.now.next.slots = self.in_use.q.val().slots - self.one.val();
        }
        // Below zero where the next block is too much: one sum of all four, since what is freed may
        // come late, and so may what is needed.
        self.threads_slack.next = self.most_threads.val() - self.in_use.q.val().threads
            + bit_cast::<13, 12>(self.freed.val().threads)
            - bit_cast::<13, 12>(self.needs.val().threads);
        self.registers_slack.next = self.most_registers.val() - self.in_use.q.val().registers
            + bit_cast::<18, 17>(self.freed.val().registers)
            - bit_cast::<18, 17>(self.needs.val().registers);
        self.shared_memory_slack.next = self.most_shared_memory.val()
            - self.in_use.q.val().shared_memory
            + bit_cast::<18, 17>(self.freed.val().shared_memory)
            - bit_cast::<18, 17>(self.needs.val().shared_memory);
        self.room.next = !self.threads_slack.val().get_bit(12)
            & !self.registers_slack.val().get_bit(17)
            & !self.shared_memory_slack.val().get_bit(17)
            & (self.now.val().slots < self.most_slots.val());
        self.sum.next.threads =
            self.now.val().threads + bit_cast::<13, 12>(self.needs.val().threads);
        self.sum.next.registers =
            self.now.val().registers + bit_cast::<18, 17>(self.needs.val().registers);
        self.sum.next.shared_memory =
            self.now.val().shared_memory + bit_cast::<18, 17>(self.needs.val().shared_memory);
        self.sum.next.slots = self.now.val().slots + self.one.val();
        for _is in 0..self.shows {
            self.free.next.threads = self.most_threads.val() - self.now.val().threads;
            self.free.next.registers = self.most_registers.val() - self.now.val().registers;
            self.free.next.shared_memory =
                self.most_shared_memory.val() - self.now.val().shared_memory;
            self.free.next.slots = self.most_slots.val() - self.now.val().slots;
        }
        self.in_use.d.next = self.now.val();
        if self.take.val() {
            self.in_use.d.next = self.sum.val();
        }
    }
}

hdl_module! {
    /// [`SmxResources`] for each of `smxs` SMXs, all with the same limits.
    ///
    /// ```text
    ///   needs ----------------------> [ each SMX     ] --> room
    ///   finished, freed[s], take ---> [              ]
    /// ```
    ///
    /// Latency as [`SmxResources`]. Storage: `smxs * 56` registers.
    pub struct ResourceTable (smxs: usize, limits: Limits) clocked {
        inputs {
            /// What the next block takes; always valid.
            needs: Signal<In, Needs>,
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<In, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each SMX: the next block goes there.
            take: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// One bit for each SMX: the next block fits.
            room: Signal<Out, Mask> = Signal::mask(smxs),
            /// One bit for each SMX that held no block at the end of the cycle before, in a table
            /// [`Self::with_vacant`].
            vacant: Signal<Out, Mask> = Signal::optional(false, Mask::none(smxs)),
            /// What no block holds on each SMX, in a table [`Self::with_free`].
            free: Vec<Signal<Out, InUse>> = Vec::new(),
        }
        children {
            smx: Vec<SmxResources> = (0..smxs).map(|_| SmxResources::new(limits)).collect(),
            rooms: Bundle<Mask> = Bundle::of(smxs),
            vacancies: Optional<Bundle<Mask>> = Optional::new(None),
        }
        state { smxs: usize = smxs, shows_vacant: usize = 0, shows_free: usize = 0 }
    }
}

impl ResourceTable {
    /// With the port `vacant`.
    pub fn with_vacant(smxs: usize, limits: Limits) -> Self {
        Self {
            vacant: Signal::mask(smxs),
            vacancies: Optional::new(Some(Bundle::of(smxs))),
            shows_vacant: 1,
            ..Self::new(smxs, limits)
        }
    }

    /// With the ports `free`.
    pub fn with_free(smxs: usize, limits: Limits) -> Self {
        Self {
            free: Signal::each(smxs, InUse::default()),
            smx: (0..smxs).map(|_| SmxResources::showing(limits)).collect(),
            shows_free: smxs,
            ..Self::new(smxs, limits)
        }
    }
}

impl Logic for ResourceTable {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].needs.next = self.needs.val();
            self.smx[i].finished.next = self.finished.val().get_bit(i);
            self.smx[i].freed.next = self.freed[i].val();
            self.smx[i].take.next = self.take.val().get_bit(i);
            self.rooms.bits[i].next = self.smx[i].room.val();
        }
        self.room.next = self.rooms.word.val();
        for _is in 0..self.shows_vacant {
            for i in 0..self.smxs {
                self.vacancies.bits[i].next = self.smx[i].vacant.val();
            }
            self.vacant.next = self.vacancies.word.val();
        }
        for i in 0..self.shows_free {
            self.free[i].next = self.smx[i].free.val();
        }
    }
}
