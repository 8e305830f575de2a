//! Faults as Yosys lists them, with names that hold while lines move.

use std::fmt;

/// A fault of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// The value of the port `PORT` that turns it on.
    pub number: u32,
    /// Where it is and what is wrong: the part of the design, the operation, the port with its bit,
    /// and the line of the Verilog. Numbers of lines and cells, which move, are not part of it.
    pub name: String,
    /// The cell, as Yosys names it; such names have numbers that move.
    pub cell: String,
    /// Where it is.
    pub site: Site,
    /// What is wrong.
    pub wrong: Wrong,
}

/// A bit of a port of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The part of the design in which the cell is; empty for a cell of the top module itself.
    pub place: String,
    /// What it does.
    pub kind: String,
    /// The port.
    pub port: String,
    /// The bit of it.
    pub bit: usize,
    /// The line of the Verilog; empty where it is not known.
    pub statement: String,
}

/// What is wrong with a bit, in the words of Yosys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// `inv`, `const0`, `const1`, `cnot0` or `cnot1`.
    pub mode: String,
    /// Another bit of the port, on which it depends.
    pub other: Option<usize>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The port that Yosys adds, by which one of the faults is chosen; zero is none.
pub const PORT: &str = "mutant";

/// The faults of a list that `mutate -list` wrote about a design whose Verilog this is.
pub fn read(list: &str, verilog: &str) -> Vec<Fault> {
    let lines: Vec<&str> = verilog.lines().collect();
    list.lines().filter_map(|line| fault(line, &lines)).collect()
}

fn fault(line: &str, verilog: &[&str]) -> Option<Fault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |option: &str, at: usize| {
        let place = words.iter().position(|word| *word == option)?;
        words.get(place + at).copied()
    };
    let number = after("-ctrl", 3)?.parse().ok()?;
    let cell = after("-cell", 1)?;
    let (port, bit) = (after("-port", 1)?.trim_start_matches('\\'), after("-portbit", 1)?);
    let (mode, other) = (after("-mode", 1)?, after("-ctrlbit", 1));
    let wrong = match (mode, other) {
        ("inv", _) => "inverted".to_owned(),
        ("const0", _) => "stuck at 0".to_owned(),
        ("const1", _) => "stuck at 1".to_owned(),
        ("cnot0", Some(other)) => format!("inverted while bit {other} is 0"),
        ("cnot1", Some(other)) => format!("inverted while bit {other} is 1"),
        (other, _) => other.to_owned(),
    };
    let (place, kind) = place_of(cell, after("-wire", 1));
    let sources = words.windows(2).filter(|pair| pair[0] == "-src").map(|pair| pair[1]);
    let statement =
        sources.filter_map(|source| statement(source, verilog)).max_by_key(|text| text.len());
    let text = statement.as_ref().map_or(String::new(), |text| format!(" in `{text}`"));
    let name = format!("{place} {kind} {port}[{bit}] {wrong}{text}");
    // A cell of the top itself is named by its wire.
    let is_own =
        cell.starts_with('$') && !["$flatten", "$auto"].iter().any(|of| cell.starts_with(of));
    let site = Site {
        place: if is_own { String::new() } else { place },
        kind,
        port: port.to_owned(),
        bit: bit.parse().ok()?,
        statement: statement.unwrap_or_default(),
    };
    let other = other.and_then(|other| other.parse().ok());
    let wrong = Wrong { mode: mode.to_owned(), other };
    Some(Fault { number, name, cell: cell.to_owned(), site, wrong })
}

/// The part of the design in which a cell is, and what it does.
fn place_of(cell: &str, wire: Option<&str>) -> (String, String) {
    let plain = |name: &str| name.replace('\\', "");
    let flat = cell.trim_start_matches("$flatten").trim_start_matches('\\');
    // `a.\b.$add$top.v:3$7` has its operation behind the last part that is not the design's own.
    if let Some((path, operation)) = flat.split_once(".$") {
        let kind = operation.split('$').next().unwrap_or(operation);
        return (plain(path), kind.trim_end_matches('.').to_owned());
    }
    let wire = wire.map_or("top".to_owned(), plain);
    match flat.strip_prefix("$auto$") {
        Some(made) => {
            let kind = if made.starts_with("ff") { "register" } else { "cell" };
            (wire, kind.to_owned())
        }
        None if flat.starts_with('$') => {
            let kind = flat[1..].split('$').next().unwrap_or(flat);
            (wire, kind.to_owned())
        }
        None => (plain(flat), "memory".to_owned()),
    }
}

/// The line of a source if it is a statement that fills one line: `top.v:12.5-12.30`.
fn statement(source: &str, verilog: &[&str]) -> Option<String> {
    let (_, range) = source.rsplit_once(':')?;
    let (from, to) = range.split_once('-')?;
    let line = |place: &str| place.split_once('.')?.0.parse::<usize>().ok();
    let (first, last) = (line(from)?, line(to)?);
    let text = verilog.get(first.checked_sub(1)?)?.trim();
    let declares = ["input", "output", "wire", "reg", "module"];
    let is_declared = declares.iter().any(|word| text.starts_with(word));
    (first == last && !is_declared).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r"mutate -ctrl mutant 8 7 -mode cnot0 -module top -cell $flatten\a.\smx$2.$sub$top.v:3$988 -port \Y -portbit 8 -ctrlbit 4 -wire a.now -wirebit 8 -src top.v:1.1-1.4 -src top.v:3.5-3.9 -src top.v:2.1-4.2";

    #[test]
    fn a_name_has_part_operation_bit_and_statement_and_no_numbers_that_move() {
        let verilog = "wire now;\nalways begin\n    now  = (x) - (y);\nend\n";
        let faults = read(LINE, verilog);
        let name = "a.smx$2 sub Y[8] inverted while bit 4 is 0 in `now = (x) - (y);`";
        let site = Site {
            place: "a.smx$2".to_owned(),
            kind: "sub".to_owned(),
            port: "Y".to_owned(),
            bit: 8,
            statement: "now = (x) - (y);".to_owned(),
        };
        let wrong = Wrong { mode: "cnot0".to_owned(), other: Some(4) };
        let cell = r"$flatten\a.\smx$2.$sub$top.v:3$988".to_owned();
        assert_eq!(faults, [Fault { number: 7, name: name.to_owned(), cell, site, wrong }]);
    }

    #[test]
    fn a_cell_of_the_top_itself_has_no_place() {
        let line = r"mutate -ctrl mutant 8 7 -mode inv -module top -cell $sub$top.v:3$988 -port \Y -portbit 8 -wire a -wirebit 8";
        let fault = &read(line, "")[0];
        assert_eq!((&*fault.name, &*fault.site.place), ("a sub Y[8] inverted", ""));
    }

    #[test]
    fn memories_and_registers_are_named_by_what_they_hold() {
        let memory = r"mutate -ctrl mutant 8 1 -mode inv -module top -cell a.words.memory -port \RD_DATA -portbit 0";
        let register = r"mutate -ctrl mutant 8 2 -mode const1 -module top -cell $auto$ff.cc:266:slice$18 -port \Q -portbit 1 -wire a.q -wirebit 1";
        let names: Vec<String> =
            [memory, register].iter().map(|line| read(line, "")[0].name.clone()).collect();
        assert_eq!(
            names,
            ["a.words.memory memory RD_DATA[0] inverted", "a.q register Q[1] stuck at 1"]
        );
    }

    #[test]
    fn what_is_no_fault_is_left_out() {
        assert_eq!(read("mutate -mode none\n\n", ""), []);
    }
}
