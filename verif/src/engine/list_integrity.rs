//! Whether the lists of groups in the hardware's own registers are sound.
//!
//! Reads NAGEI, LAGEI, the marks, the Aggregated Group Table and the groups in memory that were
//! asked for after every clock edge, and keeps beside them only which groups were coalesced to
//! which kernel and asked for, and what links memory was told to keep.

use super::difference::Difference;
use blockyard_rtl::dtbl::GroupState;
use blockyard_sim::port::{
    Dim3, GroupOutcome, GroupReference, Inputs, Outputs, RingPlace, KERNEL_ENTRIES,
};
use std::collections::{BTreeMap, VecDeque};

/// A group between its coalescing and its last dispatch.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    reference: GroupReference,
    grid: Dim3,
    /// Blocks dispatched so far.
    dispatched: u32,
    /// It is in memory, and its information was asked for.
    asked: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub struct ListIntegrity {
    /// For each kernel the groups that are not fully distributed, in order of coalescing.
    waiting: [VecDeque<Waiting>; KERNEL_ENTRIES],
    /// Links that memory keeps, by the place of the earlier group.
    memory: BTreeMap<u32, Option<GroupReference>>,
    /// For each entry of the table: the check in which it was last seen in a list.
    seen: Vec<u64>,
    checks: u64,
}

impl ListIntegrity {
    /// Follows a cycle, not one of reset, and checks the state after its clock edge.
    pub fn check(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        state: &dyn GroupState,
    ) -> Option<Difference> {
        self.follow(inputs, outputs).and_then(|()| self.check_lists(state)).err()
    }

    /// What was dispatched, asked for and coalesced in the cycle.
    fn follow(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), Difference> {
        for block in outputs.dispatch.iter().flatten() {
            if let Some(group) = block.group {
                self.dispatched(block.kernel.index(), group, block.block)?;
            }
        }
        if let Some(RingPlace { kernel, .. }) = outputs.device.group_memory.fetch_group {
            let mut waiting = self.waiting[kernel.index()].iter_mut();
            let first = waiting.find(|group| group.reference.pointer().is_some() && !group.asked);
            let Some(first) = first else {
                return Err(broken(kernel.index(), "a group that is not asked for", "fetch_group"));
            };
            first.asked = true;
        }
        if let Some(link) = outputs.device.group_memory.link_write {
            if let Some(next) = self.memory.get_mut(&link.pointer) {
                *next = Some(link.next);
            }
        }
        let taken = outputs.device.groups.group_taken.zip(inputs.device.groups.group);
        if let Some((GroupOutcome::Coalesced { kernel, reference }, group)) = taken {
            let waiting = Waiting { reference, grid: group.grid, dispatched: 0, asked: false };
            self.waiting[kernel.index()].push_back(waiting);
            if let Some(pointer) = reference.pointer() {
                self.memory.insert(pointer, None);
            }
        }
        Ok(())
    }

    fn dispatched(
        &mut self,
        kernel: usize,
        group: GroupReference,
        block: Dim3,
    ) -> Result<(), Difference> {
        let list = &mut self.waiting[kernel];
        let Some(first) = list.front_mut().filter(|first| first.reference == group) else {
            let got = format!("a block of {}", shown(Some(group)));
            return Err(broken(kernel, "blocks of the first group of its list", &got));
        };
        if block.linear(first.grid) != u64::from(first.dispatched) {
            let expected = format!("block {} of {}", first.dispatched, shown(Some(group)));
            return Err(broken(kernel, &expected, &format!("block {block}")));
        }
        first.dispatched += 1;
        if u128::from(first.dispatched) == first.grid.volume() {
            list.pop_front();
            if let Some(pointer) = group.pointer() {
                self.memory.remove(&pointer);
            }
        }
        Ok(())
    }

    fn check_lists(&mut self, state: &dyn GroupState) -> Result<(), Difference> {
        self.checks += 1;
        self.seen.resize(state.table(), 0);
        let mut held = 0;
        for kernel in 0..KERNEL_ENTRIES {
            if state.occupied(kernel) {
                self.check_list(kernel, state)?;
                held = self.check_held(kernel, held, state)?;
            } else if !self.waiting[kernel].is_empty() {
                return Err(broken(kernel, "its groups run before it ends", "it was released"));
            }
        }
        if held != state.held() {
            let got = format!("{} held groups", state.held());
            return Err(broken(0, &format!("{held} held groups in all"), &got));
        }
        Ok(())
    }

