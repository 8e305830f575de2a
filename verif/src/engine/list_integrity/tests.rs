use super::*;
use blockyard_sim::port::{AggregatedGroup, Dispatch, KernelEntry, LinkWrite};

/// Kernel 0 and a table of four entries, as a test wants them.
struct Fake {
    occupied: bool,
    marked: bool,
    nagei: u32,
    lagei: u32,
    used: [bool; 4],
    next: [u32; 4],
    held: Vec<Option<u32>>,
}

impl GroupState for Fake {
    fn occupied(&self, kernel: usize) -> bool {
        kernel == 0 && self.occupied
    }
    fn marked(&self, _: usize) -> bool {
        self.marked
    }
    fn nagei(&self, _: usize) -> u32 {
        self.nagei
    }
    fn lagei(&self, _: usize) -> u32 {
        self.lagei
    }
    fn table(&self) -> usize {
        4
    }
    fn used(&self, index: usize) -> bool {
        self.used[index]
    }
    fn next(&self, index: usize) -> u32 {
        self.next[index]
    }
    fn held(&self) -> usize {
        self.held.len()
    }
    fn held_next(&self, place: usize) -> Option<u32> {
        self.held[place]
    }
}

const NONE: u32 = GroupReference::NONE;

/// After groups 2, 0 and one at 0x9 in memory were coalesced.
fn sound() -> Fake {
    let memory = GroupReference::in_memory(9).word();
    Fake {
        occupied: true,
        marked: true,
        nagei: 2,
        lagei: memory,
        used: [true, false, true, false],
        next: [memory, 7, 0, 7],
        held: Vec::new(),
    }
}

fn coalescing(reference: GroupReference) -> (Inputs, Outputs) {
    let mut inputs = Inputs::idle(1);
    let grid = Dim3::new(2, 1, 1);
    inputs.device.groups.group = Some(AggregatedGroup { grid, blocks: 2, ..Default::default() });
    let mut outputs = Outputs::idle(1);
    let kernel = KernelEntry(0);
    outputs.device.groups.group_taken = Some(GroupOutcome::Coalesced { kernel, reference });
    (inputs, outputs)
}

fn coalesce(checker: &mut ListIntegrity, reference: GroupReference) {
    let (inputs, outputs) = coalescing(reference);
    checker.follow(&inputs, &outputs).expect("nothing is dispatched");
}

/// A checker that has seen the three groups.
fn checker() -> ListIntegrity {
    let mut checker = ListIntegrity::default();
    coalesce(&mut checker, GroupReference::on_chip(2));
    coalesce(&mut checker, GroupReference::on_chip(0));
    coalesce(&mut checker, GroupReference::in_memory(9));
    checker
}

#[track_caller]
fn finds(expected: &str, change: impl FnOnce(&mut Fake)) {
    let mut state = sound();
    change(&mut state);
    let found = checker().check_lists(&state).expect_err("it is not sound");
    assert!(found.to_string().contains(expected), "{found}");
}

#[test]
fn a_sound_list_passes() {
    assert_eq!(checker().check_lists(&sound()), Ok(()));
}

#[test]
fn every_broken_list_is_found() {
    finds("a kernel with groups is marked", |state| state.marked = false);
    finds("its groups run before it ends", |state| state.occupied = false);
    finds("expected the group at 2 of the table, got no group", |state| state.nagei = NONE);
    finds("expected the group at 0 of the table, got the group at 2", |state| state.next[2] = 2);
    finds("LAGEI names the last group", |state| state.lagei = 0);
    finds("a linked entry is used", |state| state.used[0] = false);
    finds("expected the group at 0x9, got no group", |state| state.next[0] = NONE);
}

#[test]
fn a_link_in_memory_that_leads_elsewhere_or_is_missing_is_found() {
    let link = |next| Some(LinkWrite { pointer: 9, next: GroupReference::on_chip(next) });
    let mut outputs = Outputs::idle(1);
    outputs.device.group_memory.link_write = link(3);
    let found = checker().follow(&Inputs::idle(1), &outputs).expect_err("it is the last one");
    assert!(found.to_string().contains("expected no group behind the group at 0x9"), "{found}");
    let coalesced = |link| {
        let (inputs, mut outputs) = coalescing(GroupReference::on_chip(3));
        outputs.device.group_memory.link_write = link;
        checker().follow(&inputs, &outputs)
    };
    assert_eq!(coalesced(link(3)), Ok(()));
    for wrong in [None, link(1)] {
        let found = coalesced(wrong).expect_err("it is not linked");
        let expected = "expected the group at 3 of the table behind the group at 0x9";
        assert!(found.to_string().contains(expected), "{found}");
    }
}

#[test]
fn a_held_group_that_leads_elsewhere_or_is_not_there_is_found() {
    let mut checker = checker();
    let mut outputs = Outputs::idle(1);
    let place = RingPlace { kernel: KernelEntry(0), index: 0 };
    outputs.device.group_memory.fetch_group = Some(place);
    checker.follow(&Inputs::idle(1), &outputs).expect("the group at 0x9 is asked for");
    let mut check = |held| checker.check_lists(&Fake { held, ..sound() });
    assert_eq!(check(vec![None]), Ok(()), "it has not arrived");
    assert_eq!(check(vec![Some(NONE)]), Ok(()), "it is the last");
    let found = check(vec![Some(3)]).expect_err("nothing is behind it");
    assert!(found.to_string().contains("expected no group behind the group at 0x9"), "{found}");
    let found = check(vec![None; 2]).expect_err("only one was asked for");
    assert!(found.to_string().contains("expected 1 held groups in all"), "{found}");
    let again = checker.follow(&Inputs::idle(1), &outputs).expect_err("it was asked for");
    assert!(again.to_string().contains("a group that is not asked for"), "{again}");
}

#[test]
fn a_group_that_is_overtaken_or_a_block_out_of_order_is_found() {
    let dispatch = |group, x| {
        let mut outputs = Outputs::idle(1);
        let (group, block) = (Some(group), Dim3::new(x, 0, 0));
        outputs.dispatch[0] = Some(Dispatch { group, block, ..Dispatch::default() });
        checker().follow(&Inputs::idle(1), &outputs)
    };
    assert!(dispatch(GroupReference::on_chip(2), 0).is_ok());
    assert!(dispatch(GroupReference::on_chip(2), 1).is_err(), "block 0 comes first");
    assert!(dispatch(GroupReference::on_chip(0), 0).is_err(), "group 2 comes first");
    assert!(dispatch(GroupReference::on_chip(3), 0).is_err(), "no such group");
}
