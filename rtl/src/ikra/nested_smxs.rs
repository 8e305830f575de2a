//! SMXs that run and steal blocks of several nesting levels.

use super::nested_unit::NestedUnit;
use super::own_choice::OwnChoice;
use super::{ChildKernel, ChildLevel, Home, Kernel, Loot, StealArbiter};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{BlockId, Dispatch, Limits, Needs};
use crate::prelude::*;
use crate::prim::{Bundle, Rotation, Tagged};

/// The SMXs for a number of levels. Each level from 1 on is a child with a name of its own, since
/// arrays of modules that have arrays of ports do not translate to Verilog.
macro_rules! nested_smxs {
    (
        $(#[$meta:meta])*
        $name:ident, levels: $levels:literal, highest: $highest:ident,
        $($number:ident $value:literal: $level:ident, $choice:ident over $lower:ident,
            $asking:ident $chunks:ident $queues:ident;)*
    ) => {
        hdl_module! {
            $(#[$meta])*
            ///
            /// ```text
            ///   child ----> [ child_level of each level ] --next--> [ own_choice of each level and SMX ]
            ///                 ^ asks, fits  | granted, loot            | best        ^ takes
            ///                 |             v                          v             |
            ///   begins ---> [ nested_unit of each SMX -------------------------------+ ] --> dispatch
            ///                 | asks        ^ granted, refused, stolen
            ///                 v             |
            ///               [ steal_arbiter of level 0 ]
            /// ```
            ///
            /// Latency and storage are its children's.
            pub struct $name (smxs: usize, limits: Limits, entries: usize, gates: &[GateKind]) clocked {
                bundles {
                    sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
                }
                inputs {
                    /// The assignment of chunks of level 0 starts.
                    assigns: Signal<In, Bit>,
                    /// The host's kernel begins.
                    begins: Signal<In, Bit>,
                    /// With `begins`: its chunks are new.
                    load: Signal<In, Bit>,
                    /// The entry of the host's kernel.
                    head: Signal<In, U<5>>,
                    /// The host's kernel.
                    kernel: Signal<In, Kernel>,
                    /// The first device kernel that waits.
                    child: Signal<In, ChildKernel> = Signal::of(ChildKernel::none(smxs)),
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, Mask> = Signal::mask(smxs),
                    /// What it returns; zero without its bit of `finished`.
                    freed: Vec<Signal<In, Needs>> = Signal::each(smxs, Needs::default()),
                    /// One bit for each entry: blocks of it are in execution.
                    resident: Signal<In, U<32>>,
                }
                outputs {
                    /// The starts of all chunks of level 0 are known.
                    ready: Signal<Out, Bit>,
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
                    /// For each SMX, the kernel of that block.
                    started: Vec<Signal<Out, Tagged>> = Signal::each(smxs, Tagged::default()),
                    /// Nothing of level 0 is left or on its way.
                    spent: Signal<Out, Bit>,
                    /// A queue of level 0 asks for new chunks.
                    filled: Signal<Out, Bit>,
                    /// The device kernel that waits begins.
                    child_begins: Signal<Out, Bit>,
                    /// One bit for each entry of a device kernel with blocks that ends.
                    child_ends: Signal<Out, U<32>>,
                }
                locals {
                    enters: Signal<Local, Bit>,
                    grants: Signal<Local, Mask> = Signal::mask(smxs),
                    refusals: Signal<Local, Mask> = Signal::mask(smxs),
                    loot: Vec<Signal<Local, Loot>> = Signal::each(smxs, Loot::none(smxs)),
                    asked_needs: Vec<Signal<Local, Needs>> = Signal::each(smxs, Needs::default()),
                }
                constants {
                    no_loot: Constant<Loot> = Constant::new(Loot::none(smxs)),
                    no_home: Constant<Home> = Constant::new(Home::none(smxs)),
                    nothing: Constant<Needs>,
                    host_level: Lit<2, 0>,
                    nobody: Lit<32, 0>,
                    everybody: Constant<Mask> =
                        Constant::optional(!gates.is_empty(), !Mask::none(smxs)),
                    $($number: Lit<2, $value>,)*
                }
                children {
                    starts: Rotation<BlockId> = Rotation::new(BlockId::default(), smxs),
                    units: Vec<NestedUnit> = (0..smxs)
                        .map(|number| NestedUnit::new(number, smxs, $levels, limits, entries, !gates.is_empty()))
                        .collect(),
                    $(
                        $level: ChildLevel = ChildLevel::new(smxs, entries),
                        $choice: Vec<OwnChoice> = (0..smxs).map(|_| OwnChoice::new($value)).collect(),
                        $asking: Bundle<Mask> = Bundle::of(smxs),
                        $chunks: Bundle<Mask> = Bundle::of(smxs),
                        $queues: Bundle<Mask> = Bundle::of(smxs),
                    )*
                    asking: Bundle<Mask> = Bundle::of(smxs),
                    from_chunks: Bundle<Mask> = Bundle::of(smxs),
                    fitting: Bundle<Mask> = Bundle::of(smxs),
                    queues_left: Bundle<Mask> = Bundle::of(smxs),
                    chunks_left: Bundle<Mask> = Bundle::of(smxs),
                    arbiter: StealArbiter = StealArbiter::new(smxs),
                    all_spent: Bundle<Mask> = Bundle::of(smxs),
                    fills: Bundle<Mask> = Bundle::of(smxs),
                    gated_takes: Optional<Bundle<Mask>> = GateChain::masks(smxs, gates),
                    gates: Optional<GateChain> = GateChain::placed(smxs, gates),
                }
                state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                // A device kernel begins when its place is free.
                self.enters.next = false;
                $(
                    Control::link(&mut self.control, &mut self.$level.control);
                    self.$level.home.next = self.child.val().home;
                    self.$level.kernel.next = self.child.val().kernel;
                    self.$level.grid.next = self.child.val().grid;
                    self.$level.needs.next = self.child.val().needs;
                    self.$level.resident.next = self.resident.val();
                    self.$level.begins.next = false;
                    if self.child.val().valid
                        & (self.child.val().level == self.$number.val())
                        & !self.$level.taken.val()
                    {
                        self.$level.begins.next = true;
                        self.enters.next = true;
                    }
                )*
                self.child_begins.next = self.enters.val();
                self.child_ends.next = self.nobody.val() $(| self.$level.ends.val())*;

                // What each SMX runs itself: of level 0, unless something of a higher one is left.
                self.ready.next = self.units[0].ready.val();
                for i in 0..self.smxs {
                    Control::link(&mut self.control, &mut self.units[i].control);
                    self.units[i].assigns.next = self.assigns.val();
                    self.units[i].begins.next = self.begins.val();
                    self.units[i].load.next = self.load.val();
                    self.units[i].child_begins.next = self.enters.val();
                    self.units[i].child_level.next = self.child.val().level;
                    self.units[i].head.next = self.head.val();
                    self.units[i].kernel.next = self.kernel.val();
                    self.units[i].finished.next = self.finished.val().get_bit(i);
                    self.units[i].freed.next = self.freed[i].val();
                    self.starts.word[i].next = self.units[i].start.val();
                    self.units[i].behind.next = self.starts.data[i].val();
                    self.units[i].best.next = self.$highest[i].choice.val();
                    self.dispatch[i].next = self.units[i].dispatch.val();
                    self.started[i].next = self.units[i].started.val();
                    self.all_spent.bits[i].next = self.units[i].spent.val();
                    self.fills.bits[i].next = self.units[i].filled.val();
                    $(
                        self.$choice[i].below.next = self.$lower[i].choice.val();
                        self.$choice[i].chunk_next.next = self.$level.chunk_next[i].val();
                        self.$choice[i].chunk_needs.next = self.$level.chunk_needs[i].val();
                        self.$choice[i].queue_next.next = self.$level.queue_next[i].val();
                        self.$choice[i].queue_needs.next = self.$level.queue_needs[i].val();
                        self.$choice[i].takes.next = self.units[i].takes.val();
                        self.$chunks.bits[i].next = self.$choice[i].take_chunk.val();
                        self.$queues.bits[i].next = self.$choice[i].take_queue.val();
                    )*
                }
                self.spent.next = self.all_spent.word.val().all();
                self.filled.next = self.fills.word.val().any();

                // Requests go to the level that they are about.
                for i in 0..self.smxs {
                    self.asking.bits[i].next = self.units[i].asks.val()
                        & (self.units[i].level.val() == self.host_level.val());
                    self.from_chunks.bits[i].next = self.units[i].from_chunk.val();
                    self.fitting.bits[i].next = self.units[i].fits.val();
                    self.queues_left.bits[i].next = self.units[i].queue_left.val();
                    self.chunks_left.bits[i].next = self.units[i].chunk_left.val();
                    self.arbiter.victim[i].next = self.units[i].victim.val();
                    self.arbiter.queue_far[i].next = self.units[i].queue_far.val();
                    self.arbiter.chunk_far[i].next = self.units[i].chunk_far.val();
                    $(
                        self.$asking.bits[i].next = self.units[i].asks.val()
                            & (self.units[i].level.val() == self.$number.val());
                        self.$level.victim[i].next = self.units[i].victim.val();
                        self.$level.arrives[i].next = self.no_loot.val();
                        self.$level.owed[i].next = self.no_home.val();
                        if self.units[i].loot_level.val() == self.$number.val() {
                            self.$level.arrives[i].next = self.units[i].loot.val();
                            self.$level.owed[i].next = self.units[i].owed.val();
                        }
                    )*
                }
                self.arbiter.asks.next = self.asking.word.val() & self.fitting.word.val();
                self.arbiter.from_chunk.next = self.from_chunks.word.val();
                self.arbiter.queue_left.next = self.queues_left.word.val();
                self.arbiter.chunk_left.next = self.chunks_left.word.val();
                $(
                    self.$level.asks.next = self.$asking.word.val();
                    self.$level.from_chunk.next = self.from_chunks.word.val();
                    self.$level.fits.next = self.fitting.word.val();
                    self.$level.take_chunk.next = self.$chunks.word.val();
                    self.$level.take_queue.next = self.$queues.word.val();
                )*

                // And so do the answers.
                self.grants.next = self.arbiter.granted.val() $(| self.$level.granted.val())*;
                self.refusals.next = self.arbiter.refused.val()
                    | (self.asking.word.val() & !self.fitting.word.val())
                    $(| self.$level.refused.val())*;
                for i in 0..self.smxs {
                    self.loot[i].next = self.no_loot.val();
                    self.asked_needs[i].next = self.nothing.val();
                    $(
                        if self.$asking.word.val().get_bit(i) {
                            self.loot[i].next = self.$level.loot[i].val();
                            self.asked_needs[i].next = self.$level.asked_needs[i].val();
                        }
                    )*
                    self.units[i].asked_needs.next = self.asked_needs[i].val();
                    self.units[i].granted.next = self.grants.val().get_bit(i);
                    self.units[i].refused.next = self.refusals.val().get_bit(i);
                    self.units[i].granted_block.next = self.arbiter.block[i].val();
                    self.units[i].granted_loot.next = self.loot[i].val();
                    self.units[i].steal_queue.next = self.arbiter.steal_queue.val().get_bit(i);
                    self.units[i].steal_chunk.next = self.arbiter.steal_chunk.val().get_bit(i);
                }

                // A block that is owed to a thief was let go when the thief asked for it.
                for _is in 0..self.gate_ports.gated {
                    Control::link(&mut self.control, &mut self.gates.control);
                    SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
                    self.gates.request.next = self.everybody.val();
                    self.gates.taken.next = self.gated_takes.word.val();
                    self.gates.finished.next = self.finished.val();
                }
                for i in 0..self.gate_ports.smxs {
                    self.gated_takes.bits[i].next = self.units[i].receives.val();
                    self.units[i].allowed.next = self.gates.allow.val().get_bit(i);
                }
            }
        }
    };
}

nested_smxs!(
    /// `smxs` SMXs that run the host's kernels and one level of device kernels (rules 22 to 28 of
    /// `docs/ikra.md`).
    TwoLevelSmxs, levels: 2, highest: first_choice,
    first_level 1: first, first_choice over units, first_asking first_chunks first_queues;
);
nested_smxs!(
    /// `smxs` SMXs that run the host's kernels and three levels of device kernels (rules 22 to 28
    /// of `docs/ikra.md`).
    FourLevelSmxs, levels: 4, highest: third_choice,
    first_level 1: first, first_choice over units, first_asking first_chunks first_queues;
    second_level 2: second, second_choice over first_choice, second_asking second_chunks second_queues;
    third_level 3: third, third_choice over second_choice, third_asking third_chunks third_queues;
);
