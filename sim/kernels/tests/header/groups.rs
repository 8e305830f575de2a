//! Cooperative groups, on the GPU and on the CPU.

use std::fs;
use std::process::Command;

use crate::left_by;
use crate::support::{folder, succeed, tool};

const THREADS: u32 = 72;
const WORDS: u32 = 11;

/// Each thread t of a block of 72 writes eleven words from 11 t on.
const SOURCE: &str = r#"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;

    extern "C" __global__ void k(unsigned *out) {
        cg::thread_block block = cg::this_thread_block();
        unsigned t = block.thread_rank();
        out += 11 * t;
        auto tile = cg::tiled_partition<8>(block);
        auto pair = cg::tiled_partition<2>(tile);
        cg::thread_group half = cg::tiled_partition(block, 4);
        cg::thread_group whole = block;
        out[0] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
        out[1] = tile.shfl(t, 3);
        out[2] = tile.shfl_down(t, 2) + 1000 * tile.shfl_up(t, 1);
        out[3] = tile.ballot(t % 3 == 0);
        out[4] = tile.any(t == 17) + 10 * tile.all(t < 24);
        out[5] = cg::reduce(tile, t, cg::plus<unsigned>());
        out[6] = cg::reduce(pair, t, cg::greater<unsigned>()) + 1000 * pair.thread_rank();
        out[7] = half.thread_rank() + 10 * half.size() + 100 * half.shfl(t, 1);
        out[8] = 0;
        if (t % 5 == 1) {
            cg::coalesced_group some = cg::coalesced_threads();
            out[8] = some.thread_rank() + 100 * some.size() + 10000 * some.shfl(t, 1);
        }
        __shared__ unsigned words[72];
        words[t] = t * t;
        whole.sync();
        out[9] = words[71 - t];
        cg::sync(block);
        cg::grid_group grid = cg::this_grid();
        out[10] = grid.thread_rank() + 1000 * grid.size() + block.thread_index().x;
        tile.sync();
    }
"#;

/// What thread `t` must write, from the wording of CUDA's guide.
fn expected(t: u32) -> [u32; WORDS as usize] {
    let (rank, tile) = (t % 8, t / 8 * 8);
    let up = if rank >= 1 { t - 1 } else { t };
    let down = if rank + 2 < 8 { t + 2 } else { t };
    let bits = |holds: &dyn Fn(u32) -> bool| {
        (0..8).fold(0, |bits, rank| bits | u32::from(holds(tile + rank)) << rank)
    };
    // Of the lanes of a warp that come to the place together.
    let warp = t / 32 * 32;
    let some: Vec<u32> = (warp..THREADS.min(warp + 32)).filter(|thread| thread % 5 == 1).collect();
    let in_some = some.iter().position(|thread| *thread == t);
    [
        rank + 100 * (t / 8) + 10000 * 9,
        tile + 3,
        down + 1000 * up,
        bits(&|thread| thread % 3 == 0),
        u32::from(tile == 16) + 10 * u32::from(tile < 24),
        (tile..tile + 8).sum(),
        (t | 1) + 1000 * (t % 2),
        t % 4 + 10 * 4 + 100 * (t / 4 * 4 + 1),
        in_some.map_or(0, |at| at as u32 + 100 * some.len() as u32 + 10000 * some[1]),
        (71 - t) * (71 - t),
        t + 1000 * 72 + t,
    ]
}

fn check(found: &[u32], who: &str) {
    for t in 0..THREADS {
        let own = &found[(t * WORDS) as usize..][..WORDS as usize];
        assert_eq!(own, expected(t), "thread {t}, {who}");
    }
}

#[test]
fn threads_of_a_group_know_and_tell_each_other_what_cuda_says() {
    let words = (THREADS * WORDS) as usize;
    let Some(found) = left_by(THREADS, SOURCE, words, |_| Vec::new()) else { return };
    check(&found, "PTX");
}

#[test]
fn the_same_source_does_the_same_on_the_cpu() {
    let Some(compiler) = tool(&["g++", "clang++-16", "clang++"], |_| true) else { return };
    let place = tempfile::tempdir().expect("a folder");
    let main = format!(
        "int main() {{
            static unsigned out[{THREADS} * {WORDS}];
            blockDim = dim3({THREADS}); gridDim = dim3(1);
            blockyard_cpu::Block::running().run([] {{ k(out); }});
            for (unsigned word : out) printf(\"%u\\n\", word);
        }}"
    );
    let file = place.path().join("k.cpp");
    fs::write(&file, format!("{SOURCE}\n{main}")).expect("the source is written");
    let program = place.path().join("k");
    let mut command = Command::new(compiler);
    command.current_dir(folder()).args(["-x", "c++", "-std=c++17", "-O1", "-I", "include"]);
    command.args(["-I", "include/cuda", "-include", "blockyard.h", "-o"]);
    succeed(command.arg(&program).arg(&file));
    let printed = succeed(&mut Command::new(program));
    let found: Vec<u32> = printed.lines().map(|line| line.parse().expect("a number")).collect();
    check(&found, "CPU");
}
