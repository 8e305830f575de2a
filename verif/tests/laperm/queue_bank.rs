//! Rationale: 1. the state is that of the queues and of what they keep in memory; small queues
//! overflow all the time, and memory answers slowly, at once, or in bursts. 2. Both kinds of queue;
//! 1, 2 and 7 queues of 1, 2 and 8 entries, and more queues than a word has bits.

use super::{defined, entry, place, queue_place, random_unit, shown, unit};
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::laperm::{LinkedBank, Refill, ShiftingBank};
use blockyard_rtl::module::Module;
use blockyard_sim::port::{self, EntryFetch, QueueEntry, QueuePlace, Spill};
use blockyard_sim::sched::laperm::{
    Binding, Head, LapermConfig, QueueBank, QueueBankInputs as Inputs, QueueKind,
};
use blockyard_sim::sched::mask::{of, SmxMask};
use rand::RngExt;
use std::collections::{BTreeMap, VecDeque};

/// A head without its extent, which a bank does not show.
fn without_extent(head: Head) -> Head {
    Head { entry: QueueEntry { grid: Default::default(), ..head.entry }, ..head }
}

/// What of the outputs both define.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    heads: Vec<Option<Head>>,
    open: [bool; 2],
    spill: Option<Spill>,
    fetch: Option<EntryFetch>,
    refill_taken: bool,
}

macro_rules! twinned {
    ($bank:ident) => {
        impl Twinned for $bank {
            type Twin = QueueBank;
            type Inputs = Inputs;
            type Outputs = Seen;

            fn apply(&mut self, inputs: &Inputs) {
                self.drive_reset(inputs.reset);
                let like = self.place.next;
                self.record_place.next = place(inputs.record, like);
                self.group_place.next = place(inputs.group, like);
                let (at, unit) = inputs.insert.unwrap_or((inputs.group, QueueEntry::default()));
                self.enter.next = inputs.insert.is_some();
                self.place.next = place(at, like);
                self.entry.next = entry(&unit);
                let (at, unit) = inputs
                    .refill
                    .map_or_else(Default::default, |refill| (refill.place, refill.entry));
                self.refill.next = Refill {
                    valid: inputs.refill.is_some(),
                    place: place(at, like),
                    entry: if inputs.refill.is_some() { entry(&unit) } else { Default::default() },
                };
                let chosen = |now| if now { of([inputs.queue]) } else { SmxMask::ZERO };
                mask::drive(&mut self.step, chosen(inputs.step));
                mask::drive(&mut self.remove, chosen(inputs.remove));
            }
            fn observe(&self) -> Seen {
                let valid = |queue: usize| self.heads.val().get_bit(queue);
                let heads = self.head.iter().enumerate();
                let (spill, fetch) = (self.spill.val(), self.fetch.val());
                Seen {
                    heads: heads
                        .map(|(queue, word)| valid(queue).then(|| defined(shown(word.val()))))
                        .collect(),
                    open: [self.record_open.val(), self.group_open.val()],
                    spill: spill.valid.then(|| Spill {
                        place: queue_place(spill.place),
                        index: spill.index.raw() as u32,
                        entry: unit(spill.entry),
                    }),
                    fetch: fetch.valid.then(|| EntryFetch {
                        place: queue_place(fetch.place),
                        index: fetch.index.raw() as u32,
                    }),
                    refill_taken: self.refill_taken.val(),
                }
            }
            fn evaluate(twin: &QueueBank, inputs: &Inputs) -> Seen {
                let outputs = twin.evaluate(inputs);
                let alone = inputs.refill.is_none();
                Seen {
                    heads: outputs
                        .heads
                        .iter()
                        .map(|head| head.map(|head| defined(without_extent(head))))
                        .collect(),
                    open: [outputs.takes_record && alone, outputs.takes_group && alone],
                    spill: outputs.spill,
                    fetch: outputs.fetch,
                    refill_taken: outputs.refill_taken,
                }
            }
            twin_calls!(edge);
        }
    };
}
twinned!(LinkedBank);
twinned!(ShiftingBank);

