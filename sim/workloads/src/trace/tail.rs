//! What an instruction line ends with, behind its addresses.

use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;

/// See the module; the header decides for all lines of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    None,
    /// `immediate`.
    Immediate,
    /// `immediate [immediate] [NoVal | Val n value...]`, since version 6: values for each register
    /// that is listed, in that order, one for all lanes or one a lane.
    Values,
}

/// Lanes of a warp, and so values of a register that differ.
const LANES: u64 = 32;

/// Reads what follows of a line that lists `registers` registers, up to its end. Nothing of it is
/// timed.
///
/// # Errors
/// When it is not `tail`.
pub(super) fn check(fields: &mut Fields<'_>, tail: Tail, registers: u64) -> Parsed<()> {
    if tail == Tail::None {
        return fields.end("the end of the line");
    }
    fields.signed("the immediate")?;
    if tail == Tail::Values {
        if fields.number_follows() {
            fields.signed("the second immediate")?;
        }
        if fields.is_at_end() {
            return Ok(());
        }
        values(fields, registers)?;
        return fields.end("the end of the line behind the values");
    }
    fields.end("the end of the line behind the immediate")
}

fn values(fields: &mut Fields<'_>, registers: u64) -> Parsed<()> {
    const EXPECTED: &str = "`NoVal`, or `Val` and the values of each register";
    let (word, span) = fields.word("`Val` or `NoVal`", EXPECTED)?;
    match word {
        b"NoVal" => return Ok(()),
        b"Val" => {}
        _ => {
            let problem = format!("`{}` is neither `Val` nor `NoVal`", shown(word));
            return Err(Fault::new(span, problem, EXPECTED));
        }
    }
    for _ in 0..registers {
        let at = fields.at();
        let count = fields.decimal("the number of values", LANES)?;
        if count != 1 && count != LANES {
            let problem = format!("a register has {count} values");
            return Err(Fault::new(at + 1..fields.at(), problem, "1 value, or 32 of them"));
        }
        for _ in 0..count {
            fields.address("a value")?;
        }
    }
    Ok(())
}
