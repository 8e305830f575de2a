use super::*;
use crate::port::Dim3;

const A: KernelEntry = KernelEntry(3);
const B: KernelEntry = KernelEntry(31);
const NEXT: GroupReference = GroupReference::on_chip(9);
const STALE: Option<GroupReference> = Some(GroupReference::on_chip(8));

fn head(kernel: KernelEntry) -> GroupFetchInputs {
    GroupFetchInputs { head: Some(kernel), ..Default::default() }
}

fn leave(fetch: &mut GroupFetch, kernel: KernelEntry, groups: u32) {
    for _ in 0..groups {
        fetch.clock(&GroupFetchInputs { left: Some(kernel), ..Default::default() });
    }
}

fn group(x: u32) -> FetchedGroup {
    FetchedGroup { grid: Dim3::new(x, 1, 1), next: STALE }
}

fn asked(fetch: &GroupFetch, kernel: KernelEntry) -> Option<(KernelEntry, u32)> {
    fetch.evaluate(&head(kernel)).fetch.map(|place| (place.kernel, place.index))
}

#[test]
fn groups_are_asked_for_one_a_cycle_from_the_cycle_after_they_were_left() {
    let mut fetch = GroupFetch::new(64);
    let inputs = GroupFetchInputs { left: Some(A), ..head(A) };
    assert_eq!(fetch.evaluate(&inputs).fetch, None, "not in the cycle itself");
    fetch.clock(&inputs);
    leave(&mut fetch, A, 1);
    assert_eq!(fetch.evaluate(&GroupFetchInputs::default()).fetch, None, "only of a head");
    for index in 0..2 {
        assert_eq!(asked(&fetch, A), Some((A, index)));
        assert_eq!(fetch.clock(&head(A)), Activity::Busy);
    }
    assert_eq!(asked(&fetch, A), None);
    assert_eq!(fetch.clock(&head(A)), Activity::Quiet);
}

#[test]
fn no_more_are_held_than_there_is_room_for_and_a_group_leaves_with_the_end_of_its_last_cycle() {
    for ahead in [1, 2, 64] {
        let mut fetch = GroupFetch::new(ahead);
        leave(&mut fetch, A, ahead + 2);
        for _ in 0..ahead {
            fetch.clock(&head(A));
        }
        assert_eq!(asked(&fetch, A), None, "{ahead} are held");
        fetch.clock(&GroupFetchInputs { fetched: Some(group(1)), ..head(A) });
        let done = GroupFetchInputs { done: true, ..head(A) };
        assert_eq!(fetch.evaluate(&done).fetch, None, "by the state at the start of the cycle");
        fetch.clock(&done);
        assert_eq!(asked(&fetch, A), Some((A, ahead)));
    }
}

#[test]
fn each_ring_counts_for_itself() {
    let mut fetch = GroupFetch::new(8);
    leave(&mut fetch, A, 2);
    leave(&mut fetch, B, 1);
    fetch.clock(&head(A));
    assert_eq!(asked(&fetch, B), Some((B, 0)));
    assert_eq!(asked(&fetch, A), Some((A, 1)));
    assert_eq!(asked(&fetch, KernelEntry(0)), None);
}

#[test]
fn answers_belong_to_the_oldest_that_has_not_come_and_one_without_a_request_is_ignored() {
    let mut fetch = GroupFetch::new(8);
    assert_eq!(
        fetch.clock(&GroupFetchInputs { fetched: Some(group(9)), ..head(A) }),
        Activity::Quiet
    );
    leave(&mut fetch, A, 2);
    let early = GroupFetchInputs { fetched: Some(group(9)), ..head(A) };
    fetch.clock(&early);
    assert_eq!(fetch.evaluate(&head(A)).oldest, None, "no answer to a request of its own cycle");
    fetch.clock(&head(A));
    for x in [1, 2] {
        let comes = GroupFetchInputs { fetched: Some(group(x)), ..head(A) };
        fetch.clock(&comes);
        assert_eq!(fetch.evaluate(&head(A)).oldest, Some(group(1)));
    }
    fetch.clock(&GroupFetchInputs { done: true, ..head(A) });
    assert_eq!(fetch.evaluate(&head(A)).oldest, Some(group(2)), "at once: it came before");
}

#[test]
fn a_link_made_since_the_request_hides_the_next_that_memory_knew() {
    let cycles =
        [head(A), head(A), GroupFetchInputs { fetched: Some(group(4)), ..head(A) }, head(A)];
    for with_link in 0..cycles.len() {
        let mut fetch = GroupFetch::new(8);
        leave(&mut fetch, A, 1);
        for (cycle, inputs) in cycles.iter().enumerate() {
            let link = (cycle == with_link).then_some((A, NEXT));
            fetch.clock(&GroupFetchInputs { link, ..inputs.clone() });
        }
        let oldest = fetch.evaluate(&head(A)).oldest.unwrap();
        assert_eq!(oldest.next, Some(NEXT), "linked in cycle {with_link}");
    }
}

#[test]
fn a_link_behind_a_group_that_is_not_asked_for_is_memorys_alone() {
    // The second group of A is the last one, and not asked for; B is not the head.
    for (kernel, room) in [(A, 1), (B, 8)] {
        let mut fetch = GroupFetch::new(room);
        leave(&mut fetch, A, 2);
        leave(&mut fetch, B, 1);
        fetch.clock(&head(A));
        let link = Some((kernel, NEXT));
        fetch.clock(&GroupFetchInputs { link, fetched: Some(group(4)), ..head(A) });
        assert_eq!(fetch.evaluate(&head(A)).oldest, Some(group(4)));
    }
}

#[test]
fn a_group_that_is_left_in_the_cycle_of_its_links_does_not_count_as_unasked() {
    let mut fetch = GroupFetch::new(8);
    leave(&mut fetch, A, 1);
    let link = Some((A, NEXT));
    fetch.clock(&GroupFetchInputs { link, left: Some(A), ..head(A) });
    fetch.clock(&GroupFetchInputs { fetched: Some(group(4)), ..head(A) });
    assert_eq!(fetch.evaluate(&head(A)).oldest.unwrap().next, Some(NEXT));
}

#[test]
fn places_wrap_at_32_bits() {
    let mut fetch = GroupFetch::new(8);
    (fetch.left[3], fetch.asked[3]) = (u32::MAX, u32::MAX);
    leave(&mut fetch, A, 1);
    assert_eq!(fetch.left[3], 0);
    assert_eq!(asked(&fetch, A), Some((A, u32::MAX)));
    fetch.clock(&head(A));
    assert_eq!(asked(&fetch, A), None);
}

#[test]
fn reset_forgets_held_groups_and_counts_whatever_else_the_cycle_carries() {
    let mut fetch = GroupFetch::new(5);
    leave(&mut fetch, A, 2);
    fetch.clock(&head(A));
    let reset = GroupFetchInputs { reset: true, left: Some(B), ..head(A) };
    assert_eq!(fetch.clock(&reset), Activity::Busy);
    assert_eq!(fetch, GroupFetch::new(5));
    assert_eq!(fetch.clock(&reset), Activity::Quiet);
}
