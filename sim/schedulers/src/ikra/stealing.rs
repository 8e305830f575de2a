//! What `ikra/steal` has beyond `ikra/flip`, but for the steal queues: the thieves of all SMXs, and
//! the arbiter between them (`docs/ikra.md`, rules 10 to 13, with 10a).

use super::super::SmxMask;
use super::cover;
use super::layout::Layout;
use super::{
    ChunkEntryOutputs, OwnWork, StealArbiter, StealArbiterInputs, StealArbiterOutputs, StealConfig,
    StealQueueInputs, StealQueueOutputs, Thief, ThiefInputs, ThiefOutputs, WhenFull,
};
use crate::cover::{counting, when};
use crate::port::Activity;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stealing {
    full: WhenFull,
    waits_for: OwnWork,
    /// Rule 10a: the SMXs whose own work of the kernel that runs was done in an earlier cycle.
    done: SmxMask,
    thieves: Vec<Thief>,
    arbiter: StealArbiter,
}

/// What the SMXs do for themselves in a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    /// The phase is running.
    pub(super) running: bool,
    /// The SMXs that have room.
    pub(super) room: SmxMask,
    /// Those on which no block is resident as the cycle begins.
    pub(super) empty: SmxMask,
    /// Those that receive a block of their chunk.
    pub(super) from_chunk: SmxMask,
    /// Those that receive a block of their queue.
    pub(super) from_queue: SmxMask,
}

impl Own {
    /// Where the blocks come from that SMXs take of their own.
    pub(super) fn cover(&self, chunks: &[ChunkEntryOutputs], chunk_first: bool) {
        for (smx, chunk) in chunks.iter().enumerate().filter(|_| counting()) {
            when(self.from_chunk[smx], &cover::FROM_CHUNK);
            when(self.from_queue[smx], &cover::FROM_QUEUE);
            let both = self.from_queue[smx] && chunk.available;
            when(both && !chunk_first, &cover::QUEUE_FIRST);
        }
    }
}

/// What the control says of the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    pub(super) begins: bool,
    pub(super) load: bool,
    pub(super) finish: bool,
}

/// What is decided in a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    /// What happens to the queues of the kernel that runs.
    pub(super) queues: Vec<StealQueueInputs>,
    thieves: Vec<ThiefInputs>,
    /// Rule 10a: the SMXs whose own work is done, in this cycle for the first time or before.
    done: SmxMask,
    /// The chunks of which the far block is stolen.
    pub(super) steal_chunk: SmxMask,
    /// A queue becomes full in this cycle and must be reinitialised.
    pub(super) filled: bool,
}

impl Stealing {
    pub(super) fn new(smx: usize, config: StealConfig) -> Self {
        let latency = u32::from(config.latency);
        Self {
            full: config.full,
            waits_for: config.thief,
            done: SmxMask::ZERO,
            thieves: (0..smx).map(|number| Thief::new(number, smx, latency)).collect(),
            arbiter: StealArbiter::new(smx),
        }
    }

    pub(super) fn thieves(&self) -> Vec<ThiefOutputs> {
        self.thieves.iter().map(|thief| thief.evaluate(&ThiefInputs::default())).collect()
    }

    /// Rules 10 to 13, with 10a, in a cycle in which the SMXs do `own` for themselves; `layout` is
    /// that of the kernel that runs.
    pub(super) fn decide(&self, layout: &Layout, own: &Own) -> Decision {
        let (chunks, queues, thieves) = (layout.chunks(), layout.queues(), self.thieves());
        let forward = layout.forward();
        let answers = self.answers(&chunks, &queues, &thieves, own);
        let mut decision = Decision { steal_chunk: answers.steal_chunk, ..Default::default() };
        let reinitialise = self.full == WhenFull::Reinitialise;
        for smx in 0..self.thieves.len() {
            let (queue, thief) = (&queues[smx], &thieves[smx]);
            let inputs = StealQueueInputs {
                forward,
                take: own.from_queue[smx],
                steal: answers.steal_queue[smx],
                insert: thief.arrives.then_some(thief.block),
                ..Default::default()
            };
            decision.queues.push(inputs);
            let idle = own.running && !chunks[smx].available && !queue.available;
            let waits = self.waits_for == OwnWork::Executed;
            let done = waits && (self.done[smx] || (idle && own.empty[smx]));
            decision.done.set(smx, done);
            let may_steal = idle && (done || !waits);
            decision.thieves.push(ThiefInputs {
                hungry: may_steal && own.room[smx] && (reinitialise || !queue.full),
                granted: answers.granted[smx].then_some(answers.block[smx]),
                refused: answers.refused[smx],
                ..Default::default()
            });
        }
        if counting() {
            self.cover(&queues, &thieves, own, &decision);
        }
        decision.filled = reinitialise && layout.filled(&decision.queues);
        decision
    }