    /// What the hardware knows of the groups that were asked for, `held` of them those of other
    /// kernels; returns how many there are with this kernel's.
    fn check_held(
        &self,
        kernel: usize,
        mut held: usize,
        state: &dyn GroupState,
    ) -> Result<usize, Difference> {
        let waiting = &self.waiting[kernel];
        for (place, group) in waiting.iter().enumerate().filter(|(_, group)| group.asked) {
            let next = waiting.get(place + 1).map(|group| group.reference);
            let got = state.held_next(held).map(GroupReference::from_word);
            if let Some(got) = got.filter(|got| *got != next) {
                let group = shown(Some(group.reference));
                return Err(broken(
                    kernel,
                    &format!("{} behind {group}", shown(next)),
                    &shown(got),
                ));
            }
            held += 1;
        }
        Ok(held)
    }

    /// From NAGEI to LAGEI: the groups that wait, in their order, each in one list only.
    fn check_list(&mut self, kernel: usize, state: &dyn GroupState) -> Result<(), Difference> {
        let mut at = GroupReference::from_word(state.nagei(kernel));
        let count = self.waiting[kernel].len();
        if count > 0 && !state.marked(kernel) {
            return Err(broken(kernel, "a kernel with groups is marked", "it is not"));
        }
        for place in 0..count {
            let reference = self.waiting[kernel][place].reference;
            if at != Some(reference) {
                return Err(broken(kernel, &shown(Some(reference)), &shown(at)));
            }
            let lagei = GroupReference::from_word(state.lagei(kernel));
            if place + 1 == count && lagei != at {
                return Err(broken(kernel, "LAGEI names the last group", &shown(lagei)));
            }
            at = match reference.index() {
                // What is behind the last one nobody stores: LAGEI ends the list.
                Some(index) => {
                    self.check_entry(kernel, index as usize, state)?.filter(|_| place + 1 < count)
                }
                None => {
                    let pointer = reference.pointer().unwrap_or_default();
                    self.memory.get(&pointer).copied().flatten()
                }
            };
        }
        match at {
            Some(_) => Err(broken(kernel, "the list ends", &shown(at))),
            None => Ok(()),
        }
    }

    /// An entry of the table that is linked; returns the group after it.
    fn check_entry(
        &mut self,
        kernel: usize,
        index: usize,
        state: &dyn GroupState,
    ) -> Result<Option<GroupReference>, Difference> {
        let got = format!("entry {index}");
        if index >= state.table() || !state.used(index) {
            return Err(broken(kernel, "a linked entry is used", &got));
        }
        if std::mem::replace(&mut self.seen[index], self.checks) == self.checks {
            return Err(broken(kernel, "an entry is in one list", &got));
        }
        Ok(GroupReference::from_word(state.next(index)))
    }
}

fn broken(kernel: usize, expected: &str, got: &str) -> Difference {
    let port = format!("groups of entry {kernel}");
    Difference { port, expected: expected.to_owned(), got: got.to_owned() }
}

fn shown(reference: Option<GroupReference>) -> String {
    match reference.map(|reference| (reference.index(), reference.pointer())) {
        None => "no group".to_owned(),
        Some((Some(index), _)) => format!("the group at {index} of the table"),
        Some((None, pointer)) => format!("the group at {:#x}", pointer.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
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

    fn coalesce(checker: &mut ListIntegrity, reference: GroupReference) {
        let mut inputs = Inputs::idle(1);
        let grid = Dim3::new(2, 1, 1);
        inputs.device.groups.group =
            Some(AggregatedGroup { grid, blocks: 2, ..Default::default() });
        let mut outputs = Outputs::idle(1);
        let kernel = KernelEntry(0);
        outputs.device.groups.group_taken = Some(GroupOutcome::Coalesced { kernel, reference });
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
        finds("expected the group at 0 of the table, got the group at 2", |state| {
            state.next[2] = 2
        });
        finds("LAGEI names the last group", |state| state.lagei = 0);
        finds("a linked entry is used", |state| state.used[0] = false);
        finds("expected the group at 0x9, got no group", |state| state.next[0] = NONE);
    }

    #[test]
    fn a_link_in_memory_that_leads_on_after_lagei_is_found() {
        let mut checker = checker();
        let mut outputs = Outputs::idle(1);
        let next = GroupReference::on_chip(3);
        outputs.device.group_memory.link_write = Some(LinkWrite { pointer: 9, next });
        checker.follow(&Inputs::idle(1), &outputs).expect("nothing is dispatched");
        let found = checker.check_lists(&sound()).expect_err("it does not end");
        assert!(found.to_string().contains("the list ends"), "{found}");
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
}
