//! A crossbar with a queue before each input: a packet waits until it is the first of its input and
//! its output is free, so a blocked first packet also blocks those behind it.
//!
//! It works in steps, of which a network cycle may have several. A packet holds both its ports for one step
//! in which it is granted the output, and one step a flit.

use std::collections::VecDeque;

/// Most inputs and outputs: their sets are 64-bit words.
pub const MAX_PORTS: usize = 64;

/// A packet in a queue.
#[derive(Clone, Copy, Debug, Default)]
struct Packet {
    output: u8,
    flits: u8,
    /// What the caller knows it by.
    id: u32,
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

/// See the module. Times are steps; a step may be left out while the crossbar is idle.
#[derive(Debug)]
pub struct Crossbar {
    /// For each input the packets behind the one that it shows.
    queues: Box<[VecDeque<Packet>; MAX_PORTS]>,
    /// Inputs that have such packets.
    queued: u64,
    /// For each input the packet that it shows to its output.
    first: [Packet; MAX_PORTS],
    /// Inputs that show one.
    shown: u64,
    /// Inputs and outputs at which a packet crosses.
    busy_inputs: u64,
    busy_outputs: u64,
    /// By step, round and round, the inputs and outputs that become free in it.
    freed: [(u64, u64); AHEAD],
    /// The first step whose `freed` has not been looked at.
    next_step: u64,
    /// Whether a packet has come before an input since the last step: else nothing can cross until a
    /// port becomes free.
    fresh: bool,
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
            queues: Box::new(std::array::from_fn(|_| VecDeque::new())),
            queued: 0,
            first: [Packet::default(); MAX_PORTS],
            shown: 0,
            busy_inputs: 0,
            busy_outputs: 0,
            freed: [(0, 0); AHEAD],
            next_step: 0,
            fresh: false,
            wanted_by: [0; MAX_PORTS],
            wanted: 0,
            turn: [0; MAX_PORTS],
        }
    }

    /// A packet of `flits` flits joins the queue of `input`.
    ///
    /// # Panics
    /// When it has more than [`MAX_FLITS`]; the configuration is refused before that.
    #[inline]
    pub fn push(&mut self, input: usize, output: usize, flits: u32, id: u32) {
        assert!(flits <= MAX_FLITS && input < MAX_PORTS);
        let packet = Packet { output: output as u8, flits: flits as u8, id };
        let first = (self.queued | self.shown) >> input & 1 == 0;
        self.fresh |= first;
        if first && self.busy_inputs >> input & 1 == 0 {
            self.show(input, packet);
        } else {
            self.queued |= 1 << input;
            self.queues[input].push_back(packet);
        }
    }

    /// Whether no packet waits.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.queued | self.shown == 0
    }

    /// Step `now`: each free output takes the first packet of an input that wants it, the inputs in
    /// turn. `crosses` learns what crosses.
    #[inline(always)]
    pub fn tick(&mut self, now: u64, mut crosses: impl FnMut(Crossing)) {
        if !self.free_ports(now) & !std::mem::take(&mut self.fresh) {
            return;
        }
        let mut showing = self.queued & !self.shown & !self.busy_inputs;
        while showing != 0 {
            let input = showing.trailing_zeros() as usize;
            showing &= showing - 1;
            let queue = &mut self.queues[input % MAX_PORTS];
            if let Some(packet) = queue.pop_front() {
                self.queued &= !(u64::from(queue.is_empty()) << input);
                self.show(input, packet);
            }
        }
        let mut wanted = self.wanted & !self.busy_outputs;
        while wanted != 0 {
            let output = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            crosses(self.grant(output, now));
        }
    }

    /// `input`, at which none crosses, shows `packet` to its output.
    #[inline(always)]
    fn show(&mut self, input: usize, packet: Packet) {
        self.first[input % MAX_PORTS] = packet;
        self.shown |= 1 << input;
        self.wanted_by[usize::from(packet.output) % MAX_PORTS] |= 1 << input;
        self.wanted |= 1 << packet.output;
    }

    /// Takes note of the ports that have become free up to step `now`. Returns whether there are any.
    #[inline(always)]
    fn free_ports(&mut self, now: u64) -> bool {
        let mut freed = std::mem::take(&mut self.freed[now as usize % AHEAD]);
        if self.next_step < now {
            for step in self.next_step.max((now + 1).saturating_sub(AHEAD as u64))..now {
                let before = std::mem::take(&mut self.freed[step as usize % AHEAD]);
                freed = (freed.0 | before.0, freed.1 | before.1);
            }
        }
        self.next_step = now + 1;
        self.busy_inputs &= !freed.0;
        self.busy_outputs &= !freed.1;
        freed != (0, 0)
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
        let packet = self.first[input];
        self.shown &= !(1 << input);
        self.busy_inputs |= 1 << input;
        self.busy_outputs |= 1 << output;
        let freed = &mut self.freed[(now + 1 + u64::from(packet.flits)) as usize % AHEAD];
        freed.0 |= 1 << input;
        freed.1 |= 1 << output;
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
        let mut now = 0;
        while !crossbar.is_idle() {
            crossbar.tick(now, |crossing| all.push((now, crossing.id)));
            now += 1;
        }
        all
    }

    #[test]
    fn packets_between_different_ports_cross_together() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 1, 1, 7);
        crossbar.push(1, 0, 1, 8);
        assert_eq!(run(&mut crossbar), [(0, 8), (0, 7)]);
    }

    #[test]
    fn a_packet_holds_both_its_ports_for_its_flits() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 0, 4, 1);
        crossbar.push(0, 1, 1, 2);
        crossbar.push(1, 0, 1, 3);
        assert_eq!(run(&mut crossbar), [(0, 1), (5, 3), (5, 2)]);
    }

    #[test]
    fn a_blocked_first_packet_blocks_those_behind_it() {
        let mut crossbar = Crossbar::new(2, 2);
        crossbar.push(0, 0, 3, 1);
        crossbar.push(1, 0, 1, 2);
        crossbar.push(1, 1, 1, 3);
        assert_eq!(run(&mut crossbar), [(0, 1), (4, 2), (6, 3)], "output 1 was free all the time");
    }

    #[test]
    fn inputs_take_turns_at_an_output() {
        let mut crossbar = Crossbar::new(3, 1);
        for id in 0..6 {
            crossbar.push(id as usize % 3, 0, 1, id);
        }
        let order: Vec<u32> = run(&mut crossbar).iter().map(|(_, id)| *id).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    proptest! {
        #[test]
        fn every_packet_crosses_once_and_those_of_an_input_in_order(
            packets in prop::collection::vec((0_usize..5, 0_usize..4, 1_u32..5), 0..60),
        ) {
            let mut crossbar = Crossbar::new(5, 4);
            for (id, &(input, output, flits)) in packets.iter().enumerate() {
                crossbar.push(input, output, flits, id as u32);
            }
            let crossed = run(&mut crossbar);
            prop_assert_eq!(crossed.len(), packets.len());
            for input in 0..5 {
                let ids: Vec<u32> = crossed
                    .iter()
                    .map(|(_, id)| *id)
                    .filter(|&id| packets[id as usize].0 == input)
                    .collect();
                prop_assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]));
            }
            // No output takes a packet before the one before it is across.
            for output in 0..4 {
                let mut free = 0;
                for (cycle, id) in &crossed {
                    let (_, to, flits) = packets[*id as usize];
                    if to == output {
                        prop_assert!(*cycle >= free);
                        free = cycle + 1 + u64::from(flits);
                    }
                }
            }
        }
    }
}
