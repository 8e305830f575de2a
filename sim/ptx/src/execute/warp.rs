//! One warp: a step for each instruction that the GPU asks for.

use std::rc::Rc;

use super::barriers::{Awaited, Meeting};
use super::calls::Frame;
use super::compute::{Chosen, Extended};
use super::paths::{Path, END};
use super::registers::Registers;
use super::values::Own;
use super::{Block, Fault, Grid};
use crate::program::{Action, Step};
use crate::semantics::Apply;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::barriers::BARRIERS;
use blockyard_gpu::host::DeviceLaunch;
use blockyard_gpu::program::{
    Instruction, NamedBarrier, Operation, Reply, WarpProgram, WARP_LANES,
};

/// Bytes of an instruction, as on Kepler.
const INSTRUCTION_BYTES: u32 = 8;

/// A function and a step of it.
pub(super) type Place = (u32, u32);

/// See the module. What each step needs comes first, in [`blockyard_gpu::program::NEAR`] bytes.
#[repr(C, align(64))]
pub(crate) struct Warp {
    pub(super) grid: Rc<Grid>,
    pub(super) block: Rc<Block>,
    pub(super) registers: Registers,
    /// The call at hand.
    pub(super) frame: Frame,
    /// Function and step at hand, for messages.
    pub(super) at: Place,
    /// Lanes that have not exited.
    pub(super) alive: u32,
    /// Lanes wait at a barrier, which is open when the next instruction is asked for.
    pub(super) at_barrier: bool,
    /// Lanes have arrived at the barrier of the cluster, and the timing has seen that all have that
    /// are left.
    pub(super) has_arrived: bool,
    pub(super) own: Own,
    /// The calls that the one at hand is within, from the kernel on.
    pub(super) callers: Vec<Frame>,
    /// Local memory: for each word one of every lane.
    pub(super) local: Vec<u8>,
    /// Its number among the warps that have local memory.
    pub(super) local_place: u32,
    /// What the launch at hand launches.
    pub(super) launches: Vec<DeviceLaunch>,
    /// Who gets the answers to what the instruction at hand asks.
    pub(super) questions: Vec<Reply>,
    /// How often it was at each barrier.
    pub(super) turns: [u32; BARRIERS as usize],
    pub(super) awaited: Vec<Awaited>,
    /// Lanes that have arrived at the barrier of the cluster and not waited there.
    pub(super) arrived: u32,
    /// The barrier that lanes came to last, and where.
    pub(super) came_to: (Meeting, Place),
    fault: Option<InputError>,
}

impl Warp {
    /// Warp `warp` of `block` before its first instruction, with threads in `lanes` lanes.
    pub fn new(grid: &Rc<Grid>, block: &Rc<Block>, warp: u32, lanes: u32) -> Self {
        let code = grid.code(grid.function);
        let alive = if lanes == 0 { 0 } else { u32::MAX >> (WARP_LANES as u32 - lanes) };
        let threads = Rc::clone(&grid.threads[warp as usize]);
        let has_local = code.local > 0;
        let mut this = Self {
            grid: Rc::clone(grid),
            block: Rc::clone(block),
            registers: grid.machine.take_registers(code),
            own: Own { threads, warp, first_local: 0 },
            frame: Frame::of_kernel(grid, alive),
            callers: Vec::new(),
            local: Vec::new(),
            local_place: if has_local { grid.machine.take_local_place() } else { 0 },
            alive,
            launches: Vec::new(),
            questions: Vec::new(),
            turns: [0; BARRIERS as usize],
            awaited: Vec::new(),
            arrived: 0,
            has_arrived: false,
            at_barrier: false,
            came_to: (Meeting::Block(NamedBarrier::ALL), (0, 0)),
            at: (0, 0),
            fault: None,
        };
        this.grow_local(code.local);
        this
    }

    /// The number of the path that goes on, and the path; calls that are over have returned.
    #[inline]
    fn next_path(&mut self) -> Option<(usize, Path)> {
        self.frame.paths.last().or_else(|| self.seek_path())
    }

