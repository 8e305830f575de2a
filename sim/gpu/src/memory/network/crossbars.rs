//! The two crossbars between SMXs and L2 slices, one for requests and one for replies, in the
//! network's clock.
//!
//! What is sent in an SMX cycle crosses in the network cycle behind it at the earliest, so each
//! crossbar can be run ahead to where all that is sent to it is known.

use super::crossbar::{Crossbar, Crossing};
use super::links::Links;
use super::steps::Steps;
use crate::clock::Clock;
use crate::config::{GpuConfig, Topology, MAX_PORTS};
use crate::mask::WORDS;

/// One crossbar, and the channels behind it.
#[derive(Debug)]
struct Direction {
    crossbar: AnyCrossbar,
    /// For each output the first network cycle in which its channel takes another flit.
    channel_free: [u64; MAX_PORTS],
    /// Only where the memory is in domains.
    links: Option<Links>,
}

/// Up to 64 ports have sets of one word: with three of them the memory took a tenth longer.
#[derive(Debug)]
enum AnyCrossbar {
    Narrow(Box<Crossbar<1>>),
    Wide(Box<Crossbar<WORDS>>),
}

/// See the module.
#[derive(Debug)]
pub struct Crossbars {
    requests: Direction,
    replies: Direction,
    steps: Steps,
    latency: u64,
}

impl Crossbars {
    /// The idle crossbars of `config`, if that is its topology.
    pub fn new(config: &GpuConfig) -> Option<Self> {
        if config.interconnect.topology != Topology::Crossbar {
            return None;
        }
        let (smx, slices) = (config.smx.count as usize, config.slices() as usize);
        let clock = Clock::new(config.clock.interconnect, config.clock.core);
        let steps = Steps::new(clock, config.interconnect.speedup);
        let direction = |inputs, outputs| Direction {
            crossbar: AnyCrossbar::new(inputs, outputs, steps),
            channel_free: [0; MAX_PORTS],
            links: Links::new(config),
        };
        Some(Self {
            requests: direction(smx, slices),
            replies: direction(slices, smx),
            steps,
            latency: u64::from(config.interconnect.latency),
        })
    }

    /// Request `id` leaves its SMX in `cycle`.
    #[inline(always)]
    pub fn request(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64, id: u32) {
        self.requests.crossbar.push(cycle, usize::from(smx), slice as usize, flits as u32, id);
    }

    /// The reply to request `id` leaves its slice in `cycle`.
    #[inline(always)]
    pub fn reply(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64, id: u32) {
        self.replies.crossbar.push(cycle, slice as usize, usize::from(smx), flits as u32, id);
    }

    /// The first cycle in which anything can be received that is sent in `cycle` or later.
    pub fn soonest(&self, cycle: u64) -> u64 {
        let sent = self.steps.network_cycle(self.steps.first(cycle));
        self.steps.received(sent, self.latency)
    }

    /// What crosses of the requests that are sent before `cycle`, in the steps in which no other
    /// can: `crosses` learns in which cycle it leaves its SMX and in which it has been received.
    #[inline(always)]
    pub fn run_requests(&mut self, cycle: u64, crosses: impl FnMut(u64, u64, Crossing)) {
        let crosses_link = |links: &mut Links, granted, Crossing { input, output, flits, .. }| {
            links.request(granted, input, output, flits)
        };
        self.requests.run(cycle, self.steps, self.latency, crosses_link, crosses);
    }

    /// As [`run_requests`](Self::run_requests), of the replies.
    #[inline(always)]
    pub fn run_replies(&mut self, cycle: u64, crosses: impl FnMut(u64, u64, Crossing)) {
        let crosses_link = |links: &mut Links, granted, Crossing { input, output, flits, .. }| {
            links.reply(granted, input, output, flits)
        };
        self.replies.run(cycle, self.steps, self.latency, crosses_link, crosses);
    }
}

impl AnyCrossbar {
    fn new(inputs: usize, outputs: usize, steps: Steps) -> Self {
        if inputs.max(outputs) <= 64 {
            Self::Narrow(Box::new(Crossbar::new(inputs, outputs, steps)))
        } else {
            Self::Wide(Box::new(Crossbar::new(inputs, outputs, steps)))
        }
    }

    #[inline(always)]
    fn push(&mut self, sent: u64, input: usize, output: usize, flits: u32, id: u32) {
        match self {
            Self::Narrow(crossbar) => crossbar.push(sent, input, output, flits, id),
            Self::Wide(crossbar) => crossbar.push(sent, input, output, flits, id),
        }
    }

    #[inline(always)]
    fn run(&mut self, last: u64, crosses: impl FnMut(u64, Crossing)) {
        match self {
            Self::Narrow(crossbar) => crossbar.run(last, crosses),
            Self::Wide(crossbar) => crossbar.run(last, crosses),
        }
    }
}

impl Direction {
    /// The steps that come before those of what is sent in `cycle`. What crosses goes out flit by
    /// flit and is received after the latency, with its last flit. From one domain to another it
    /// also has to pass the links, and takes longer: `crosses_link` says when its last byte has.
    #[inline(always)]
    fn run(
        &mut self,
        cycle: u64,
        steps: Steps,
        latency: u64,
        crosses_link: impl Fn(&mut Links, u64, Crossing) -> Option<u64>,
        mut crosses: impl FnMut(u64, u64, Crossing),
    ) {
        let Self { crossbar, channel_free, links } = self;
        crossbar.run(steps.first(cycle) - 1, |step, crossing| {
            let granted = steps.network_cycle(step);
            let channel = &mut channel_free[usize::from(crossing.output)];
            *channel = granted.max(*channel) + u64::from(crossing.flits);
            let (mut last, mut latency) = (*channel - 1, latency);
            if let Some(links) = links {
                if let Some(passed) = crosses_link(links, granted, crossing) {
                    last = last.max(passed);
                    latency += links.between();
                }
            }
            let received = steps.received(last, latency);
            crosses(steps.received(granted, 0), received, crossing);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_received_before_the_soonest_cycle_and_a_packet_of_a_flit_in_it(
            megahertz in 1_u32..3000, latency in 0_u32..40, speedup in 1_u32..9,
            cycle in 0_u64..100_000, flits in 1_u64..6,
        ) {
            let mut config = GpuConfig::preset("k20c").unwrap();
            for (key, value) in [
                ("clock.interconnect", megahertz),
                ("interconnect.latency", latency),
                ("interconnect.speedup", speedup),
            ] {
                config.set(key, &value.to_string()).unwrap();
            }
            let mut crossbars = Crossbars::new(&config).unwrap();
            let soonest = crossbars.soonest(cycle);
            prop_assert!(soonest > cycle);
            crossbars.request(cycle, 3, 5, flits, 7);
            let mut crossed = Vec::new();
            let steps = |crossbars: &mut Crossbars, cycle, crossed: &mut Vec<_>| {
                crossbars.run_requests(cycle, |leaves, received, crossing| {
                    crossed.push((leaves, received, crossing.id));
                });
            };
            steps(&mut crossbars, cycle, &mut crossed);
            prop_assert!(crossed.is_empty(), "it is not sent before {}", cycle);
            steps(&mut crossbars, cycle + 10_000, &mut crossed);
            let [(leaves, received, 7)] = crossed[..] else { panic!("{crossed:?}") };
            prop_assert!(cycle < leaves && leaves <= soonest && soonest <= received);
            if flits == 1 {
                prop_assert_eq!(received, soonest);
            } else if megahertz <= 706 {
                prop_assert!(received > soonest, "a network cycle is one of the SMXs at least");
            }
        }
    }
}
