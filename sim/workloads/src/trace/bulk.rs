//! The columns of a bulk copy, behind its width:
//! `barrier multicast [blocks] bytes outside mode addresses...`.

use super::fault::{Fault, Parsed};
use super::fields::Fields;

/// Most addresses of a copy: one has at most 2^20 bytes of transactions, in pieces of 16 bytes or
/// more.
const MOST: u64 = 1 << 16;

/// How addresses are listed: all of them, or the first one and the differences.
const LIST: u64 = 3;
const DELTAS: u64 = 4;

/// Reads the columns of a copy; nothing of it is timed.
///
/// # Errors
/// When they are not those of a copy.
pub(super) fn check(fields: &mut Fields<'_>) -> Parsed<()> {
    fields.address("the address of the barrier")?;
    if fields.decimal("whether it is a multicast", 1)? == 1 {
        fields.address("the mask of the cluster's blocks")?;
    }
    fields.decimal("the number of bytes", u64::MAX)?;
    fields.decimal("the number of bytes outside of the tensor", u64::MAX)?;
    let at = fields.at();
    let mode = fields.decimal("the address mode", DELTAS)?;
    match mode {
        LIST => {
            for _ in 0..count(fields)? {
                fields.address("an address")?;
            }
        }
        DELTAS => {
            fields.address("the base address")?;
            for _ in 1..count(fields)? {
                fields.signed("a delta")?;
            }
        }
        _ => {
            let problem = format!("the address mode of a bulk copy is {mode}");
            let expected = "3 (a list) or 4 (a base and deltas)";
            return Err(Fault::new(at + 1..fields.at(), problem, expected));
        }
    }
    Ok(())
}

fn count(fields: &mut Fields<'_>) -> Parsed<u64> {
    fields.decimal("the number of addresses", MOST)
}
