//! A cell of a library: its pins, and how a change at one reaches another.

use super::syntax::{Fault, Group};
use super::table::{Table, Template};
use super::Units;
use std::collections::HashMap;

/// A cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// As netlists have it.
    pub name: String,
    /// Square micrometres.
    pub area: f64,
    /// In the order of the file.
    pub pins: Vec<Pin>,
    /// Ways from an input, or from the clock, to an output.
    pub arcs: Vec<Arc>,
    /// How long before the clock a pin must be stable.
    pub setups: Vec<Setup>,
    /// The pin that a flip-flop stores, where that is one pin as it is.
    pub stores: Option<String>,
    /// Whether it is a flip-flop; a latch is none.
    pub is_flip_flop: bool,
    is_latch: bool,
}

/// A pin.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Whether the cell drives it.
    pub is_output: bool,
    /// The load that it is, in picofarads.
    pub capacitance: f64,
    /// The load that it may drive, in picofarads.
    pub max_capacitance: Option<f64>,
    /// What an output is of the inputs.
    function: Option<String>,
}

/// Which change of an input changes the output which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Both rise, or both fall.
    Positive,
    /// One rises where the other falls.
    Negative,
    /// Either.
    Both,
}

/// Delay and slew of an output that rises or falls.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From the middle of the input's change to that of the output's.
    pub delay: Table,
    /// How long the output takes.
    pub slew: Table,
}

/// A way through a cell.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The place of the pin where it starts.
    pub from: usize,
    /// The place of the output.
    pub to: usize,
    /// Whether it starts with an edge of the clock.
    pub is_clocked: bool,
    /// How the changes belong together.
    pub sense: Sense,
    /// The output rises.
    pub rise: Option<Edge>,
    /// The output falls.
    pub fall: Option<Edge>,
}

/// A setup time, looked up by the slews of the data and of the clock.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The place of the pin.
    pub pin: usize,
    /// For data that rises, and that falls.
    pub rise_and_fall: [Option<Table>; 2],
}

impl Cell {
    pub(super) fn read(
        group: &Group,
        templates: &HashMap<&str, Template>,
        units: Units,
        default_max_capacitance: Option<f64>,
    ) -> Result<Self, Fault> {
        let mut pins = Vec::new();
        for pin in group.all("pin") {
            let is_output = pin.value("direction") == Some("output");
            let max_capacitance =
                pin.number("max_capacitance")?.map(|load| load * units.capacitance);
            let capacitance = pin.number("capacitance")?.unwrap_or(0.0) * units.capacitance;
            pins.extend(pin.arguments.iter().map(|name| Pin {
                name: name.clone(),
                is_output,
                capacitance,
                max_capacitance: max_capacitance.or(default_max_capacitance),
                function: pin.value("function").map(plain),
            }));
        }
        let state = group.all("ff").next();
        let stores = state.and_then(|state| state.value("next_state")).map(plain);
        let mut cell = Self {
            name: group.name().to_owned(),
            area: group.number("area")?.unwrap_or(0.0),
            stores: stores.filter(|name| pins.iter().any(|pin| pin.name == *name)),
            pins,
            arcs: Vec::new(),
            setups: Vec::new(),
            is_flip_flop: state.is_some(),
            is_latch: group.all("latch").next().is_some(),
        };
        for pin in group.all("pin") {
            for timing in pin.all("timing") {
                for name in &pin.arguments {
                    cell.add(timing, name, templates, units)?;
                }
            }
        }
        Ok(cell)
    }

