//! Rationale: 1. the state is that of the queues and of what they keep in memory; small queues overflow
//! all the time, and memory answers slowly, at once, or in bursts. 2. Both kinds of queue; 1, 2 and 7
//! queues of 1, 2 and 8 entries.

use super::{defined, entry, head, place, random_unit, unit};
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::laperm::{LinkedBank, Refill, ShiftingBank};
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{self, EntryFetch, QueueEntry, QueuePlace, Spill};
use blockyard_sim::sched::laperm::{
    Binding, Head, LapermConfig, QueueBank, QueueBankInputs as Inputs, QueueKind,
};
use rand::RngExt;
use std::collections::{BTreeMap, VecDeque};

/// What of the outputs both define.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    heads: u32,
    head: Option<Head>,
    open: [bool; 2],
    spill: Option<Spill>,
    fetch: Option<EntryFetch>,
    refill_taken: bool,
}

macro_rules! twinned {
    ($bank:ident) => {
        impl<const C: usize> Twinned for $bank<C> {
            type Twin = QueueBank;
            type Inputs = Inputs;
            type Outputs = Seen;

            fn apply(&mut self, inputs: &Inputs) {
                self.drive_reset(inputs.reset);
                self.record_place.next = place(inputs.record);
                self.group_place.next = place(inputs.group);
                let (at, unit) = inputs.insert.unwrap_or((inputs.group, QueueEntry::default()));
                self.enter.next = inputs.insert.is_some();
                self.place.next = place(at);
                self.entry.next = entry(&unit);
                self.refill.next = inputs.refill.map_or_else(Refill::default, |refill| Refill {
                    valid: true,
                    place: place(refill.place),
                    entry: entry(&refill.entry),
                });
                self.chosen.next = U::new(inputs.queue as u64);
                self.step.next = inputs.step;
                self.remove.next = inputs.remove;
            }
            fn observe(&self) -> Seen {
                let at = |word: blockyard_rtl::laperm::Place| QueuePlace {
                    queue: word.queue.raw() as u8,
                    level: word.level.raw() as u8,
                };
                let heads = self.heads.val().raw() as u32;
                let chosen = heads >> self.chosen.val().raw() & 1 == 1;
                let (spill, fetch) = (self.spill.val(), self.fetch.val());
                Seen {
                    heads,
                    head: chosen.then(|| defined(head(self.head.val()))),
                    open: [self.record_open.val(), self.group_open.val()],
                    spill: spill.valid.then(|| Spill {
                        place: at(spill.place),
                        index: spill.index.raw() as u32,
                        entry: unit(spill.entry),
                    }),
                    fetch: fetch.valid.then(|| EntryFetch {
                        place: at(fetch.place),
                        index: fetch.index.raw() as u32,
                    }),
                    refill_taken: self.refill_taken.val(),
                }
            }
            fn evaluate(twin: &QueueBank, inputs: &Inputs) -> Seen {
                let outputs = twin.evaluate(inputs);
                let heads = outputs.heads.iter().rev();
                let alone = inputs.refill.is_none();
                Seen {
                    heads: heads.fold(0, |mask, head| mask << 1 | u32::from(head.is_some())),
                    head: outputs.heads[inputs.queue].map(defined),
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
fn random_units<M>(mut bank: Lockstep<M>, queues: usize, levels: u8, seed: u64)
where
    M: Twinned<Inputs = Inputs, Outputs = Seen>,
{
    let mut random = random(seed);
    let mut memory: BTreeMap<QueuePlace, VecDeque<QueueEntry>> = BTreeMap::new();
    let mut answers: VecDeque<port::Refill> = VecDeque::new();
    let (mut entered, mut spilled, mut refilled) = (0, 0, 0);
    for cycle in 0..8_000 {
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
        if let Some(head) = seen.head {
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

fn config(kind: QueueKind, entries: u16, levels: u8) -> LapermConfig {
    LapermConfig { queue: kind, entries, levels, ..LapermConfig::new(Binding::Bound) }
}

#[test]
fn linked_banks_and_their_twin_agree_on_random_units_with_constant_overflow() {
    for seed in 0..3 {
        let twin = |entries, levels, smx| {
            QueueBank::new(&config(QueueKind::Linked, entries, levels), smx, true)
        };
        random_units(Lockstep::new(LinkedBank::<1>::new(1, 1), twin(1, 1, 1)), 1, 1, seed);
        random_units(Lockstep::new(LinkedBank::<2>::new(2, 3), twin(2, 3, 2)), 2, 3, seed);
        random_units(Lockstep::new(LinkedBank::<7>::new(8, 8), twin(8, 8, 7)), 7, 8, seed);
    }
}

#[test]
fn shifting_banks_and_their_twin_agree_on_random_units_with_constant_overflow() {
    for seed in 0..3 {
        let twin = |entries, levels, smx| {
            QueueBank::new(&config(QueueKind::Shifting, entries, levels), smx, true)
        };
        random_units(Lockstep::new(ShiftingBank::<1>::new(1, 1), twin(1, 1, 1)), 1, 1, seed);
        random_units(Lockstep::new(ShiftingBank::<2>::new(2, 3), twin(2, 3, 2)), 2, 3, seed);
        random_units(Lockstep::new(ShiftingBank::<7>::new(8, 8), twin(8, 8, 7)), 7, 8, seed);
    }
}
