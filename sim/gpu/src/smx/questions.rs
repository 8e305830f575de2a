//! Blocks that ask for another one of their kernel (`docs/launch-control.md`): those of stated
//! duration that have done their work, and those that execute an instruction that asks.

use super::Smx;
use crate::event::{Calendar, Event};
use crate::port::Dim3;
use crate::program::Reply;

/// Who gets an answer and which one: the slot of the block, the block that is its own now, and what
/// takes that.
pub type Answer = (u8, Option<Dim3>, Reply);

impl Smx {
    /// The block in `slot` has done its work in `cycle`, and asks from then on.
    pub fn works_until(&self, slot: u8, cycle: u64, calendar: &mut Calendar) {
        calendar.schedule(cycle, Event::Question { smx: self.id, slot });
    }

    /// The warp in `slot` has issued an instruction by which each of its lanes asks, from the next
    /// cycle on.
    pub(super) fn ask(&mut self, slot: usize, calendar: &mut Calendar) {
        let (block_slot, cycle) = (self.warps.block_slot[slot], calendar.now() + 1);
        for reply in self.warps.questions(slot) {
            let dependence = &mut self.block_mut(block_slot).dependence;
            dependence.open_questions += 1;
            if dependence.is_answered {
                self.unasked.push_back((block_slot, reply));
                self.works_until(block_slot, cycle, calendar);
            } else {
                self.answer_in(cycle, (block_slot, None, reply), calendar);
            }
        }
    }

    /// The block in `slot` asks from `cycle` on.
    pub fn block_asks(&mut self, slot: u8, cycle: u64) {
        let by_instruction = self.unasked.iter().position(|(of, _)| *of == slot);
        let reply = by_instruction.and_then(|place| self.unasked.remove(place));
        self.asking.insert((cycle, slot, self.questions), reply.map(|(_, reply)| reply));
        self.questions += 1;
    }

    /// Since when the one asks that waits longest, of those the one in the lowest slot, and its
    /// slot.
    pub fn asks_first(&self) -> Option<(u64, u8)> {
        self.asking.first_key_value().map(|((cycle, slot, _), _)| (*cycle, *slot))
    }

    /// That one has its answer; returns what takes it, if an instruction has asked.
    pub fn take_question(&mut self) -> Option<Reply> {
        self.asking.pop_first().and_then(|(_, reply)| reply)
    }

    /// A question by an instruction has this `answer` in `cycle`, from where it takes its time to
    /// come.
    pub fn answer_in(&mut self, cycle: u64, answer: Answer, calendar: &mut Calendar) {
        self.answers.push_back(answer);
        calendar.schedule(cycle + self.answer_latency, Event::Answer { smx: self.id });
    }

    /// The first answer that is on its way comes.
    pub fn answer_comes(&mut self, calendar: &mut Calendar) {
        let Some((slot, block, reply)) = self.answers.pop_front() else { return };
        self.block_mut(slot).dependence.open_questions -= 1;
        if let Err(error) = reply(block) {
            self.cannot_go_on(slot, error);
            // Who looks for that does so behind issue.
            calendar.wake_issue(calendar.now(), usize::from(self.id));
        }
        self.end_if_over(slot, calendar);
    }
}
