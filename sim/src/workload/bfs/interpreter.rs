//! Runs a host program without a GPU: all warps of a launch in some interleaving.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::gpu::host::{Body, HostLaunch, HostProgram};
use crate::port::Dim3;
use crate::workload::program::{Instruction, Operation, WarpProgram, WARP_LANES};

/// One instruction and who issued it.
pub(super) struct Issued<'a> {
    pub launch: u32,
    pub block: u32,
    pub warp: u32,
    pub instruction: &'a Instruction,
}

/// Runs `program` to its end and shows every instruction to `see`. The next warp to issue is drawn
/// from `seed`. Returns the launches.
pub(super) fn run(
    program: &mut dyn HostProgram,
    seed: u64,
    mut see: impl FnMut(Issued<'_>),
) -> Vec<HostLaunch> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut done = Vec::new();
    let mut waiting = program.start();
    while !waiting.is_empty() {
        let launch = waiting.remove(0);
        let number = done.len() as u32;
        let threads = launch.grid.x * launch.block.x;
        assert!(number < threads, "more levels than vertices");
        let mut warps = warps(&launch);
        let mut instruction = Instruction::default();
        while !warps.is_empty() {
            let index = random.random_range(0..warps.len());
            let warp = &mut warps[index];
            warp.program.next(&mut instruction);
            warp.check(&instruction);
            see(Issued {
                launch: number,
                block: warp.block,
                warp: warp.warp,
                instruction: &instruction,
            });
            if instruction.operation == Operation::Exit {
                warps.swap_remove(index);
            }
        }
        done.push(launch);
        waiting.extend(program.kernel_finished("bfs", number, u64::from(number) * 1000));
    }
    done
}

struct Warp {
    block: u32,
    warp: u32,
    program: Box<dyn WarpProgram>,
    written: HashSet<u8>,
}

impl Warp {
    /// Rules of every program: lanes take part, and registers are written before they are read.
    fn check(&mut self, instruction: &Instruction) {
        assert_ne!(instruction.active, 0, "{instruction:?}");
        for source in instruction.sources.iter().flatten() {
            assert!(self.written.contains(source), "r{source} was never written");
        }
        self.written.extend(instruction.destination);
    }
}

fn warps(launch: &HostLaunch) -> Vec<Warp> {
    let Body::Code(code) = &launch.body else { panic!("a kernel without code") };
    let mut warps = Vec::new();
    for block in 0..launch.grid.x {
        let mut programs = Vec::new();
        let count = launch.block.x.div_ceil(WARP_LANES as u32);
        code.block(Dim3::new(block, 0, 0), count, &mut programs).expect("it computes its code");
        for (warp, program) in (0..count).zip(programs) {
            warps.push(Warp { block, warp, program, written: HashSet::new() });
        }
    }
    warps
}