    fn add(
        &mut self,
        timing: &Group,
        pin: &str,
        templates: &HashMap<&str, Template>,
        units: Units,
    ) -> Result<(), Fault> {
        let table = |name: &str| -> Result<Option<Table>, Fault> {
            let group = timing.groups.iter().find(|group| group.kind == name);
            group.map(|group| Table::read(group, templates)).transpose()
        };
        let place = |name: &str| self.pins.iter().position(|pin| pin.name == name);
        let Some(pin) = place(pin) else { return Ok(()) };
        let related = timing.value("related_pin").unwrap_or("");
        let related: Vec<usize> = related.split_whitespace().filter_map(place).collect();
        let kind = timing.value("timing_type").unwrap_or("combinational");
        if kind.starts_with("setup_") {
            let both = [table("rise_constraint")?, table("fall_constraint")?];
            // Both variables are times.
            let both = both.map(|table| table.map(|table| table.scaled(units.time, units.time)));
            self.setups.push(Setup { pin, rise_and_fall: both });
            return Ok(());
        }
        let is_clocked = matches!(kind, "rising_edge" | "falling_edge");
        if !is_clocked && !kind.starts_with("combinational") {
            return Ok(());
        }
        let edge = |delay: &str, slew: &str| -> Result<Option<Edge>, Fault> {
            let scaled = |table: Table| table.scaled(units.time, units.capacitance);
            let slew = table(slew)?.map_or(Table::scalar(0.0), scaled);
            Ok(table(delay)?.map(|delay| Edge { delay: scaled(delay), slew }))
        };
        let rise = edge("cell_rise", "rise_transition")?;
        let fall = edge("cell_fall", "fall_transition")?;
        let sense = match timing.value("timing_sense") {
            Some("positive_unate") => Sense::Positive,
            Some("negative_unate") => Sense::Negative,
            _ => Sense::Both,
        };
        self.arcs.extend(related.into_iter().map(|from| Arc {
            from,
            to: pin,
            is_clocked,
            sense,
            rise: rise.clone(),
            fall: fall.clone(),
        }));
        Ok(())
    }

    /// The place of a pin.
    pub fn pin(&self, name: &str) -> Option<usize> {
        self.pins.iter().position(|pin| pin.name == name)
    }

    /// The only output and the inputs, of a cell that stores nothing.
    fn gate(&self) -> Option<(&Pin, Vec<&Pin>)> {
        let mut outputs = self.pins.iter().filter(|pin| pin.is_output);
        let output = outputs.next().filter(|_| !self.is_flip_flop && !self.is_latch)?;
        let inputs = self.pins.iter().filter(|pin| !pin.is_output).collect();
        outputs.next().is_none().then_some((output, inputs))
    }

    fn is_of_one(&self, function: impl Fn(&str) -> Vec<String>) -> bool {
        self.gate().is_some_and(|(output, inputs)| match inputs.as_slice() {
            [input] => {
                output.function.as_ref().is_some_and(|is| function(&input.name).contains(is))
            }
            _ => false,
        })
    }

    /// Whether its output is its input.
    pub fn is_buffer(&self) -> bool {
        self.is_of_one(|input| vec![input.to_owned()])
    }

    /// Whether its output is not its input.
    pub fn is_inverter(&self) -> bool {
        self.is_of_one(|input| vec![format!("!{input}"), format!("{input}'")])
    }

    /// Whether it is a gate with two inputs.
    pub fn is_gate_of_two(&self) -> bool {
        self.gate().is_some_and(|(output, inputs)| inputs.len() == 2 && output.function.is_some())
    }

    /// Whether it stores one of its pins, as it is.
    pub fn is_plain_flip_flop(&self) -> bool {
        self.is_flip_flop && self.stores.is_some()
    }
}

/// A function without spaces and outer parentheses: `!(A)` is `!A`.
fn plain(function: &str) -> String {
    let mut text: String = function.chars().filter(|c| !c.is_whitespace()).collect();
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    loop {
        let (not, rest) = text.strip_prefix('!').map_or(("", text.as_str()), |rest| ("!", rest));
        let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        match inner.filter(|inner| is_name(inner.trim_matches(['!', '(', ')', '\'']))) {
            Some(inner) => text = format!("{not}{inner}"),
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_input_are_plain_whatever_their_parentheses() {
        let table = [
            ("A", "A"),
            ("(A)", "A"),
            ("!(A)", "!A"),
            ("(!A)", "!A"),
            ("(A')", "A'"),
            ("((A))", "A"),
        ];
        for (function, expected) in table {
            assert_eq!(plain(function), expected);
        }
        assert_eq!(plain("(A) * (B)"), "(A)*(B)");
    }
}
