//! The SystemVerilog package: each port that has fields as a packed struct.

use super::ports::KitPort;
use std::fmt::Write;

/// The package's name.
pub const PACKAGE: &str = "blockyard_pkg";

/// The text of the package. The first member of a packed struct is its highest.
pub fn text(ports: &[KitPort]) -> String {
    let mut text = format!("package {PACKAGE};\n");
    // A row of ports has one type, that of its first.
    for port in ports.iter().filter(|port| port.element.is_none_or(|element| element == 0)) {
        let Some(type_name) = &port.type_name else { continue };
        let about = port.about.as_deref().unwrap_or_default();
        let _ = write!(text, "    // {} bits. {about}\n    typedef struct packed {{\n", port.width);
        for field in port.fields.iter().rev() {
            let _ = writeln!(
                text,
                "        logic {}{};  // [{}:{}]",
                range(field.width),
                field.name,
                field.high,
                field.low
            );
        }
        let _ = writeln!(text, "    }} {type_name};\n");
    }
    text + "endpackage\n"
}

/// The range of a declaration, with a blank behind it; nothing for a single bit.
pub fn range(width: usize) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}
