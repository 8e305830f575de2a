//! Small repairs of rust-hdl's text.

/// Ports without the names of their bundles, slice offsets without sizes, no blank lines, no
/// trailing blanks.
pub fn tidy(verilog: &str) -> String {
    let mut out = String::with_capacity(verilog.len());
    for line in verilog.lines().filter(|line| !line.trim().is_empty()) {
        let line = unsized_offsets(&without_bundles(line));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// `lookup_ports$lookup` as `lookup`: a port's bundle is part of its name in a kernel alone.
fn without_bundles(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for part in line.split_inclusive('$') {
        out.push_str(part);
        let name = part.trim_end_matches('$');
        let first = name.rfind(|c: char| !in_identifier(c as u8)).map_or(0, |before| before + 1);
        if part.ends_with('$') && is_bundle(&name[first..]) {
            out.truncate(out.len() - (part.len() - first));
        }
    }
    out
}

/// Whether a name of a kernel is that of a bundle of ports.
pub fn is_bundle(name: &str) -> bool {
    name == "control" || name.ends_with("_ports")
}

/// `[(64'h8)+:(9)]` as `[8 +: 9]`: an index of 64 bits is wider than any signal.
fn unsized_offsets(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("[(") {
        let (before, slice) = rest.split_at(start);
        out.push_str(before);
        match parse_slice(slice) {
            Some((offset, width, length)) => {
                out.push_str(&format!("[{offset} +: {width}]"));
                rest = &slice[length..];
            }
            None => {
                out.push_str("[(");
                rest = &slice[2..];
            }
        }
    }
    out + rest
}

/// Offset, width and length of the text of a slice `[(32'h8)+:(9)]`.
fn parse_slice(slice: &str) -> Option<(u64, u64, usize)> {
    let end = slice.find(']')?;
    let (offset, width) = slice[2..end].split_once(")+:(")?;
    let digits = offset.strip_prefix("64'h").or_else(|| offset.strip_prefix("32'h"))?;
    let offset = u64::from_str_radix(digits, 16).ok()?;
    let width = width.strip_suffix(')')?.parse().ok()?;
    Some((offset, width, end + 1))
}

/// The name of a module's text: `module NAME(`.
pub fn module_name(module: &str) -> &str {
    let header = module.lines().find_map(|line| line.strip_prefix("module ")).unwrap_or("");
    header.split('(').next().unwrap_or("")
}

/// Whether a byte belongs to an identifier as rust-hdl prints them.
pub fn in_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The identifiers of a line of code, without numbers, sizes of literals and comments.
pub fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or("");
    code.split(|c: char| !(c.is_ascii() && (in_identifier(c as u8) || c == '\'')))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .filter(|word| !word.contains('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slice_offsets_lose_their_sizes() {
        assert_eq!(
            tidy("a = s$q[(64'h1f)+:(9)] + b[(32'h0)+:(1)];"),
            "a = s$q[31 +: 9] + b[0 +: 1];\n"
        );
    }

    #[test]
    fn names_of_bundles_are_dropped_and_nothing_else_is() {
        assert_eq!(
            tidy("a$lookup_ports$b = control$clock & (c_ports$d) + my_ports + ports$e;"),
            "a$b = clock & (d) + my_ports + ports$e;\n"
        );
    }

    #[test]
    fn other_brackets_stay() {
        assert_eq!(tidy("a = b[(c)+:(2)];\nd = e[3];"), "a = b[(c)+:(2)];\nd = e[3];\n");
    }

    #[test]
    fn identifiers_leave_out_literals_and_comments() {
        let found: Vec<&str> = identifiers("a$q[3] = b & 8'hff; // not c").collect();
        assert_eq!(found, ["a$q", "b"]);
    }
}
