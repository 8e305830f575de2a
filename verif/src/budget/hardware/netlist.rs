//! Flip-flops and memories in what Yosys dumps, and the reasons in its log for those that it removes.

use std::collections::{BTreeMap, BTreeSet};

/// Bits by place of the hierarchy, as rows have it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Netlist {
    /// Of flip-flops.
    pub registers: BTreeMap<String, u64>,
    /// Of memories.
    pub memories: BTreeMap<String, u64>,
    /// Widths of the wires that flip-flops drive.
    pub wires: BTreeMap<String, u64>,
}

impl Netlist {
    /// The flip-flops and memories of a flattened design, dumped as RTLIL. A flip-flop is where the
    /// wire that it drives is; of an optimized design, wires have the widths that they had `before`.
    pub fn parse(text: &str, before: Option<&Netlist>) -> Self {
        let mut netlist = Self::default();
        let mut width = 0;
        for line in text.lines().map(str::trim_start) {
            if let Some(value) = line.strip_prefix("parameter \\WIDTH ") {
                width = value.parse().unwrap_or(0);
            } else if let Some(wires) = line.strip_prefix("connect \\Q ") {
                let mut known = |wire: &str, sliced: bool| match before {
                    Some(before) => before.wires.get(wire).copied().unwrap_or(width),
                    None => {
                        if !sliced {
                            netlist.wires.insert(wire.to_owned(), width);
                        }
                        width
                    }
                };
                for (path, bits) in driven(wires, &mut known) {
                    *netlist.registers.entry(path).or_default() += bits;
                }
            } else if let Some(memory) = line.strip_prefix("memory width ") {
                if let Some((path, bits)) = memory_bits(memory) {
                    *netlist.memories.entry(path).or_default() += bits;
                }
            }
        }
        netlist
    }

    /// Bits of flip-flops at a place.
    pub fn register_bits(&self, path: &str) -> u64 {
        self.registers.get(path).copied().unwrap_or(0)
    }

    /// Bits of memories at a place.
    pub fn memory_bits(&self, path: &str) -> u64 {
        self.memories.get(path).copied().unwrap_or(0)
    }
}

/// The places and widths of `\a.q`, `\a.q [4:0]` or `{ \a.q [3] \b.q }`.
fn driven(wires: &str, width_of: &mut dyn FnMut(&str, bool) -> u64) -> Vec<(String, u64)> {
    let mut words = wires.split_whitespace().filter(|word| !["{", "}"].contains(word)).peekable();
    let mut driven = Vec::new();
    while let Some(wire) = words.next() {
        let slice = words.next_if(|word| word.starts_with('['));
        let bits = match slice.map(|slice| slice.trim_matches(['[', ']'])) {
            None => width_of(wire, false),
            Some(slice) => match slice.split_once(':') {
                None => 1,
                Some((high, low)) => match (high.parse::<u64>(), low.parse::<u64>()) {
                    (Ok(high), Ok(low)) => high - low + 1,
                    _ => width_of(wire, true),
                },
            },
        };
        driven.push((place(wire), bits));
    }
    driven
}

/// `32 size 1024 \groups.parameters.memory`.
fn memory_bits(text: &str) -> Option<(String, u64)> {
    let mut words = text.split_whitespace();
    let width: u64 = words.next()?.parse().ok()?;
    let size: u64 = words.nth(1)?.parse().ok()?;
    Some((place(words.next()?), width * size))
}

