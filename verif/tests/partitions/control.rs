//! Rationale: the state is a queue of entries for each partition, and the turn pointer; random
//! marks, each entry at most once, at 1 to 8 partitions, also of partitions that there are not,
//! while queues fill and drain.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::module::Module;
use blockyard_rtl::partitions::PartitionControl;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::partitions as twin;
use rand::RngExt;
use twin::{ControlInputs as Inputs, ControlOutputs as Outputs};

impl Twinned for PartitionControl {
    type Twin = twin::Control;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.mark.next = ports::tagged(inputs.mark);
        self.partition.next = U::new(inputs.partition.into());
        self.unmark.next = inputs.unmark;
    }
    fn observe(&self) -> Outputs {
        let turns: Vec<usize> = self.turn.val().ones().collect();
        assert!(turns.len() <= 1, "{turns:?} have the turn");
        Outputs {
            head: self.head_valid.val().then(|| ports::entry(self.head.val())),
            turn: turns.first().copied(),
            marked: self.marked.val().raw() as u32,
        }
    }
    twin_calls!();
}

fn control(partitions: usize) -> Lockstep<PartitionControl> {
    Lockstep::new(PartitionControl::new(partitions), twin::Control::new(partitions))
}

#[test]
fn hardware_and_twin_agree_on_random_marks_of_any_partition() {
    for partitions in 1..=8 {
        let (mut control, mut random) = (control(partitions), random(partitions as u64));
        let (mut turns, mut full, mut emptied) = (vec![0; partitions], 0, 0);
        for round in 0..8_000 {
            let idle = control.peek(&Inputs::default());
            let first: u8 = random.random_range(0..32);
            let free = (0..32).map(|at| (first + at) % 32).find(|at| idle.marked >> at & 1 == 0);
            let drains = round / 500 % 2 == 1;
            let inputs = Inputs {
                reset: random.random_range(0..1_000) == 0,
                mark: free.filter(|_| random.random_bool(0.6)).map(KernelEntry),
                // In every other phase one partition has most of them.
                partition: match random.random_range(0..4) {
                    0 if round / 1_000 % 2 == 1 => (round / 500 % 8) as u8,
                    _ => random.random_range(0..8),
                },
                unmark: random.random_bool(if drains { 0.9 } else { 0.1 }),
            };
            let seen = control.cycle(&inputs);
            if let Some(turn) = seen.turn {
                turns[turn] += 1;
            }
            full += u32::from(seen.marked == u32::MAX);
            emptied += u32::from(seen.marked == 0);
        }
        assert!(turns.iter().all(|&turns| turns > 300), "{partitions}: {turns:?}");
        assert!(full > 10 && emptied > 10, "{partitions}: {full} full, {emptied} empty");
    }
}

/// One cycle; the head, and who has the turn.
#[track_caller]
fn step(
    control: &mut Lockstep<PartitionControl>,
    mark: Option<(u8, u8)>,
    unmark: bool,
) -> Option<(u8, usize)> {
    let (mark, partition) = (mark.map(|mark| KernelEntry(mark.0)), mark.map_or(0, |mark| mark.1));
    let seen = control.cycle(&Inputs { reset: false, mark, partition, unmark });
    Some((seen.head?.0, seen.turn?))
}

#[test]
fn partitions_take_turns_whether_a_block_goes_or_not() {
    let mut control = control(3);
    assert_eq!(step(&mut control, Some((5, 2)), false), None, "not in the cycle of its mark");
    assert_eq!(step(&mut control, Some((6, 0)), false), Some((5, 2)));
    assert_eq!(
        step(&mut control, Some((7, 2)), false),
        Some((6, 0)),
        "behind the last is the first"
    );
    assert_eq!(step(&mut control, None, false), Some((5, 2)), "nobody of partition 1");
    assert_eq!(step(&mut control, None, true), Some((6, 0)));
    assert_eq!(step(&mut control, None, true), Some((5, 2)));
    assert_eq!(step(&mut control, None, true), Some((7, 2)), "the only one has each turn");
    assert_eq!(step(&mut control, None, true), None);
    assert_eq!(step(&mut control, Some((1, 1)), false), None);
    assert_eq!(step(&mut control, Some((0, 0)), false), Some((1, 1)), "the pointer stayed");
}

#[test]
fn a_partition_that_there_is_not_counts_as_the_last_one() {
    let mut control = control(2);
    step(&mut control, Some((9, 7)), false);
    step(&mut control, Some((8, 1)), false);
    assert_eq!(step(&mut control, Some((7, 2)), true), Some((9, 1)));
    assert_eq!(step(&mut control, None, true), Some((8, 1)));
    assert_eq!(step(&mut control, None, true), Some((7, 1)));
}
