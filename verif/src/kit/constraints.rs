//! Constraints of time for the wrapper. Inputs are listed by name: not every tool can take the
//! clock out of all.

use super::ports::KitPort;
use std::fmt::Write;

/// The text of the SDC file.
pub fn text(ports: &[KitPort]) -> String {
    let mut text = "\
# One clock, rising edge. The period, in nanoseconds, and what is outside take of it are yours to set:
# nothing here is a promise of the hardware.
set period 10.0
set outside [expr {0.3 * $period}]

create_clock -name clock -period $period [get_ports clock]

# The reset is synchronous, and timed like every other input.
set inputs [get_ports {
    reset
"
    .to_owned();
    for field in ports.iter().filter(|port| port.is_input()).flat_map(|port| &port.fields) {
        let _ = writeln!(text, "    {}", field.wrapper);
    }
    text + "}]\nset_input_delay $outside -clock clock $inputs\n\
            set_output_delay $outside -clock clock [all_outputs]\n"
}
