//! Whether a fault can ever be seen: by induction over the circuit's own gates, and by ABC.

use super::bounds::Bounds;
use super::compared::{compared, Bit};
use super::fault::PORT;
use super::faulty;
use super::product::{cycle, product, Bounded, Choice, Product, Term};
use crate::prove::abc::{self, Answer};
use crate::prove::aiger::Aiger;
use crate::replay::{read_file, write_file, Direction, Patience, Port, PortTrace, ReplayError};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A design with its faults as a circuit.
pub struct Circuit {
    folder: PathBuf,
    aiger: Aiger,
    chooses: Vec<usize>,
    reset: usize,
    compared: Vec<Term>,
    /// Variables that no legal run sets, and what they are in the design.
    never: Vec<usize>,
    never_names: Vec<String>,
    /// Numbers that get no further, and what they would be.
    bounded: Vec<Bounded>,
    bounded_names: Vec<String>,
    /// For each input its port and the bit of it.
    inputs: Vec<Option<Bit>>,
}

/// Cycles in which it is looked whether the bounds hold.
const BOUNDED: usize = 2000;

/// What was found of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No inputs show it, legal or not.
    Equivalent,
    /// Some inputs show it, of which nobody says that they are legal.
    Visible,
    /// Time was up.
    Undecided,
}

impl Circuit {
    /// Of the design that [`faulty::insert`] left in `folder`, which has these ports and bounds.
    ///
    /// # Errors
    /// When Yosys cannot be run, fails or reaches a limit.
    pub fn new(
        folder: &Path,
        ports: &[Port],
        bounds: &Bounds,
        patience: Patience,
    ) -> Result<Self, ReplayError> {
        faulty::circuit(folder, patience)?;
        let rejected = |log: String| ReplayError::Rejected { tool: "yosys", log };
        let file = std::fs::read(folder.join("top.aig"))
            .map_err(|source| ReplayError::Io { what: "reading a circuit".to_owned(), source })?;
        let aiger = Aiger::parse(&file).map_err(|error| rejected(error.to_string()))?;
        let map = read_file(&folder.join("top.map"))?;
        let names = names(&map);
        let missing = |name: &str| rejected(format!("the circuit has no {name}"));
        let literal = |Bit { port, bit }: Bit| {
            let Port { name, direction, .. } = &ports[port];
            // A port of which nothing is driven or used is not there.
            let place = names.get(&(*direction, name.clone(), bit));
            place.map_or(0, |&place| match direction {
                Direction::Input => 2 * (1 + place) as u32,
                Direction::Output => aiger.outputs[place],
            })
        };
        let mut terms = Vec::new();
        for one in compared(ports) {
            let when: Vec<Vec<u32>> = one
                .when
                .iter()
                .map(|bits| bits.iter().map(|&bit| literal(bit)).collect())
                .collect();
            terms.extend((one.low..one.low + one.bits).map(|bit| Term {
                output: literal(Bit { port: one.port, bit }),
                when: when.clone(),
            }));
        }
        let input = |name: &str, bit| names.get(&(Direction::Input, name.to_owned(), bit)).copied();
        let chooses: Vec<usize> = (0..).map_while(|bit| input(PORT, bit)).collect();
        if chooses.is_empty() {
            return Err(missing(PORT));
        }
        let reset = input("reset", 0).ok_or_else(|| missing("reset"))?;
        let mut inputs = vec![None; aiger.inputs];
        let Known { mut never, bounded } = known(&map, bounds, aiger.inputs);
        for (port, Port { name, fields, bits, direction, .. }) in ports.iter().enumerate() {
            if *direction == Direction::Output {
                continue;
            }
            for bit in 0..*bits {
                let Some(place) = input(name, bit) else { continue };
                inputs[place] = Some(Bit { port, bit });
                let field =
                    fields.iter().find(|field| (field.low..field.low + field.bits).contains(&bit));
                let (path, low) = field.map_or(("", 0), |field| (&*field.path, field.low));
                let above = (bit - low) as u32;
                if bounds.most_of_input(name, path).checked_shr(above).unwrap_or(0) == 0 {
                    never.push((1 + place, format!("{name}.{path}[{above}]")));
                }
            }
        }
        let (never, never_names) = never.into_iter().unzip();
        let (bounded, bounded_names) = bounded.into_iter().unzip();
        Ok(Self {
            folder: folder.to_owned(),
            aiger,
            chooses,
            reset,
            compared: terms,
            never,
            never_names,
            bounded,
            bounded_names,
            inputs,
        })
    }

    /// What this recording sets, though the bounds say that no legal run does.
    pub fn exception(&self, trace: &PortTrace) -> Option<&str> {
        let Self { aiger, never, never_names, bounded, bounded_names, inputs, .. } = self;
        let cycles = trace.cycles.iter().take(BOUNDED).map(|cycle| {
            let is_set = |Bit { port, bit }: Bit| {
                let word = trace.ports[port].offset + bit / 32;
                cycle.inputs[word] >> (bit % 32) & 1 == 1
            };
            inputs.iter().map(|bit| bit.is_some_and(is_set)).collect()
        });
        let mut found = None;
        aiger.run(cycles, |values| {
            let set = never.iter().position(|&variable| values[variable]);
            let is_above = |Bounded { bits, most }: &Bounded| {
                let bit =
                    |(place, &variable): (usize, &usize)| u64::from(values[variable]) << place;
                bits.iter().enumerate().map(bit).sum::<u64>() > *most
            };
            let above = || bounded.iter().position(is_above).map(|at| &*bounded_names[at]);
            found = found.or(set.map(|at| &*never_names[at])).or_else(above);
        });
        found
    }

