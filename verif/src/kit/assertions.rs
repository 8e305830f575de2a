//! Assertions that a simulator checks once a cycle.
//!
//! The export states them for all time, as Yosys proves them: while signals settle, a simulator
//! sees values that no cycle has. Here they are sampled at the rising edge, as what registers store
//! is. A module without a clock has no edge, and keeps its own for Yosys alone; so does it what is
//! assumed of its parent.

/// `text`, in which each assertion, assumption and cover point of the export is sampled.
pub fn sampled(text: &str) -> String {
    let mut sampled = String::with_capacity(text.len());
    let mut clocked = false;
    for line in text.lines() {
        if line.starts_with("module ") {
            clocked = false;
        }
        clocked |= line.trim() == "input wire  clock;";
        let claim = line.trim_start().strip_prefix("always @(*) ").filter(|rest| is_claim(rest));
        match claim {
            None => sampled += line,
            Some(claim) => {
                sampled += &format!("`ifdef YOSYS\n{line}\n");
                if clocked {
                    sampled += &format!("`else\n    always @(posedge clock) {claim}\n");
                }
                sampled += "`endif";
            }
        }
        sampled.push('\n');
    }
    sampled
}

fn is_claim(statement: &str) -> bool {
    ["assert(", "assume(", "cover("].iter().any(|word| statement.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_clocked_modules_are_sampled_and_others_are_for_yosys() {
        let module = |clock: &str| {
            format!("module m(clock);\n{clock}    always @(*) assert(a);\n    always @(*) b = a;\nendmodule\n")
        };
        let (clocked, other) = (module("    input wire  clock;\n"), module(""));
        let both = "`ifdef YOSYS\n    always @(*) assert(a);\n`else\n    always @(posedge clock) assert(a);\n`endif\n";
        let yosys = "`ifdef YOSYS\n    always @(*) assert(a);\n`endif\n";
        assert_eq!(sampled(&clocked), clocked.replace("    always @(*) assert(a);\n", both));
        // The clock is that of the module, not of the one before.
        let expected = sampled(&clocked) + &other.replace("    always @(*) assert(a);\n", yosys);
        assert_eq!(sampled(&(clocked + &other)), expected);
    }
}