    #[cold]
    fn seek_path(&mut self) -> Option<(usize, Path)> {
        loop {
            let outermost = self.callers.is_empty();
            let paths = &mut self.frame.paths;
            if let Some(path) = paths.current() {
                return Some((path, *paths.get(path)));
            }
            if !paths.is_empty() || outermost {
                // Some may be on their way out, as lanes that have nothing to do are.
                if paths.go_ahead() {
                    continue;
                }
                return None;
            }
            self.finish_call();
        }
    }

    fn step(&mut self, shown: &mut Instruction) -> Result<(), Fault> {
        if self.at_barrier {
            self.open_barrier();
        }
        let Some((path, Path { at, mut lanes, .. })) = self.next_path() else {
            return self.nobody_goes_on(shown);
        };
        let code = Rc::clone(&self.frame.code);
        self.at = (self.frame.function, at);
        let step = &code.steps[at as usize];
        if let Some(guard) = step.guard {
            lanes &= self.registers.flag(guard);
        }
        shown.pc = INSTRUCTION_BYTES * (code.first + at);
        shown.active = lanes;
        shown.operation = step.issue.operation;
        shown.destination = step.issue.destination;
        shown.sources = step.issue.sources;
        let instructions = &self.grid.machine.instructions;
        instructions.set(instructions.get() + 1);
        if lanes == 0 {
            // It was fetched and issued all the same.
            shown.operation = super::warp_wide::INTEGER;
            if !matches!(step.action, Action::Branch { .. }) {
                self.paths().get(path).at += 1;
                return Ok(());
            }
        }
        self.execute(step, (path, lanes), shown)
    }

