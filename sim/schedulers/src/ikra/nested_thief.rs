//! Twin of `ikra/nested_thief`: what one SMX asks of others when nothing is left of any of its
//! levels (`docs/ikra.md`, rules 11 and 26; the paper, section 8).
//!
//! Latency: `hungry` to `asks` 1 cycle; `granted` to `owed` 1 cycle, `refused` to the next `asks` 2
//! cycles.
//!
//! Undefined, and not to be compared: everything, until the next reset, after a `granted` or
//! `refused` that is not `asks`ed for, after both in one cycle, or after a `begins` at a level that
//! is not there.

use super::{cover, Loot};
use crate::cover::{met, when};
use crate::port::Activity;

/// Input ports of [`NestedThief`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedThiefInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// `begins` and `begins_level`: a kernel with blocks begins at this level, of two at the lower
    /// one.
    pub begins: Option<u8>,
    /// A block ends here.
    pub ends: bool,
    /// Nothing is left of any level here.
    pub hungry: bool,
    /// `granted` and `granted_loot`: the victim's answer in this cycle; only with `asks`.
    pub granted: Option<Loot>,
    /// The other answer; only with `asks`, not with `granted`.
    pub refused: bool,
    /// It is refused for want of room; valid with `refused`.
    pub no_room: bool,
}

/// Output ports of [`NestedThief`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedThiefOutputs {
    /// Its request is at the victim.
    pub asks: bool,
    /// Whom it asks; 0 when not `asks`.
    pub victim: usize,
    /// It asks for the chunk instead of the queue; low when not `asks`.
    pub from_chunk: bool,
    /// Of which level; 0 when not `asks`.
    pub level: u8,
    /// `owed` and `loot`: the block that was granted in the cycle before and is dispatched in this
    /// one.
    pub loot: Option<Loot>,
    /// Its level; 0 when nothing is owed.
    pub loot_level: u8,
}

/// What is asked of whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    level: u8,
    from_chunk: bool,
    victim: usize,
}

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// There is none.
    None,
    /// At the victim, until it is answered.
    Asks,
    /// It was refused in the cycle before.
    Refused,
    /// It was granted in the cycle before.
    Granted(Loot),
}

/// One SMX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedThief {
    /// All targets in the order of the scan.
    order: Vec<Target>,
    /// Which of them is next, or was asked by the request under way; their number at the end.
    scan: usize,
    request: Request,
    /// The scan goes back to this level when the answer to the request under way is back.
    goes_back: Option<u8>,
    /// It was refused for want of room since the scan last went back to level 0.
    short: bool,
}

impl NestedThief {
    /// SMX `number` of `smx`, with `levels` levels.
    pub fn new(number: usize, smx: usize, levels: u8) -> Self {
        let left = number.checked_sub(1);
        let right = Some(number + 1).filter(|&right| right < smx);
        let mut victims: Vec<usize> = left.into_iter().chain(right).collect();
        for other in 0..smx {
            if other != number && !victims.contains(&other) {
                victims.push(other);
            }
        }
        let mut order = Vec::new();
        for level in 0..levels {
            for from_chunk in [false, true] {
                order.extend(victims.iter().map(|&victim| Target { level, from_chunk, victim }));
            }
        }
        Self { order, scan: 0, request: Request::None, goes_back: None, short: false }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &NestedThiefInputs) -> NestedThiefOutputs {
        match self.request {
            Request::None | Request::Refused => NestedThiefOutputs::default(),
            Request::Asks => {
                let Target { level, from_chunk, victim } = self.order[self.scan];
                let asks = true;
                NestedThiefOutputs { asks, victim, from_chunk, level, ..Default::default() }
            }
            Request::Granted(loot) => {
                let loot_level = self.order[self.scan].level;
                NestedThiefOutputs { loot: Some(loot), loot_level, ..Default::default() }
            }
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &NestedThiefInputs) -> Activity {
        let before = self.state();
        if inputs.reset {
            (self.scan, self.request) = (0, Request::None);
            (self.goes_back, self.short) = (None, false);
        } else {
            self.advance(inputs);
        }
        Activity::from(self.state() != before)
    }

    /// All that changes.
    fn state(&self) -> (usize, Request, Option<u8>, bool) {
        (self.scan, self.request, self.goes_back, self.short)
    }

    fn advance(&mut self, inputs: &NestedThiefInputs) {
        // What the end of a block means is said by shortage as the cycle begins.
        let level = self.level_to_ask_again(inputs);
        let at_its_end = self.scan == self.order.len();
        when(inputs.ends && self.short, &cover::SHORT_ENDS);
        when(inputs.ends && !self.short && at_its_end, &cover::ENDS);
        match self.request {
            Request::None => self.send(inputs.hungry),
            Request::Asks => {
                if let Some(loot) = inputs.granted {
                    self.request = Request::Granted(loot);
                } else if inputs.refused {
                    self.request = Request::Refused;
                    self.short |= inputs.no_room;
                }
            }
            // The answer is back: the next request may be sent in this very cycle.
            Request::Refused => {
                self.scan += 1;
                self.answer_is_back();
                self.send(inputs.hungry);
            }
            // In the cycle in which a block is dispatched nothing is sent.
            Request::Granted(_) => {
                self.answer_is_back();
                self.request = Request::None;
            }
        }
        if let Some(level) = level {
            // A request under way goes on, and keeps the place of the scan until its answer is
            // back.
            match self.request {
                Request::None => self.go_back(level),
                Request::Asks | Request::Refused | Request::Granted(_) => {
                    self.goes_back = Some(self.goes_back.map_or(level, |lower| lower.min(level)));
                }
            }
        }
    }

    /// The lowest level at which something may have become available for this thief.
    fn level_to_ask_again(&self, inputs: &NestedThiefInputs) -> Option<u8> {
        let has_room_again = (inputs.ends && self.short).then_some(0);
        inputs.begins.into_iter().chain(has_room_again).min()
    }

    /// What the scan was to do when the request under way was answered, it does now.
    fn answer_is_back(&mut self) {
        if let Some(level) = self.goes_back.take() {
            met(&cover::BACK_LATER);
            self.go_back(level);
        }
    }

    /// The scan goes back to the first target of this level, if it is behind it.
    fn go_back(&mut self, level: u8) {
        let first = self.order.iter().position(|target| target.level == level);
        let first = first.unwrap_or(self.scan);
        when(level > 0 && first < self.scan, &cover::BACK);
        self.scan = self.scan.min(first);
        // All that there was no room for will be asked for once more.
        self.short &= level > 0;
    }

    /// A request may be sent in this cycle.
    fn send(&mut self, hungry: bool) {
        let sends = hungry && self.scan < self.order.len();
        self.request = if sends { Request::Asks } else { Request::None };
    }
}

#[cfg(test)]
mod tests;
