//! A crossbar with a queue before each input: a packet waits until it is the first of its input and
//! its output is free, so a blocked first packet also blocks those behind it.
//!
//! It works in steps, of which a network cycle may have several. A packet holds both its ports for one step
//! in which it is granted the output, and one step a flit.

use crate::gpu::fifo::Fifo;

/// Most inputs and outputs: their sets are 64-bit words.
pub const MAX_PORTS: usize = 64;

/// A packet in a queue.
#[derive(Clone, Copy, Debug, Default)]
struct Packet {
    /// The first step that finds it there.
    from: u64,
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
    /// Its output.
    pub output: u8,
    /// Its flits.
    pub flits: u8,
}

/// Most flits of a packet.
pub const MAX_FLITS: u32 = 254;

/// Steps that [`Crossbar::freed`] looks ahead: more than a packet takes.
const AHEAD: usize = 256;

/// What changes in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    /// Inputs that show their next packet.
    showing: u64,
    /// Outputs that become free.
    freed: u64,
}

/// See the module. Times are steps.
#[derive(Debug)]
pub struct Crossbar {
    /// For each input the packets that have not crossed, in the order in which they come. The first one is
    /// what it shows to its output, when it has come and the one before is across.
    queues: Box<[Fifo<Packet>; MAX_PORTS]>,
    /// Inputs that show one.
    shown: u64,
    /// For each input the first step in which it can show another one.
    input_free: [u64; MAX_PORTS],
    /// Outputs at which a packet crosses.
    busy_outputs: u64,
    /// By step, round and round.
    changes: [Change; AHEAD],
    /// The last step of the round in which something changes.
    last_change: u64,
    /// The first step that has not been done.
    next_step: u64,
    /// For each output the inputs whose first packet wants it.
    wanted_by: [u64; MAX_PORTS],
    /// Outputs that are wanted.
    wanted: u64,
    /// For each output the input whose turn it is.
    turn: [u8; MAX_PORTS],
}

