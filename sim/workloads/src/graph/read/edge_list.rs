//! Edge lists as the SNAP collection and networkx write them.
//!
//! One edge a line, `source target`, separated by blanks or tabs; lines with `#` are comments.
//! Behind the two vertices may stand what networkx writes (`{}` or another `{...}`) or numbers
//! (time stamps, weights); they are checked and not used.
//!
//! * **Vertices** are the numbers that occur, compacted in ascending order: holes would be threads
//!   without a vertex. [`Graph::label`] gives the file's number.
//! * **Direction**: each line is one directed edge. A comment that begins with `Undirected` (SNAP's
//!   header of undirected graphs, which lists each edge once) makes both directions of it.
//! * **Header**: SNAP's comment `Nodes: n Edges: m` is checked: m lines, and no more than n
//!   vertices (fewer are vertices without edges, which a list cannot name).

use std::io::BufRead;

use super::lines::{Lines, Token};
use crate::graph::{Csr, EdgeList, Graph, GraphError, Labels, Problem, MAX_EDGES, MAX_VERTICES};

const EDGE: &str =
    "`source target`, two vertex numbers, and at most `{...}` or numbers behind them";

/// What the comments of the file say of the graph.
#[derive(Default)]
struct Header {
    undirected: bool,
    nodes: Option<u32>,
    edges: Option<u32>,
}

/// Parses from the current line of `lines` on.
pub(super) fn parse<R: BufRead>(mut lines: Lines<'_, R>) -> Result<Graph, GraphError> {
    let mut header = Header::default();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    loop {
        if let Some(comment) = lines.text().trim_ascii_start().strip_prefix('#') {
            header.note(comment);
        } else if !lines.is_blank() {
            let stated = header.edges.unwrap_or(MAX_EDGES);
            if edges.len() == stated as usize {
                let what = "edges";
                return Err(lines.fail_line(Problem::Surplus { what, stated }, "the last line"));
            }
            edges.push(edge(&lines)?);
        }
        if !lines.advance()? {
            break;
        }
    }
    header.check(&lines, edges.len() as u32)?;
    let labels = compact(&mut edges);
    let vertices = labels.len() as u32;
    let limit = header.nodes.unwrap_or(MAX_VERTICES);
    if vertices > limit {
        let problem = Problem::Surplus { what: "vertices", stated: limit };
        return Err(lines.fail_file(problem, format!("at most {limit} vertex numbers")));
    }
    let mut list = EdgeList::new(vertices);
    list.edges = edges;
    let mut csr = Csr::from_edges(&list);
    if header.undirected {
        csr = csr.symmetric();
    }
    Ok(Graph { csr, labels: Labels::Listed(labels) })
}

/// The edge in the current line.
fn edge<R: BufRead>(lines: &Lines<'_, R>) -> Result<(u32, u32), GraphError> {
    let mut tokens = lines.tokens();
    let source = lines.required(&mut tokens, "the source vertex", EDGE)?;
    let source = lines.unsigned(source, "the source vertex", u32::MAX)?;
    let target = lines.required(&mut tokens, "the target vertex", EDGE)?;
    let target = lines.unsigned(target, "the target vertex", u32::MAX)?;
    for token in tokens {
        if token.text.starts_with('{') && lines.text().trim_ascii_end().ends_with('}') {
            break;
        }
        attribute(lines, token)?;
    }
    Ok((source, target))
}

fn attribute<R: BufRead>(lines: &Lines<'_, R>, token: Token<'_>) -> Result<(), GraphError> {
    if token.text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Ok(());
    }
    Err(lines.fail(token, Problem::LeftOver(token.shown()), EDGE))
}

/// Replaces the file's numbers by 0, 1, ... in their ascending order, and returns them.
fn compact(edges: &mut [(u32, u32)]) -> Vec<u32> {
    let mut labels: Vec<u32> = edges.iter().flat_map(|&(s, t)| [s, t]).collect();
    labels.sort_unstable();
    labels.dedup();
    let index = |label: u32| labels.partition_point(|&l| l < label) as u32;
    for (source, target) in edges {
        (*source, *target) = (index(*source), index(*target));
    }
    labels
}

impl Header {
    fn note(&mut self, comment: &str) {
        let comment = comment.trim_ascii().to_ascii_lowercase();
        self.undirected |= comment.starts_with("undirected");
        let mut words = comment.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let number = words.peek().and_then(|w| w.parse().ok());
            match word {
                "nodes:" => self.nodes = number.or(self.nodes),
                "edges:" => self.edges = number.or(self.edges),
                _ => {}
            }
        }
    }

    fn check<R: BufRead>(&self, lines: &Lines<'_, R>, found: u32) -> Result<(), GraphError> {
        match self.edges {
            Some(stated) if found < stated => {
                let problem = Problem::Truncated { what: "edges", stated, found };
                Err(lines.fail_line(problem, format!("{stated} edges before the file ends here")))
            }
            _ if found == 0 => {
                let problem = Problem::Empty("the file holds comments and no edge");
                Err(lines.fail_file(problem, EDGE))
            }
            _ => Ok(()),
        }
    }
}
