//! Runs a host program without a GPU: all warps of a launch and of its children in some
//! interleaving. The tests of kernels in PTX take it from here, too.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use blockyard_contract::port::Dim3;
use blockyard_gpu::barriers::Barriers;
use blockyard_gpu::host::{Body, DeviceLaunch, HostLaunch, HostProgram};
use blockyard_gpu::program::{
    Instruction, KernelCode, NamedBarrier, Operation, WarpProgram, WARP_LANES,
};

/// Launches of a host that ends.
const MOST_LAUNCHES: u32 = 10_000;

/// One instruction and who issued it.
#[allow(dead_code)] // Each place that takes this file has a copy of its own.
pub(crate) struct Issued<'a> {
    /// The host's launch to which it belongs, itself or as a child.
    pub launch: u32,
    /// The name of the kernel.
    pub name: &'a str,
    pub block: u32,
    pub warp: u32,
    pub instruction: &'a Instruction,
    /// What it launches.
    pub children: &'a [DeviceLaunch],
}

/// Runs `program` to its end and shows every instruction to `see`. The next warp to issue, or the
/// next block of a child to start, is drawn from `seed`; children outlive their parents or not.
/// Returns the host's launches.
pub(crate) fn run(
    program: &mut dyn HostProgram,
    seed: u64,
    mut see: impl FnMut(Issued<'_>),
) -> Vec<HostLaunch> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut done: Vec<HostLaunch> = Vec::new();
    let mut instances = BTreeMap::new();
    // A resident launch has no blocks.
    let present =
        |launches: Vec<HostLaunch>| launches.into_iter().filter(|launch| !launch.resident);
    let mut waiting: Vec<_> = present(program.start()).collect();
    while !waiting.is_empty() {
        let launch = waiting.remove(0);
        let number = done.len() as u32;
        assert!(number < MOST_LAUNCHES, "the host launches again and again");
        let mut round = Round::new(&launch);
        let mut instruction = Instruction::default();
        while let Some(index) = round.choose(&mut random) {
            let warp = &mut round.warps[index];
            warp.program.next(&mut instruction);
            warp.check(&instruction);
            let children = match instruction.operation {
                Operation::Launch => warp.launches(&instruction),
                _ => Vec::new(),
            };
            match instruction.operation {
                Operation::Barrier => warp.arrive(NamedBarrier::ALL),
                Operation::NamedBarrier(barrier) => warp.arrive(barrier),
                // All blocks have started.
                Operation::Cancel => {
                    let replies = warp.program.questions();
                    replies.into_iter().for_each(|reply| reply(None).expect("an answer"));
                }
                Operation::Exit => warp.barriers.borrow_mut().exited(warp.warp as usize),
                _ => {}
            }
            warp.barriers.borrow_mut().open();
            see(Issued {
                launch: number,
                name: &warp.kernel.name,
                block: warp.block,
                warp: warp.warp,
                instruction: &instruction,
                children: &children,
            });
            if instruction.operation == Operation::Exit {
                let kernel = round.warps.swap_remove(index).kernel;
                // The last warp, and no block waits any more.
                if let Some(kernel) = Rc::into_inner(kernel) {
                    let instance = instances.entry(kernel.name.to_string()).or_insert(0);
                    let finished = (kernel.name, *instance, u64::from(number) * 1000);
                    *instance += 1;
                    let answer = program.kernel_finished(&finished.0, finished.1, finished.2);
                    waiting.extend(present(answer));
                }
            }
            round.start(children);
        }
        done.push(launch);
        waiting.extend(present(program.all_finished(u64::from(number) * 1000)));
    }
    done
}

/// A kernel, of the host or a child.
struct Running {
    name: Rc<str>,
    code: Rc<dyn KernelCode>,
    threads: u32,
}

/// What runs between two launches of the host.
struct Round {
    warps: Vec<Warp>,
    /// Blocks of children that have not started.
    blocks: Vec<(Rc<Running>, u32)>,
}

