//! What a generated testbench says.

use super::ReplayError;

/// What a generated testbench's output means.
pub fn verdict(tool: &'static str, log: &str, cycles: usize) -> Result<(), ReplayError> {
    if let Some(mismatch) = log.lines().find_map(|line| line.strip_prefix("MISMATCH ")) {
        return Err(ReplayError::Mismatch { tool, mismatch: mismatch.to_owned() });
    }
    // An early end without a word must not pass.
    if !log.lines().any(|line| line == format!("PASS {cycles} cycles")) {
        return Err(ReplayError::Rejected { tool, log: log.to_owned() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_pass_with_all_cycles_passes() {
        assert!(verdict("verilator", "PASS 20 cycles\n", 20).is_ok());
        for log in ["", "PASS 2 cycles\n", "PASS 200 cycles\n"] {
            assert!(matches!(verdict("verilator", log, 20), Err(ReplayError::Rejected { .. })));
        }
        let log = "MISMATCH cycle 3, port a: expected 1, got 2\nPASS 20 cycles\n";
        let error = verdict("verilator", log, 20).expect_err("a mismatch");
        assert!(error.to_string().ends_with("cycle 3, port a: expected 1, got 2"), "{error}");
    }
}
