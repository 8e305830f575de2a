//! A crossbar with a queue before each input: a packet waits until it is the first of its input and
//! its output is free, so a blocked first packet also blocks those behind it.
//!
//! It works in [`Steps`], of which a network cycle may have several. A packet holds both its ports
//! for one step in which it is granted the output, and one step a flit.

use super::steps::Steps;
use crate::config::{MAX_FLITS, MAX_PORTS};
use crate::fifo::Fifo;
use crate::mask::Mask;

/// A packet in a queue.
#[derive(Clone, Copy, Debug, Default)]
struct Packet {
    /// The SMX cycle in which it is sent.
    sent: u64,
    /// What the caller knows it by.
    id: u32,
    output: u8,
    flits: u8,
}

/// A packet that crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// What the caller knows it by.
    pub id: u32,
    /// Its input.
    pub input: u8,
    /// Its output.
    pub output: u8,
    /// Its flits.
    pub flits: u8,
}

/// Steps of a round of [`Crossbar::changes`]: more than a packet takes.
const AHEAD: usize = 256;

/// What changes in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change<const W: usize> {
    /// Inputs that show their next packet.
    showing: Mask<W>,
    /// Outputs that become free.
    freed: Mask<W>,
}

/// See the module. Times are steps; sets of ports have `W` words.
#[derive(Debug)]
pub struct Crossbar<const W: usize> {
    steps: Steps,
    /// For each input the packets that have not crossed, in the order in which they are sent. The
    /// first one is what it shows to its output, when that step has come and the one before is
    /// across.
    queues: Box<[Fifo<Packet>; MAX_PORTS]>,
    /// Inputs that show one.
    shown: Mask<W>,
    /// For each input the first step in which it can show another one.
    input_free: [u64; MAX_PORTS],
    /// Outputs at which a packet crosses.
    busy_outputs: Mask<W>,
    /// By step, round and round.
    changes: [Change<W>; AHEAD],
    /// The last step of the round in which something changes.
    last_change: u64,
    /// The first step that has not been done.
    next_step: u64,
    /// For each output the inputs whose first packet wants it.
    wanted_by: [Mask<W>; MAX_PORTS],
    /// Outputs that are wanted.
    wanted: Mask<W>,
    /// For each output the input whose turn it is.
    turn: [u8; MAX_PORTS],
}

impl<const W: usize> Crossbar<W> {
    /// An idle crossbar.
    ///
    /// # Panics
    /// When it has more inputs or outputs than its sets hold, or than [`MAX_PORTS`];
    /// [`crate::config::GpuConfig::validate`] refuses that.
    pub fn new(inputs: usize, outputs: usize, steps: Steps) -> Self {
        assert!(inputs.max(outputs) <= MAX_PORTS.min(64 * W));
        Self {
            steps,
            queues: Box::new(std::array::from_fn(|_| Fifo::default())),
            shown: Mask::ZERO,
            input_free: [0; MAX_PORTS],
            busy_outputs: Mask::ZERO,
            changes: [Change::default(); AHEAD],
            last_change: 0,
            next_step: 0,
            wanted_by: [Mask::ZERO; MAX_PORTS],
            wanted: Mask::ZERO,
            turn: [0; MAX_PORTS],
        }
    }

    /// A packet of `flits` flits is sent to the queue of `input` in SMX cycle `sent`, behind those
    /// that are sent in the same cycle and were pushed before it.
    ///
    /// # Panics
    /// When it has more than [`MAX_FLITS`]; the configuration is refused before that. In debug
    /// builds when the first step that finds it has been done.
    #[inline(always)]
    pub fn push(&mut self, sent: u64, input: usize, output: usize, flits: u32, id: u32) {
        assert!(flits <= MAX_FLITS && input < MAX_PORTS);
        debug_assert!(self.steps.first(sent) >= self.next_step, "cycle {sent} is over");
        let packet = Packet { sent, id, output: output as u8, flits: flits as u8 };
        let queue = &mut self.queues[input];
        match queue.back() {
            Some(last) if last.sent <= sent => queue.push(packet),
            Some(_) => self.sort_in(input, packet),
            None => {
                queue.push(packet);
                self.show_next(input, sent);
            }
        }
    }

    /// `packet` is sent to `input` before one that was pushed before it.
    #[cold]
    fn sort_in(&mut self, input: usize, packet: Packet) {
        let queue = &mut self.queues[input];
        let place = queue.items().partition_point(|other| other.sent <= packet.sent);
        // The first one stays where it is shown.
        let place = place.max(usize::from(self.shown[input]));
        queue.insert(place, packet);
        if place == 0 {
            // The step in which the input was to show another one finds that it is too soon, or too
            // late.
            self.show_next(input, packet.sent);
        }
    }

    /// The step in which `input` can show its next packet, which is sent in SMX cycle `sent`.
    #[inline(always)]
    fn shows_in(&self, input: usize, sent: u64) -> u64 {
        self.steps.first(sent).max(self.input_free[input])
    }

