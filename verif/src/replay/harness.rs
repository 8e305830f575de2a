//! The C++ program around a verilated module.

use super::case::TOP;
use super::ports::{Direction, Port};
use super::trace::PortTrace;
use std::fmt::Write;

/// For each cycle whether it is compared, its inputs, its outputs: words of 32 bits, lowest byte
/// first.
pub fn packed(trace: &PortTrace) -> Vec<u8> {
    let mut bytes = Vec::new();
    for cycle in &trace.cycles {
        let words = [u32::from(cycle.compared)].into_iter();
        let words = words.chain(cycle.inputs.iter().copied()).chain(cycle.outputs.iter().copied());
        bytes.extend(words.flat_map(u32::to_le_bytes));
    }
    bytes
}

/// A port's member of Verilator's class: `$` is spelt by its character code.
fn member(name: &str) -> String {
    format!("top->{}", name.replace("__", "___05F").replace('$', "__024"))
}

/// Statements that put a row `in` on the input ports.
pub fn drives(ports: &[Port]) -> String {
    let mut text = String::new();
    for port in ports.iter().filter(|port| port.direction == Direction::Input) {
        let (member, offset, words) = (member(&port.name), port.offset, port.words());
        let _ = match words {
            1 => writeln!(text, "        {member} = in[{offset}];"),
            2 => writeln!(
                text,
                "        {member} = (uint64_t(in[{}]) << 32 | in[{offset}]);",
                offset + 1
            ),
            _ => writeln!(
                text,
                "        for (int w = 0; w < {words}; w++) {member}[w] = in[{offset} + w];"
            ),
        };
    }
    text
}

/// Statements that take a row `got` from the output ports.
pub fn reads(ports: &[Port]) -> String {
    let mut text = String::new();
    for port in ports.iter().filter(|port| port.direction == Direction::Output) {
        let (member, offset, words) = (member(&port.name), port.offset, port.words());
        let _ = match words {
            1 => writeln!(text, "            got[{offset}] = {member};"),
            2 => writeln!(
                text,
                "            got[{offset}] = uint32_t({member}); got[{}] = uint32_t({member} >> 32);",
                offset + 1
            ),
            _ => writeln!(
                text,
                "            for (int w = 0; w < {words}; w++) got[{offset} + w] = {member}[w];"
            ),
        };
    }
    text
}

/// What comes before and behind a cycle's evaluation: the clock's edges, if there is a clock.
pub fn edges(clocked: bool) -> (&'static str, &'static str) {
    match clocked {
        true => ("        top->clock = 0;\n", "        top->clock = 1;\n        top->eval();\n"),
        false => ("", ""),
    }
}

/// The C++ program that reads a trace and compares.
pub fn harness(trace: &PortTrace) -> String {
    let inputs = trace.row_words(Direction::Input);
    let outputs = trace.row_words(Direction::Output);
    let (drives, mut checks) = (drives(&trace.ports), reads(&trace.ports));
    for port in trace.ports_of(Direction::Output) {
        let (name, offset, words) = (&port.name, port.offset, port.words());
        let _ = writeln!(
            checks,
            "            check(cycle, \"{name}\", got + {offset}, out + {offset}, {words});"
        );
    }
    let (low, high) = edges(trace.clocked);
    format!(
        "#include \"V{TOP}.h\"\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\
         double sc_time_stamp() {{ return 0; }}\n\
         static void check(long cycle, const char* port, const uint32_t* got, const uint32_t* expected, int words) {{\n    \
         bool same = true;\n    for (int w = 0; w < words; w++) same &= got[w] == expected[w];\n    if (same) return;\n    \
         printf(\"MISMATCH cycle %ld, port %s: expected \", cycle, port);\n    \
         for (int w = words; w-- > 0;) printf(\"%08x\", expected[w]);\n    printf(\", got \");\n    \
         for (int w = words; w-- > 0;) printf(\"%08x\", got[w]);\n    printf(\"\\n\");\n    exit(1);\n}}\n\
         int main(int argc, char** argv) {{\n    \
         Verilated::randReset(2);\n    Verilated::randSeed(1);\n    \
         FILE* file = argc == 2 ? fopen(argv[1], \"rb\") : nullptr;\n    \
         if (!file) {{ printf(\"no trace\\n\"); return 2; }}\n    \
         V{TOP}* top = new V{TOP};\n    std::vector<uint32_t> row({row});\n    long cycle = 0;\n    \
         while (fread(row.data(), 4, row.size(), file) == row.size()) {{\n        \
         const uint32_t* in = row.data() + 1;\n        const uint32_t* out = in + {inputs};\n        \
         (void)in; (void)out;\n{low}{drives}        top->eval();\n        \
         if (row[0]) {{\n            uint32_t got[{outputs} + 1];\n{checks}        }}\n{high}        \
         cycle++;\n    }}\n    printf(\"PASS %ld cycles\\n\", cycle);\n    return 0;\n}}\n",
        row = 1 + inputs + outputs,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_spelt_out_in_members() {
        assert_eq!(member("dispatch$12"), "top->dispatch__02412");
    }
}
