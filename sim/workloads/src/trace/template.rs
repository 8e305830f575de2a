//! The text of a whole warp, apart from its addresses: most warps of a kernel are compared with it
//! some lines at a time.

use super::block::Sink;
use super::header::Header;
use super::known::{Known, LOW};
use super::lines::Lines;
use crate::diagnostic::InputError;

/// What follows a part of the text, in place of what the template does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// The rest of the line, addresses and all.
    Rest,
    /// [`LOW`] digits of its address.
    Low,
    /// Nothing: it is the last part.
    None,
}

/// Lines without gaps, and the begin of one that has some.
#[derive(Debug)]
struct Part {
    /// Where its text ends in that of the template.
    end: usize,
    /// Where in its text the line with the gap begins.
    line: usize,
    /// Lines before that, without the one that begins before the part.
    plain: usize,
    gap: Gap,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Template {
    text: Vec<u8>,
    parts: Vec<Part>,
    /// Lines of the warp.
    count: usize,
}

/// What [`Template::read`] has read.
pub(super) struct Alike {
    /// Lines.
    pub lines: usize,
    /// Whether the next one differs from the template, or from what a gap takes.
    pub differs: bool,
}

impl Template {
    /// That of the warp whose lines are `known`, which end with LF.
    pub fn of(known: &[Known]) -> Self {
        let mut text = Vec::new();
        let mut parts = Vec::new();
        let (mut start, mut plain) = (0, 0);
        for known in known {
            let line = text.len() - start;
            text.extend_from_slice(known.text());
            let mut part = |text: &[u8], gap| {
                parts.push(Part { end: text.len(), line, plain, gap });
                (start, plain) = (text.len(), 0);
            };
            if !known.has_addresses() {
                plain += 1;
                text.push(b'\n');
            } else if let Some((before, behind)) = known.around_low() {
                text.extend_from_slice(before);
                part(&text, Gap::Low);
                text.extend_from_slice(behind);
                text.push(b'\n');
            } else {
                part(&text, Gap::Rest);
            }
        }
        parts.push(Part { end: text.len(), line: text.len() - start, plain, gap: Gap::None });
        Self { text, parts, count: known.len() }
    }

    /// Lines of the warp.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads the lines of a warp as long as they are like `known`, those from which this was made,
    /// as tracers print them, and in memory.
    ///
    /// # Errors
    /// When `sink` fails.
    pub fn read(
        &self,
        known: &mut [Known],
        lines: &mut Lines,
        header: &Header,
        sink: &mut impl Sink,
    ) -> Result<Alike, InputError> {
        let mut rest = lines.ahead();
        let length = rest.len();
        // What is left behind the lines that were read.
        let mut left = length;
        let (mut start, mut found, mut gap) = (0, 0, Gap::None);
        let mut differs = false;
        for part in &self.parts {
            let text = &self.text[start..part.end];
            start = part.end;
            let Some(behind) = rest.strip_prefix(text) else {
                differs = rest.len() >= text.len();
                break;
            };
            if gap == Gap::Low {
                sink.again_elsewhere(&known[found])?;
                found += 1;
            }
            sink.again(&known[found..found + part.plain])?;
            found += part.plain;
            left = rest.len() - part.line;
            rest = behind;
            gap = part.gap;
            match gap {
                Gap::Low => {
                    let Some((digits, behind)) = rest.split_first_chunk::<LOW>() else { break };
                    rest = behind;
                    if known[found].read_low(digits, header).is_none() {
                        differs = true;
                        break;
                    }
                }
                Gap::Rest => {
                    let line = &mut known[found];
                    let Some(length) = line.read_ahead(rest, header) else { break };
                    sink.again_elsewhere(line)?;
                    found += 1;
                    rest = &rest[length..];
                    left = rest.len();
                }
                Gap::None => {}
            }
        }
        lines.pass(length - left, found as u64);
        Ok(Alike { lines: found, differs })
    }
}
