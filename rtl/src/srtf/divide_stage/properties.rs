//! Eight digits, and the rest of them.

use super::DivideStage;
use crate::property::Properties;

/// The digits times the divisor and the rest are what was divided.
pub fn of(_: &DivideStage) -> Properties {
    let mut p = Properties::of("SRTF, section 4.1, equation 2");
    for (name, from, bits) in
        [("valid", 0, 1), ("kernel", 1, 3), ("residency", 4, 5), ("word", 9, 56), ("rest", 65, 4)]
    {
        p.wire(format!("from_{name}"), bits, format!("from[{from} +: {bits}]"));
        p.wire(format!("to_{name}"), bits, format!("to[{from} +: {bits}]"));
        p.register(format!("had_{name}"), bits, format!("from_{name}"));
    }
    // One divides by 1 to 16, and less than that is left.
    p.register("known", 1, "from_residency <= 16 & from_rest < from_residency");
    p.wire("is_dropped", 1, "drop >> from_kernel");
    p.register("drops", 1, "is_dropped");
    p.wire("divided", 13, "{had_rest, had_word[55:48]}");
    p.wire("again", 13, "to_word[7:0] * had_residency + to_rest");
    p.wire("stays", 1, "to_kernel == had_kernel & to_residency == had_residency");
    p.assert(
        "digits",
        "the digits are those of the quotient, behind what is divided, which stays whose it is",
        "~known | again == divided & to_word[55:8] == had_word[47:0] & stays",
    );
    p.assert("rest", "less than the divisor is left", "~known | to_rest < had_residency");
    p.assert(
        "dropped",
        "a division that is dropped is none",
        "~known | to_valid == (had_valid & ~drops)",
    );
    p.cover(
        "divides",
        "a division by sixteen leaves something",
        "known & had_residency == 16 & to_rest != 0",
    );
    p
}
