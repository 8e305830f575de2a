//! One `always` block for each thing that is computed.
//!
//! A kernel is printed as a single `always @(*)`. When it feeds a child and reads it back, the
//! block as a whole depends on itself, and a linter sees a combinational loop where there is none.
//! This pass puts statements that share no target into blocks of their own. Two groups stay
//! together when one reads what the other assigns later: then the order of statements carries
//! meaning. Statements that read no signal at all join a block that does: alone they would never
//! run in Icarus.

use super::text::identifiers;
use std::collections::{BTreeMap, HashSet};

const HEAD: &str = "    always @(*) begin";
const TAIL: &str = "    end";

/// Splits the kernel of one module's text, if it has one.
pub fn split(module: &str) -> String {
    let lines: Vec<&str> = module.lines().collect();
    let kernel = lines.iter().position(|line| line.trim_end() == "    // Update code");
    let Some(start) = kernel.map(|at| at + 1).filter(|&at| lines.get(at) == Some(&HEAD)) else {
        return module.to_owned();
    };
    let Some(length) = lines[start..].iter().position(|&line| line == TAIL) else {
        return module.to_owned();
    };
    let mut out: Vec<String> = lines[..start].iter().map(|&line| line.to_owned()).collect();
    let signals = signals(&lines[..start]);
    for group in groups(&statements(&lines[start + 1..start + length]), &signals) {
        out.push(HEAD.to_owned());
        out.extend(group.lines.iter().map(|&line| line.to_owned()));
        out.push(TAIL.to_owned());
    }
    out.extend(lines[start + length + 1..].iter().map(|&line| line.to_owned()));
    out.join("\n") + "\n"
}

/// A statement at the top level of a kernel, with everything nested in it.
struct Statement<'a> {
    lines: Vec<&'a str>,
    targets: Vec<&'a str>,
}

/// Statements that must stay in one block, in their order.
#[derive(Default)]
struct Group<'a> {
    lines: Vec<&'a str>,
}

/// The names that are declared above the kernel and can change.
fn signals<'a>(declarations: &[&'a str]) -> HashSet<&'a str> {
    let kinds = ["input", "output", "inout", "reg", "wire"];
    let declared = declarations.iter().map(|line| line.trim().trim_end_matches(';'));
    let signals = declared.filter(|line| kinds.iter().any(|kind| line.starts_with(kind)));
    signals.filter_map(|line| line.split_whitespace().last()).collect()
}

fn statements<'a>(lines: &[&'a str]) -> Vec<Statement<'a>> {
    let mut statements: Vec<Statement> = Vec::new();
    for &line in lines {
        let code = line.trim_start();
        let nested = line.len() - code.len() > 8;
        let continues = nested || code.starts_with("end") || code.starts_with("else");
        if !continues || statements.is_empty() {
            statements.push(Statement { lines: Vec::new(), targets: Vec::new() });
        }
        let statement = statements.last_mut().expect("one was pushed");
        statement.lines.push(line);
        statement.targets.extend(target(code));
    }
    statements
}

/// What a line assigns to: the name before ` = `.
fn target(code: &str) -> Option<&str> {
    let (left, _) = code.split_once(" = ")?;
    if left.contains('(') {
        return None;
    }
    Some(left.split('[').next().unwrap_or(left))
}

fn groups<'a>(statements: &[Statement<'a>], signals: &HashSet<&str>) -> Vec<Group<'a>> {
    let mut parent: Vec<usize> = (0..statements.len()).collect();
    let mut last_assigned: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, statement) in statements.iter().enumerate() {
        for &target in &statement.targets {
            if let Some(before) = last_assigned.insert(target, at) {
                join(&mut parent, before, at);
            }
        }
    }
    for (at, statement) in statements.iter().enumerate() {
        for word in statement.lines.iter().flat_map(|line| identifiers(line)) {
            if let Some(&assigned) = last_assigned.get(word).filter(|&&assigned| assigned > at) {
                join(&mut parent, at, assigned);
            }
        }
    }
    join_constants(&mut parent, statements, signals);
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (at, statement) in statements.iter().enumerate() {
        let group = groups.entry(root(&parent, at)).or_default();
        group.lines.extend(&statement.lines);
    }
    groups.into_values().collect()
}

/// Joins the groups that read no signal with the first one that does.
fn join_constants(parent: &mut [usize], statements: &[Statement], signals: &HashSet<&str>) {
    let mut sensitive = vec![false; statements.len()];
    for (at, statement) in statements.iter().enumerate() {
        let mut words = statement.lines.iter().flat_map(|line| identifiers(line));
        let reads = |word: &str| signals.contains(word) && !statement.targets.contains(&word);
        sensitive[root(parent, at)] |= words.any(reads);
    }
    let Some(first) = sensitive.iter().position(|&sensitive| sensitive) else {
        return;
    };
    for at in 0..statements.len() {
        let group = root(parent, at);
        if !sensitive[group] && group != root(parent, first) {
            join(parent, group, first);
        }
    }
}

fn root(parent: &[usize], mut at: usize) -> usize {
    while parent[at] != at {
        at = parent[at];
    }
    at
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(body: &str) -> String {
        let ports = "    input wire  a;\n    output reg  b;\n    reg  c;\n    wire  d;\n";
        format!("module m(a);\n{ports}    localparam  k = 1'h0;\n    // Update code\n{HEAD}\n{body}{TAIL}\nendmodule // m\n")
    }

    #[test]
    fn statements_with_different_targets_get_blocks_of_their_own() {
        let text = split(&kernel("        b = a;\n        c = b;\n"));
        assert_eq!(text.matches(HEAD).count(), 2);
    }

    #[test]
    fn an_if_and_the_default_before_it_stay_together_and_in_order() {
        let body = "        b = a;\n        d = a;\n        if (a) begin\n            b = c;\n        end\n        else begin\n            b = d;\n        end\n";
        let text = split(&kernel(body));
        assert_eq!(text.matches(HEAD).count(), 2);
        assert!(text.contains("        b = a;\n        if (a) begin\n"), "{text}");
    }

    #[test]
    fn a_statement_that_reads_no_signal_joins_one_that_does() {
        let text = split(&kernel("        b = k;\n        c = d;\n"));
        assert_eq!(text.matches(HEAD).count(), 1);
        let text = split(&kernel("        b = a;\n        c = d;\n"));
        assert_eq!(text.matches(HEAD).count(), 2);
    }

    #[test]
    fn a_read_between_two_assignments_keeps_the_order() {
        let body = "        b = a;\n        c = b;\n        b = d;\n";
        assert_eq!(split(&kernel(body)), kernel(body));
    }

    #[test]
    fn a_module_without_a_kernel_is_left_alone() {
        let text = "module m(a);\n    always @(posedge clock) begin\n        q <= d;\n    end\nendmodule\n";
        assert_eq!(split(text), text);
    }
}