/// Random units, with a memory that loses and reorders nothing.
fn random_units<M>((mut bank, queues): (Lockstep<M>, usize), levels: u8, seed: u64, cycles: usize)
where
    M: Twinned<Inputs = Inputs, Outputs = Seen>,
{
    let mut random = random(seed);
    let mut memory: BTreeMap<QueuePlace, VecDeque<QueueEntry>> = BTreeMap::new();
    let mut answers: VecDeque<port::Refill> = VecDeque::new();
    let (mut entered, mut spilled, mut refilled) = (0, 0, 0);
    for cycle in 0..cycles {
        let phase = cycle / 600 % 3;
        let mut at = || QueuePlace {
            queue: random.random_range(0..queues) as u8,
            level: random.random_range(1..=levels),
        };
        let mut inputs = Inputs { record: at(), group: at(), ..Inputs::default() };
        inputs.queue = random.random_range(0..queues);
        if random.random_bool([0.9, 0.05, 0.4][phase]) {
            inputs.refill = answers.front().copied();
        }
        let seen = bank.peek(&inputs);
        if random.random_bool([0.6, 0.3, 0.05][phase]) {
            let taken = if random.random() { (inputs.record, 0) } else { (inputs.group, 1) };
            let new = random_unit(&mut random);
            inputs.insert = seen.open[taken.1].then_some((taken.0, new));
        }
        if let Some(head) = seen.heads[inputs.queue] {
            inputs.step = random.random_bool([0.3, 0.5, 0.9][phase]);
            inputs.remove = inputs.step && head.ends;
        }
        let outputs = bank.cycle(&inputs);
        entered += u32::from(inputs.insert.is_some());
        if outputs.refill_taken {
            refilled += 1;
            answers.pop_front();
        }
        if let Some(Spill { place, entry, .. }) = outputs.spill {
            spilled += 1;
            memory.entry(place).or_default().push_back(entry);
        }
        if let Some(EntryFetch { place, .. }) = outputs.fetch {
            let entry = memory.get_mut(&place).and_then(VecDeque::pop_front).expect("it is there");
            answers.push_back(port::Refill { place, entry });
        }
    }
    assert!(entered > 300 && spilled > 100 && refilled > 100, "{entered} {spilled} {refilled}");
}

/// Both, and how many queues they have, when `cluster` SMXs share one.
fn config(kind: QueueKind, cluster: u8, entries: u16, levels: u8) -> LapermConfig {
    LapermConfig { queue: kind, cluster, entries, levels, ..LapermConfig::new(Binding::Bound) }
}

fn linked(smxs: usize, cluster: u8, entries: u16, levels: u8) -> (Lockstep<LinkedBank>, usize) {
    let config = config(QueueKind::Linked, cluster, entries, levels);
    let (queues, twin) = (config.queues(smxs), QueueBank::new(&config, smxs, true));
    let entries = config.queue_entries(smxs, true);
    (Lockstep::new(LinkedBank::new(smxs, queues, entries, levels.into()), twin), queues)
}

fn shifting(smxs: usize, cluster: u8, entries: u16, levels: u8) -> (Lockstep<ShiftingBank>, usize) {
    let config = config(QueueKind::Shifting, cluster, entries, levels);
    let (queues, twin) = (config.queues(smxs), QueueBank::new(&config, smxs, true));
    let entries = config.queue_entries(smxs, true);
    (Lockstep::new(ShiftingBank::new(smxs, queues, entries, levels.into()), twin), queues)
}

#[test]
fn linked_banks_and_their_twin_agree_on_random_units_with_constant_overflow() {
    for seed in 0..3 {
        random_units(linked(1, 1, 1, 1), 1, seed, 8_000);
        random_units(linked(2, 1, 2, 3), 3, seed, 8_000);
        random_units(linked(7, 1, 8, 8), 8, seed, 8_000);
    }
    random_units(linked(33, 1, 2, 3), 3, 3, 3_000);
    random_units(linked(65, 1, 1, 2), 2, 4, 2_000);
    random_units(linked(132, 2, 1, 4), 4, 5, 2_000);
    random_units(linked(132, 1, 1, 2), 2, 6, 2_000);
}

#[test]
fn shifting_banks_and_their_twin_agree_on_random_units_with_constant_overflow() {
    for seed in 0..3 {
        random_units(shifting(1, 1, 1, 1), 1, seed, 8_000);
        random_units(shifting(2, 1, 2, 3), 3, seed, 8_000);
        random_units(shifting(7, 1, 8, 8), 8, seed, 8_000);
    }
    random_units(shifting(33, 1, 2, 3), 3, 3, 3_000);
    random_units(shifting(65, 1, 1, 2), 2, 4, 2_000);
    random_units(shifting(132, 2, 1, 4), 4, 5, 2_000);
    random_units(shifting(132, 1, 1, 2), 2, 6, 2_000);
}