impl Crossbar {
    /// An idle crossbar.
    ///
    /// # Panics
    /// When it has more than [`MAX_PORTS`] inputs or outputs;
    /// [`crate::gpu::config::GpuConfig::validate`] refuses that.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS);
        Self {
            queues: Box::new(std::array::from_fn(|_| Fifo::default())),
            shown: 0,
            input_free: [0; MAX_PORTS],
            busy_outputs: 0,
            changes: [Change::default(); AHEAD],
            last_change: 0,
            next_step: 0,
            wanted_by: [0; MAX_PORTS],
            wanted: 0,
            turn: [0; MAX_PORTS],
        }
    }

    /// A packet of `flits` flits comes to the queue of `input` so that step `from` is the first to find it
    /// there; behind those that come in the same step and were pushed before it.
    ///
    /// # Panics
    /// When it has more than [`MAX_FLITS`]; the configuration is refused before that. In debug builds when
    /// step `from` has been done.
    #[inline(always)]
    pub fn push(&mut self, from: u64, input: usize, output: usize, flits: u32, id: u32) {
        assert!(flits <= MAX_FLITS && input < MAX_PORTS);
        debug_assert!(from >= self.next_step, "step {from} is over");
        let packet = Packet { from, id, output: output as u8, flits: flits as u8 };
        let queue = &mut self.queues[input];
        match queue.back() {
            Some(last) if last.from <= from => queue.push(packet),
            Some(_) => self.sort_in(input, packet),
            None => {
                queue.push(packet);
                self.show_next(input, from);
            }
        }
    }

    /// `packet` comes to `input` before one that was pushed before it.
    #[cold]
    fn sort_in(&mut self, input: usize, packet: Packet) {
        let queue = &mut self.queues[input];
        let place = queue.items().partition_point(|other| other.from <= packet.from);
        // The first one stays where it is shown.
        let place = place.max((self.shown >> input & 1) as usize);
        queue.insert(place, packet);
        if place == 0 {
            // The step in which the input was to show another one finds that it is too soon, or too late.
            self.show_next(input, packet.from);
        }
    }

    /// `input` shows its next packet, which comes in step `from`, as soon as it can.
    #[inline(always)]
    fn show_next(&mut self, input: usize, from: u64) {
        // Beyond the round an early look is harmless: the packet has not come and the input looks again.
        let step = from.max(self.input_free[input % MAX_PORTS]);
        let step = step.min(self.next_step + AHEAD as u64 - 1);
        self.change(step).showing |= 1 << input;
    }

    /// What changes in `step`, to which a change is added.
    #[inline(always)]
    fn change(&mut self, step: u64) -> &mut Change {
        self.last_change = self.last_change.max(step);
        &mut self.changes[step as usize % AHEAD]
    }

    /// Does all steps up to `last`: in each of them each free output takes the first packet of an input that
    /// wants it, the inputs in turn. `crosses` learns what crosses in which step.
    #[inline(always)]
    pub fn run(&mut self, last: u64, mut crosses: impl FnMut(u64, Crossing)) {
        while self.next_step <= last.min(self.last_change) {
            let now = self.next_step;
            self.next_step += 1;
            let change = std::mem::take(&mut self.changes[now as usize % AHEAD]);
            // Else all that could be granted was granted in the step before.
            if change.showing | change.freed != 0 {
                self.step(now, change, &mut crosses);
            }
        }
        self.next_step = self.next_step.max(last + 1);
    }

    #[inline(always)]
    fn step(&mut self, now: u64, change: Change, crosses: &mut impl FnMut(u64, Crossing)) {
        self.busy_outputs &= !change.freed;
        let mut showing = change.showing & !self.shown;
        while showing != 0 {
            let input = showing.trailing_zeros() as usize;
            showing &= showing - 1;
            let Some(packet) = self.queues[input % MAX_PORTS].front() else { continue };
            let (from, output) = (packet.from, packet.output);
            if from.max(self.input_free[input % MAX_PORTS]) > now {
                self.show_next(input, from);
                continue;
            }
            self.shown |= 1 << input;
            self.wanted_by[usize::from(output) % MAX_PORTS] |= 1 << input;
            self.wanted |= 1 << output;
        }
        let mut wanted = self.wanted & !self.busy_outputs;
        while wanted != 0 {
            let output = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            crosses(now, self.grant(output, now));
        }
    }

    #[inline(always)]
    fn grant(&mut self, output: usize, now: u64) -> Crossing {
        let turn = u32::from(self.turn[output]);
        let waiting = self.wanted_by[output];
        let input = (waiting.rotate_right(turn).trailing_zeros() + turn) as usize % MAX_PORTS;
        self.turn[output] = ((input + 1) % MAX_PORTS) as u8;
        let left = waiting & !(1 << input);
        self.wanted_by[output] = left;
        self.wanted &= !(u64::from(left == 0) << output);
        self.shown &= !(1 << input);
        self.busy_outputs |= 1 << output;
        let queue = &mut self.queues[input];
        let packet = queue.pop().expect("it is shown");
        let next = queue.front().map(|next| next.from);
        let free = now + 1 + u64::from(packet.flits);
        self.input_free[input] = free;
        self.change(free).freed |= 1 << output;
        if let Some(from) = next {
            self.show_next(input, from);
        }
        Crossing { id: packet.id, output: packet.output, flits: packet.flits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// For each crossing its step and number.
    fn run(crossbar: &mut Crossbar) -> Vec<(u64, u32)> {
        let mut all = Vec::new();
        crossbar.run(10_000, |step, crossing| all.push((step, crossing.id)));
        all
    }

    #[test]
    fn packets_between_different_ports_cross_together() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 0, 1, 1, 7);
        crossbar.push(0, 1, 0, 1, 8);
        assert_eq!(run(&mut crossbar), [(0, 8), (0, 7)]);
    }

    #[test]
    fn a_packet_holds_both_its_ports_for_its_flits() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 0, 0, 4, 1);
        crossbar.push(0, 0, 1, 1, 2);
        crossbar.push(0, 1, 0, 1, 3);
        assert_eq!(run(&mut crossbar), [(0, 1), (5, 3), (5, 2)]);
    }

    #[test]
    fn a_blocked_first_packet_blocks_those_behind_it() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 0, 0, 3, 1);
        crossbar.push(0, 1, 0, 1, 2);
        crossbar.push(0, 1, 1, 1, 3);
        assert_eq!(run(&mut crossbar), [(0, 1), (4, 2), (6, 3)], "output 1 was free all the time");
    }

    #[test]
    fn inputs_take_turns_at_an_output() {
        let mut crossbar = Crossbar::new(3, 1);
        for id in 0..6 {
            crossbar.push(0, id as usize % 3, 0, 1, id);
        }
        let order: Vec<u32> = run(&mut crossbar).iter().map(|(_, id)| *id).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_packet_that_comes_sooner_is_pushed_before_those_that_come_later() {
        let mut crossbar = Crossbar::new(1, 1);
        for (id, from) in [(0, 50), (1, 5), (2, 50), (3, 5), (4, 20)] {
            crossbar.push(from, 0, 0, 1, id);
        }
        assert_eq!(run(&mut crossbar), [(5, 1), (7, 3), (20, 4), (50, 0), (52, 2)]);
    }

    #[test]
    fn a_packet_may_come_long_after_it_was_pushed() {
        for from in [AHEAD as u64 - 1, AHEAD as u64, 5 * AHEAD as u64 + 3] {
            let mut crossbar = Crossbar::new(1, 1);
            crossbar.push(from, 0, 0, 1, 1);
            assert_eq!(run(&mut crossbar), [(from, 1)]);
        }
    }

    /// A crossbar by the rules: every step looks at every queue.
    fn naive(
        packets: &[(u64, usize, usize, u32)],
        inputs: usize,
        outputs: usize,
    ) -> Vec<(u64, u32)> {
        let mut queues = vec![Vec::new(); inputs];
        for (id, &(from, input, ..)) in packets.iter().enumerate() {
            queues[input].push((from, id));
        }
        queues.iter_mut().for_each(|queue| queue.sort_by_key(|&(from, _)| from));
        let (mut input_free, mut output_free) = (vec![0; inputs], vec![0; outputs]);
        let mut turn = vec![0; outputs];
        let mut crossed = Vec::new();
        for now in 0.. {
            if queues.iter().all(Vec::is_empty) {
                return crossed;
            }
            // What all show at the start of the step.
            let shown: Vec<Option<usize>> = (0..inputs)
                .map(|input| {
                    let first = queues[input].first().filter(|first| first.0 <= now);
                    first.filter(|_| input_free[input] <= now).map(|first| first.1)
                })
                .collect();
            for output in 0..outputs {
                if output_free[output] > now {
                    continue;
                }
                let wants = |input: &usize| shown[*input].is_some_and(|id| packets[id].2 == output);
                let all = (0..MAX_PORTS).map(|step| (turn[output] + step) % MAX_PORTS);
                let Some(input) = all.filter(|&input| input < inputs).find(wants) else { continue };
                let (_, id) = queues[input].remove(0);
                let free = now + 1 + u64::from(packets[id].3);
                (input_free[input], output_free[output]) = (free, free);
                turn[output] = (input + 1) % MAX_PORTS;
                crossed.push((now, id as u32));
            }
        }
        unreachable!()
    }

    proptest! {
        #[test]
        fn what_is_pushed_ahead_and_run_at_once_crosses_by_the_rules(
            packets in prop::collection::vec(
                (prop_oneof![0_u64..40, 0_u64..900], 0_usize..5, 0_usize..4, 1_u32..5), 0..60),
            every in 1_u64..400,
            ahead in prop_oneof![Just(0_u64), 0_u64..600],
        ) {
            let expected = naive(&packets, 5, 4);
            let mut crossbar = Crossbar::new(5, 4);
            let mut pushed = vec![false; packets.len()];
            let mut crossed = Vec::new();
            let mut last = 0;
            while crossed.len() < packets.len() {
                for (id, &(from, input, output, flits)) in packets.iter().enumerate() {
                    // In time, and some of them long before.
                    if !pushed[id] && from <= last + ahead {
                        pushed[id] = true;
                        crossbar.push(from, input, output, flits, id as u32);
                    }
                }
                crossbar.run(last, |step, crossing| crossed.push((step, crossing.id)));
                last += every.min(ahead + 1);
            }
            prop_assert_eq!(crossed, expected);
        }
    }
}
