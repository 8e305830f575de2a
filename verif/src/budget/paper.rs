//! What the papers state of storage, beside what is declared here.

mod statements;

use super::row::{Bytes, Module, Row, Stated};
use super::Machine;
use serde::Serialize;
use statements::{Part, Statement, STATEMENTS};

/// A number that a paper states, and ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Of what.
    pub what: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// What it says.
    pub states: &'static str,
    /// Registers that it counts, where it counts registers and states no width.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_registers: Option<u64>,
    /// Bytes on the whole GPU, if it states or implies them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_bytes: Option<Bytes>,
    /// The same for one of `instances`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_bytes_each: Option<Bytes>,
    /// How many there are.
    pub instances: usize,
    /// Bits that are declared here for the same.
    pub bits: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// The rows and modules that hold them.
    pub rows: Vec<String>,
    /// Why ours is not the same; empty when it is.
    pub why: &'static str,
}

/// All that statements are computed from.
pub(super) struct Facts<'a> {
    machine: &'a Machine,
    rows: &'a [Row],
    modules: &'a [Module],
}

impl Facts<'_> {
    /// SMXs.
    fn smx(&self) -> u64 {
        self.machine.smx as u64
    }

    /// Thread-block slots of all SMXs.
    fn slots(&self) -> u64 {
        self.smx() * u64::from(self.machine.slots)
    }

    /// Rows whose path ends so.
    fn rows<'s>(&'s self, end: &'s str) -> impl Iterator<Item = &'s Row> + 's {
        self.rows.iter().filter(move |row| ends(&row.path, end))
    }

    /// Words of the memories there, of all instances. One that is told its address ahead has its
    /// words in a part.
    fn words(&self, end: &str) -> u64 {
        let words = |row: &Row| row.memory.as_ref().map_or(0, |memory| memory.words);
        let of =
            |end: &str| self.rows(end).map(|row| (words(row) * row.instances) as u64).sum::<u64>();
        of(end) + of(&format!("{end}.file")) + of(&format!("{end}.sram"))
    }

    /// How many there are of that row or module; zero where there is none.
    fn instances(&self, end: &str) -> usize {
        let modules = self.modules.iter().filter(|module| ends(&module.path, end));
        modules.map(|module| module.instances).chain(self.rows(end).map(|row| row.instances)).sum()
    }

    fn bits(&self, part: &Part) -> u64 {
        if let Some(bits) = part.of_each_word {
            return self.words(part.end) * bits;
        }
        let modules = self.modules.iter().filter(|module| ends(&module.path, part.end));
        modules.map(|module| module.bits).chain(self.rows(part.end).map(|row| row.bits)).sum()
    }
}

fn ends(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The comparisons that there are for these rows, and writes each beside the row or module that
/// stands for just the same.
pub fn compare(machine: &Machine, rows: &mut [Row], modules: &mut [Module]) -> Vec<Comparison> {
    let facts = Facts { machine, rows, modules };
    let there = |statement: &&Statement| {
        statement.when.iter().all(|end| facts.instances(end) > 0) && (statement.under)(machine)
    };
    let found: Vec<(&Statement, Comparison)> = STATEMENTS
        .iter()
        .filter(there)
        .map(|statement| (statement, comparison(statement, &facts)))
        .collect();
    for (statement, comparison) in &found {
        let [Part { end, of_each_word: None }] = statement.ours else { continue };
        let stated = Stated {
            paper_bytes: comparison.paper_bytes,
            paper_bytes_each: comparison.paper_bytes_each,
            paper: format!("{}: {}", statement.paper, statement.states),
            why: statement.why.to_owned(),
        };
        for row in rows.iter_mut().filter(|row| ends(&row.path, end)) {
            row.stated = Some(stated.clone());
        }
        for module in modules.iter_mut().filter(|module| ends(&module.path, end)) {
            module.stated = Some(stated.clone());
        }
    }
    found.into_iter().map(|(_, comparison)| comparison).collect()
}

fn comparison(statement: &Statement, facts: &Facts) -> Comparison {
    let bits = statement.ours.iter().map(|part| facts.bits(part)).sum();
    let paper_bits = (statement.bits)(facts);
    let instances = match statement.ours {
        [part] => facts.instances(part.end),
        _ => 1,
    };
    let each = paper_bits.filter(|bits| instances > 1 && bits % instances as u64 == 0);
    Comparison {
        what: statement.what,
        paper: statement.paper,
        states: statement.states,
        paper_registers: (statement.registers)(facts),
        paper_bytes: paper_bits.map(Bytes),
        paper_bytes_each: each.map(|bits| Bytes(bits / instances as u64)),
        instances,
        bits,
        bytes: Bytes(bits),
        rows: statement.ours.iter().map(|part| part.end.to_owned()).collect(),
        why: statement.why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_at_a_dot_or_as_a_whole() {
        assert!(ends("dispatcher.lists.nagei", "lists.nagei") && ends("zero", "zero"));
        assert!(!ends("dispatcher.blists.nagei", "lists.nagei") && !ends("lists", "lists.nagei"));
    }

    #[test]
    fn every_statement_names_its_paper_and_where_it_applies() {
        for statement in STATEMENTS {
            assert!(!statement.states.is_empty() && !statement.paper.is_empty());
            assert!(!statement.when.is_empty(), "{}", statement.what);
        }
    }
}
