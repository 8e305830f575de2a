//! Shortest-path graphs of the ninth DIMACS challenge (`.gr`).
//!
//! `c` lines are comments, one `p sp vertices arcs` line comes before all arcs, and each
//! `a source target weight` is one directed arc; vertices count from 1.

use std::io::BufRead;

use super::lines::Lines;
use crate::graph::{Csr, EdgeList, Graph, GraphError, Labels, Problem, MAX_EDGES, MAX_VERTICES};

const PROBLEM: &str = "`p sp vertices arcs`";
const ARC: &str = "`a source target weight`";

/// Parses from the current line of `lines` on.
pub(super) fn parse<R: BufRead>(mut lines: Lines<'_, R>) -> Result<Graph, GraphError> {
    let mut graph: Option<(EdgeList, u32)> = None;
    loop {
        match lines.tokens().next().map(|t| t.text) {
            None | Some("c") => {}
            Some("p") => {
                if graph.is_some() {
                    let problem = Problem::UnexpectedLine("a second problem line");
                    return Err(lines.fail_line(problem, "one problem line"));
                }
                graph = Some(problem_line(&lines)?);
            }
            Some("a") => {
                let Some((list, arcs)) = &mut graph else {
                    let problem = Problem::UnexpectedLine("an arc before the problem line");
                    return Err(lines.fail_line(problem, PROBLEM));
                };
                if list.len() == *arcs as usize {
                    let problem = Problem::Surplus { what: "arcs", stated: *arcs };
                    return Err(lines.fail_line(problem, "the end of the file"));
                }
                arc(&lines, list)?;
            }
            Some(_) => {
                let problem = Problem::UnexpectedLine("neither comment nor problem nor arc");
                let expected = format!("a `c` comment, {PROBLEM} or {ARC}");
                return Err(lines.fail_line(problem, expected));
            }
        }
        if !lines.advance()? {
            break;
        }
    }
    let Some((list, stated)) = graph else {
        return Err(lines.fail_file(Problem::Missing("the problem line"), PROBLEM));
    };
    let found = list.len() as u32;
    if found < stated {
        let problem = Problem::Truncated { what: "arcs", stated, found };
        return Err(lines.fail_line(problem, format!("{stated} arcs before the file ends here")));
    }
    Ok(Graph { csr: Csr::from_edges(&list), labels: Labels::FromOne })
}

/// The empty graph and the number of arcs that a problem line announces.
fn problem_line<R: BufRead>(lines: &Lines<'_, R>) -> Result<(EdgeList, u32), GraphError> {
    let mut tokens = lines.tokens().skip(1);
    let kind = lines.required(&mut tokens, "the kind of problem", PROBLEM)?;
    if kind.text != "sp" {
        let problem = Problem::Unsupported { what: "the kind of problem", value: kind.shown() };
        return Err(lines.fail(kind, problem, PROBLEM));
    }
    let token = lines.required(&mut tokens, "the number of vertices", PROBLEM)?;
    let vertices = lines.unsigned(token, "the number of vertices", MAX_VERTICES)?;
    if vertices == 0 {
        let problem = Problem::Empty("the graph has no vertices");
        return Err(lines.fail(token, problem, "a graph of at least one vertex"));
    }
    let token = lines.required(&mut tokens, "the number of arcs", PROBLEM)?;
    let arcs = lines.unsigned(token, "the number of arcs", MAX_EDGES)?;
    lines.no_more(&mut tokens, PROBLEM)?;
    Ok((EdgeList::weighted(vertices), arcs))
}

fn arc<R: BufRead>(lines: &Lines<'_, R>, list: &mut EdgeList) -> Result<(), GraphError> {
    let mut tokens = lines.tokens().skip(1);
    let token = lines.required(&mut tokens, "the source vertex", ARC)?;
    let source = lines.vertex(token, 1, list.vertices())?;
    let token = lines.required(&mut tokens, "the target vertex", ARC)?;
    let target = lines.vertex(token, 1, list.vertices())?;
    let token = lines.required(&mut tokens, "the weight", ARC)?;
    let weight = lines.integer(token, "the weight")?;
    lines.no_more(&mut tokens, ARC)?;
    list.push_weighted(source, target, weight);
    Ok(())
}
