//! Which handshakes of a trace were seen at both levels.

use super::ports::Direction;
use super::trace::PortTrace;
use std::fmt;

/// A handshake bit that kept one level through a whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unexercised {
    /// The port.
    pub port: String,
    /// The bit of the port.
    pub bit: usize,
    /// The level that was never seen.
    pub missing: bool,
}

impl fmt::Display for Unexercised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit {} of {} was never {}", self.bit, self.port, u8::from(self.missing))
    }
}

/// The handshake bits of a trace that were not seen at 0 and at 1 while outputs were compared.
pub fn unexercised(trace: &PortTrace) -> Vec<Unexercised> {
    let mut found = Vec::new();
    for port in &trace.ports {
        for &bit in &port.handshakes {
            let mut seen = [false; 2];
            for cycle in trace.cycles.iter().filter(|cycle| cycle.compared) {
                let row = match port.direction {
                    Direction::Input => &cycle.inputs,
                    Direction::Output => &cycle.outputs,
                };
                seen[(port.value(row)[bit / 32] >> (bit % 32) & 1) as usize] = true;
            }
            for missing in [false, true] {
                if !seen[usize::from(missing)] {
                    found.push(Unexercised { port: port.name.clone(), bit, missing });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::ports::Port;
    use super::super::trace::Cycle;
    use super::*;

    fn trace(levels: &[(u32, bool)]) -> PortTrace {
        let port = Port {
            name: "valid".into(),
            bits: 1,
            direction: Direction::Output,
            offset: 0,
            handshakes: vec![0],
            fields: vec![],
        };
        let cycles = levels
            .iter()
            .map(|&(level, compared)| Cycle { inputs: vec![], outputs: vec![level], compared })
            .collect();
        PortTrace { ports: vec![port], clocked: false, cycles }
    }

    #[test]
    fn a_bit_that_was_seen_at_both_levels_is_exercised() {
        assert_eq!(unexercised(&trace(&[(0, true), (1, true)])), []);
    }

    #[test]
    fn a_level_that_was_not_compared_does_not_count() {
        let found = unexercised(&trace(&[(0, true), (1, false)]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "bit 0 of valid was never 1");
    }
}
