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
use std::collections::VecDeque;

/// A group between its coalescing and its last dispatch.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    reference: GroupReference,
    grid: Dim3,
    /// Blocks dispatched so far.
    dispatched: u32,
    /// The group behind it, as memory keeps it if it is there.
    next: Option<GroupReference>,
}

/// The groups of a kernel that are not fully distributed, in order of coalescing.
#[derive(Debug, Default)]
struct List {
    groups: VecDeque<Waiting>,
    /// Groups that were there before the first one.
    gone: usize,
    /// Those of the table, numbered from the kernel's first group on.
    on_chip: VecDeque<usize>,
    /// Those in memory whose information was not asked for, and was.
    unasked: VecDeque<usize>,
    asked: VecDeque<usize>,
}

impl List {
    fn push(&mut self, reference: GroupReference, grid: Dim3) {
        let number = self.gone + self.groups.len();
        let side = if reference.index().is_some() { &mut self.on_chip } else { &mut self.unasked };
        side.push_back(number);
        self.groups.push_back(Waiting { reference, grid, dispatched: 0, next: None });
    }

    fn pop(&mut self) {
        for side in [&mut self.on_chip, &mut self.unasked, &mut self.asked] {
            side.pop_front_if(|number| *number == self.gone);
        }
        self.groups.pop_front();
        self.gone += 1;
    }

    /// The reference of the group with that number, if it is there.
    fn reference(&self, number: usize) -> Option<GroupReference> {
        Some(self.groups.get(number - self.gone)?.reference)
    }

    /// Links a group to the one behind it, in memory. Returns its place, if it is there; mostly it
    /// is one of the last.
    fn link(&mut self, pointer: u32, next: GroupReference) -> Option<usize> {
        let is_it = |group: &Waiting| group.reference.pointer() == Some(pointer);
        let place = self.groups.iter().rposition(is_it)?;
        self.groups[place].next = Some(next);
        Some(place)
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct ListIntegrity {
    lists: [List; KERNEL_ENTRIES],
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

    /// What was dispatched, asked for, linked and coalesced in the cycle.
    fn follow(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), Difference> {
        for block in outputs.dispatch.iter().flatten() {
            if let Some(group) = block.group {
                self.dispatched(block.kernel.index(), group, block.block)?;
            }
        }
        if let Some(RingPlace { kernel, .. }) = outputs.device.group_memory.fetch_group {
            let list = &mut self.lists[kernel.index()];
            let Some(first) = list.unasked.pop_front() else {
                return Err(broken(kernel.index(), "a group that is not asked for", "fetch_group"));
            };
            list.asked.push_back(first);
        }
        let mut linked = None;
        if let Some(link) = outputs.device.group_memory.link_write {
            let mut lists = self.lists.iter_mut().enumerate();
            linked = lists
                .find_map(|(kernel, list)| Some((kernel, list.link(link.pointer, link.next)?)));
        }
        let taken = outputs.device.groups.group_taken.zip(inputs.device.groups.group);
        if let Some((GroupOutcome::Coalesced { kernel, reference }, group)) = taken {
            let list = &mut self.lists[kernel.index()];
            list.push(reference, group.grid);
            if let Some(before) = list.groups.len().checked_sub(2) {
                self.check_link(kernel.index(), before)?;
            }
        }
        linked.map_or(Ok(()), |(kernel, place)| self.check_link(kernel, place))
    }

    /// What memory keeps of a group: the one behind it, if there is one.
    fn check_link(&self, kernel: usize, place: usize) -> Result<(), Difference> {
        let groups = &self.lists[kernel].groups;
        let Waiting { reference, next, .. } = groups[place];
        let behind = groups.get(place + 1).map(|group| group.reference);
        if reference.pointer().is_some() && next != behind {
            let expected = format!("{} behind {}", shown(behind), shown(Some(reference)));
            return Err(broken(kernel, &expected, &shown(next)));
        }
        Ok(())
    }

    fn dispatched(
        &mut self,
        kernel: usize,
        group: GroupReference,
        block: Dim3,
    ) -> Result<(), Difference> {
        let list = &mut self.lists[kernel];
        let Some(first) = list.groups.front_mut().filter(|first| first.reference == group) else {
            let got = format!("a block of {}", shown(Some(group)));
            return Err(broken(kernel, "blocks of the first group of its list", &got));
        };
        if block.linear(first.grid) != u64::from(first.dispatched) {
            let expected = format!("block {} of {}", first.dispatched, shown(Some(group)));
            return Err(broken(kernel, &expected, &format!("block {block}")));
        }
        first.dispatched += 1;
        if u128::from(first.dispatched) == first.grid.volume() {
            list.pop();
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
            } else if !self.lists[kernel].groups.is_empty() {
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
        let list = &self.lists[kernel];
        for &number in &list.asked {
            let next = list.reference(number + 1);
            let got = state.held_next(held).map(GroupReference::from_word);
            if let Some(got) = got.filter(|got| *got != next) {
                let expected = format!("{} behind {}", shown(next), shown(list.reference(number)));
                return Err(broken(kernel, &expected, &shown(got)));
            }
            held += 1;
        }
        Ok(held)
    }

    /// NAGEI and LAGEI name the first and the last group that waits, and each one in the table the
    /// one behind it; each entry is in one list only.
    fn check_list(&mut self, kernel: usize, state: &dyn GroupState) -> Result<(), Difference> {
        let list = &self.lists[kernel];
        let nagei = GroupReference::from_word(state.nagei(kernel));
        let first = list.groups.front().map(|group| group.reference);
        if first.is_some() && !state.marked(kernel) {
            return Err(broken(kernel, "a kernel with groups is marked", "it is not"));
        }
        if nagei != first {
            return Err(broken(kernel, &shown(first), &shown(nagei)));
        }
        let last = list.groups.back().map(|group| group.reference);
        let lagei = GroupReference::from_word(state.lagei(kernel));
        if last.is_some() && lagei != last {
            return Err(broken(kernel, "LAGEI names the last group", &shown(lagei)));
        }
        for &number in &list.on_chip {
            let index = list.reference(number).and_then(GroupReference::index).unwrap_or_default();
            let seen = &mut self.seen;
            let got = check_entry(kernel, index as usize, seen, self.checks, state)?;
            // What is behind the last one nobody stores: LAGEI ends the list.
            match list.reference(number + 1) {
                Some(next) if got != Some(next) => {
                    return Err(broken(kernel, &shown(Some(next)), &shown(got)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// An entry of the table that is linked; returns the group after it.
fn check_entry(
    kernel: usize,
    index: usize,
    seen: &mut [u64],
    check: u64,
    state: &dyn GroupState,
) -> Result<Option<GroupReference>, Difference> {
    let got = || format!("entry {index}");
    if index >= state.table() || !state.used(index) {
        return Err(broken(kernel, "a linked entry is used", &got()));
    }
    if std::mem::replace(&mut seen[index], check) == check {
        return Err(broken(kernel, "an entry is in one list", &got()));
    }
    Ok(GroupReference::from_word(state.next(index)))
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
mod tests;