    /// Tries to show that the fault of that number cannot be seen.
    ///
    /// # Errors
    /// When ABC cannot be run or is stopped; that a limit is reached is none.
    pub fn decide(&self, fault: u32, patience: Patience) -> Result<Found, ReplayError> {
        let Self { folder, aiger, chooses, reset, compared, never, bounded, .. } = self;
        let choice = Choice { aiger, chooses, reset: *reset, compared, never, bounded };
        let Product { aiger, differs } = cycle(&choice, fault);
        write_file(&folder.join("cycle.aig"), aiger.write(&[differs]))?;
        if differs == 0 || abc::is_never(folder, "cycle.aig", patience)? {
            return Ok(Found::Equivalent);
        }
        let Product { aiger, differs } = product(&choice, fault);
        if differs == 0 {
            return Ok(Found::Equivalent);
        }
        write_file(&folder.join("product.aig"), aiger.write(&[differs]))?;
        let seconds = patience.seconds;
        let steps = format!("read_aiger product.aig; strash; scl; scorr; pdr -T {seconds}");
        // ABC's own limit is on its last step alone.
        Ok(match abc::ask_in_steps(folder, &steps, patience.and(2 * seconds))? {
            Answer::Never => Found::Equivalent,
            Answer::Reached => Found::Visible,
            Answer::Open => Found::Undecided,
        })
    }
}

/// The places of the bits of inputs and outputs, from lines like `output 3 0 launch_ready`.
fn names(map: &str) -> HashMap<(Direction, String, usize), usize> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let direction = match words.next()? {
            "input" => Direction::Input,
            "output" => Direction::Output,
            _ => return None,
        };
        let (place, bit) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(((direction, words.next()?.to_owned(), bit), place))
    };
    map.lines().filter_map(line).collect()
}

/// What is known of the state.
#[derive(Debug, Default, PartialEq, Eq)]
struct Known {
    /// Variables that are never set, and their names.
    never: Vec<(usize, String)>,
    /// Numbers that get no further, and their names.
    bounded: Vec<(Bounded, String)>,
}

/// What is known of the state, from lines like `latch 7 350 in_execution.counts`, and `init` for an
/// input that is what a latch begins as.
fn known(map: &str, bounds: &Bounds, inputs: usize) -> Known {
    let mut registers: BTreeMap<(&str, &str), BTreeMap<usize, usize>> = BTreeMap::new();
    let mut widths: HashMap<&str, usize> = HashMap::new();
    for line in map.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[kind @ ("latch" | "init"), place, bit, name] = &words[..] else { continue };
        let (Ok(place), Ok(bit)) = (place.parse::<usize>(), bit.parse::<usize>()) else { continue };
        let width = widths.entry(name).or_default();
        *width = (*width).max(bit + 1);
        let variable = 1 + place + if kind == "latch" { inputs } else { 0 };
        registers.entry((kind, name)).or_default().insert(bit, variable);
    }
    let mut known = Known::default();
    for ((_, name), variables) in registers {
        let width = widths[name];
        for (&bit, &variable) in &variables {
            if bounds.is_never_set(name, bit, width) {
                known.never.push((variable, format!("{name}[{bit}]")));
            }
        }
        for (first, bits, most) in bounds.at_most(name, width) {
            let bits: Option<Vec<usize>> =
                (first..first + bits).map(|bit| variables.get(&bit).copied()).collect();
            // Of a number of which a bit has another name nothing is said.
            known
                .bounded
                .extend(bits.map(|bits| (Bounded { bits, most }, format!("{name} above {most}"))));
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{LaunchMode, SmxLimits};

    #[test]
    fn inputs_and_outputs_are_found_by_name_and_bit() {
        let names = names("input 0 0 clock\ninput 4 1 mutant\noutput 2 0 a$1\nlatch 0 0 a$1\n");
        let place = |direction, name: &str, bit| names.get(&(direction, name.to_owned(), bit));
        assert_eq!(place(Direction::Input, "mutant", 1), Some(&4));
        assert_eq!(place(Direction::Output, "a$1", 0), Some(&2));
        assert_eq!(names.len(), 3);
    }

    #[test]
    fn what_no_legal_run_sets_is_known_of_a_latch_and_of_what_it_begins_as() {
        let limits =
            SmxLimits { threads: 1, registers: 1, shared_memory: 1, thread_block_slots: 8 };
        let map = "input 1 0 reset\ninit 2 6 fcfs.queue.count\nlatch 0 5 fcfs.queue.count\n\
                   latch 1 6 fcfs.queue.count\nlatch 2 6 other.count\n";
        let rr = "rr".parse().expect("a scheduler");
        let bounds = Bounds::new(&rr, 1, limits, LaunchMode::Flat);
        let never = known(map, &bounds, 3).never;
        let never: Vec<_> = never.iter().map(|(variable, name)| (*variable, &**name)).collect();
        assert_eq!(never, [(3, "fcfs.queue.count[6]"), (5, "fcfs.queue.count[6]")]);
        let lines: Vec<String> =
            (0..6).map(|bit| format!("latch {bit} {bit} fcfs.queue.count")).collect();
        let number = Bounded { bits: (4..10).collect(), most: 32 };
        let name = "fcfs.queue.count above 32".to_owned();
        assert_eq!(known(&lines.join("\n"), &bounds, 3).bounded, [(number, name)]);
    }
}
