//! What runs where, in words: the texts beside the signals.

use crate::story::Event;
use blockyard_sim::port::{Outputs, KERNEL_ENTRIES};
use blockyard_sim::run::observer::{CoalescedGroup, DispatchedBlock, EnteredKernel};
use blockyard_waves::{Capture, Target, TextVariable, WaveError};

/// What happens, cycle by cycle.
pub const EVENTS_PATH: &str = "story.events";
/// Before the number of an entry: the kernel in it.
pub const KERNELS_PATH: &str = "story.kernels.entry_";
/// Before the number of an SMX, below which each slot says which block it holds.
pub const BLOCKS_PATH: &str = "story.smx_";
/// Between two events of a cycle.
pub const AND: &str = ";";
/// The watchdog ended the run.
pub const STUCK: &str = "stuck";

const EVENTS_LENGTH: usize = 80;
const KERNEL_LENGTH: usize = 32;
const BLOCK_LENGTH: usize = 40;

const EVENTS: usize = 0;
const KERNELS: usize = 1;
const BLOCKS: usize = KERNELS + KERNEL_ENTRIES;

/// The texts of a GPU of that many SMXs and slots.
pub fn variables(smx: usize, slots: usize) -> Vec<TextVariable> {
    let text = |path: &str, length| {
        let path = path.split_once('.').map_or(path, |(_, below)| below).to_owned();
        TextVariable { path, length }
    };
    let mut all = vec![text(EVENTS_PATH, EVENTS_LENGTH)];
    all.extend(
        (0..KERNEL_ENTRIES).map(|entry| text(&format!("{KERNELS_PATH}{entry}"), KERNEL_LENGTH)),
    );
    for smx in 0..smx {
        let slots = (0..slots).map(|slot| format!("{BLOCKS_PATH}{smx}.slot_{slot}"));
        all.extend(slots.map(|path| text(&path, BLOCK_LENGTH)));
    }
    all
}

/// Keeps the texts up to date.
pub struct Teller {
    slots: usize,
    /// For each SMX, the slots that hold a block.
    taken: Vec<Vec<bool>>,
    /// What happens in this cycle.
    events: Vec<String>,
    /// Entries whose kernels have ended: they are free from the next cycle on.
    leaving: u32,
    /// Whether a group in memory is one that found no place on chip.
    has_group_table: bool,
}

type Told = Result<(), WaveError>;

impl Teller {
    /// Of an empty GPU.
    pub fn new(smx: usize, slots: usize, has_group_table: bool) -> Self {
        let taken = vec![vec![false; slots]; smx];
        Self { slots, taken, events: Vec::new(), leaving: 0, has_group_table }
    }

    /// A cycle begins, in which the signals say `events`.
    pub fn cycle<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        cycle: u64,
        events: impl Iterator<Item = Event>,
    ) -> Told {
        while self.leaving != 0 {
            let entry = self.leaving.trailing_zeros();
            self.leaving &= self.leaving - 1;
            capture.say(cycle, KERNELS + entry as usize, "")?;
        }
        self.events.clear();
        self.events.extend(events.map(|event| event.to_string()));
        self.say_events(capture, cycle)
    }

    /// What the ports say that no other call tells.
    pub fn outputs<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        cycle: u64,
        outputs: &Outputs,
    ) -> Told {
        self.leaving |= outputs.finished_kernels;
        if let Some(spill) = outputs.device.queues.spill {
            let (queue, level) = (spill.place.queue, spill.place.level);
            self.happens(capture, cycle, format!("{}:queue{queue}/{level}", Event::Overflow))?;
        }
        Ok(())
    }

    /// See [`Observer::block_ended`](blockyard_sim::run::observer::Observer::block_ended).
    pub fn block_ended<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        cycle: u64,
        smx: usize,
        slot: usize,
    ) -> Told {
        if let Some(taken) = self.taken[smx].get_mut(slot) {
            *taken = false;
            capture.say(cycle, BLOCKS + smx * self.slots + slot, "")?;
        }
        Ok(())
    }

    /// A kernel enters.
    pub fn entered<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        kernel: &EnteredKernel<'_>,
    ) -> Told {
        let name = format!("{}#{}", kernel.kernel, kernel.instance);
        capture.say(kernel.cycle, KERNELS + kernel.entry.index(), &name)?;
        self.leaving &= !(1 << kernel.entry.index());
        self.happens(capture, kernel.cycle, format!("{}:{name}", Event::Launch))
    }

    /// A group is coalesced.
    pub fn coalesced<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        group: &CoalescedGroup<'_>,
    ) -> Told {
        let CoalescedGroup { cycle, kernel, instance, group, in_memory } = *group;
        let name = format!("{kernel}#{instance}/g{group}");
        self.happens(capture, cycle, format!("{}:{name}", Event::Coalesce))?;
        if in_memory && self.has_group_table {
            self.happens(capture, cycle, format!("{}:{name}", Event::Overflow))?;
        }
        Ok(())
    }

    /// A block takes the lowest free slot.
    pub fn dispatched<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        block: &DispatchedBlock<'_>,
    ) -> Told {
        let taken = &mut self.taken[block.smx];
        let Some(slot) = taken.iter().position(|taken| !taken) else { return Ok(()) };
        taken[slot] = true;
        let DispatchedBlock { cycle, smx, kernel, instance, group, block } = *block;
        let group = if group == 0 { String::new() } else { format!("/g{group}") };
        let text = format!("{kernel}#{instance}{group}({},{},{})", block.x, block.y, block.z);
        capture.say(cycle, BLOCKS + smx * self.slots + slot, &text)
    }

    /// Something else happens.
    pub fn happens<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        cycle: u64,
        event: String,
    ) -> Told {
        self.events.push(event);
        self.say_events(capture, cycle)
    }

    /// What ends the run: before all else that happens in `cycle`, since there is room for so much.
    pub fn ends<W: Target>(&mut self, capture: &mut Capture<W>, cycle: u64, event: String) -> Told {
        self.events.insert(0, event);
        self.say_events(capture, cycle)
    }

    fn say_events<W: Target>(&self, capture: &mut Capture<W>, cycle: u64) -> Told {
        capture.say(cycle, EVENTS, &self.events.join(AND))
    }
}