    /// What thieves are answered, and why others do not ask.
    fn cover(
        &self,
        queues: &[StealQueueOutputs],
        thieves: &[ThiefOutputs],
        own: &Own,
        decision: &Decision,
    ) {
        for (smx, (queue, thief)) in queues.iter().zip(thieves).enumerate() {
            let inputs = &decision.thieves[smx];
            let (granted, refused) = (inputs.granted.is_some(), inputs.refused);
            when(thief.from_chunk && granted, &cover::GRANTED_CHUNK);
            when(thief.from_chunk && refused, &cover::REFUSED_CHUNK);
            when(thief.asks && !thief.from_chunk && granted, &cover::GRANTED_QUEUE);
            when(thief.asks && !thief.from_chunk && refused, &cover::REFUSED_QUEUE);
            when(thief.asks && !granted && !refused, &cover::ANOTHER_FIRST);
            let dispatches = match thief.from_chunk {
                true => own.from_chunk[thief.victim],
                false => own.from_queue[thief.victim],
            };
            when(thief.asks && refused && dispatches, &cover::OWN_LAST);
            when(self.thieves[smx].is_at_its_end() && inputs.hungry, &cover::SCAN_ENDS);
            let executes = own.running && !own.empty[smx] && !decision.done[smx];
            let waits = self.waits_for == OwnWork::Executed && executes && !queue.available;
            when(waits && own.room[smx] && !inputs.hungry, &cover::NOT_EXECUTED);
            let stops = self.full == WhenFull::Stop && queue.full && own.room[smx];
            when(stops && decision.done[smx], &cover::STOPS);
            when(thief.arrives && !queue.full, &cover::INSERTED);
            when(thief.arrives && queue.full, &cover::FULL);
        }
    }

    /// Rule 12: what is left after the victims' own dispatch.
    fn answers(
        &self,
        chunks: &[ChunkEntryOutputs],
        queues: &[StealQueueOutputs],
        thieves: &[ThiefOutputs],
        own: &Own,
    ) -> StealArbiterOutputs {
        let inputs = StealArbiterInputs {
            asks: thieves.iter().map(|thief| thief.asks).collect(),
            victim: thieves.iter().map(|thief| thief.victim).collect(),
            from_chunk: thieves.iter().map(|thief| thief.from_chunk).collect(),
            ..StealArbiterInputs::left_of(chunks, queues, own.from_chunk, own.from_queue)
        };
        self.arbiter.evaluate(&inputs)
    }

    /// The clock edge.
    pub(super) fn clock(&mut self, decision: Decision, course: Course) -> Activity {
        let Course { begins, finish, .. } = course;
        let before = self.done;
        self.done = if begins { SmxMask::ZERO } else { decision.done };
        let mut activity = Activity::from(self.done != before);
        for (thief, inputs) in self.thieves.iter_mut().zip(decision.thieves) {
            let inputs = ThiefInputs { begins, stop: finish, ..inputs };
            activity |= thief.clock(&inputs);
        }
        activity
    }

    pub(super) fn reset(&mut self) -> Activity {
        let mut activity = Activity::from(self.done != SmxMask::ZERO);
        self.done = SmxMask::ZERO;
        for thief in &mut self.thieves {
            let inputs = ThiefInputs { reset: true, ..Default::default() };
            activity |= thief.clock(&inputs);
        }
        activity
    }
}
