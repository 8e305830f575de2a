//! Twin of `ikra/thief`: what one SMX asks of others when its own work is at its end
//! (`docs/ikra.md`, rules 10 and 11; the paper, section 4.4 and function StealTB of Algorithm 1).
//!
//! Latency: `hungry` to `asks` 1 + latency cycles; an answer to `arrives`, or to the next request,
//! 1 + latency cycles.
//!
//! Undefined, and not to be compared: everything, until the next `begins` or `stop`, after a
//! `granted` or `refused` that is not `asks`ed for, or after both in one cycle.

use crate::port::{Activity, Dim3};

/// Input ports of [`Thief`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThiefInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel begins: the scan starts anew, nothing is under way.
    pub begins: bool,
    /// The kernel ends: the same.
    pub stop: bool,
    /// The phase is running, and nothing but the scan and what is under way keeps the SMX from
    /// asking.
    pub hungry: bool,
    /// `granted` and `granted_block`: the victim's answer in this cycle; only with `asks`.
    pub granted: Option<Dim3>,
    /// The victim has nothing of that kind; only with `asks`, not with `granted`.
    pub refused: bool,
}

/// Output ports of [`Thief`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThiefOutputs {
    /// Its request is at the victim.
    pub asks: bool,
    /// Whom it asks; 0 when not `asks`.
    pub victim: usize,
    /// It asks for the chunk instead of the queue; low when not `asks`.
    pub from_chunk: bool,
    /// A block was granted in an earlier cycle, and did not arrive before this one.
    pub owed: bool,
    /// The granted block is there and is dispatched in this cycle.
    pub arrives: bool,
    /// That block; zero when not `arrives`.
    pub block: Dim3,
}

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// There is none.
    None,
    /// At the victim in that many cycles, and until it is answered.
    Sent(u32),
    /// The answer is at the thief in that many cycles: a block, or a refusal.
    Answered(u32, Option<Dim3>),
}

/// One SMX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thief {
    latency: u32,
    /// Victims, and whether their chunk is asked for, in the order of the scan.
    order: Vec<(usize, bool)>,
    /// Which of them is next.
    scan: usize,
    request: Request,
}

impl Thief {
    /// SMX `number` of `smx`, whose messages take `latency` cycles beside the one of every
    /// register.
    pub fn new(number: usize, smx: usize, latency: u32) -> Self {
        let left = number.checked_sub(1);
        let right = Some(number + 1).filter(|&right| right < smx);
        let mut victims: Vec<usize> = left.into_iter().chain(right).collect();
        for other in 0..smx {
            if other != number && !victims.contains(&other) {
                victims.push(other);
            }
        }
        let queues = victims.iter().map(|&victim| (victim, false));
        let chunks = victims.iter().map(|&victim| (victim, true));
        let order = queues.chain(chunks).collect();
        Self { latency, order, scan: 0, request: Request::None }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &ThiefInputs) -> ThiefOutputs {
        match self.request {
            Request::Sent(0) => {
                let (victim, from_chunk) = self.order[self.scan];
                ThiefOutputs { asks: true, victim, from_chunk, ..Default::default() }
            }
            Request::Answered(0, Some(block)) => {
                ThiefOutputs { owed: true, arrives: true, block, ..Default::default() }
            }
            Request::Answered(_, Some(_)) => ThiefOutputs { owed: true, ..Default::default() },
            Request::None | Request::Sent(_) | Request::Answered(_, None) => {
                ThiefOutputs::default()
            }
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ThiefInputs) -> Activity {
        let before = (self.scan, self.request);
        if inputs.reset || inputs.begins || inputs.stop {
            (self.scan, self.request) = (0, Request::None);
        } else {
            self.advance(inputs);
        }
        Activity::from((self.scan, self.request) != before)
    }

    fn advance(&mut self, inputs: &ThiefInputs) {
        self.request = match self.request {
            Request::None => self.next(inputs.hungry),
            Request::Sent(0) => match inputs.granted {
                Some(block) => Request::Answered(self.latency, Some(block)),
                None if inputs.refused => Request::Answered(self.latency, None),
                None => Request::Sent(0),
            },
            Request::Sent(cycles) => Request::Sent(cycles - 1),
            // In the cycle in which a block arrives nothing is sent.
            Request::Answered(0, Some(_)) => Request::None,
            Request::Answered(0, None) => {
                self.scan += 1;
                self.next(inputs.hungry)
            }
            Request::Answered(cycles, answer) => Request::Answered(cycles - 1, answer),
        };
    }

    /// Nobody is left to be asked.
    pub(super) fn is_at_its_end(&self) -> bool {
        self.scan == self.order.len()
    }

    /// What is under way after a cycle in which a request may be sent.
    fn next(&self, hungry: bool) -> Request {
        if hungry && self.scan < self.order.len() {
            Request::Sent(self.latency)
        } else {
            Request::None
        }
    }
}

#[cfg(test)]
mod tests;
