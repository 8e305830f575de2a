//! What can be wrong with a graph file, and the diagnostic that says so.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use miette::{Diagnostic, LabeledSpan, SourceCode, SourceSpan};
use thiserror::Error;

use crate::diagnostic::Excerpt;

/// What is wrong with a graph file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file holds nothing, or comments alone.
    #[error("{0}")]
    Empty(&'static str),
    /// Neither the content nor the extension is that of a known format.
    #[error("not a graph file that this tool knows")]
    UnknownFormat,
    /// Bytes that are not text.
    #[error("not text: the line is not valid UTF-8")]
    NotText,
    /// A line beyond what any graph format needs.
    #[error("the line has more than {0} bytes")]
    LineTooLong(usize),
    /// A word where a number belongs.
    #[error("{what} is `{value}`, which is not a number")]
    NotANumber {
        /// Which number.
        what: &'static str,
        /// The word.
        value: String,
    },
    /// A negative number where only others make sense.
    #[error("{what} is {value}, which is negative")]
    Negative {
        /// Which number.
        what: &'static str,
        /// The number as written.
        value: String,
    },
    /// A number over the limit.
    #[error("{what} is {value}, more than {limit}")]
    TooLarge {
        /// Which number.
        what: &'static str,
        /// The number as written.
        value: String,
        /// The largest allowed.
        limit: u32,
    },
    /// An edge to or from a vertex that the graph does not have.
    #[error("vertex {vertex} is out of range {first} to {last}")]
    VertexOutOfRange {
        /// The vertex as the file calls it.
        vertex: u32,
        /// The first vertex of this format.
        first: u32,
        /// The last vertex of this file; below `first` when there is none.
        last: u32,
    },
    /// Row offsets that go back, or past the last edge.
    #[error("offset {offset} is out of order: it must be {least} to {most}")]
    OffsetOutOfOrder {
        /// The offset.
        offset: u32,
        /// The offset of the vertex before.
        least: u32,
        /// Number of edges (0 for the first offset).
        most: u32,
    },
    /// A line that ends before all its columns are there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Something behind the last column, or behind the last line.
    #[error("`{0}` is left over")]
    LeftOver(String),
    /// Fewer items than the header says: the file is cut off.
    #[error("truncated: the header says {stated} {what}, the file holds {found}")]
    Truncated {
        /// Which items.
        what: &'static str,
        /// What the header says.
        stated: u32,
        /// How many there are.
        found: u32,
    },
    /// More items than the header says, or than this tool takes.
    #[error("more than {stated} {what}")]
    Surplus {
        /// Which items.
        what: &'static str,
        /// What the header says.
        stated: u32,
    },
    /// A line that the format does not have, or has elsewhere.
    #[error("unexpected line: {0}")]
    UnexpectedLine(&'static str),
    /// A kind of file that is valid and that this tool does not read.
    #[error("{what} `{value}` is not supported")]
    Unsupported {
        /// Which property of the file.
        what: &'static str,
        /// Its value.
        value: String,
    },
    /// A matrix that is no adjacency matrix.
    #[error("the matrix has {rows} rows and {columns} columns")]
    NotSquare {
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
    },
    /// A symmetric matrix that lists entries of both triangles.
    #[error("entry ({row}, {column}) is in the other triangle than the entries before it")]
    BothTriangles {
        /// Row, from 1.
        row: u32,
        /// Column, from 1.
        column: u32,
    },
}

/// Why a graph file was refused: a diagnostic with the file, the line and what was expected.
#[derive(Debug)]
pub struct GraphError(Box<Details>);

#[derive(Debug)]
struct Details {
    path: PathBuf,
    problem: Problem,
    expected: String,
    line: Option<u64>,
    excerpt: Option<(Excerpt, SourceSpan)>,
}

impl GraphError {
    /// A problem of the file as a whole.
    pub(super) fn of_file(path: &Path, problem: Problem, expected: impl Into<String>) -> Self {
        Self(Box::new(Details {
            path: path.to_owned(),
            problem,
            expected: expected.into(),
            line: None,
            excerpt: None,
        }))
    }

    /// A problem of the bytes `start .. start + length` of line number `line`, which is `text`.
    pub(super) fn of_line(
        path: &Path,
        problem: Problem,
        expected: impl Into<String>,
        (line, text): (u64, &str),
        (start, length): (usize, usize),
    ) -> Self {
        let mut error = Self::of_file(path, problem, expected);
        let name = path.display().to_string();
        error.0.line = Some(line);
        error.0.excerpt = Some(Excerpt::new(name, line, text, start, length));
        error
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The line, from 1, where the problem is in one line.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.path.display())?;
        if let Some(line) = self.0.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.0.problem)
    }
}

impl std::error::Error for GraphError {}

impl Diagnostic for GraphError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new("blockyard::graph"))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(format!("expected {}", self.0.expected)))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.excerpt.as_ref().map(|(e, _)| e as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.0.excerpt.as_ref()?;
        let label = LabeledSpan::new_with_span(Some(self.0.problem.to_string()), *span);
        Some(Box::new(std::iter::once(label)))
    }
}
