//! Rationale: 1. the state is two counts for each of 32 entries, and a queue of groups; a random
//! list of each kernel of a few entries, in which groups in memory alternate with others, is
//! coalesced and distributed while memory answers late. 2. One group ahead, a power of two, another
//! number, and the most there may be.

use super::{chip, memory};
use crate::dispatch::kernel_table::block;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::GroupFetch;
use blockyard_rtl::module::Module;
use blockyard_rtl::prim::Tagged;
use blockyard_rtl::word::U;
use blockyard_sim::port::{
    Dim3, FetchedGroup, GroupReference, GroupStorage, KernelEntry, RingPlace,
};
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{GroupFetchInputs as Inputs, GroupFetchOutputs as Outputs};

fn tagged(kernel: Option<KernelEntry>) -> Tagged {
    let entry = kernel.map_or(0, |kernel| kernel.0.into());
    Tagged { valid: kernel.is_some(), entry: U::new(entry) }
}

impl Twinned for GroupFetch {
    type Twin = twin::GroupFetch;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        let Tagged { valid, entry } = tagged(inputs.head);
        (self.head_valid.next, self.head.next) = (valid, entry);
        self.overflow.next = tagged(inputs.left);
        self.link.next = tagged(inputs.link.map(|(kernel, _)| kernel));
        self.link_next.next = ports::reference(inputs.link.map(|(_, next)| next));
        let fetched = inputs.fetched.unwrap_or_default();
        self.fetched.next.valid = inputs.fetched.is_some();
        self.fetched.next.grid = ports::block_id(fetched.grid);
        self.fetched.next.after = ports::reference(fetched.next);
        self.done.next = inputs.done;
    }
    fn observe(&self) -> Outputs {
        let fetch = self.fetch.val();
        Outputs {
            fetch: fetch.valid.then(|| RingPlace {
                kernel: ports::entry(fetch.kernel),
                index: fetch.index.raw() as u32,
            }),
            oldest: self.known.val().then(|| FetchedGroup {
                grid: block(self.extent.val()),
                next: GroupReference::from_word(self.after.val().raw() as u32),
            }),
        }
    }
    twin_calls!();
}

fn lockstep(ahead: u32) -> Lockstep<GroupFetch> {
    Lockstep::new(GroupFetch::new(ahead as usize), twin::GroupFetch::new(ahead))
}

const HEAD: KernelEntry = KernelEntry(5);

/// The head, whose group is left in memory.
fn leave() -> Inputs {
    Inputs { left: Some(HEAD), ..idle() }
}

fn idle() -> Inputs {
    Inputs { head: Some(HEAD), ..Inputs::default() }
}

fn place(index: u32) -> Option<RingPlace> {
    Some(RingPlace { kernel: HEAD, index })
}

#[test]
fn as_many_groups_are_asked_for_as_may_be_held_one_a_cycle_from_the_next_one_on() {
    for ahead in [1, 3, 32, GroupStorage::MOST_AHEAD] {
        let mut groups = lockstep(ahead);
        assert_eq!(groups.cycle(&leave()).fetch, None);
        for index in 0..ahead {
            assert_eq!(groups.cycle(&leave()).fetch, place(index), "{ahead} ahead");
        }
        assert_eq!(groups.cycle(&idle()).fetch, None, "{ahead} are held");
        let answer = Some(FetchedGroup { grid: Dim3::new(1, 1, 1), next: memory(3) });
        groups.cycle(&Inputs { fetched: answer, ..idle() });
        let done = groups.cycle(&Inputs { done: true, ..idle() });
        assert_eq!((done.oldest, done.fetch), (answer, None), "it counts until the cycle ends");
        assert_eq!(groups.cycle(&idle()).fetch, place(ahead));
    }
}

#[test]
fn a_link_behind_a_group_that_waits_to_be_asked_for_is_left_to_memory() {
    let answer = FetchedGroup { grid: Dim3::new(2, 1, 1), next: chip(7) };
    let link = Some((HEAD, chip(1).expect("a group")));
    for (asked, next) in [(false, chip(7)), (true, chip(1))] {
        let mut groups = lockstep(2);
        groups.cycle(&leave());
        // Without a head nothing is asked for.
        let head = asked.then_some(HEAD);
        groups.cycle(&Inputs { link, head, ..Inputs::default() });
        groups.cycle(&idle());
        groups.cycle(&Inputs { fetched: Some(answer), ..idle() });
        assert_eq!(groups.cycle(&idle()).oldest, Some(FetchedGroup { next, ..answer }));
    }
}

