//! What twin and hardware say on their ports, in words side by side, and what the twin says of its
//! state.

use crate::engine::{each_port, Comparison};
use blockyard_sim::port::Outputs;
use blockyard_waves::{Capture, Target, TextVariable, WaveError};

/// Before the name of an output: what the twin says there.
pub const TWIN_PATH: &str = "story.twin.";
/// Before the name of an output: what the hardware says there.
pub const HARDWARE_PATH: &str = "story.hardware.";

/// Most characters of an output in words.
const LENGTH: usize = 100;

/// Most lines of the twin's state beside one for each SMX.
const STATE_LINES: usize = 48;

/// Keeps the texts up to date.
pub struct Sides {
    /// The number of the first text.
    first: usize,
    smx: usize,
    /// First cycle of the dump.
    from: u64,
    /// Twin and hardware, as they were said last.
    said: [Option<Outputs>; 2],
}

impl Sides {
    /// Of `smx` SMXs; the texts are numbered from `first`, and the dump begins in cycle `from`.
    pub fn new(first: usize, smx: usize, from: u64) -> Self {
        Self { first, smx, from, said: [None, None] }
    }

    /// Its texts: first for each output what either side says, then the lines of the state.
    pub fn variables(&self) -> Vec<TextVariable> {
        let mut all = Vec::new();
        let mut add = |path: String| {
            let path = path.split_once('.').map_or(path.clone(), |(_, below)| below.to_owned());
            all.push(TextVariable { path, length: LENGTH });
        };
        for side in [TWIN_PATH, HARDWARE_PATH] {
            let idle = Outputs::idle(self.smx);
            each_port(&idle, &idle, &mut |port, _, _| add(path(side, &port.to_string())));
        }
        (0..self.lines()).for_each(|line| add(format!("{TWIN_PATH}state.line_{line}")));
        all
    }

    /// Whether the state is dumped in that cycle.
    pub fn asks_for_state(&self, cycle: u64) -> bool {
        cycle >= self.from
    }

    /// See [`Witness::compared`](crate::engine::Witness::compared).
    pub fn compared<W: Target>(
        &mut self,
        capture: &mut Capture<W>,
        comparison: &Comparison<'_>,
    ) -> Result<(), WaveError> {
        let Comparison { cycle, inputs, twin, hardware, state } = *comparison;
        let undefined = Outputs::idle(self.smx);
        let mut number = self.first;
        // Most of what was said stays.
        let mut changes: Vec<(usize, String)> = Vec::new();
        for (said, outputs) in self.said.iter_mut().zip([twin, hardware]) {
            let outputs = if inputs.reset { &undefined } else { outputs };
            let before = said.as_ref().unwrap_or(outputs);
            each_port(before, outputs, &mut |_, differs, words| {
                if differs || said.is_none() {
                    let [_, words] = words();
                    changes.push((number, words));
                }
                number += 1;
            });
            match said {
                Some(said) => said.clone_from(outputs),
                None => *said = Some(outputs.clone()),
            }
        }
        if let Some(state) = state {
            let mut lines = state.split(['\n', ';']).map(str::trim);
            for line in 0..self.lines() {
                changes.push((number + line, lines.next().unwrap_or_default().to_owned()));
            }
        }
        for (number, words) in changes {
            capture.say(cycle, number, &words.replace(", ", ","))?;
        }
        Ok(())
    }

    fn lines(&self) -> usize {
        self.smx + STATE_LINES
    }
}

/// Where `side` says what is on a port: `story.twin.dispatch_3` for `dispatch[3]`.
pub fn path(side: &str, port: &str) -> String {
    format!("{side}{}", port.replace('[', "_").replace(']', ""))
}