    /// `input` shows its next packet, which is sent in SMX cycle `sent`, as soon as it can.
    #[inline(always)]
    fn show_next(&mut self, input: usize, sent: u64) {
        // Beyond the round an early look is harmless: the input looks again.
        let step = self.shows_in(input, sent);
        let step = step.min(self.next_step + AHEAD as u64 - 1);
        self.change(step).showing.set(input, true);
    }

    /// What changes in `step`, to which a change is added.
    #[inline(always)]
    fn change(&mut self, step: u64) -> &mut Change<W> {
        self.last_change = self.last_change.max(step);
        &mut self.changes[step as usize % AHEAD]
    }

    /// Does all steps up to `last`: in each of them each free output takes the first packet of an
    /// input that wants it, the inputs in turn. `crosses` learns what crosses in which step.
    #[inline(always)]
    pub fn run(&mut self, last: u64, mut crosses: impl FnMut(u64, Crossing)) {
        while self.next_step <= last.min(self.last_change) {
            let now = self.next_step;
            self.next_step += 1;
            let change = std::mem::take(&mut self.changes[now as usize % AHEAD]);
            // Else all that could be granted was granted in the step before.
            if (change.showing | change.freed).any() {
                self.step(now, change, &mut crosses);
            }
        }
        self.next_step = self.next_step.max(last + 1);
    }

    #[inline(always)]
    fn step(&mut self, now: u64, change: Change<W>, crosses: &mut impl FnMut(u64, Crossing)) {
        self.busy_outputs = self.busy_outputs - change.freed;
        for input in (change.showing - self.shown).iter_ones() {
            let Some(packet) = self.queues[input].front() else { continue };
            let (sent, output) = (packet.sent, packet.output);
            if self.shows_in(input, sent) > now {
                self.show_next(input, sent);
                continue;
            }
            self.shown.set(input, true);
            self.wanted_by[usize::from(output)].set(input, true);
            self.wanted.set(output.into(), true);
        }
        for output in (self.wanted - self.busy_outputs).iter_ones() {
            crosses(now, self.grant(output, now));
        }
    }