#[test]
fn a_group_of_another_kernel_is_not_asked_for_and_its_link_is_not_the_head_s() {
    let mut groups = lockstep(2);
    groups.cycle(&leave());
    groups.cycle(&Inputs { left: Some(KernelEntry(6)), ..idle() });
    let link = Some((KernelEntry(6), chip(1).expect("a group")));
    assert_eq!(groups.cycle(&Inputs { link, ..idle() }).fetch, None);
    let answer = FetchedGroup { grid: Dim3::new(2, 1, 1), next: None };
    groups.cycle(&Inputs { fetched: Some(answer), ..idle() });
    assert_eq!(groups.cycle(&idle()).oldest, Some(answer));
}

/// The list of a kernel: for each group whether it is in memory, the first being the next.
#[derive(Default)]
struct List {
    groups: VecDeque<bool>,
    /// Those of them that were asked for.
    held: usize,
}

#[test]
fn hardware_and_twin_agree_on_random_lists() {
    const KERNELS: usize = 4;
    for ahead in [1, 2, 5, 32, GroupStorage::MOST_AHEAD] {
        let (mut random, mut groups) = (random(ahead.into()), lockstep(ahead));
        let mut lists: [List; KERNELS] = Default::default();
        let (mut head, mut on_way) = (None::<usize>, 0u32);
        let (mut fetches, mut overlapping, mut links) = (0, 0, 0);
        for number in 0..20_000 {
            if random.random_bool(0.001) {
                groups.unobserved_cycle(&Inputs { reset: true, ..Inputs::default() });
                (lists, head, on_way) = (Default::default(), None, 0);
            }
            // The head stays as long as it has groups.
            if head.is_none_or(|head| lists[head].groups.is_empty()) {
                head = random.random_bool(0.8).then(|| random.random_range(0..KERNELS));
            }
            let entry = |kernel: usize| KernelEntry(kernel as u8 * 9);
            let mut inputs = Inputs { head: head.map(entry), ..Inputs::default() };
            let arrives = on_way > 0 && random.random_bool([0.1, 0.9][number / 800 % 2]);
            if arrives {
                let grid = Dim3::new(random.random_range(1..1 << 31), 2, 3);
                inputs.fetched =
                    Some(FetchedGroup { grid, next: memory(random.random_range(0..9)) });
            }
            let seen = groups.peek(&inputs);
            // A group of the head ends.
            let first = head.and_then(|head| lists[head].groups.front().copied());
            let goes = match first {
                Some(true) => seen.oldest.is_some() && random.random_bool(0.5),
                Some(false) => random.random_bool(0.5),
                None => false,
            };
            inputs.done = goes && first == Some(true);
            if let Some(head) = head.filter(|_| goes) {
                lists[head].groups.pop_front();
                lists[head].held -= usize::from(inputs.done);
            }
            // A group is coalesced to one of the kernels.
            let new = random.random_bool([0.9, 0.2][number / 500 % 2]);
            let new = new.then(|| (random.random_range(0..KERNELS), random.random_bool(0.7)));
            if let Some((kernel, in_memory)) = new {
                inputs.left = in_memory.then(|| entry(kernel));
                if lists[kernel].groups.back() == Some(&true) {
                    let next = chip(random.random_range(0..9)).expect("a group");
                    inputs.link = Some((entry(kernel), next));
                    links += 1;
                }
            }
            let outputs = groups.cycle(&inputs);
            on_way -= u32::from(arrives);
            if outputs.fetch.is_some() {
                fetches += 1;
                overlapping += u32::from(on_way > 0);
                on_way += 1;
                lists[head.expect("groups of the head are asked for")].held += 1;
            }
            if let Some((kernel, in_memory)) = new {
                lists[kernel].groups.push_back(in_memory);
            }
            assert!(lists.iter().all(|list| list.held <= ahead as usize));
        }
        let counts = (fetches, overlapping, links);
        assert!(fetches > 500 && links > 500, "{ahead} ahead: {counts:?}");
        assert_eq!(overlapping > 100, ahead > 1, "{ahead} ahead: {counts:?}");
    }
}
