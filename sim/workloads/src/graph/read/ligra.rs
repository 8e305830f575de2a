//! Ligra's adjacency graphs: `AdjacencyGraph`, n, m, n offsets, m targets, and in a
//! `WeightedAdjacencyGraph` m whole weights; vertices count from 0, words are separated by blanks
//! or line ends.

use std::io::BufRead;

use super::lines::{Lines, Token};
use crate::graph::{Csr, Graph, GraphError, Problem, MAX_EDGES, MAX_VERTICES};

/// First word of a graph without weights.
pub(super) const PLAIN: &str = "AdjacencyGraph";
/// First word of a graph with weights.
pub(super) const WEIGHTED: &str = "WeightedAdjacencyGraph";

/// Parses from the current line of `lines` on.
pub(super) fn parse<R: BufRead>(lines: Lines<'_, R>) -> Result<Graph, GraphError> {
    let mut words = Words { lines, start: 0, end: 0 };
    let title = "`AdjacencyGraph` or `WeightedAdjacencyGraph` as the first word";
    words.advance(title)?;
    let weighted = match words.current().text {
        PLAIN => false,
        WEIGHTED => true,
        _ => return Err(words.lines.fail(words.current(), Problem::UnknownFormat, title)),
    };
    words.advance("the number of vertices")?;
    let vertices = words.unsigned("the number of vertices", MAX_VERTICES)?;
    words.advance("the number of edges")?;
    let edges = words.unsigned("the number of edges", MAX_EDGES)?;
    if vertices == 0 {
        let problem = Problem::Empty("the graph has no vertices");
        return Err(words.lines.fail_file(problem, "a graph of at least one vertex"));
    }

    let offsets = words.section("offsets", vertices, |words, offsets: &[u32]| {
        let offset = words.unsigned("an offset", u32::MAX)?;
        let (least, most) = match offsets.last() {
            None => (0, 0),
            Some(&last) => (last, edges),
        };
        if offset < least || offset > most {
            let problem = Problem::OffsetOutOfOrder { offset, least, most };
            let expected = "offsets that begin at 0, never decrease and stay within the edges";
            return Err(words.lines.fail(words.current(), problem, expected));
        }
        Ok(offset)
    });
    let mut offsets = offsets?;
    offsets.push(edges);
    let columns = words.section("edges", edges, |words, _: &[u32]| {
        words.lines.vertex(words.current(), 0, vertices)
    })?;
    let weights = match weighted {
        true => Some(words.section("weights", edges, |words, _: &[f64]| {
            words.lines.integer(words.current(), "a weight")
        })?),
        false => None,
    };
    if words.step()? {
        let problem = Problem::LeftOver(words.current().shown());
        let expected = "the end of the file, after what the header says";
        return Err(words.lines.fail(words.current(), problem, expected));
    }
    Ok(Graph::new(Csr::from_rows(offsets, columns, weights)))
}

/// The words of the file across its lines, of which one is current.
struct Words<'p, R> {
    lines: Lines<'p, R>,
    start: usize,
    end: usize,
}

impl<R: BufRead> Words<'_, R> {
    /// Goes to the next word; false at the end of the file.
    fn step(&mut self) -> Result<bool, GraphError> {
        loop {
            let next = self.lines.tokens_from(self.end).next();
            if let Some((start, end)) = next.map(|t| (t.start, t.start + t.text.len())) {
                (self.start, self.end) = (start, end);
                return Ok(true);
            }
            if !self.lines.advance()? {
                return Ok(false);
            }
            (self.start, self.end) = (0, 0);
        }
    }

    /// Goes to the next word, which must be there.
    fn advance(&mut self, what: &'static str) -> Result<(), GraphError> {
        match self.step()? {
            true => Ok(()),
            false => Err(self.lines.fail_line(Problem::Missing(what), what)),
        }
    }

    fn current(&self) -> Token<'_> {
        Token { text: &self.lines.text()[self.start..self.end], start: self.start }
    }

    fn unsigned(&self, what: &'static str, limit: u32) -> Result<u32, GraphError> {
        self.lines.unsigned(self.current(), what, limit)
    }

    /// The next `stated` words, each through `item`, which sees those before it.
    fn section<T>(
        &mut self,
        what: &'static str,
        stated: u32,
        item: impl Fn(&Self, &[T]) -> Result<T, GraphError>,
    ) -> Result<Vec<T>, GraphError> {
        // The header may lie: grow with the file, do not reserve what it says.
        let mut items = Vec::new();
        while items.len() < stated as usize {
            if !self.step()? {
                let found = items.len() as u32;
                let problem = Problem::Truncated { what, stated, found };
                let expected = format!("{stated} {what} before the file ends here");
                return Err(self.lines.fail_line(problem, expected));
            }
            items.push(item(self, &items)?);
        }
        Ok(items)
    }
}
