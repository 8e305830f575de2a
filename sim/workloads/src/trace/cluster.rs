//! Where a block is in its cluster: lines that newer tracers write before its warps. They are
//! checked and of no effect, since no scheduler places clusters.

use super::block::three_numbers;
use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;

/// Whether `text` begins like one of these lines.
pub(super) fn is_line(text: &[u8]) -> bool {
    text.starts_with(b"cluster ")
}

/// Checks such a line.
///
/// # Errors
/// When it is none of `cluster id = x,y,z`, `cluster cta = x,y,z` and `cluster rank = n`.
pub(super) fn check(text: &[u8]) -> Parsed<()> {
    let equals = memchr::memchr(b'=', text).unwrap_or(0);
    let value = text[(equals + 1).min(text.len())..].trim_ascii();
    let sound = match text[..equals].trim_ascii() {
        b"cluster id" | b"cluster cta" => three_numbers(value).is_some(),
        b"cluster rank" => {
            let mut fields = Fields::new(value);
            fields.decimal("", u64::from(u32::MAX)).is_ok() && fields.end("").is_ok()
        }
        _ => false,
    };
    if sound {
        return Ok(());
    }
    let problem = format!("`{}` does not say where a block is in its cluster", shown(text));
    let expected = "`cluster id = x,y,z`, `cluster cta = x,y,z` or `cluster rank = n`";
    Err(Fault::new(0..text.len(), problem, expected))
}
