//! Kernels whose blocks launch kernels, wait for them, and look at what they wrote.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::host::{Body, DeviceLaunch, HostLaunch, HostProgram};
use blockyard_sim::gpu::program::*;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::{Dim3, LaunchMode};

/// What the second warp of a block that launches does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// There is none.
    Absent,
    /// Exits at once.
    Exits,
    /// Waits at the block's barrier for the first one, which comes there when the launches have
    /// finished.
    WaitsForFirst,
    /// Waits for the launches, too.
    Synchronizes,
    /// Computes for so many times 200 cycles.
    Computes(usize),
}

/// Which kernels there are.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Blocks of the host's kernel.
    pub parents: u32,
    /// For each level below the blocks of a launch.
    pub below: Vec<u32>,
    /// How many kernels each block launches that is not of the last level.
    pub lanes: u32,
    /// See there.
    pub other: Other,
    /// How many levels wait for what they launch, from the host's kernel on.
    pub waiting_levels: usize,
    /// Times 200 cycles that a block of the last level takes.
    pub work: usize,
    /// The same of one that has waited, after that.
    pub after: usize,
}

impl Default for Nest {
    /// One block that launches one of one warp.
    fn default() -> Self {
        let (parents, lanes, other) = (1, 1, Other::Absent);
        Self {
            parents,
            below: vec![1],
            lanes,
            other,
            waiting_levels: usize::MAX,
            work: 1,
            after: 0,
        }
    }
}

impl Nest {
    /// Blocks of a launch of this level, and of all that they launch in turn.
    fn family(&self, level: usize) -> u32 {
        self.below.get(level).map_or(0, |blocks| blocks * (1 + self.lanes * self.family(level + 1)))
    }

    fn warps(&self) -> u32 {
        1 + u32::from(self.other != Other::Absent)
    }

    /// A GPU whose host launches it, and what its blocks have seen.
    pub fn gpu(&self, config: GpuConfig, mode: LaunchMode) -> Result<(Gpu, Rc<Board>), InputError> {
        let board = Rc::new(Board::default());
        let code = Level {
            nest: Rc::new(self.clone()),
            level: 0,
            above: Vec::new(),
            board: board.clone(),
        };
        let launch = HostLaunch::new(
            "L0",
            (Dim3::new(self.parents, 1, 1), Dim3::new(32 * self.warps(), 1, 1)),
            Body::Code(Rc::new(code)),
        );
        let host = Host { launch: Some(launch), board: board.clone() };
        Ok((Gpu::launching(config, mode, Box::new(host))?, board))
    }
}

/// What blocks have written and seen.
#[derive(Debug, Default)]
pub struct Board {
    /// For each launch, how many blocks of it and below have written.
    written: RefCell<Vec<u32>>,
    /// How often a warp looked.
    pub looks: Cell<u32>,
    /// What was not as it should be.
    wrong: RefCell<Vec<String>>,
    /// Kernels of which the host has heard, in that order.
    pub finished: RefCell<Vec<String>>,
}

struct Host {
    launch: Option<HostLaunch>,
    board: Rc<Board>,
}

impl HostProgram for Host {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch.take().into_iter().collect()
    }

    fn kernel_finished(&mut self, name: &str, _: u32, _: u64) -> Vec<HostLaunch> {
        self.board.finished.borrow_mut().push(name.to_owned());
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let wrong = self.board.wrong.borrow();
        wrong.first().map_or(Ok(()), |first| Err(first.clone()))
    }
}

/// The code of a level; `above` are the launches to which it belongs.
struct Level {
    nest: Rc<Nest>,
    level: usize,
    above: Vec<usize>,
    board: Rc<Board>,
}

enum Step {
    Issue(Operation),
    /// 200 cycles.
    Compute,
    /// What the block launched is to have written all.
    Look,
    /// What the block does is done.
    Write,
}

