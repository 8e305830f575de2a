//! Rationale: 1. the state is a list of groups for each of 32 kernels, of which the ends are
//! stored; both scenarios of section 4.2, and the group that comes as the list becomes empty, are
//! stated below.
//! 2. There is no parameter.

use super::{chip, memory};
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::GroupLists;
use blockyard_rtl::module::Module;
use blockyard_sim::port::{GroupReference, KernelEntry};
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{GroupListsInputs as Inputs, GroupListsOutputs as Outputs};

impl Twinned for GroupLists {
    type Twin = twin::GroupLists;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.enter.next = ports::tagged(inputs.enter);
        self.coalesce.next = ports::tagged(inputs.coalesce);
        self.group_reference.next = ports::reference(inputs.reference);
        let head = ports::tagged(inputs.head);
        self.head_valid.next = head.valid;
        self.head.next = head.entry;
        self.next_head.next = ports::tagged(Some(inputs.next_head)).entry;
        self.advance.next = inputs.advance;
        self.advance_next.next = ports::reference(inputs.advance_next);
    }
    fn observe(&self) -> Outputs {
        let word = |word: u64| GroupReference::from_word(word as u32);
        Outputs {
            next: word(self.next_group.val().raw()),
            waiting: self.waiting.val(),
            link: self.link.val().then(|| word(self.link_to.val().raw())).flatten(),
            coming: word(self.coming.val().raw()),
        }
    }
    twin_calls!();
}

const HEAD: Option<KernelEntry> = Some(KernelEntry(6));

/// Lists of which entry 6 is the head's and empty.
fn lists() -> Lockstep<GroupLists> {
    let mut lists = Lockstep::new(GroupLists::new(), twin::GroupLists::new());
    for entry in 0..32 {
        lists.cycle(&Inputs { enter: Some(KernelEntry(entry)), ..Inputs::default() });
    }
    lists
}

fn head() -> Inputs {
    Inputs { head: HEAD, ..Inputs::default() }
}

fn coalesce(kernel: u8, reference: Option<GroupReference>) -> Inputs {
    Inputs { coalesce: Some(KernelEntry(kernel)), reference, ..head() }
}

#[test]
fn the_first_group_becomes_nagei_and_later_ones_are_linked_behind_lagei() {
    let mut lists = lists();
    let first = lists.cycle(&coalesce(6, chip(3)));
    assert_eq!((first.next, first.waiting, first.link), (None, true, None));
    let second = lists.cycle(&coalesce(6, memory(9)));
    assert_eq!((second.next, second.link), (chip(3), chip(3)));
    let third = lists.cycle(&coalesce(6, chip(4)));
    assert_eq!((third.next, third.link), (chip(3), memory(9)));
}

#[test]
fn nagei_follows_the_links_and_is_none_after_lagei() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    lists.cycle(&coalesce(6, memory(9)));
    let advance = Inputs { advance: true, advance_next: memory(9), ..head() };
    assert!(lists.cycle(&advance).waiting);
    let last = Inputs { advance: true, advance_next: None, ..head() };
    let outputs = lists.cycle(&last);
    assert_eq!((outputs.next, outputs.waiting), (memory(9), false));
    assert_eq!(lists.cycle(&head()).next, None);
}

#[test]
fn a_group_that_comes_as_the_last_one_is_fully_distributed_becomes_nagei() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    let both = Inputs { advance: true, advance_next: None, ..coalesce(6, chip(3)) };
    let outputs = lists.cycle(&both);
    assert_eq!((outputs.waiting, outputs.link), (true, None), "not linked to what is over");
    assert_eq!(lists.cycle(&head()).next, chip(3));
}

#[test]
fn a_group_that_comes_as_the_one_before_the_last_is_over_is_linked() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    lists.cycle(&coalesce(6, chip(5)));
    let both = Inputs { advance: true, advance_next: chip(5), ..coalesce(6, chip(7)) };
    assert_eq!(lists.cycle(&both).link, chip(5));
    assert_eq!(lists.cycle(&head()).next, chip(5));
}

#[test]
fn a_kernel_that_is_not_the_head_has_a_list_of_its_own() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    let other = Inputs { advance: true, ..coalesce(8, chip(5)) };
    let outputs = lists.cycle(&other);
    assert_eq!((outputs.waiting, outputs.link), (false, None));
    assert_eq!(lists.cycle(&coalesce(8, chip(6))).link, chip(5));
}

#[test]
fn lagei_that_names_an_entry_that_was_released_and_used_again_links_nothing() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    lists.cycle(&Inputs { advance: true, ..head() });
    // Entry 3 now holds a group of kernel 8; the next group of kernel 6 must not be linked to it.
    lists.cycle(&coalesce(8, chip(3)));
    let again = lists.cycle(&coalesce(6, chip(4)));
    assert_eq!((again.link, again.waiting), (None, true));
    assert_eq!(lists.cycle(&head()).next, chip(4));
}

#[test]
fn a_kernel_that_enters_has_no_groups() {
    let mut lists = lists();
    lists.cycle(&coalesce(6, chip(3)));
    lists.cycle(&Inputs { enter: HEAD, ..Inputs::default() });
    let outputs = lists.cycle(&head());
    assert_eq!((outputs.next, outputs.waiting), (None, false));
}

#[test]
fn hardware_and_twin_agree_on_random_lists() {
    for seed in 0..20 {
        let (mut random, mut hardware) = (random(seed), lists());
        let mut lists: Vec<VecDeque<GroupReference>> = vec![VecDeque::new(); 32];
        let (mut head, mut number, mut links, mut begun) = (0u8, 0, 0, 0);
        for _ in 0..3_000 {
            if random.random_bool(0.1) {
                head = random.random_range(0..4);
            }
            let valid = random.random_bool(0.9);
            let list = &lists[usize::from(head)];
            let advance = valid && !list.is_empty() && random.random_bool(0.4);
            let kernel = random.random_range(0..4u8);
            number += 1;
            let reference = if random.random() { chip(number & 2047) } else { memory(number) };
            let coalesces = random.random_bool(0.4);
            let enter = !coalesces && random.random_bool(0.05) && !advance;
            let inputs = Inputs {
                reset: false,
                enter: enter.then_some(KernelEntry(kernel)),
                coalesce: coalesces.then_some(KernelEntry(kernel)),
                reference,
                head: valid.then_some(KernelEntry(head)),
                next_head: KernelEntry(random.random_range(0..4)),
                advance,
                advance_next: list.get(1).copied(),
            };
            let outputs = hardware.cycle(&inputs);
            assert_eq!(outputs.next, lists[usize::from(head)].front().copied().filter(|_| valid));
            if advance {
                lists[usize::from(head)].pop_front();
            }
            let list = &mut lists[usize::from(kernel)];
            if enter {
                list.clear();
            }
            if coalesces {
                assert_eq!(outputs.link, list.back().copied());
                links += u32::from(outputs.link.is_some());
                begun += u32::from(outputs.link.is_none());
                list.extend(reference);
            }
            let waiting = valid && !lists[usize::from(head)].is_empty();
            if !(enter && kernel == head) {
                assert_eq!(outputs.waiting, waiting);
            }
        }
        assert!(links > 100 && begun > 100, "seed {seed}: {links} links, {begun} lists begun");
    }
}
