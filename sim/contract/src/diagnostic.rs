//! The one shape of every complaint about input: what is wrong, where, and what was expected.

mod excerpt;

use std::fmt;
use std::ops::Range;
use std::path::Path;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

pub use excerpt::Excerpt;

/// A file or an option that cannot be used. Rendered by miette with file, line and column.
pub struct InputError(Box<Parts>);

struct Parts {
    message: String,
    text: Option<Box<dyn SourceCode>>,
    span: Option<Range<usize>>,
    label: String,
    help: Option<String>,
}

impl InputError {
    /// A complaint that belongs to no place in a file.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Parts { message, text: None, span: None, label: String::new(), help: None }))
    }

    /// Adds what the user should do, or what was expected.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Puts the complaint at the bytes `span` of the file `name` with contents `text`; `label`
    /// stands under the marked place.
    pub fn at(
        mut self,
        name: &str,
        text: &str,
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Self {
        // A span past the end (an unexpected end of file) would be shown without its line.
        let end = span.end.min(text.len());
        let start = span.start.min(end);
        self.0.text = Some(Box::new(NamedSource::new(name, text.to_owned())));
        self.0.span = Some(start..end);
        self.0.label = label.into();
        self
    }

    /// Puts the complaint at the bytes `span` of line number `line` (from 1) of the file `name`,
    /// which is too large to be shown: `text` is that line alone.
    pub fn at_line(
        mut self,
        name: &str,
        (line, text): (u64, &str),
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Self {
        let end = span.end.min(text.len());
        let start = span.start.min(end);
        let (excerpt, shown) = Excerpt::new(name.to_owned(), line, text, start, end - start);
        self.0.text = Some(Box::new(excerpt));
        self.0.span = Some(shown.offset()..shown.offset() + shown.len());
        self.0.label = label.into();
        self
    }

    /// A file that cannot be read or written: `what` is "read" or "write".
    pub fn file(what: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { message, span, label, help, .. } = &*self.0;
        write!(f, "InputError({message:?}, at {span:?} {label:?}, help {help:?})")
    }
}

impl std::error::Error for InputError {}

impl Diagnostic for InputError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.text.as_ref().map(|text| &**text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.0.span.clone()?;
        let label = LabeledSpan::new_with_span(Some(self.0.label.clone()), span);
        Some(Box::new(std::iter::once(label)))
    }
}

/// The diagnostic as the user sees it, without colours: for snapshot tests.
pub fn rendered(error: &dyn Diagnostic) -> String {
    rendered_within(error, 100)
}

/// As [`rendered`], in lines of `width` columns.
pub fn rendered_within(error: &dyn Diagnostic, width: usize) -> String {
    let mut text = String::new();
    miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor())
        .with_width(width)
        .without_cause_chain()
        .render_report(&mut text, error)
        .expect("a string takes everything");
    text
}
