//! An order: of two kernels one is first.

use super::{Sooner, KERNELS};
use crate::property::{among, Properties};

/// Any two kernels.
pub fn of(_: &Sooner) -> Properties {
    let mut p = Properties::default();
    let ports = |port: &str| (0..KERNELS).map(|at| format!("{port}${at}")).collect::<Vec<_>>();
    for name in ["low", "high"] {
        p.chosen(name, 3);
        p.wire(format!("time_{name}"), 40, among(name, ports("time")));
        p.wire(format!("sooner_{name}"), 8, among(name, ports("sooner")));
    }
    p.wire("older_high", 8, among("high", ports("older")));
    p.wire("low_is_older", 1, "older_high >> low");
    p.wire("low_first", 1, "sooner_high >> low");
    p.wire("high_first", 1, "sooner_low >> high");
    p.wire("less", 1, "time_low < time_high | time_low == time_high & low_is_older");
    p.wire("itself", 1, "sooner_low >> low");
    p.assert(
        "first",
        "one of two is first, with less time, or of as much the older one; none is before itself",
        "~itself & (low >= high | low_first == less & high_first == ~less)",
    );
    p.cover("equal", "both have as much", "low != high & time_low == time_high & time_low != 0");
    p
}
