//! On which kernel before, and on which of its blocks, those of a kernel depend.

use serde::Deserialize;
use toml::Spanned;

use super::check::{number, Named};
use super::Source;
use crate::diagnostic::InputError;
use crate::port::Relation;

/// Largest distance in either direction.
const MOST_OFFSET: i64 = i32::MAX as i64;

/// `{ back = 1, ratio = 1, offset = 4 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "{ back, ratio, offset }")]
pub struct RawRelation {
    pub back: Option<Spanned<i64>>,
    pub ratio: Option<Spanned<i64>>,
    pub offset: Option<Spanned<i64>>,
}

/// What the kernel named `kernel` states; each key that is left out has its default.
pub fn relation(source: &Source, kernel: &str, raw: &RawRelation) -> Result<Relation, InputError> {
    let mut relation = Relation::default();
    let of = |what| Named { what, kernel };
    if let Some(back) = &raw.back {
        let most = u64::from(Relation::MOST_BACK);
        relation.back = number(source, back, of("back"), 1..=most)? as u8;
    }
    if let Some(ratio) = &raw.ratio {
        relation.ratio = number(source, ratio, of("ratio"), 1..=u64::from(u16::MAX))? as u16;
    }
    if let Some(offset) = &raw.offset {
        let found = *offset.get_ref();
        if !(-MOST_OFFSET..=MOST_OFFSET).contains(&found) {
            let message = format!("`offset` of kernel `{kernel}` is {found}");
            let expected = format!("expected -{MOST_OFFSET} to {MOST_OFFSET}");
            return Err(source.error(&offset.span(), message, &expected));
        }
        relation.offset = found as i32;
    }
    Ok(relation)
}
