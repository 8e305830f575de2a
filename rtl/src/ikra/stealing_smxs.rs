//! SMXs that steal from each other.

use super::steal_unit::StealUnit;
use super::{DerivedChunk, Kernel, Layouts, StealArbiter, Stealing};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{BlockId, Dispatch, Limits};
use crate::prelude::*;
use crate::prim::{Bundle, Rotation};

hdl_module! {
    /// A [`StealUnit`] for each of `smxs` SMXs, with `layout_count` layouts, and the messages
    /// between them (rules 4 to 13 of `docs/ikra.md`).
    ///
    /// ```text
    ///   assigns, begins, load, finished --> [ unit of each SMX ] --> dispatch, ready, done, filled
    ///                                         |  |asks  ^ granted, refused, stolen
    ///                          (next SMX) <---+  v      |
    ///                              start      [steal_arbiter]
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct StealingSmxs (smxs: usize, layout_count: usize, limits: Limits, stealing: Stealing, gates: &[GateKind]) clocked {
        bundles {
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// The assignment of chunks starts.
            assigns: Signal<In, Bit>,
            /// For each SMX, the chunk that is assigned if it is not a share; looked at with
            /// `assigns`.
            derived: Vec<Signal<In, DerivedChunk>> = Signal::each(smxs, DerivedChunk::default()),
            /// The head begins.
            begins: Signal<In, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<In, Bit>,
            /// Which layouts are used, below `layout_count`.
            layouts: Signal<In, Layouts>,
            /// The head runs.
            running: Signal<In, Bit>,
            /// The head ends.
            finish: Signal<In, Bit>,
            /// The head's entry.
            head: Signal<In, U<5>>,
            /// The head.
            kernel: Signal<In, Kernel>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// The starts of all chunks are known.
            ready: Signal<Out, Bit>,
            /// For each SMX, the first linear id of its share; valid with `assigns`, where no chunk
            /// is derived.
            first_id: Vec<Signal<Out, U<31>>> = Signal::each(smxs, U::new(0)),
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// Nothing is left, on its way, or resident.
            done: Signal<Out, Bit>,
            /// A queue becomes full and asks for new chunks.
            filled: Signal<Out, Bit>,
        }
        children {
            starts: Rotation<BlockId> = Rotation::new(BlockId::default(), smxs),
            units: Vec<StealUnit> = (0..smxs)
                .map(|number| StealUnit::new(number, smxs, layout_count, limits, stealing, !gates.is_empty()))
                .collect(),
            asking: Bundle<Mask> = Bundle::of(smxs),
            from_chunks: Bundle<Mask> = Bundle::of(smxs),
            queues_left: Bundle<Mask> = Bundle::of(smxs),
            chunks_left: Bundle<Mask> = Bundle::of(smxs),
            arbiter: StealArbiter = StealArbiter::new(smxs),
            dones: Bundle<Mask> = Bundle::of(smxs),
            fills: Bundle<Mask> = Bundle::of(smxs),
            rooms: Optional<Bundle<Mask>> = GateChain::masks(smxs, gates),
            takes: Optional<Bundle<Mask>> = GateChain::masks(smxs, gates),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

impl Logic for StealingSmxs {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.units[0].ready.val();
        self.done.next = self.dones.word.val().all();
        self.filled.next = self.fills.word.val().any();
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.units[i].assigns.next = self.assigns.val();
            self.units[i].derived.next = self.derived[i].val();
            self.units[i].begins.next = self.begins.val();
            self.units[i].load.next = self.load.val();
            self.units[i].layouts.next = self.layouts.val();
            self.units[i].running.next = self.running.val();
            self.units[i].finish.next = self.finish.val();
            self.units[i].head.next = self.head.val();
            self.units[i].kernel.next = self.kernel.val();
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.first_id[i].next = self.units[i].first_id.val();
            self.starts.word[i].next = self.units[i].start.val();
            self.units[i].behind.next = self.starts.data[i].val();
            self.dones.bits[i].next = self.units[i].done.val();
            self.fills.bits[i].next = self.units[i].filled.val();
            self.dispatch[i].next = self.units[i].dispatch.val();
            self.asking.bits[i].next = self.units[i].asks.val();
            self.from_chunks.bits[i].next = self.units[i].from_chunk.val();
            self.queues_left.bits[i].next = self.units[i].queue_left.val();
            self.chunks_left.bits[i].next = self.units[i].chunk_left.val();
            self.arbiter.victim[i].next = self.units[i].victim.val();
            self.arbiter.queue_far[i].next = self.units[i].queue_far.val();
            self.arbiter.chunk_far[i].next = self.units[i].chunk_far.val();
            self.units[i].granted.next = self.arbiter.granted.val().get_bit(i);
            self.units[i].refused.next = self.arbiter.refused.val().get_bit(i);
            self.units[i].granted_block.next = self.arbiter.block[i].val();
            self.units[i].steal_queue.next = self.arbiter.steal_queue.val().get_bit(i);
            self.units[i].steal_chunk.next = self.arbiter.steal_chunk.val().get_bit(i);
        }
        self.arbiter.asks.next = self.asking.word.val();
        self.arbiter.from_chunk.next = self.from_chunks.word.val();
        self.arbiter.queue_left.next = self.queues_left.word.val();
        self.arbiter.chunk_left.next = self.chunks_left.word.val();

        // A block that arrives at its thief was let go when the thief asked for it.
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.rooms.word.val();
            self.gates.taken.next = self.takes.word.val();
            self.gates.finished.next = self.finished.val();
        }
        for i in 0..self.gate_ports.smxs {
            self.rooms.bits[i].next = self.units[i].has_room.val();
            self.takes.bits[i].next = self.units[i].receives.val();
            self.units[i].allowed.next = self.gates.allow.val().get_bit(i);
        }
    }
}
