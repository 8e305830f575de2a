//! Rationale: 1. beside the queue, which is tested by itself, the state is one first bit for each
//! entry; kernels are marked anew, again, or not at all. 2. There is no parameter.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::GroupFcfsControl;
use blockyard_rtl::module::Module;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use twin::{FcfsControlInputs as Inputs, FcfsControlOutputs as Outputs};

impl Twinned for GroupFcfsControl {
    type Twin = twin::FcfsControl;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.mark.next = ports::tagged(inputs.mark);
        self.again.next = inputs.again;
        self.unmark.next = inputs.unmark;
        self.native_done.next = inputs.native_done;
    }
    fn observe(&self) -> Outputs {
        // There will be a head if one is marked in this cycle, or stays.
        let marked = self.marked.val().raw() as u32;
        let stays = marked.count_ones() > u32::from(self.unmark.val());
        let will_be = !self.control.reset.val() & (stays | self.mark.val().valid);
        Outputs {
            head: self.head_valid.val().then(|| ports::entry(self.head.val())),
            head_first: self.head_first.val(),
            marked,
            next_head: will_be.then(|| ports::entry(self.next_head.val())),
        }
    }
    twin_calls!();
}

fn control() -> Lockstep<GroupFcfsControl> {
    Lockstep::new(GroupFcfsControl::new(), twin::FcfsControl::new())
}

fn mark(entry: u8, again: bool) -> Inputs {
    Inputs { mark: Some(KernelEntry(entry)), again, ..Inputs::default() }
}

fn seen(control: &mut Lockstep<GroupFcfsControl>) -> (Option<u8>, bool) {
    let outputs = control.cycle(&Inputs::default());
    (outputs.head.map(|entry| entry.0), outputs.head_first)
}

#[test]
fn a_new_kernel_is_marked_for_the_first_time_until_its_native_blocks_are_done() {
    let mut control = control();
    control.cycle(&mark(5, false));
    assert_eq!(seen(&mut control), (Some(5), true));
    control.cycle(&Inputs { native_done: true, ..Inputs::default() });
    assert_eq!(seen(&mut control), (Some(5), false), "it stays the head for its groups");
}

#[test]
fn a_kernel_that_is_marked_again_has_no_native_blocks() {
    let mut control = control();
    control.cycle(&mark(5, false));
    control.cycle(&Inputs { native_done: true, unmark: true, ..Inputs::default() });
    assert_eq!(seen(&mut control), (None, false));
    control.cycle(&mark(5, true));
    assert_eq!(seen(&mut control), (Some(5), false));
}

#[test]
fn an_entry_that_is_used_again_is_marked_for_the_first_time() {
    let mut control = control();
    control.cycle(&mark(5, false));
    control.cycle(&Inputs { native_done: true, unmark: true, ..Inputs::default() });
    control.cycle(&mark(5, false));
    assert_eq!(seen(&mut control), (Some(5), true));
}

#[test]
fn native_blocks_are_done_for_the_head_alone() {
    let mut control = control();
    control.cycle(&mark(1, false));
    control.cycle(&mark(2, false));
    control.cycle(&Inputs { native_done: true, unmark: true, ..Inputs::default() });
    assert_eq!(seen(&mut control), (Some(2), true));
}

#[test]
fn hardware_and_twin_agree_on_random_marks_of_both_kinds() {
    for seed in 0..20 {
        let (mut random, mut control) = (random(seed), control());
        let mut marked = 0u32;
        let (mut agains, mut dones) = (0, 0);
        for cycle in 0..3_000 {
            let filling = cycle / 150 % 2 == 0;
            let entry = random.random_range(0..32);
            let free = marked >> entry & 1 == 0;
            let marks = free && random.random_bool(if filling { 0.8 } else { 0.2 });
            let mut inputs = Inputs {
                reset: random.random_range(0..1_000) == 0,
                mark: marks.then_some(KernelEntry(entry)),
                again: random.random_bool(0.5),
                unmark: random.random_bool(if filling { 0.2 } else { 0.8 }),
                native_done: random.random_bool(0.4),
            };
            // Whoever leaves has no native blocks left.
            inputs.unmark &= inputs.native_done || !control.peek(&inputs).head_first;
            let before = control.cycle(&inputs);
            if inputs.reset {
                marked = 0;
                continue;
            }
            agains += u32::from(marks && inputs.again);
            dones += u32::from(inputs.native_done && before.head_first);
            if let (Some(head), true) = (before.head, inputs.unmark) {
                marked &= !(1 << head.0);
            }
            marked |= u32::from(marks) << entry;
        }
        assert!(agains > 100 && dones > 100, "seed {seed}: {agains}, {dones}");
    }
}
