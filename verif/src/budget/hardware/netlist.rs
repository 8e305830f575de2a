//! Flip-flops and memories in what Yosys dumps, and the reasons in its log for those that it
//! removes.

use super::signal::{bits, place, Bit};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A flattened design, dumped as RTLIL.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Netlist {
    /// Bits of flip-flops by place of the hierarchy, as rows have it.
    pub registers: BTreeMap<String, u64>,
    /// Bits of memories by place.
    pub memories: BTreeMap<String, u64>,
    /// The bits that flip-flops drive.
    pub flip_flops: Vec<Bit>,
}

impl Netlist {
    /// The flip-flops and memories of a dump. A flip-flop is where the wire that it drives is.
    pub fn parse(text: &str) -> Self {
        let mut netlist = Self::default();
        let widths = widths(text);
        let mut width = 0;
        for line in text.lines().map(str::trim_start) {
            if let Some(value) = line.strip_prefix("parameter \\WIDTH ") {
                width = value.parse().unwrap_or(0);
            } else if let Some(wires) = line.strip_prefix("connect \\Q ") {
                netlist.flip_flops.extend(bits(wires, &widths, width));
            } else if let Some(memory) = line.strip_prefix("memory width ") {
                if let Some((path, bits)) = memory_bits(memory) {
                    *netlist.memories.entry(path).or_default() += bits;
                }
            }
        }
        for wire in netlist.flip_flops.iter().filter_map(Bit::wire) {
            *netlist.registers.entry(place(wire)).or_default() += 1;
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

/// The widths of wires: `wire width 6 output 3 \a.q`, and without `width` one bit.
fn widths(text: &str) -> HashMap<&str, u64> {
    let mut widths = HashMap::new();
    for line in text.lines() {
        let Some(words) = line.trim_start().strip_prefix("wire ") else { continue };
        let width = words.strip_prefix("width ").and_then(|rest| rest.split(' ').next());
        if let Some(name) = words.rsplit(' ').next() {
            widths.insert(name, width.map_or(1, |width| width.parse().unwrap_or(1)));
        }
    }
    widths
}

/// What bits of these wires are tied to in a dump: to other bits, or to constants.
pub fn ties(text: &str, wires: &HashSet<&str>) -> HashMap<Bit, Bit> {
    let widths = widths(text);
    let mut ties = HashMap::new();
    for (left, right) in text.lines().filter_map(|line| tie(line.trim_start())) {
        if left.split_whitespace().any(|word| wires.contains(word)) {
            let left = bits(left, &widths, 1);
            ties.extend(left.into_iter().zip(bits(right, &widths, 1)));
        }
    }
    ties
}

/// Both sides of `connect \a.q [4:1] 4'0000`.
fn tie(line: &str) -> Option<(&str, &str)> {
    let both = line.strip_prefix("connect ")?;
    let end = match both.strip_prefix('{') {
        Some(_) => both.find('}')? + 1,
        None => {
            let name = both.find(' ')?;
            let slice = both[name + 1..].starts_with('[').then(|| both[name + 1..].find(']'));
            slice.flatten().map_or(name, |slice| name + 1 + slice + 1)
        }
    };
    let (left, right) = both.split_at(end);
    Some((left, right.trim_start()))
}

/// `32 size 1024 \groups.parameters.memory`.
fn memory_bits(text: &str) -> Option<(String, u64)> {
    let mut words = text.split_whitespace();
    let width: u64 = words.next()?.parse().ok()?;
    let size: u64 = words.nth(1)?.parse().ok()?;
    Some((place(words.next()?), width * size))
}

/// Why flip-flops and memories are removed, by the words of Yosys' log.
const REASONS: [(&str, &str); 4] = [
    ("is identical to cell", "the same as another register"),
    ("Setting constant", "constant"),
    ("Handling never-active", "never written"),
    ("removing unused", "read by nothing"),
];

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
        let Some((_, reason)) = REASONS.iter().find(|(words, _)| line.contains(words)) else {
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
        let read = Netlist::parse(READ);
        assert_eq!(read.memory_bits("blocks.smx[*].registers"), 3200);
        assert_eq!(read.register_bits("blocks.smx[*].in_use"), 32);
        assert_eq!(read.register_bits(""), 5);
    }

    #[test]
    fn ties_of_the_wires_asked_for_are_read() {
        let tied = |line: &str| {
            let text = format!("wire width 3 \\a.q\n  {line}\n");
            ties(&text, &HashSet::from(["\\a.q"])).len()
        };
        assert_eq!(tied("connect \\a.q 3'000"), 3);
        assert_eq!(tied("connect \\a.q [1] \\b"), 1);
        assert_eq!(tied("connect { \\a.q [2] \\a.q [0] } 2'00"), 2);
        assert_eq!(tied("connect \\D \\a.q") + tied("connect \\other \\a.q"), 0);
    }

    #[test]
    fn the_version_is_the_creators() {
        let text = "{\n   \"creator\": \"Yosys 0.23 (git sha1 7ce5011c24b)\",\n";
        assert_eq!(version(text), "Yosys 0.23");
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