    #[inline(always)]
    fn grant(&mut self, output: usize, now: u64) -> Crossing {
        let waiting = &mut self.wanted_by[output];
        let input = waiting.first_from(self.turn[output].into()).expect("it is wanted");
        self.turn[output] = ((input + 1) % (64 * W)) as u8;
        waiting.set(input, false);
        self.wanted.set(output, waiting.any());
        self.shown.set(input, false);
        self.busy_outputs.set(output, true);
        let queue = &mut self.queues[input];
        let packet = queue.pop().expect("it is shown");
        let next = queue.front().map(|next| next.sent);
        let free = now + 1 + u64::from(packet.flits);
        self.input_free[input] = free;
        self.change(free).freed.set(output, true);
        if let Some(sent) = next {
            self.show_next(input, sent);
        }
        let Packet { id, output, flits, .. } = packet;
        Crossing { id, input: input as u8, output, flits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use proptest::prelude::*;

    fn crossbar(inputs: usize, outputs: usize) -> Crossbar<1> {
        Crossbar::new(inputs, outputs, Steps::new(Clock::new(700.0, 700.0), 1))
    }

    /// For each crossing its step and number.
    fn run(crossbar: &mut Crossbar<1>) -> Vec<(u64, u32)> {
        let mut all = Vec::new();
        crossbar.run(10_000, |step, crossing| all.push((step, crossing.id)));
        all
    }

    #[test]
    fn packets_between_different_ports_cross_together() {
        let mut crossbar = crossbar(2, 2);
        crossbar.push(0, 0, 1, 1, 7);
        crossbar.push(0, 1, 0, 1, 8);
        assert_eq!(run(&mut crossbar), [(1, 8), (1, 7)], "in the cycle behind");
    }

    #[test]
    fn a_packet_holds_both_its_ports_for_its_flits() {
        let mut crossbar = crossbar(2, 2);
        crossbar.push(0, 0, 0, 4, 1);
        crossbar.push(0, 0, 1, 1, 2);
        crossbar.push(0, 1, 0, 1, 3);
        assert_eq!(run(&mut crossbar), [(1, 1), (6, 3), (6, 2)]);
    }

    #[test]
    fn a_blocked_first_packet_blocks_those_behind_it() {
        let mut crossbar = crossbar(2, 2);
        crossbar.push(0, 0, 0, 3, 1);
        crossbar.push(0, 1, 0, 1, 2);
        crossbar.push(0, 1, 1, 1, 3);
        assert_eq!(run(&mut crossbar), [(1, 1), (5, 2), (7, 3)], "output 1 was free all the time");
    }

    #[test]
    fn inputs_take_turns_at_an_output() {
        let mut crossbar = crossbar(3, 1);
        for id in 0..6 {
            crossbar.push(0, id as usize % 3, 0, 1, id);
        }
        let order: Vec<u32> = run(&mut crossbar).iter().map(|(_, id)| *id).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn packets_cross_in_the_order_in_which_they_are_sent_not_that_in_which_they_were_pushed() {
        let mut crossbar = crossbar(1, 1);
        for (id, sent) in [(0, 50), (1, 5), (2, 50), (3, 5), (4, 20)] {
            crossbar.push(sent, 0, 0, 1, id);
        }
        assert_eq!(run(&mut crossbar), [(6, 1), (8, 3), (21, 4), (51, 0), (53, 2)]);
    }

    #[test]
    fn a_packet_may_be_sent_long_after_it_was_pushed() {
        for sent in [AHEAD as u64 - 1, AHEAD as u64, 5 * AHEAD as u64 + 3] {
            let mut crossbar = crossbar(1, 1);
            crossbar.push(sent, 0, 0, 1, 1);
            assert_eq!(run(&mut crossbar), [(sent + 1, 1)]);
        }
    }

    /// A crossbar by the rules: every step looks at every queue. A packet is the cycle in which it
    /// is sent, input, output and flits.
    fn naive(packets: &[(u64, usize, usize, u32)], steps: Steps) -> Vec<(u64, u32)> {
        const PORTS: usize = 5;
        let mut queues = vec![Vec::new(); PORTS];
        for (id, &(sent, input, ..)) in packets.iter().enumerate() {
            queues[input].push((sent, id));
        }
        queues.iter_mut().for_each(|queue| queue.sort_by_key(|&(sent, _)| sent));
        let (mut input_free, mut output_free) = ([0; PORTS], [0; PORTS]);
        let mut turn = [0; PORTS];
        let mut crossed = Vec::new();
        for now in 0.. {
            if queues.iter().all(Vec::is_empty) {
                break;
            }
            // What all show at the start of the step.
            let shown: [Option<usize>; PORTS] = std::array::from_fn(|input| {
                let &(sent, id) = queues[input].first()?;
                (steps.first(sent) <= now && input_free[input] <= now).then_some(id)
            });
            for output in 0..PORTS {
                if output_free[output] > now {
                    continue;
                }
                let wants = |input: &usize| shown[*input].is_some_and(|id| packets[id].2 == output);
                // Behind the last input come those that are not there.
                let mut all = (0..MAX_PORTS).map(|step| (turn[output] + step) % MAX_PORTS);
                let Some(input) = all.find(|input| *input < PORTS && wants(input)) else {
                    continue;
                };
                let (_, id) = queues[input].remove(0);
                let free = now + 1 + u64::from(packets[id].3);
                (input_free[input], output_free[output]) = (free, free);
                turn[output] = (input + 1) % MAX_PORTS;
                crossed.push((now, id as u32));
            }
        }
        crossed
    }

    /// What crosses, in the order in which it does, on ports that are so far `apart`. It is pushed
    /// up to `ahead` cycles before it is sent, and run every so many cycles.
    fn pushed_ahead<const W: usize>(
        packets: &[(u64, usize, usize, u32)],
        steps: Steps,
        apart: usize,
        every: u64,
        ahead: u64,
    ) -> Vec<(u64, u32)> {
        let mut crossbar = Crossbar::<W>::new(5 * apart, 5 * apart, steps);
        // Of one input and cycle in order; else those go first that were pushed first.
        let mut left: Vec<(usize, u64)> =
            packets.iter().map(|packet| packet.0).enumerate().collect();
        let mut crossed = Vec::new();
        let mut cycle = 0;
        while crossed.len() < packets.len() {
            // All that is sent before `cycle`, and some of what is sent later.
            left.retain(|&(id, sent)| {
                let pushes = sent < cycle + ahead;
                if pushes {
                    let (_, input, output, flits) = packets[id];
                    crossbar.push(sent, input * apart, output * apart, flits, id as u32);
                }
                !pushes
            });
            crossbar.run(steps.first(cycle) - 1, |step, crossing| {
                crossed.push((step, crossing.id));
            });
            cycle += every.min(ahead).max(1);
        }
        crossed
    }

    proptest! {
        #[test]
        fn what_is_pushed_ahead_and_run_at_once_crosses_by_the_rules(
            packets in prop::collection::vec(
                (prop_oneof![0_u64..40, 0_u64..900], 0_usize..5, 0_usize..4, 1_u32..5), 0..60),
            megahertz in prop::sample::select(vec![200.0, 700.0, 900.0]), speedup in 1_u32..4,
            every in 1_u64..400, ahead in 0_u64..600,
        ) {
            let steps = Steps::new(Clock::new(megahertz, 700.0), speedup);
            let expected = naive(&packets, steps);
            prop_assert_eq!(&pushed_ahead::<1>(&packets, steps, 1, every, ahead), &expected);
            // In all three words.
            prop_assert_eq!(&pushed_ahead::<3>(&packets, steps, 28, every, ahead), &expected);
        }
    }
}
