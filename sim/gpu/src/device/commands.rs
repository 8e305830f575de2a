//! Aggregation commands and their groups at the ports of the SMX scheduler (rules 12 and 13 of
//! `docs/dtbl.md`).

use std::collections::VecDeque;
use std::rc::Rc;

use super::families::Member;
use crate::host::Body;
use crate::port::{AggregatedGroup, AggregationCommand, KernelLaunch, Parent};

/// Cycles of a call's end in which its command may be offered before its parameters are in place:
/// the search of all entries of the Kernel Distributor.
pub const AHEAD: u64 = 32;

/// A group that is not coalesced yet.
#[derive(Clone, Debug)]
pub struct PendingGroup {
    /// The launching thread's number on its SMX.
    pub hardware_thread: u16,
    /// Who launches it.
    pub parent: Parent,
    /// Its place below the block that does.
    pub member: Member,
    /// Where its information is in global memory.
    pub pointer: u32,
    /// Its extent, its function, its parameters, and what its blocks need.
    pub launch: KernelLaunch,
    /// The kernel's name.
    pub name: Rc<str>,
    /// Number of its code.
    pub code: u32,
    /// What its blocks do.
    pub body: Body,
    /// The cycle of the API call.
    pub called: u64,
}

impl PendingGroup {
    fn at_port(&self) -> AggregatedGroup {
        AggregatedGroup {
            hardware_thread: self.hardware_thread,
            pointer: self.pointer,
            parameter_address: self.launch.parameter_address,
            grid: self.launch.grid,
            blocks: self.launch.blocks,
        }
    }
}

/// The groups of one call.
#[derive(Clone, Debug)]
pub struct Command {
    /// The SMX of the call.
    pub smx: u8,
    /// The cycle from which on the parameters are in place.
    pub due: u64,
    /// Groups of which the scheduler has not decided, in order of thread; not empty at first.
    pub groups: VecDeque<PendingGroup>,
    /// Groups without an eligible kernel.
    pub back: Vec<PendingGroup>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Commands {
    /// Before the scheduler; the first one is offered.
    waiting: VecDeque<Command>,
    /// Accepted, with groups left.
    accepted: VecDeque<Command>,
}

impl Commands {
    /// `command` may be offered from now on.
    pub fn offer(&mut self, command: Command) {
        self.waiting.push_back(command);
    }

    /// What is at the port of commands in `cycle`.
    pub fn command(&self, cycle: u64) -> Option<AggregationCommand> {
        let command = self.waiting.front()?;
        let KernelLaunch { entry_pc, block, .. } = command.groups.front()?.launch;
        let wait = command.due.saturating_sub(cycle);
        let groups = command.groups.len() as u8;
        Some(AggregationCommand { entry_pc, block, groups, wait: wait as u8 })
    }

    /// The command at the port has been accepted.
    pub fn accepted(&mut self) {
        self.accepted.extend(self.waiting.pop_front());
    }

    /// What is at the port of groups.
    pub fn group(&self) -> Option<AggregatedGroup> {
        self.first().map(PendingGroup::at_port)
    }

    /// Who launches the group at the port; the block with nothing of it without one.
    pub fn group_parent(&self) -> Parent {
        self.first().map_or(Parent::default(), |group| group.parent)
    }

    fn first(&self) -> Option<&PendingGroup> {
        self.accepted.front()?.groups.front()
    }

    /// The group at the port has been coalesced.
    ///
    /// # Panics
    /// When there is none; the invariants keep that from happening.
    pub fn coalesced(&mut self) -> PendingGroup {
        let group = self.take();
        let _ = self.finished();
        group
    }

    /// The group at the port has found no eligible kernel. When it was the last one of its command,
    /// that is returned.
    ///
    /// # Panics
    /// As [`Commands::coalesced`].
    pub fn no_eligible_kernel(&mut self) -> Option<Command> {
        let group = self.take();
        self.accepted.front_mut().expect("its command").back.push(group);
        self.finished()
    }

    fn take(&mut self) -> PendingGroup {
        let command = self.accepted.front_mut();
        command.and_then(|command| command.groups.pop_front()).expect("a group at the port")
    }

    /// Removes the first command if none of its groups is left.
    fn finished(&mut self) -> Option<Command> {
        self.accepted.pop_front_if(|command| command.groups.is_empty())
    }

    /// The next cycle after `now` in which the ports change, as far as that is known: the wait of
    /// the command at the port counts down.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        self.waiting.front().filter(|command| command.due > now).map(|_| now + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Durations;
    use crate::port::Dim3;

    fn command(due: u64, threads: &[u16]) -> Command {
        let group = |&hardware_thread: &u16| PendingGroup {
            hardware_thread,
            parent: Parent::default(),
            member: Member::default(),
            pointer: 0,
            launch: KernelLaunch { grid: Dim3::new(1, 1, 1), blocks: 1, ..Default::default() },
            name: "C".into(),
            code: 0,
            body: Body::Durations(Durations::Uniform(1)),
            called: 0,
        };
        Command { smx: 0, due, groups: threads.iter().map(group).collect(), back: Vec::new() }
    }

    #[test]
    fn the_wait_of_a_command_counts_down_while_it_is_held() {
        let mut commands = Commands::default();
        commands.offer(command(100, &[1, 2]));
        let wait = |cycle| commands.command(cycle).map(|command| (command.wait, command.groups));
        assert_eq!([68, 99, 100, 120].map(wait), [(32, 2), (1, 2), (0, 2), (0, 2)].map(Some));
        let changes = [68, 99, 100].map(|now| commands.next_change(now));
        assert_eq!(changes, [Some(69), Some(100), None], "each cycle shows another number");
    }

    #[test]
    fn groups_come_in_the_order_of_the_accepted_commands() {
        let mut commands = Commands::default();
        commands.offer(command(9, &[1, 2]));
        commands.offer(command(5, &[3]));
        assert_eq!(commands.group(), None);
        commands.accepted();
        commands.accepted();
        let thread = |commands: &Commands| commands.group().map(|group| group.hardware_thread);
        assert_eq!(thread(&commands), Some(1));
        assert!(commands.no_eligible_kernel().is_none(), "one of two");
        let back = commands.no_eligible_kernel().expect("the last one");
        assert_eq!(back.back.iter().map(|group| group.hardware_thread).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(thread(&commands), Some(3));
        assert_eq!(commands.coalesced().hardware_thread, 3);
        assert_eq!((thread(&commands), commands.command(9)), (None, None));
    }
}