    /// Executes `step` in `lanes` of the path with number `path`.
    fn execute(
        &mut self,
        step: &Step,
        (path, lanes): (usize, u32),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        match &step.action {
            Action::Branch { target, reconverge } => {
                let meets = reconverge.unwrap_or(END);
                self.paths().branch(path, lanes, *target, meets);
                return Ok(());
            }
            Action::BranchIndexed { index, targets, reconverge } => {
                return self.branch_indexed((path, lanes), *index, targets, *reconverge);
            }
            Action::Return => {
                self.leave_function(lanes, path);
                self.after_exit(shown);
                return Ok(());
            }
            Action::Exit => {
                self.exit(lanes, path);
                self.after_exit(shown);
                return Ok(());
            }
            Action::Barrier(barrier) => return self.arrive(barrier, (path, lanes), shown),
            Action::ClusterBarrier { waits } => {
                return self.cluster_barrier(*waits, (path, lanes), shown);
            }
            Action::Call { function, arguments, .. } => {
                return self.call(*function, arguments, (path, lanes));
            }
            _ => {}
        }
        match &step.action {
            Action::Nothing => {}
            Action::Compute { apply, sources, to, signed } => {
                if let (Apply::Value(value), Some(to)) = (&**apply, *to) {
                    match *signed {
                        None => self.compute((to, lanes), sources, value),
                        Some(by) => self.compute((to, lanes), sources, &Extended { value, by }),
                    }
                }
            }
            Action::Test { apply, combine, sources, to, complement, value } => {
                if let Apply::Test(test, _) = &**apply {
                    let holds = self.test(test, sources);
                    let other = combine.map(|(combine, flag)| (combine, self.registers.flag(flag)));
                    let holds = holds.map(|holds| {
                        other.map_or(holds, |(combine, other)| combine.of(holds, other))
                    });
                    self.registers.write_test(lanes, holds, *to, *value);
                    if let Some(complement) = *complement {
                        self.registers.write_flag(complement, lanes, holds[1]);
                    }
                }
            }
            Action::Logic { apply, sources, to } => {
                if let Apply::Logic(f) = &**apply {
                    let mut flags = [0; 2];
                    for (flag, source) in flags.iter_mut().zip(sources) {
                        *flag = self.registers.flag(*source);
                    }
                    self.registers.write_flag(*to, lanes, f(&flags));
                }
            }
            Action::Select { sources, by, to } => {
                let by = self.registers.flag(*by);
                self.compute((*to, lanes), sources, &Chosen { by });
            }
            Action::SetFlag { to, value } => {
                self.registers.write_flag(*to, lanes, if *value { u32::MAX } else { 0 });
            }
            Action::Carry { apply, sources, to, reads, writes } => {
                if let Apply::Carry { apply: f, .. } = &**apply {
                    let flag = |register| crate::program::Flag { register, negated: false };
                    let carries = reads.map_or(0, |register| self.registers.flag(flag(register)));
                    let mut result = [0; WARP_LANES];
                    let out = self.with_sources(sources, |values| f(values, carries, &mut result));
                    if let Some(to) = *to {
                        self.registers.write(to, lanes, &result);
                    }
                    if let Some(register) = *writes {
                        self.registers.write_flag(register, lanes, out);
                    }
                }
            }
            Action::Pack { parts, bits, to } => {
                let (bits, mut result) = (*bits, [0; WARP_LANES]);
                let mask = u64::MAX >> (64 - bits);
                self.with_sources(parts, |values| {
                    for (part, values) in (0..).zip(values) {
                        for (result, value) in result.iter_mut().zip(*values) {
                            *result |= (value & mask) << (part * bits);
                        }
                    }
                });
                self.registers.write(*to, lanes, &result);
            }
            Action::Unpack { from, bits, to } => {
                let from = self.lanes_of(*from);
                let mask = u64::MAX >> (64 - bits);
                for (part, to) in (0..).zip(to) {
                    let values = from.map(|value| value >> (part * bits) & mask);
                    if let Some(to) = *to {
                        self.registers.write(to, lanes, &values);
                    }
                }
            }
            Action::Load { from, to, signed } => self.load(lanes, (from, to, *signed), shown)?,
            Action::Store { to, values } => self.store(lanes, (to, values), shown)?,
            Action::Atomic { operation, at, operands, to } => {
                self.atomic(lanes, *operation, (at, operands, *to), shown)?;
            }
            Action::AtomicPair { compares, at, operands, to } => {
                self.atomic_pair(lanes, *compares, (at, operands, to), shown)?;
            }
            Action::AtomicVector { operation, at, operands, to } => {
                self.atomic_vector(lanes, *operation, (at, operands, to), shown)?;
            }
            Action::Intrinsic { intrinsic, arguments, result } => {
                self.intrinsic(*intrinsic, lanes, (arguments, *result), shown)?;
            }
            Action::Undefined(name) => {
                let message = format!("the function `{name}` is called and not defined");
                return Err(Fault::of_lanes(lanes, message, "one of this file or of the runtime"));
            }
            Action::Trap => return Err(Fault::of_lanes(lanes, "a trap", "none to be reached")),
            Action::Tensor(tensor) => self.tensor(tensor, lanes, shown)?,
            Action::Mbarrier(mbarrier) => self.mbarrier(mbarrier, lanes, shown)?,
            Action::LaunchControl(control) => self.launch_control(control, lanes)?,
            Action::ClusterAddress(of) => self.cluster_address(of, lanes)?,
            Action::Texture(fetch) => self.fetch(fetch, lanes, shown)?,
            other => self.together(other, lanes)?,
        }
        self.paths().get(path).at += 1;
        Ok(())
    }

    /// The paths of the call at hand.
    pub(super) fn paths(&mut self) -> &mut super::paths::Paths {
        &mut self.frame.paths
    }
}

impl WarpProgram for Warp {
    fn next(&mut self, to: &mut Instruction) {
        if let Err(fault) = self.step(to) {
            let error = self.describe(fault);
            self.fault = Some(error);
            to.operation = Operation::Fault;
        }
    }

    fn announce(&self) {
        self.announce_operands();
    }

    fn announce_data(&self) {
        self.announce_places();
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        std::mem::take(&mut self.launches)
    }

    fn questions(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.questions)
    }

    fn fault(&mut self) -> Option<InputError> {
        self.fault.take()
    }
}

impl Drop for Warp {
    fn drop(&mut self) {
        self.grid.machine.give_registers(std::mem::take(&mut self.registers));
        if !self.local.is_empty() {
            self.grid.machine.give_local_place(self.local_place);
        }
    }
}
