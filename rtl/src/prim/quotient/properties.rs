//! A quotient, and what is left over.

use super::Quotient;
use crate::property::Properties;

/// The digits of the quotient, of two bits each, are taken off one after the other.
pub fn of(of: &Quotient) -> Properties {
    let wide = of.wide;
    let mut p = Properties::default();
    p.wire("one", wide, "divisor");
    p.wire("after_48", wide, "dividend - quotient[5:4] * (one << 4)");
    p.wire("after_12", wide, "after_48 - quotient[3:2] * (one << 2)");
    p.wire("after_3", wide, "after_12 - quotient[1:0] * one");
    p.assert("kept", "what is left over is what was not taken", "rest == after_3");
    let sign = wide - 1;
    p.assert(
        "contained",
        "as much as is taken is there, digit by digit",
        format!("~after_48[{sign}] & ~after_12[{sign}] & ~after_3[{sign}]"),
    );
    p.assert("no_more", "no more can be taken, up to 63 times", "&quotient | after_3 < one");
    p.cover("exactly", "nothing is left over", "quotient == 41 & after_3 == 0 & divisor != 0");
    p
}
