//! Cases of kernels over graphs, whose results do not depend on the order in which threads run.

use crate::case::{Call, Case};
use crate::random::Random;

/// What is not visited, not reached, not due and has no colour.
const NONE: u32 = u32::MAX;

/// Rows of a graph, in which the targets of a vertex are drawn by `target`; busy vertices are among
/// its vertices.
fn rows(
    random: &mut Random,
    vertices: u32,
    mut target: impl FnMut(&mut Random, u32) -> Option<u32>,
) -> (Vec<u32>, Vec<u32>) {
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for vertex in 0..vertices {
        let most = if random.within(0, 9) == 0 { 80 } else { 6 };
        let degree = random.within(0, most);
        columns.extend((0..degree).filter_map(|_| target(random, vertex)));
        offsets.push(columns.len() as u32);
    }
    (offsets, columns)
}

/// Extents of the launches, and what they say of children: threshold and threads of a block.
fn launch(random: &mut Random, vertices: u32) -> ([u32; 2], [u32; 2], [u32; 2]) {
    let block = random.size(200).max(1);
    let child = [random.within(0, 40), random.size(100).max(1)];
    ([vertices.div_ceil(block), 1], [block, 1], child)
}

/// From some vertices on, level by level: which vertices a level finds does not depend on their
/// order.
pub fn bfs(random: &mut Random) -> Case {
    let vertices = random.size(300);
    let any = |random: &mut Random, _| Some(random.within(0, vertices - 1));
    let (offsets, columns) = rows(random, vertices, any);
    let mut levels = vec![NONE; vertices as usize];
    let sources: Vec<u32> = (0..vertices).filter(|_| random.within(0, 5) == 0).collect();
    sources.iter().for_each(|&source| levels[source as usize] = 0);
    let mut queue = vec![NONE; vertices as usize];
    queue[..sources.len()].copy_from_slice(&sources);
    let (_, block, child) = launch(random, vertices);
    let mut calls = Vec::new();
    let (mut found, mut known, mut first) = (sources.clone(), levels.clone(), 0);
    for depth in 0..4 {
        let count = found.len() as u32;
        let words = [count, first, depth, child[0], child[1]];
        if count > 0 {
            calls.push(Call::new("bfs", [count.div_ceil(block[0]), 1], block, 0..5, &words));
        }
        let row = |vertex: &u32| {
            offsets[*vertex as usize] as usize..offsets[*vertex as usize + 1] as usize
        };
        let mut next: Vec<u32> = found.iter().flat_map(|v| &columns[row(v)]).copied().collect();
        next.retain(|&target| std::mem::replace(&mut known[target as usize], 0) == NONE);
        (found, first) = (next, first + count);
    }
    let buffers = vec![offsets, columns, levels, queue, vec![sources.len() as u32]];
    Case { buffers, calls }
}

/// Each edge leads to the next of a few layers, so that what a round reads it does not write.
pub fn sssp(random: &mut Random) -> Case {
    let (vertices, layers) = (random.size(300), random.within(1, 5));
    let size = vertices.div_ceil(layers).max(1);
    let next = |random: &mut Random, vertex: u32| {
        let first = (vertex / size + 1) * size;
        (first < vertices).then(|| random.within(first, (first + size).min(vertices) - 1))
    };
    let (offsets, columns) = rows(random, vertices, next);
    let weight = |random: &mut Random| match random.within(0, 9) {
        0 => random.word(),
        _ => random.within(0, 100),
    };
    let weights = random.array(columns.len() as u32, weight);
    let first = |vertex: &u32| *vertex < size;
    let distances = (0..vertices).map(|v| if first(&v) { random.within(0, 50) } else { NONE });
    let distances = distances.collect();
    let due = (0..vertices).map(|v| if first(&v) { 0 } else { NONE }).collect();
    let (grid, block, child) = launch(random, vertices);
    let call = |round| Call::new("sssp", grid, block, 0..6, &[vertices, round, child[0], child[1]]);
    let calls = (0..layers).map(call).collect();
    Case { buffers: vec![offsets, columns, weights, distances, due, vec![0]], calls }
}

pub fn clr(random: &mut Random) -> Case {
    let vertices = random.size(300);
    let any = |random: &mut Random, _| Some(random.within(0, vertices - 1));
    let (offsets, columns) = rows(random, vertices, any);
    let priorities = random.array(vertices, Random::word);
    let [colours, blocked] = [0, 1].map(|_| vec![NONE; vertices as usize]);
    let (grid, block, child) = launch(random, vertices);
    let rounds = (0..4).flat_map(|round| {
        let words = [vertices, round, child[0], child[1]];
        let assigned = [3, 4, 5];
        [
            Call::new("clr", grid, block, 0..5, &words),
            Call::new("clr_assign", grid, block, assigned, &[vertices, round]),
        ]
    });
    let calls = rounds.collect();
    Case { buffers: vec![offsets, columns, priorities, colours, blocked, vec![0]], calls }
}

pub fn mis(random: &mut Random) -> Case {
    let vertices = random.size(300);
    let any = |random: &mut Random, _| Some(random.within(0, vertices - 1));
    let (offsets, columns) = rows(random, vertices, any);
    let values = random.array(vertices, Random::word);
    let [states, lowest, marked] = [0; 3].map(|_| vec![0; vertices as usize]);
    let (grid, block, child) = launch(random, vertices);
    let rounds = (0..3).flat_map(|round| {
        let words = [vertices, round, child[0], child[1]];
        [
            Call::new("mis1", grid, block, [0, 1, 2, 3, 4, 6], &words),
            Call::new("mis2", grid, block, [0, 1, 2, 4, 3, 5], &words),
            Call::new("mis3", grid, block, [5, 3], &[vertices, round]),
        ]
    });
    let calls = rounds.collect();
    Case { buffers: vec![offsets, columns, values, states, lowest, marked, vec![0]], calls }
}

pub fn pagerank(random: &mut Random) -> Case {
    let vertices = random.size(300);
    let any = |random: &mut Random, _| Some(random.within(0, vertices - 1));
    let (offsets, columns) = rows(random, vertices, any);
    let ranks = random.array(vertices, |random| random.word() / vertices);
    let (grid, block, child) = launch(random, vertices);
    let iterations = (0..3).flat_map(|round| {
        let words = [vertices, round, child[0], child[1]];
        [
            Call::new("pagerank1", grid, block, 0..4, &words),
            Call::new("pagerank2", grid, block, [2, 3], &[vertices, round]),
        ]
    });
    let calls = iterations.collect();
    Case { buffers: vec![offsets, columns, ranks, vec![0; vertices as usize]], calls }
}