/// The place of a flattened name, without its last part: `\a.smx$3.in_use.q` is at `a.smx[*].in_use`.
fn place(name: &str) -> String {
    let name = name.strip_prefix("$flatten").unwrap_or(name).replace('\\', "");
    let Some((path, _)) = name.rsplit_once('.') else { return String::new() };
    let parts = path.split('.').map(|part| match part.split_once('$') {
        Some((name, _)) => format!("{name}[*]"),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(".")
}

/// Why flip-flops and memories are removed, by the words of Yosys' log.
const REASONS: [(&str, &str); 4] = [
    ("is identical to cell", "the same as another register"),
    CONSTANT,
    ("Handling never-active", "never written"),
    ("removing unused", "read by nothing"),
];

const CONSTANT: (&str, &str) = ("Setting constant", "constant");

/// Whether the register of this line is given a constant: `(D = 3'000, Q = \a.q [4:2])`. Its removal
/// follows, by a name that Yosys has just made up.
fn has_constant_data(line: &str) -> bool {
    line.split_once("(D = ").is_some_and(|(_, data)| data.starts_with(|c: char| c.is_ascii_digit()))
}

/// The reasons that the log of `opt` gives at one place.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// For bits of flip-flops.
    pub registers: BTreeSet<&'static str>,
    /// For memories.
    pub memories: BTreeSet<&'static str>,
}

/// The reasons that the log of `opt` gives, by place.
pub fn losses(log: &str) -> BTreeMap<String, Losses> {
    let mut losses: BTreeMap<String, Losses> = BTreeMap::new();
    for line in log.lines() {
        let named = REASONS.iter().find(|(words, _)| line.contains(words));
        let Some((_, reason)) = named.or(has_constant_data(line).then_some(&CONSTANT)) else {
            continue;
        };
        if let Some((_, memory)) = line.split_once("unused memory `") {
            let memory = memory.split('\'').next().unwrap_or_default();
            losses.entry(place(memory)).or_default().memories.insert(reason);
        } else if let Some((_, wire)) = line.split_once("Q = ") {
            let wire = wire.split([' ', ',', ')']).next().unwrap_or_default();
            losses.entry(place(wire)).or_default().registers.insert(reason);
        } else if let Some((cell, _)) = line.split_once(".$procdff$") {
            // The cell that goes is named first; one that stays may follow.
            let name = cell.rsplit('`').next().unwrap_or_default();
            losses.entry(place(&format!("{name}.q"))).or_default().registers.insert(reason);
        }
    }
    losses
}

/// `Yosys 0.23`, from the creator that `stat -json` names.
pub fn version(text: &str) -> String {
    let creator = text.split_once("\"creator\":").map_or("", |(_, rest)| rest);
    let name = creator.split('"').nth(1).unwrap_or("Yosys");
    name.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: &str = r"
  memory width 100 size 16 \blocks.smx$0.registers.memory
  memory width 100 size 16 \blocks.smx$1.registers.memory
  cell $dff $flatten\blocks.\smx$0.\in_use.$procdff$7
    parameter \CLK_POLARITY 1'1
    parameter \WIDTH 32
    connect \Q \blocks.smx$0.in_use.q
  end
  cell $dff $procdff$9
    parameter \WIDTH 5
    connect \Q \q
  end
";

    #[test]
    fn bits_are_counted_where_they_are() {
        let read = Netlist::parse(READ, None);
        assert_eq!(read.memory_bits("blocks.smx[*].registers"), 3200);
        assert_eq!(read.register_bits("blocks.smx[*].in_use"), 32);
        assert_eq!(read.register_bits(""), 5);
    }

    #[test]
    fn parts_of_a_register_count_as_wide_as_they_are() {
        let read = Netlist::parse(READ, None);
        let text = "parameter \\WIDTH 40\nconnect \\Q { \\blocks.smx$0.in_use.q [7:0] \\q [3] \\blocks.smx$0.in_use.q }\n";
        let after = Netlist::parse(text, Some(&read));
        assert_eq!(after.register_bits("blocks.smx[*].in_use"), 8 + 32);
        assert_eq!(after.register_bits(""), 1);
    }

    #[test]
    fn the_version_is_the_creators() {
        let text = "{\n   \"creator\": \"Yosys 0.23 (git sha1 7ce5011c24b)\",\n";
        assert_eq!(version(text), "Yosys 0.23");
    }

    #[test]
    fn a_register_that_is_given_a_constant_is_constant() {
        let line = |data: &str| {
            losses(&format!(
                "Adding EN signal on $s$1 ($sdff) from module top (D = {data}, Q = \\c.q [4:2]).\n"
            ))
        };
        assert!(line("3'000")["c"].registers.contains("constant"));
        assert!(line("\\c.d [4:2]").is_empty() && line("{ \\c.d [1] 2'00 }").is_empty());
    }

    #[test]
    fn the_log_names_the_reason_and_the_place() {
        let log = "Cell `$flatten\\a.\\b$2.$procdff$5' is identical to cell `$flatten\\a.\\b$1.$procdff$5'.\n\
                   Setting constant 0-bit at position 3 on $auto$ff.cc:1$2 ($sdff) from module top (D = \\x, Q = \\c.q).\n\
                   removing unused `$mux' cell `$flatten\\m.$procmux$5'.\n\
                   removing unused memory `\\d.memory'.\n";
        let losses = losses(log);
        let names: Vec<&str> = losses.keys().map(String::as_str).collect();
        assert_eq!(names, ["a.b[*]", "c", "d"]);
        assert!(losses["a.b[*]"].registers.contains("the same as another register"));
        assert!(losses["c"].registers.contains("constant") && losses["c"].memories.is_empty());
        assert!(
            losses["d"].memories.contains("read by nothing") && losses["d"].registers.is_empty()
        );
    }
}
