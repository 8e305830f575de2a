//! The wrapper: a port for each field, in plain Verilog.

use super::package::range;
use super::ports::KitPort;
use std::fmt::Write;

/// The wrapper's name: the kit's top module.
pub const WRAPPER: &str = "blockyard";

/// The module that it wraps: the scheduler with names without `$`.
pub const CORE: &str = "blockyard_core";

/// The text of the wrapper.
pub fn text(ports: &[KitPort]) -> String {
    let mut declared = vec![];
    let (mut wires, mut connected) = (String::new(), vec![]);
    for port in ["clock", "reset"] {
        declared.push(format!("    input  wire {port}"));
        connected.push(format!("        .{port}({port})"));
    }
    for port in ports {
        let direction = if port.is_input() { "input  wire" } else { "output wire" };
        let first = port.element.is_none_or(|element| element == 0);
        let mut about =
            port.about.iter().filter(|_| first).map(|about| format!("    // {about}\n"));
        for field in &port.fields {
            let about = about.next().unwrap_or_default();
            let (range, name) = (range(field.width), &field.wrapper);
            declared.push(format!("{about}    {direction} {range}{name}"));
        }
        connected.push(format!("        .{0}({0})", port.name));
        if port.type_name.is_none() {
            continue;
        }
        let _ = writeln!(wires, "    wire {}{};", range(port.width), port.name);
        for field in &port.fields {
            let slice = match (field.width, port.width) {
                (_, 1) => port.name.clone(),
                (1, _) => format!("{}[{}]", port.name, field.low),
                _ => format!("{}[{}:{}]", port.name, field.high, field.low),
            };
            let (driven, driving) = match port.is_input() {
                true => (slice, field.wrapper.clone()),
                false => (field.wrapper.clone(), slice),
            };
            let _ = writeln!(wires, "    assign {driven} = {driving};");
        }
    }
    format!(
        "module {WRAPPER} (\n{}\n);\n{wires}\n    {CORE} core (\n{}\n    );\nendmodule\n",
        declared.join(",\n"),
        connected.join(",\n")
    )
}
