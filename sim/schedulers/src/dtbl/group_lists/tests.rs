use super::*;

const A: Option<GroupReference> = Some(GroupReference::on_chip(3));
const B: Option<GroupReference> = Some(GroupReference::in_memory(3));
const C: Option<GroupReference> = Some(GroupReference::on_chip(2047));
const K: KernelEntry = KernelEntry(7);

fn head(k: KernelEntry) -> GroupListsInputs {
    GroupListsInputs { head: Some(k), ..Default::default() }
}

/// `reference` is coalesced to `k` while K is the head.
fn coalesce(k: KernelEntry, reference: Option<GroupReference>) -> GroupListsInputs {
    GroupListsInputs { coalesce: Some(k), reference, ..head(K) }
}

/// The group at the head's NAGEI is distributed, and `next` follows it.
fn advance(next: Option<GroupReference>) -> GroupListsInputs {
    GroupListsInputs { advance: true, advance_next: next, ..head(K) }
}

/// `next`, `waiting` and `link_to`; and `coming` is what `next` is a cycle later, for every entry.
fn outputs(
    lists: &GroupLists,
    inputs: &GroupListsInputs,
) -> (Option<GroupReference>, bool, Option<GroupReference>) {
    let GroupListsOutputs { next, waiting, link, .. } = lists.evaluate(inputs);
    let mut after = lists.clone();
    after.clock(inputs);
    for next_head in (0..KERNEL_ENTRIES as u8).map(KernelEntry) {
        let coming = lists.evaluate(&GroupListsInputs { next_head, ..inputs.clone() }).coming;
        assert_eq!(coming, after.evaluate(&head(next_head)).next, "{next_head:?}");
    }
    (next, waiting, link)
}

#[test]
fn the_first_group_of_a_list_becomes_nagei_and_is_linked_to_nothing() {
    let mut lists = GroupLists::new();
    assert_eq!(outputs(&lists, &head(K)), (None, false, None));
    assert_eq!(outputs(&lists, &coalesce(K, A)), (None, true, None), "NAGEI is the state's");
    assert_eq!(lists.clock(&coalesce(K, A)), Activity::Busy);
    assert_eq!(outputs(&lists, &head(K)), (A, true, None));
    assert_eq!(outputs(&lists, &GroupListsInputs::default()), (None, false, None), "no head");
}

#[test]
fn a_later_group_is_linked_behind_the_last_one_and_nagei_stays() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    assert_eq!(outputs(&lists, &coalesce(K, B)), (A, true, A));
    lists.clock(&coalesce(K, B));
    assert_eq!(outputs(&lists, &coalesce(K, C)), (A, true, B), "LAGEI moves with every group");
}

#[test]
fn nagei_moves_to_next_until_the_group_at_lagei_empties_the_list() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    lists.clock(&coalesce(K, B));
    assert_eq!(outputs(&lists, &advance(B)), (A, true, None));
    assert_eq!(lists.clock(&advance(B)), Activity::Busy);
    assert_eq!(outputs(&lists, &advance(C)), (B, false, None), "the last one's Next is stale");
    assert_eq!(lists.clock(&advance(C)), Activity::Busy);
    assert_eq!(outputs(&lists, &head(K)), (None, false, None));
}

#[test]
fn a_group_coalesced_in_the_cycle_that_empties_the_list_becomes_nagei_unlinked() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    let both = GroupListsInputs { coalesce: Some(K), reference: B, ..advance(None) };
    assert_eq!(outputs(&lists, &both), (A, true, None));
    assert_eq!(lists.clock(&both), Activity::Busy);
    assert_eq!(outputs(&lists, &coalesce(K, C)), (B, true, B));
}

#[test]
fn a_group_coalesced_while_another_one_than_the_last_is_done_is_linked() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    lists.clock(&coalesce(K, B));
    let both = GroupListsInputs { coalesce: Some(K), reference: C, ..advance(B) };
    assert_eq!(outputs(&lists, &both), (A, true, B));
    lists.clock(&both);
    assert_eq!(outputs(&lists, &head(K)), (B, true, None));
    lists.clock(&advance(C));
    assert_eq!(outputs(&lists, &advance(None)), (C, false, None));
}

#[test]
fn a_lagei_that_names_a_released_and_reused_entry_is_never_linked_to() {
    // K's last group was in A; A is another kernel's now. K's next group begins a list of its own.
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    lists.clock(&advance(None));
    let other = KernelEntry(0);
    assert_eq!(outputs(&lists, &coalesce(other, A)).2, None);
    lists.clock(&coalesce(other, A));
    assert_eq!(outputs(&lists, &coalesce(K, C)), (None, true, None));
    lists.clock(&coalesce(K, C));
    assert_eq!(outputs(&lists, &head(K)).0, C);
    assert_eq!(outputs(&lists, &head(other)).0, A);
}

#[test]
fn the_same_word_on_chip_and_in_memory_are_two_groups() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    lists.clock(&coalesce(K, B));
    assert!(outputs(&lists, &advance(B)).1, "3 in the table is not pointer 3 in memory");
}

#[test]
fn the_head_advances_while_a_group_is_coalesced_to_another_kernel() {
    let mut lists = GroupLists::new();
    let other = KernelEntry(31);
    lists.clock(&coalesce(K, A));
    lists.clock(&coalesce(other, B));
    let both = GroupListsInputs { coalesce: Some(other), reference: C, ..advance(None) };
    assert_eq!(outputs(&lists, &both), (A, false, B), "the other list is not the head's");
    lists.clock(&both);
    assert_eq!(lists.ends(K), None);
    assert_eq!(lists.ends(other), B.zip(C));
}

#[test]
fn the_group_that_comes_is_the_next_heads_after_what_happens_in_the_cycle() {
    let mut lists = GroupLists::new();
    let other = KernelEntry(31);
    let coming = |lists: &GroupLists, next_head, inputs| {
        lists.evaluate(&GroupListsInputs { next_head, ..inputs }).coming
    };
    assert_eq!(coming(&lists, K, coalesce(K, A)), A, "coalesced in this cycle");
    lists.clock(&coalesce(K, A));
    lists.clock(&coalesce(K, B));
    lists.clock(&coalesce(other, C));
    assert_eq!(coming(&lists, K, head(K)), A);
    assert_eq!(coming(&lists, K, advance(B)), B);
    assert_eq!(coming(&lists, other, advance(B)), C, "the head changes");
    assert_eq!(coming(&lists, other, GroupListsInputs::default()), C, "there was no head");
    let enter = GroupListsInputs { enter: Some(other), ..head(K) };
    assert_eq!(coming(&lists, other, enter), None);
}

#[test]
fn a_kernel_enters_with_an_empty_list_whatever_its_entry_held() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    let enter = GroupListsInputs { enter: Some(K), ..Default::default() };
    assert_eq!(lists.clock(&enter), Activity::Busy);
    assert_eq!(outputs(&lists, &head(K)), (None, false, None));
    assert_eq!(lists.clock(&enter), Activity::Quiet);
}

#[test]
fn reset_empties_all_lists_whatever_else_the_cycle_carries() {
    let mut lists = GroupLists::new();
    lists.clock(&coalesce(K, A));
    let reset = GroupListsInputs { reset: true, ..coalesce(K, B) };
    assert_eq!(lists.clock(&reset), Activity::Busy);
    assert_eq!(lists, GroupLists::new());
    assert_eq!(lists.clock(&reset), Activity::Quiet);
}
