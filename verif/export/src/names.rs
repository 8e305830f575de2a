//! Names that a design must not use.

use super::text::identifiers;

/// Reserved words of Verilog 2005 and SystemVerilog 2017 that could pass for a signal's name.
/// rust-hdl's macros let all but a few of them through.
const RESERVED: &[&str] = &[
    "accept_on",
    "alias",
    "always_comb",
    "always_ff",
    "always_latch",
    "and",
    "assert",
    "assign",
    "assume",
    "automatic",
    "before",
    "begin",
    "bind",
    "bins",
    "binsof",
    "bit",
    "break",
    "buf",
    "byte",
    "case",
    "casex",
    "casez",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "cmos",
    "config",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "covergroup",
    "coverpoint",
    "cross",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "dist",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "endclass",
    "endmodule",
    "enum",
    "event",
    "eventually",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "for",
    "force",
    "foreach",
    "forever",
    "fork",
    "forkjoin",
    "function",
    "generate",
    "genvar",
    "global",
    "highz0",
    "highz1",
    "if",
    "iff",
    "ifnone",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "implies",
    "import",
    "incdir",
    "include",
    "initial",
    "inout",
    "input",
    "inside",
    "instance",
    "int",
    "integer",
    "interconnect",
    "interface",
    "intersect",
    "join",
    "large",
    "let",
    "liblist",
    "library",
    "local",
    "localparam",
    "logic",
    "longint",
    "macromodule",
    "matches",
    "medium",
    "modport",
    "module",
    "nand",
    "negedge",
    "nettype",
    "new",
    "nexttime",
    "nmos",
    "nor",
    "noshowcancelled",
    "not",
    "notif0",
    "notif1",
    "null",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "priority",
    "program",
    "property",
    "protected",
    "pull0",
    "pull1",
    "pulldown",
    "pullup",
    "pure",
    "rand",
    "randc",
    "randcase",
    "randsequence",
    "rcmos",
    "real",
    "realtime",
    "ref",
    "reg",
    "reject_on",
    "release",
    "repeat",
    "restrict",
    "return",
    "rnmos",
    "rpmos",
    "rtran",
    "scalared",
    "sequence",
    "shortint",
    "shortreal",
    "signed",
    "small",
    "soft",
    "solve",
    "specify",
    "specparam",
    "static",
    "string",
    "strong",
    "strong0",
    "strong1",
    "struct",
    "super",
    "supply0",
    "supply1",
    "table",
    "tagged",
    "task",
    "this",
    "throughout",
    "time",
    "timeprecision",
    "timeunit",
    "tran",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "unsigned",
    "until",
    "untyped",
    "use",
    "uwire",
    "var",
    "vectored",
    "virtual",
    "void",
    "wait",
    "wand",
    "weak",
    "weak0",
    "weak1",
    "while",
    "wildcard",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "xor",
];

/// The words that [`verilog`](super::verilog) refuses as names.
pub fn reserved_words() -> &'static [&'static str] {
    RESERVED
}

/// A declared name of one module's text that is a reserved word.
pub fn reserved_name(module: &str) -> Option<String> {
    module.lines().find_map(|line| {
        let name = declared(line.trim())?;
        RESERVED.contains(&name).then(|| name.to_owned())
    })
}

/// The name that a declaration or an instantiation introduces.
fn declared(line: &str) -> Option<&str> {
    let is_declaration = ["input ", "output ", "inout ", "reg ", "wire ", "localparam "]
        .iter()
        .any(|kind| line.starts_with(kind));
    if is_declaration {
        let left = line.split(" = ").next().unwrap_or(line);
        return left.trim_end_matches(';').split_whitespace().last();
    }
    let instance = line.strip_suffix('(')?;
    let mut words = identifiers(instance);
    match (words.next(), words.next(), words.next()) {
        (Some(_), Some(name), None) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_found_as_ports_constants_and_instances() {
        assert_eq!(reserved_name("    output reg  [92:0] context;"), Some("context".into()));
        assert_eq!(reserved_name("    localparam  global = 3'h1;"), Some("global".into()));
        assert_eq!(reserved_name("    top$table table("), Some("table".into()));
    }

    #[test]
    fn reserved_words_are_in_order_and_each_once() {
        assert!(reserved_words().is_sorted_by(|one, next| one < next));
        assert_eq!(reserved_words().first(), Some(&"accept_on"));
        assert_eq!(reserved_words().last(), Some(&"xor"));
    }

    #[test]
    fn other_names_pass() {
        for line in [
            "    output reg  [92:0] kernel_context;",
            "    top$context contexts(",
            "    if (table) begin",
        ] {
            assert_eq!(reserved_name(line), None, "{line}");
        }
    }
}
