//! The line of a large file that a diagnostic shows, without the rest of the file.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Bytes shown on either side of the faulty value in a long line.
const CONTEXT: usize = 60;

/// One line of a file, or the part of it around a fault.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    line: u64,
    first_column: usize,
}

impl Excerpt {
    /// The part of line number `line` (from 1) around its bytes `start .. start + length`, and
    /// where those bytes are in the excerpt.
    pub fn new(
        name: String,
        line: u64,
        text: &str,
        start: usize,
        length: usize,
    ) -> (Self, SourceSpan) {
        let first = text.floor_char_boundary(start.saturating_sub(CONTEXT));
        let last = text.ceil_char_boundary((start + length.min(CONTEXT) + CONTEXT).min(text.len()));
        // A terminal must not see the control characters of a binary file.
        let shown = |part: &str| part.replace(|c: char| c.is_control() && c != '\t', "?");
        let from = text.floor_char_boundary(start);
        let before = shown(&text[first..from.min(last)]);
        let after = shown(&text[from.min(last)..last]);
        let span = SourceSpan::from((before.len(), length.min(after.len())));
        let excerpt = Self { name, text: before + &after, line, first_column: first };
        (excerpt, span)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // As miette's own sources: without lines before it, the contents begin with the span, and
        // so their column is the span's.
        let skipped = if lines_before == 0 { span.offset().min(self.text.len()) } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[skipped..],
            (skipped, self.text.len() - skipped).into(),
            self.line.saturating_sub(1) as usize,
            self.first_column + skipped,
            1,
        )))
    }
}
