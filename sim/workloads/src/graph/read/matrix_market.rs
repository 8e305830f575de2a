//! Coordinate matrices in the MatrixMarket exchange format as adjacency matrices.
//!
//! Entry `(i, j)` is the edge from vertex `i` to vertex `j`, counted from 1, whatever its value: a
//! stored zero is an edge. `symmetric` lists one triangle (the standard says the lower one; the
//! upper one is taken too) and stands for both directions, the diagonal once.

use std::io::BufRead;

use super::lines::{Lines, Token};
use crate::graph::{Csr, EdgeList, Graph, GraphError, Labels, Problem, MAX_EDGES, MAX_VERTICES};

const BANNER: &str = "%%MatrixMarket";
const EXPECTED_BANNER: &str =
    "`%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric`";
const SIZE: &str = "`rows columns entries`";

/// Whether a file that begins with `word` is in this format.
pub(super) fn is_banner(word: &str) -> bool {
    word.eq_ignore_ascii_case(BANNER)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Pattern,
    Real,
    Integer,
}

/// Parses from the current line of `lines` on.
pub(super) fn parse<R: BufRead>(mut lines: Lines<'_, R>) -> Result<Graph, GraphError> {
    let (field, symmetric) = banner(&lines)?;
    let (vertices, entries) = loop {
        if !lines.advance_past_blanks()? {
            return Err(lines.fail_line(Problem::Missing("the size line"), SIZE));
        }
        if !lines.text().starts_with('%') {
            break size(&lines)?;
        }
    };
    let mut list = match field {
        Field::Pattern => EdgeList::new(vertices),
        _ => EdgeList::weighted(vertices),
    };
    let mut found = 0;
    let mut triangle = None;
    while lines.advance_past_blanks()? {
        if lines.text().starts_with('%') {
            continue;
        }
        if found == entries {
            let problem = Problem::Surplus { what: "entries", stated: entries };
            return Err(lines.fail_line(problem, "the end of the file"));
        }
        let (source, target, weight) = entry(&lines, field, vertices)?;
        found += 1;
        list.push_weighted(source, target, weight);
        if symmetric && source != target {
            let lower = source > target;
            if *triangle.get_or_insert(lower) != lower {
                let problem = Problem::BothTriangles { row: source + 1, column: target + 1 };
                return Err(lines.fail_line(problem, "entries of one triangle and the diagonal"));
            }
            list.push_weighted(target, source, weight);
        }
    }
    if found < entries {
        let problem = Problem::Truncated { what: "entries", stated: entries, found };
        return Err(
            lines.fail_line(problem, format!("{entries} entries before the file ends here"))
        );
    }
    Ok(Graph { csr: Csr::from_edges(&list), labels: Labels::FromOne })
}

/// The field and the symmetry that the first line states.
fn banner<R: BufRead>(lines: &Lines<'_, R>) -> Result<(Field, bool), GraphError> {
    let mut tokens = lines.tokens();
    if !tokens.next().is_some_and(|t| is_banner(t.text)) {
        return Err(lines.fail_line(Problem::Missing("the banner"), EXPECTED_BANNER));
    }
    let mut word = |what| lines.required(&mut tokens, what, EXPECTED_BANNER);
    let object = word("the object")?;
    let format = word("the format")?;
    let field = word("the field")?;
    let symmetry = word("the symmetry")?;
    lines.no_more(&mut tokens, EXPECTED_BANNER)?;
    let unsupported = |what, token: Token<'_>| {
        let value = token.shown();
        lines.fail(token, Problem::Unsupported { what, value }, EXPECTED_BANNER)
    };
    if !object.text.eq_ignore_ascii_case("matrix") {
        return Err(unsupported("the object", object));
    }
    if !format.text.eq_ignore_ascii_case("coordinate") {
        return Err(unsupported("the format", format));
    }
    let kind = match field.text.to_ascii_lowercase().as_str() {
        "pattern" => Field::Pattern,
        "real" => Field::Real,
        "integer" => Field::Integer,
        _ => return Err(unsupported("the field", field)),
    };
    match symmetry.text.to_ascii_lowercase().as_str() {
        "general" => Ok((kind, false)),
        "symmetric" => Ok((kind, true)),
        _ => Err(unsupported("the symmetry", symmetry)),
    }
}

/// The number of vertices and of entries that the size line states.
fn size<R: BufRead>(lines: &Lines<'_, R>) -> Result<(u32, u32), GraphError> {
    let mut tokens = lines.tokens();
    let mut number = |what, limit| {
        let token = lines.required(&mut tokens, what, SIZE)?;
        lines.unsigned(token, what, limit)
    };
    let rows = number("the number of rows", MAX_VERTICES)?;
    let columns = number("the number of columns", MAX_VERTICES)?;
    let entries = number("the number of entries", MAX_EDGES)?;
    lines.no_more(&mut tokens, SIZE)?;
    if rows != columns {
        let expected = "an adjacency matrix, which is square";
        return Err(lines.fail_line(Problem::NotSquare { rows, columns }, expected));
    }
    if rows == 0 {
        let problem = Problem::Empty("the graph has no vertices");
        return Err(lines.fail_line(problem, "a graph of at least one vertex"));
    }
    Ok((rows, entries))
}

/// Row and column from 0, and the value (1 in a pattern).
fn entry<R: BufRead>(
    lines: &Lines<'_, R>,
    field: Field,
    vertices: u32,
) -> Result<(u32, u32, f64), GraphError> {
    let expected = match field {
        Field::Pattern => "`row column`",
        _ => "`row column value`",
    };
    let mut tokens = lines.tokens();
    let row = lines.vertex(lines.required(&mut tokens, "the row", expected)?, 1, vertices)?;
    let column = lines.vertex(lines.required(&mut tokens, "the column", expected)?, 1, vertices)?;
    let mut value = || lines.required(&mut tokens, "the value", expected);
    let weight = match field {
        Field::Pattern => 1.0,
        Field::Real => lines.real(value()?, "the value")?,
        Field::Integer => lines.integer(value()?, "the value")?,
    };
    lines.no_more(&mut tokens, expected)?;
    Ok((row, column, weight))
}
