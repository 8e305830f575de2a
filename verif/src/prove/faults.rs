//! Whether properties can fail: faults put into the Verilog, one at a time, until each property was refuted by one.

use super::model::{Model, Text};
use super::{abc, claims, Limits};
use crate::export::properties::DEFINE;
use crate::replay::ReplayError;
use blockyard_rtl::proofs::Proof;
use blockyard_rtl::property::Kind;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Cycles and seconds in which a fault has to show.
const WITHIN: (usize, u64) = (14, 5);

/// What the hunt through a module found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunt {
    /// Faults that were tried.
    pub tried: usize,
    /// Faults that there are.
    pub of: usize,
    /// Of each property, in order.
    pub verdicts: Vec<Verdict>,
}

/// A property, and the first fault that refutes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The property.
    pub property: String,
    /// The fault, and the cycle in which the property fails; nothing where none that was tried refutes it.
    pub fault: Option<(String, usize)>,
}

/// Puts faults into the module until each of its promises is refuted by one, there are no more, or time is up.
///
/// # Errors
/// When the module cannot be exported, or ABC cannot be run.
pub fn hunt(proof: &Proof, folder: &Path, limits: Limits) -> Result<Hunt, ReplayError> {
    let begin = Instant::now();
    let promises = claims(proof).into_iter().filter(|(_, kind)| *kind != Kind::Cover);
    let promises: Vec<String> = promises.map(|(name, _)| name).collect();
    let mut found: BTreeMap<String, (String, usize)> = BTreeMap::new();
    let text = Text::new(proof)?;
    let faults = spread(faults(&text.verilog));
    let mut tried = 0;
    for fault in &faults {
        let missing: Vec<String> =
            promises.iter().filter(|name| !found.contains_key(*name)).cloned().collect();
        if missing.is_empty() || begin.elapsed().as_secs() >= limits.seconds {
            break;
        }
        tried += 1;
        let faulty = text.with(fault.apply(&text.verilog));
        let model = match Model::new(proof, Some(&faulty), folder, limits.patience(begin)) {
            Ok(model) => model,
            Err(error @ ReplayError::Stopped { .. }) => return Err(error),
            // Not every fault leaves a circuit.
            Err(_) => continue,
        };
        for (name, cycle) in missing.iter().zip(abc::broken(&model, &missing, WITHIN, limits)?) {
            if let Some(cycle) = cycle {
                found.insert(name.clone(), (fault.to_string(), cycle));
            }
        }
    }
    let verdict = |property: String| {
        let fault = found.remove(&property);
        Verdict { property, fault }
    };
    let verdicts = promises.into_iter().map(verdict).collect();
    Ok(Hunt { tried, of: faults.len(), verdicts })
}

/// A line that becomes another one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    line: usize,
    before: String,
    after: String,
}

impl Fault {
    fn apply(&self, verilog: &str) -> String {
        let with = |(at, line)| if at == self.line { self.after.as_str() } else { line };
        verilog.lines().enumerate().map(with).flat_map(|line| [line, "\n"]).collect()
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` as `{}`", self.before.trim(), self.after.trim())
    }
}

/// Operators and what they are mistaken for.
const MISTAKES: &[(&str, &str)] = &[
    (" + ", " - "),
    (" - ", " + "),
    (" & ", " | "),
    (" | ", " & "),
    (" == ", " != "),
    (" != ", " == "),
    (" > ", " >= "),
    (" < ", " <= "),
    ("= ~", "= "),
    ("if (~", "if ("),
    ("1'h1", "1'h0"),
    ("1'b1", "1'b0"),
];

/// All faults of the modules' own text: a mistaken operator, a condition that never is, a value that is zero.
fn faults(verilog: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut in_properties = false;
    for (line, text) in verilog.lines().enumerate() {
        in_properties |= text.starts_with("`ifdef ") && text.ends_with(DEFINE);
        in_properties &= text != "`endif // properties";
        let code = text.trim_start();
        let declares = ["localparam", "input", "output", "wire", "module", "integer", "//"];
        if in_properties || declares.iter().any(|word| code.starts_with(word)) {
            continue;
        }
        let mut add = |after: String| faults.push(Fault { line, before: text.to_owned(), after });
        for (right, wrong) in MISTAKES {
            if let Some((before, after)) = text.split_once(right) {
                add(format!("{before}{wrong}{after}"));
            }
        }
        let condition = text.find("if (").filter(|_| !code.starts_with("for"));
        if let (Some(at), true) = (condition, text.trim_end().ends_with("begin")) {
            add(format!("{}if (1'b0) begin", &text[..at]));
        }
        if let Some((target, _)) = text.split_once(" <= ").filter(|_| text.ends_with(';')) {
            if !target.contains("reset") {
                add(format!("{target} <= 0;"));
            }
        } else if let Some((target, _)) = text.split_once(" = ").filter(|_| text.ends_with(';')) {
            if !target.contains("for (") {
                add(format!("{target} = 0;"));
            }
        }
    }
    faults
}

/// In an order that goes through the text again and again in long steps.
fn spread(mut faults: Vec<Fault>) -> Vec<Fault> {
    let mut order = Vec::new();
    let step = (faults.len() / 7).max(1);
    let mut at: Vec<usize> = (0..faults.len()).collect();
    at.sort_by_key(|place| (place % step, *place));
    let mut all: Vec<Option<Fault>> = faults.drain(..).map(Some).collect();
    for place in at {
        order.extend(all[place].take());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_in_the_modules_and_not_in_their_properties() {
        let text =
            "    reg a;\n        a = b & c;\n`ifdef BLOCKYARD_PROPERTIES\n    assign d = a & b;\n\
                    `endif // properties\n        if (a) begin\n";
        let found = faults(text);
        let lines: Vec<usize> = found.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [1, 1, 5]);
        assert!(found[0].apply(text).contains("a = b | c;"));
        assert!(found[2].apply(text).contains("if (1'b0) begin"));
    }

    #[test]
    fn every_fault_is_tried_once() {
        let text: String = (0..30).map(|n| format!("    a{n} = b + c;\n")).collect();
        let all = faults(&text);
        let mut spread = spread(all.clone());
        assert_ne!(spread, all);
        spread.sort_by_key(|fault| (fault.line, fault.after.contains(" - ")));
        assert_eq!(spread.len(), all.len());
        spread.dedup();
        assert_eq!(spread.len(), all.len());
    }
}
