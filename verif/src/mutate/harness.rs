//! The C++ program that runs one fault after the other on a recording, until the first difference.

use super::compared::{compared, mask};
use super::fault::PORT;
use crate::replay::{drives, edges, reads, Direction, PortTrace, ReplayError, TOP};

/// For each cycle whether it is compared, its inputs, its outputs, and which of their bits mean
/// something: words of 32 bits, lowest byte first.
pub fn packed(trace: &PortTrace) -> Vec<u8> {
    let all = compared(&trace.ports);
    let mut bytes = Vec::new();
    let mut bits = Vec::new();
    for cycle in &trace.cycles {
        bits.clear();
        bits.resize(cycle.outputs.len(), 0);
        mask(&trace.ports, &all, &cycle.inputs, &cycle.outputs, &mut bits);
        let words = [u32::from(cycle.compared)].into_iter();
        let words = words.chain(cycle.inputs.iter().copied()).chain(cycle.outputs.iter().copied());
        bytes.extend(words.chain(bits.iter().copied()).flat_map(u32::to_le_bytes));
    }
    bytes
}

/// Seconds for one fault and one recording.
const SECONDS: u64 = 120;

/// The program for designs with these ports: `replay FILE FAULT...`. Each fault has a process of
/// its own, since Verilator ends the process of a design that does not settle. `replay - FAULT`
/// takes rows of inputs from its standard input, and gives one of outputs for each.
pub fn harness(trace: &PortTrace) -> String {
    let (inputs, outputs) = (trace.row_words(Direction::Input), trace.row_words(Direction::Output));
    let (drives, reads) = (drives(&trace.ports), reads(&trace.ports));
    let (low, high) = edges(trace.clocked);
    format!(
        "#include \"V{TOP}.h\"\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\
         #include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         double sc_time_stamp() {{ return 0; }}\n\
         static std::vector<uint32_t> rows;\nstatic const long WIDTH = {width};\n\
         static void run(long fault, long cycles) {{\n    \
         V{TOP}* top = new V{TOP};\n    top->{PORT} = fault;\n    \
         for (long cycle = 0; cycle < cycles; cycle++) {{\n        \
         const uint32_t* row = rows.data() + cycle * WIDTH;\n        \
         const uint32_t* in = row + 1;\n        const uint32_t* out = in + {inputs};\n        \
         const uint32_t* mask = out + {outputs};\n{low}{drives}        top->eval();\n        \
         if (row[0]) {{\n            uint32_t got[{outputs} + 1];\n{reads}            \
         for (int w = 0; w < {outputs}; w++) if ((got[w] ^ out[w]) & mask[w]) {{\n                \
         printf(\"FAULT %ld differs in cycle %ld on word %d\\n\", fault, cycle, w);\n                return;\n            \
         }}\n        }}\n{high}    }}\n    printf(\"FAULT %ld survives\\n\", fault);\n}}\n\
         static int serve(long fault) {{\n    \
         V{TOP}* top = new V{TOP};\n    top->{PORT} = fault;\n    \
         uint32_t in[{inputs} + 1], got[{outputs} + 1];\n    \
         while (fread(in, 4, {inputs}, stdin) == {inputs}) {{\n{low}{drives}        top->eval();\n{reads}        \
         fwrite(got, 4, {outputs}, stdout);\n        fflush(stdout);\n{high}    }}\n    return 0;\n}}\n\
         int main(int argc, char** argv) {{\n    Verilated::randReset(0);\n    \
         if (argc == 3 && argv[1][0] == '-') return serve(atol(argv[2]));\n    \
         FILE* file = argc > 1 ? fopen(argv[1], \"rb\") : nullptr;\n    \
         if (!file) {{ printf(\"no trace\\n\"); return 2; }}\n    \
         long cycles = 0;\n    rows.resize(WIDTH);\n    \
         while (fread(rows.data() + cycles * WIDTH, 4, WIDTH, file) == WIDTH) {{ cycles++; rows.resize((cycles + 1) * WIDTH); }}\n    \
         for (int a = 2; a < argc; a++) {{\n        \
         long fault = atol(argv[a]);\n        fflush(stdout);\n        pid_t child = fork();\n        \
         if (child < 0) {{ printf(\"no process\\n\"); return 2; }}\n        \
         if (child == 0) {{ alarm({SECONDS}); run(fault, cycles); fflush(stdout); _exit(0); }}\n        \
         int status = 0;\n        waitpid(child, &status, 0);\n        \
         if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) printf(\"FAULT %ld does not settle\\n\", fault);\n        \
         else if (!WIFEXITED(status)) printf(\"FAULT %ld ends with signal %d\\n\", fault, WTERMSIG(status));\n    }}\n    \
         printf(\"DONE %ld cycles\\n\", cycles);\n    return 0;\n}}\n",
        width = 1 + inputs + 2 * outputs,
    )
}

/// What a recording shows of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// An output is wrong in this cycle first; its word in a row of outputs.
    Differs {
        /// The cycle, with those of the reset.
        cycle: usize,
        /// The word.
        word: usize,
    },
    /// The design does not settle, which a simulation of the hardware does not survive.
    Unsettled,
    /// Nothing.
    Survives,
}

/// What the program has printed of so many faults, by number.
///
/// # Errors
/// When it did not come to its end with each of them.
pub fn seen(log: &str, faults: &[u32], cycles: usize) -> Result<Vec<(u32, Seen)>, ReplayError> {
    let rejected = || ReplayError::Rejected { tool: "verilator", log: log.to_owned() };
    let all: Vec<(u32, Seen)> = log.lines().filter_map(line).collect();
    let whole = log.lines().any(|line| line == format!("DONE {cycles} cycles"));
    let known = all.iter().map(|(fault, _)| fault).eq(faults);
    if whole && known {
        Ok(all)
    } else {
        Err(rejected())
    }
}

fn line(line: &str) -> Option<(u32, Seen)> {
    let (number, what) = line.strip_prefix("FAULT ")?.split_once(' ')?;
    let seen = match what {
        "survives" => Seen::Survives,
        "does not settle" => Seen::Unsettled,
        _ => {
            let (cycle, word) = what.strip_prefix("differs in cycle ")?.split_once(" on word ")?;
            Seen::Differs { cycle: cycle.parse().ok()?, word: word.parse().ok()? }
        }
    };
    Some((number.parse().ok()?, seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_counts_only_whole_and_with_each_fault() {
        let log = "FAULT 3 survives\n%Error: it\nFAULT 5 does not settle\n\
                   FAULT 6 differs in cycle 12 on word 2\nDONE 20 cycles\n";
        let expected = vec![
            (3, Seen::Survives),
            (5, Seen::Unsettled),
            (6, Seen::Differs { cycle: 12, word: 2 }),
        ];
        assert_eq!(seen(log, &[3, 5, 6], 20).expect("it is whole"), expected);
        for (faults, cycles) in [(&[3, 5][..], 20), (&[3, 5, 6, 7], 20), (&[3, 5, 6], 21)] {
            assert!(seen(log, faults, cycles).is_err());
        }
        let signal = "FAULT 3 ends with signal 11\nDONE 20 cycles\n";
        assert!(seen(signal, &[3], 20).is_err());
    }
}
