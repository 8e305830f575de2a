//! Graph files: one parser a format, behind one [`read`].
//!
//! **Which format.** The first line that is not blank decides where it is unmistakable: the words
//! `AdjacencyGraph` and `WeightedAdjacencyGraph` (Ligra), `%%MatrixMarket`, a DIMACS line (`c`,
//! `p` or `a` alone as its first word), a comment with `#` (edge list). Otherwise the extension
//! decides: `.gr` is DIMACS, `.mtx` MatrixMarket, `.adj` Ligra, `.el`, `.edges` and `.snap` an edge
//! list. What is left is an edge list if its first word begins like a number, and refused if not.

mod dimacs;
mod edge_list;
mod ligra;
mod lines;
mod matrix_market;

#[cfg(test)]
mod dimacs_tests;
#[cfg(test)]
mod edge_list_tests;
#[cfg(test)]
mod ligra_tests;
#[cfg(test)]
mod matrix_market_tests;
#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;

use std::{
    io::{BufRead, BufReader},
    path::Path,
};

use self::lines::Lines;
use super::{Graph, GraphError, Problem};
use crate::input;

/// Whether edges count in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// As the file says: directed, except in a symmetric MatrixMarket file and in an edge list
    /// with a comment line that begins with `Undirected`.
    #[default]
    AsListed,
    /// Both directions of every edge: see [`super::Csr::symmetric`].
    Symmetric,
}

/// The graph in the file `path`, with the edges as it lists them; see the module for the formats.
///
/// # Errors
/// A diagnostic that names the file, the line and what was expected, when the file cannot be read
/// or is not a valid graph in its format.
pub fn read(path: &Path) -> Result<Graph, GraphError> {
    read_with(path, Direction::AsListed)
}

/// The graph in the file `path`.
///
/// # Errors
/// Those of [`read`].
pub fn read_with(path: &Path, direction: Direction) -> Result<Graph, GraphError> {
    let file = input::open(path)
        .map_err(|e| GraphError::of_file(path, Problem::Unreadable(e), "a graph file"))?;
    read_from(BufReader::new(file), path, direction)
}

/// The graph in the text that `reader` gives; `path` is its name in diagnostics and its extension
/// may decide on the format.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(
    reader: impl BufRead,
    path: &Path,
    direction: Direction,
) -> Result<Graph, GraphError> {
    let mut lines = Lines::new(reader, path);
    let mut found = lines.advance()?;
    while found && lines.is_blank() {
        found = lines.advance()?;
    }
    if !found {
        return Err(lines.fail_file(Problem::Empty("the file is empty"), FORMATS));
    }
    let mut graph = match detect(lines.text(), path) {
        Some(Format::EdgeList) => edge_list::parse(lines),
        Some(Format::Ligra) => ligra::parse(lines),
        Some(Format::Dimacs) => dimacs::parse(lines),
        Some(Format::MatrixMarket) => matrix_market::parse(lines),
        None => Err(lines.fail_line(Problem::UnknownFormat, FORMATS)),
    }?;
    if direction == Direction::Symmetric {
        graph.csr = graph.csr.symmetric();
    }
    Ok(graph)
}

const FORMATS: &str = "an edge list (`source target` a line, comments with #), a Ligra \
     AdjacencyGraph, a DIMACS .gr file (`p sp vertices arcs`) or a MatrixMarket coordinate file \
     (`%%MatrixMarket matrix coordinate ...`)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    EdgeList,
    Ligra,
    Dimacs,
    MatrixMarket,
}

/// The format of a file that begins with the line `first`.
fn detect(first: &str, path: &Path) -> Option<Format> {
    let word = first.split_ascii_whitespace().next()?;
    match word {
        ligra::PLAIN | ligra::WEIGHTED => return Some(Format::Ligra),
        "c" | "p" | "a" => return Some(Format::Dimacs),
        _ if matrix_market::is_banner(word) => return Some(Format::MatrixMarket),
        _ if word.starts_with('#') => return Some(Format::EdgeList),
        _ => {}
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "gr" => Some(Format::Dimacs),
        "mtx" => Some(Format::MatrixMarket),
        "adj" => Some(Format::Ligra),
        "el" | "edges" | "snap" => Some(Format::EdgeList),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') => {
            Some(Format::EdgeList)
        }
        _ => None,
    }
}
