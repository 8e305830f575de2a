//! Rationale: the state is a queue of entries for each level; random marks, each entry at most
//! once, at 2, 3, 6 and 8 levels, also of levels beyond the highest one. The hardware is
//! `dispatch/fcfs_control`, whose twin without levels is another one.

use crate::harness::{cycle, fresh, random};
use crate::ports;
use blockyard_rtl::dispatch::FcfsControl;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::priority as twin;
use rand::RngExt;
use twin::{LevelControlInputs as Inputs, LevelControlOutputs as Outputs};

/// Hardware and twin.
struct Both {
    hardware: FcfsControl,
    twin: twin::LevelControl,
}

impl Both {
    fn new(levels: usize) -> Self {
        let hardware = fresh(FcfsControl::with_levels(levels));
        Self { hardware, twin: twin::LevelControl::new(levels) }
    }

    /// What both show in a cycle with these inputs.
    #[track_caller]
    fn cycle(&mut self, inputs: &Inputs) -> Outputs {
        let expected = self.twin.evaluate(inputs);
        let got = cycle(
            &mut self.hardware,
            |control| {
                control.drive_reset(inputs.reset);
                control.mark.next = ports::tagged(inputs.mark);
                control.level.next = U::new(inputs.level.into());
                control.unmark.next = inputs.unmark;
            },
            |control| Outputs {
                head: control.head_valid.val().then(|| ports::entry(control.head.val())),
                marked: control.marked.val().raw() as u32,
            },
        );
        if !inputs.reset {
            assert_eq!(got, expected, "hardware, twin; {inputs:?}");
        }
        self.twin.clock(inputs);
        expected
    }

    /// Marks an entry; which one was the head.
    fn mark(&mut self, entry: u8, level: u8) -> Option<u8> {
        let mark = Some(KernelEntry(entry));
        self.cycle(&Inputs { mark, level, ..Inputs::default() }).head.map(|head| head.0)
    }

    /// Takes the head away; which one it was.
    fn unmark(&mut self) -> Option<u8> {
        self.cycle(&Inputs { unmark: true, ..Inputs::default() }).head.map(|head| head.0)
    }
}

#[test]
fn hardware_and_twin_agree_on_random_marks_of_any_level() {
    for levels in [2, 3, 6, 8] {
        let (mut both, mut random) = (Both::new(levels), random(levels as u64));
        let (mut preempted, mut full) = (0, 0);
        let mut before: Option<KernelEntry> = None;
        for round in 0..12_000 {
            let marked = both.twin.evaluate(&Inputs::default()).marked;
            let first: u8 = random.random_range(0..32);
            let free = (0..32).map(|at| (first + at) % 32).find(|at| marked >> at & 1 == 0);
            let entry = free.filter(|_| random.random_bool(0.6)).map(KernelEntry);
            let drains = round / 500 % 2 == 1;
            let inputs = Inputs {
                reset: random.random_range(0..1_000) == 0,
                mark: entry,
                level: random.random_range(0..8),
                unmark: random.random_bool(if drains { 0.7 } else { 0.1 }),
            };
            let head = both.cycle(&inputs).head;
            preempted += u32::from(before.is_some() && head != before);
            before = head.filter(|_| !inputs.unmark && !inputs.reset);
            full += u32::from(marked == u32::MAX);
        }
        assert!(preempted > 50 && full > 10, "{levels}: {preempted} preempted, {full} full");
    }
}

#[test]
fn an_urgent_kernel_goes_first_from_the_next_cycle_on_and_the_other_goes_on_behind_it() {
    let mut both = Both::new(3);
    assert_eq!(both.mark(7, 0), None);
    assert_eq!(both.mark(3, 2), Some(7), "not in the cycle of its mark");
    assert_eq!(both.mark(4, 1), Some(3));
    assert_eq!(both.mark(5, 7), Some(3), "beyond the highest level, behind what is there");
    assert_eq!([(); 5].map(|()| both.unmark()), [Some(3), Some(5), Some(4), Some(7), None]);
}
