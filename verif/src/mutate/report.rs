//! Fates of faults as a table and as JSON.

use super::alone::Alone;
use super::design::{Fate, Fates};
use super::score::{per_cent, share, Score};
use super::Sample;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use serde::Serialize;

/// The scores of families, a row each, and of all together.
pub fn table(families: &[(&str, Score)], together: &Score) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "family",
        "designs",
        "faults",
        "equivalent",
        "by quick",
        "by proofs",
        "%",
        "by full",
        "%",
        "median cycle",
        "last cycle",
    ]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (name, score) in
        families.iter().map(|(name, score)| (*name, score)).chain([("together", together)])
    {
        let Score { designs, faults, equivalent, quick, proofs, full, found } = score;
        let [median, last] = found;
        table.add_row([
            name.to_owned(),
            designs.to_string(),
            faults.to_string(),
            equivalent.to_string(),
            quick.to_string(),
            proofs.to_string(),
            per_cent(score.by_quick()),
            (quick + proofs + full).to_string(),
            per_cent(score.by_full()),
            median.to_string(),
            last.to_string(),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// What rules of the ports find of what lockstep of `quick` finds, a row for each family, and all
/// together.
pub fn alone_table(all: &[Alone]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["family", "designs", "faults", "in lockstep", "by rules alone", "%"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut families: Vec<&str> = all.iter().map(|alone| alone.family).collect();
    families.dedup();
    let of_all = [("together", all.iter().collect::<Vec<_>>())];
    let of = |family| all.iter().filter(|alone| alone.family == family).collect();
    let rows = families.into_iter().map(|family| (family, of(family))).chain(of_all);
    for (name, all) in rows {
        let faults = || all.iter().flat_map(|alone| &alone.faults);
        let caught = || faults().filter_map(|(_, caught)| caught.as_ref());
        let lockstep = caught().count() as u64;
        let rules = caught().filter(|caught| caught.rule.is_some()).count() as u64;
        let designs = all.len().to_string();
        let counts = [faults().count() as u64, lockstep, rules].map(|count| count.to_string());
        let [faults, in_lockstep, by_rules] = counts;
        let share = per_cent(share(rules, lockstep));
        table.add_row([name.to_owned(), designs, faults, in_lockstep, by_rules, share]);
    }
    table.trim_fmt() + "\n"
}

#[derive(Serialize)]
struct Report<'a> {
    faults_per_design: u32,
    seed: u32,
    suite_seed: u64,
    families: Vec<Family<'a>>,
}

#[derive(Serialize)]
struct Family<'a> {
    family: &'a str,
    #[serde(flatten)]
    score: &'a Score,
    quick_per_cent: f64,
    full_per_cent: f64,
    designs_of_it: Vec<OneDesign<'a>>,
}

#[derive(Serialize)]
struct OneDesign<'a> {
    design: &'a str,
    cycles: u64,
    faults: Vec<OneFault<'a>>,
}

#[derive(Serialize)]
struct OneFault<'a> {
    fault: &'a str,
    fate: &'static str,
    /// The cycle of the suite's traffic in which it was found.
    cycle: Option<u64>,
    /// The proof that fails with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'a str>,
}

/// All of it, each fault with its fate.
///
/// # Errors
/// When it cannot be written as JSON; it can.
pub fn json(
    all: &[Fates],
    families: &[(&str, Score)],
    sample: Sample,
    suite_seed: u64,
) -> serde_json::Result<String> {
    let per_cent = |hundredths: u64| hundredths as f64 / 100.0;
    let families = families.iter().map(|(family, score)| Family {
        family,
        score,
        quick_per_cent: per_cent(score.by_quick()),
        full_per_cent: per_cent(score.by_full()),
        designs_of_it: all.iter().filter(|fates| fates.family == *family).map(design).collect(),
    });
    let report = Report {
        faults_per_design: sample.faults,
        seed: sample.seed,
        suite_seed,
        families: families.collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn design(fates: &Fates) -> OneDesign<'_> {
    let faults = fates.faults.iter().map(|(fault, fate)| {
        let proof = match fate {
            Fate::Proof(proof) | Fate::FullProof(proof) => Some(proof.as_str()),
            _ => None,
        };
        let (fate, cycle) = word(fate);
        OneFault { fault: &fault.name, fate, cycle, proof }
    });
    OneDesign { design: &fates.design, cycles: fates.cycles, faults: faults.collect() }
}

fn word(fate: &Fate) -> (&'static str, Option<u64>) {
    match fate {
        Fate::Quick(cycle) => ("quick", Some(*cycle)),
        Fate::Proof(_) => ("proof", None),
        Fate::Full(cycle) => ("full", Some(*cycle)),
        Fate::FullProof(_) => ("full, proof", None),
        Fate::Equivalent => ("equivalent", None),
        Fate::Survives { visible: true } => ("survives", None),
        Fate::Survives { visible: false } => ("survives, undecided", None),
    }
}