impl KernelCode for Level {
    fn block(
        &self,
        _: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let nest = &self.nest;
        let launched = Rc::new(RefCell::new(Vec::new()));
        let launches = self.level < nest.below.len();
        let waits = launches && self.level < nest.waiting_levels;
        let exit = || Step::Issue(Operation::Exit);
        let synchronize = || [Step::Issue(Operation::Synchronize), Step::Look];
        let barrier = || Step::Issue(Operation::Barrier);
        let work = |times: usize| (0..times).map(|_| Step::Compute);
        for warp in 0..warps {
            let mut steps = VecDeque::new();
            match (warp, nest.other) {
                (0, other) => {
                    if launches {
                        steps.push_back(Step::Issue(Operation::Launch));
                    } else {
                        steps.extend(work(nest.work));
                    }
                    if waits && other == Other::Synchronizes {
                        steps.push_back(barrier());
                    }
                    steps.extend(waits.then(synchronize).into_iter().flatten());
                    if waits && other == Other::WaitsForFirst {
                        steps.push_back(barrier());
                    }
                    steps.extend(work(if waits { nest.after } else { 0 }));
                    steps.push_back(Step::Write);
                }
                (_, Other::WaitsForFirst) if waits => steps.extend([barrier(), Step::Look]),
                (_, Other::Synchronizes) if waits => {
                    steps.push_back(barrier());
                    steps.extend(synchronize());
                }
                (_, Other::Computes(times)) if launches => steps.extend(work(times)),
                _ => {}
            }
            steps.push_back(exit());
            let (nest, board) = (nest.clone(), self.board.clone());
            let (level, above, launched) = (self.level, self.above.clone(), launched.clone());
            programs.push(Box::new(Warp { nest, level, above, board, launched, steps }));
        }
        Ok(())
    }
}

struct Warp {
    nest: Rc<Nest>,
    level: usize,
    above: Vec<usize>,
    board: Rc<Board>,
    /// Launches of its block.
    launched: Rc<RefCell<Vec<usize>>>,
    steps: VecDeque<Step>,
}

impl Warp {
    fn look(&self) {
        self.board.looks.set(self.board.looks.get() + 1);
        let expected = self.nest.family(self.level);
        let launched = self.launched.borrow();
        let written = self.board.written.borrow();
        let seen: Vec<u32> = launched.iter().map(|launch| written[*launch]).collect();
        if seen != vec![expected; self.nest.lanes as usize] {
            let level = self.level;
            let message = format!("level {level} sees {seen:?}, not {expected} of each");
            self.board.wrong.borrow_mut().push(message);
        }
    }
}

impl WarpProgram for Warp {
    fn next(&mut self, instruction: &mut Instruction) {
        loop {
            let operation = match self.steps.pop_front().expect("an exit is the last step") {
                Step::Issue(operation) => operation,
                Step::Compute => {
                    *instruction = Instruction {
                        operation: Operation::Compute(Unit::Special),
                        destination: Some(1),
                        sources: two_sources([Some(1), None]),
                        ..Instruction::default()
                    };
                    return;
                }
                Step::Look => {
                    self.look();
                    continue;
                }
                Step::Write => {
                    let mut written = self.board.written.borrow_mut();
                    self.above.iter().for_each(|launch| written[*launch] += 1);
                    continue;
                }
            };
            *instruction = Instruction { operation, ..Instruction::default() };
            return;
        }
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        let launch = |thread| {
            let mut written = self.board.written.borrow_mut();
            written.push(0);
            let number = written.len() - 1;
            self.launched.borrow_mut().push(number);
            let above = self.above.iter().copied().chain([number]).collect();
            let (nest, board) = (self.nest.clone(), self.board.clone());
            DeviceLaunch {
                thread,
                name: format!("L{}", self.level + 1).into(),
                grid: Dim3::new(self.nest.below[self.level], 1, 1),
                block: Dim3::new(32 * self.nest.warps(), 1, 1),
                registers_per_thread: 0,
                shared_memory: 0,
                cluster: Default::default(),
                body: Body::Code(Rc::new(Level { nest, level: self.level + 1, above, board })),
            }
        };
        (0..self.nest.lanes).map(launch).collect()
    }
}
