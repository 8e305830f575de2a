//! Whether a proof fails on a module with a fault that no traffic has shown.
//!
//! ```text
//!   a.b$1.c sub Y[20] stuck at 0 in `after = at - one;`
//!     `--- module laperm::level_rings::LevelRings --- its proofs --> the same fault there --> proved?
//! ```
//!
//! A number that needs 2^20 events is reached by no traffic, and by a proof at once. A fault is a
//! mistake in a statement of a module; the module is proved in a size of its own, so the statement
//! is looked for there without the numbers in it.

use super::fault::{self, Fault, Site, Wrong};
use crate::prove::abc;
use crate::prove::model::{Model, Source, APART};
use crate::prove::{promises, Cause, Limits, Outcome};
use crate::replay::{read_file, ReplayError, TOP};
use blockyard_rtl::proofs::{proofs, Proof, Takes};
use blockyard_rtl::storage::Declared;
use std::cell::Cell;
use std::fmt;
use std::time::Instant;

/// More faults than a module has.
const ALL: u32 = 100_000_000;

/// A proof, and the module that it is of.
pub struct Proved {
    proof: Proof,
    kind: &'static str,
    /// It holds without a fault.
    holds: Cell<bool>,
}

/// The proofs that the suite `quick` has.
pub fn quick() -> Vec<Proved> {
    those(|proof| proof.takes == Takes::Moments)
}

/// The proofs that only the suite `full` has.
pub fn only_full() -> Vec<Proved> {
    those(|proof| proof.takes > Takes::Moments)
}

fn those(wanted: impl Fn(&Proof) -> bool) -> Vec<Proved> {
    let proved = |proof: Proof| Proved { kind: proof.build().kind(), proof, holds: false.into() };
    proofs().into_iter().filter(wanted).map(proved).collect()
}

/// What fails of these proofs where a module of `design` has this fault: the first proof of the
/// innermost module, in words. Files go below `limits.out`.
///
/// # Errors
/// When a module cannot be exported, a tool fails or is stopped, or a proof fails without a fault.
pub fn fails(
    proved: &[Proved],
    design: &dyn Declared,
    fault: &Fault,
    limits: Limits,
) -> Result<Option<String>, ReplayError> {
    for (kind, place) in modules_around(design, &fault.site.place).into_iter().rev() {
        for proved in proved.iter().filter(|proved| proved.kind == kind) {
            let site = Site { place: place.clone(), ..fault.site.clone() };
            if proved.fails_with(&site, &fault.wrong, limits)? {
                return Ok(Some(proved.to_string()));
            }
        }
    }
    Ok(None)
}

/// The modules of which `place` is a part, from `design` on inwards, and what the place is called
/// there.
fn modules_around(design: &dyn Declared, place: &str) -> Vec<(&'static str, String)> {
    let mut around = vec![(design.kind(), place.to_owned())];
    let (first, rest) = place.split_once('.').unwrap_or((place, ""));
    design.parts(&mut |name, index, part| {
        let name = index.map_or(name.to_owned(), |index| format!("{name}${index}"));
        if name == first {
            around.extend(modules_around(part, rest));
        }
    });
    around
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.proof.module, self.proof.size)
    }
}

impl Proved {
    /// Whether the proof fails with this fault. One that the module does not have there fails
    /// nothing.
    fn fails_with(&self, site: &Site, wrong: &Wrong, limits: Limits) -> Result<bool, ReplayError> {
        let source = Source::new(&self.proof, limits.out)?;
        let port = &site.port;
        let list = format!(
            "{APART}mutate -list {ALL} -mode inv -port \\{port} -ctrl {} 32 1 -o sites.txt\n",
            fault::PORT
        );
        source.run(&list, limits.patience(Instant::now()))?;
        let sites = read_file(&limits.out.join("sites.txt"))?;
        let Some(cell) = the_same(&sites, &source.verilog, site, wrong) else { return Ok(false) };
        if !self.holds.get() && self.fails_after(&source, APART, limits)? {
            let mismatch = format!("{self}, without a fault: not proved");
            return Err(ReplayError::Mismatch { tool: "yosys-abc", mismatch });
        }
        self.holds.set(true);
        let other = wrong.other.map_or(String::new(), |other| format!(" -ctrlbit {other}"));
        let put = format!(
            "{APART}mutate -mode {} -module {TOP} -cell {cell} -port \\{port} -portbit {}{other}\n",
            wrong.mode, site.bit
        );
        self.fails_after(&source, &put, limits)
    }

    /// Whether the proof fails on the module that these steps of Yosys have changed: that no end
    /// is found is no failure.
    fn fails_after(
        &self,
        source: &Source,
        steps: &str,
        limits: Limits,
    ) -> Result<bool, ReplayError> {
        let begin = Instant::now();
        let model = Model::changed(source, steps, limits.patience(begin))?;
        let (promises, engine) = (promises(&self.proof), self.proof.engine);
        let found = abc::decide(&model, &promises, engine, begin, limits)?;
        let has_no_step =
            |of| matches!(of, Outcome::Undecided(why) if why.cause == Cause::Induction);
        Ok(found.example.is_some() || has_no_step(found.outcome))
    }
}

/// The cell of a list of sites whose statement is the same, numbers aside, if its port has the
/// bits.
fn the_same(list: &str, verilog: &str, site: &Site, wrong: &Wrong) -> Option<String> {
    let there = fault::read(list, verilog);
    let has = |cell: &str, bit| there.iter().any(|of| of.cell == cell && of.site.bit == bit);
    let is_such = |of: &&Fault| {
        let Site { kind, port, bit, .. } = &of.site;
        (kind, port, *bit) == (&site.kind, &site.port, site.bit)
            && without_numbers(&of.site.place) == without_numbers(&site.place)
            && without_numbers(&of.site.statement) == without_numbers(&site.statement)
            && wrong.other.is_none_or(|other| has(&of.cell, other))
    };
    let such: Vec<&Fault> = there.iter().filter(is_such).collect();
    let exactly = such.iter().find(|of| of.site == *site);
    exactly.or(such.first()).map(|of| of.cell.clone())
}

/// A text in which each number is `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