impl Round {
    fn new(launch: &HostLaunch) -> Self {
        let mut round = Self { warps: Vec::new(), blocks: Vec::new() };
        let running = running(&launch.name, &launch.body, launch.block);
        for block in 0..launch.grid.x {
            round.warps.extend(warps(&running, block));
        }
        round
    }

    fn start(&mut self, children: Vec<DeviceLaunch>) {
        for child in children {
            assert!(child.grid.volume() > 0, "an empty child");
            let running = running(&child.name, &child.body, child.block);
            self.blocks.extend((0..child.grid.x).map(|block| (Rc::clone(&running), block)));
        }
    }

    /// Some warp to issue that waits at no barrier, after some blocks have started.
    fn choose(&mut self, random: &mut Pcg32) -> Option<usize> {
        while !self.blocks.is_empty() {
            let index = random.random_range(0..self.blocks.len() + self.warps.len());
            if index >= self.blocks.len() {
                break;
            }
            let (running, block) = self.blocks.swap_remove(index);
            self.warps.extend(warps(&running, block));
        }
        if self.warps.is_empty() {
            return None;
        }
        let first = random.random_range(0..self.warps.len());
        let goes_on = |index: &usize| !self.warps[*index].waits();
        let index = (first..self.warps.len()).chain(0..first).find(goes_on);
        Some(index.expect("a warp waits for others that never come"))
    }
}

struct Warp {
    kernel: Rc<Running>,
    block: u32,
    warp: u32,
    program: Box<dyn WarpProgram>,
    written: HashSet<u8>,
    /// Those of its block.
    barriers: Rc<RefCell<Barriers>>,
}

impl Warp {
    /// Rules of every program: nothing faults, and registers are written before they are read.
    fn check(&mut self, instruction: &Instruction) {
        assert_ne!(instruction.operation, Operation::Fault, "{:?}", self.program.fault());
        for source in instruction.sources.iter().flatten() {
            assert!(self.written.contains(source), "r{source} was never written");
        }
        self.written.extend(instruction.destination);
    }

    fn arrive(&self, barrier: NamedBarrier) {
        self.barriers.borrow_mut().arrive(self.warp as usize, barrier);
    }

    fn waits(&self) -> bool {
        self.barriers.borrow().waiting() >> self.warp & 1 == 1
    }

    /// What a launch launches: one child an active lane, in their order.
    fn launches(&mut self, instruction: &Instruction) -> Vec<DeviceLaunch> {
        let children = self.program.launches();
        let lanes = (0..WARP_LANES as u32).filter(|lane| instruction.active >> lane & 1 == 1);
        let threads: Vec<_> = lanes.map(|lane| self.warp * WARP_LANES as u32 + lane).collect();
        assert_eq!(children.iter().map(|child| child.thread).collect::<Vec<_>>(), threads);
        children
    }
}

fn running(name: &Rc<str>, body: &Body, block: Dim3) -> Rc<Running> {
    let Body::Code(code) = body else { panic!("a kernel without code") };
    Rc::new(Running { name: Rc::clone(name), code: Rc::clone(code), threads: block.x })
}

fn warps(kernel: &Rc<Running>, block: u32) -> Vec<Warp> {
    let mut programs = Vec::new();
    let count = kernel.threads.div_ceil(WARP_LANES as u32);
    kernel.code.block(Dim3::new(block, 0, 0), count, &mut programs).expect("it computes its code");
    let all = u64::MAX >> (64 - count);
    let barriers = Rc::new(RefCell::new(Barriers::new(all)));
    let warp = |(warp, program)| Warp {
        kernel: Rc::clone(kernel),
        block,
        warp,
        program,
        written: HashSet::new(),
        barriers: Rc::clone(&barriers),
    };
    (0..count).zip(programs).map(warp).collect()
}
