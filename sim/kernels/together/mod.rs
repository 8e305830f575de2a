//! Several workloads on one GPU at once, each a program of its own: they share SMXs, caches and
//! DRAM, but neither memory nor streams.

mod moved;

use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{Body, HostLaunch, HostProgram, Products};
use blockyard_ptx::Machine;

use crate::catalog::KernelWorkload;
use crate::launch::Computation;
use moved::Moved;

/// Most programs at once: as many kernels as Fermi runs concurrently (SRTF, section 5.1.2).
pub const MOST_PROGRAMS: usize = 8;

/// What stands between a program's number and the name of its kernel.
const MARK: char = ':';

/// Streams of one program: more than the number of any.
const STREAMS: u32 = 1 << 8;

/// Bytes from one program's memory to the next one's: more than one has, local memory of all warps
/// included.
const SPACE: u64 = 1 << 40;

/// A workload, and when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The workload.
    pub workload: KernelWorkload,
    /// The cycle of its first launch.
    pub arrive: u64,
}

/// The host programs of several workloads. The kernel `sad` of the second one is called `2:sad`.
pub struct Together(Vec<Program>);

struct Program {
    host: Box<dyn Computation>,
    arrive: u64,
    /// Kernels that have not finished.
    running: usize,
    /// Whether it has said that it launches nothing more.
    done: bool,
}

/// The number of the program whose kernel is called `name`, from 0, and its own name; `None` where
/// it is of no program beside others.
pub fn program_of(name: &str) -> Option<(usize, &str)> {
    let (number, own) = name.split_once(MARK)?;
    Some((number.parse::<usize>().ok()?.checked_sub(1)?, own))
}

impl Together {
    /// Before their first launches, each with inputs drawn from `seed`. Their blocks launch
    /// nothing.
    ///
    /// # Errors
    /// When there is no memory for their inputs.
    pub fn new(members: &[Member], seed: u64) -> Result<Self, InputError> {
        let program = |&Member { workload, arrive }: &Member| {
            let host = workload.program(seed, LaunchMode::Flat)?;
            Ok(Program { host, arrive, running: 0, done: false })
        };
        Ok(Self(members.iter().map(program).collect::<Result<_, _>>()?))
    }

    /// Their machines.
    pub fn machines(&self) -> impl Iterator<Item = &Rc<Machine>> {
        self.0.iter().map(|program| program.host.machine())
    }

    /// What the programs launch that have nothing running, and have not said that they are done.
    fn go_on(&mut self, cycle: u64) -> Vec<HostLaunch> {
        let mut launches = Vec::new();
        for (number, program) in self.0.iter_mut().enumerate() {
            if program.running == 0 && !program.done {
                let own = program.host.all_finished(cycle);
                program.done = own.is_empty();
                launches.extend(program.launch(number, own));
            }
        }
        launches
    }
}

impl Program {
    /// What it launches as program `number`, beside the others.
    fn launch(&mut self, number: usize, launches: Vec<HostLaunch>) -> Vec<HostLaunch> {
        self.running += launches.len();
        let beside = |launch: HostLaunch| {
            let body = match launch.body {
                Body::Code(code) => Body::Code(Rc::new(Moved::new(code, SPACE * number as u64))),
                other => other,
            };
            HostLaunch {
                name: format!("{}{MARK}{}", number + 1, launch.name).into(),
                stream: launch.stream + STREAMS * number as u32,
                body,
                ..launch
            }
        };
        launches.into_iter().map(beside).collect()
    }
}

impl HostProgram for Together {
    fn start(&mut self) -> Vec<HostLaunch> {
        let mut launches = Vec::new();
        for (number, program) in self.0.iter_mut().enumerate() {
            let arrive = program.arrive;
            let late = |launch: HostLaunch| HostLaunch { arrive: launch.arrive + arrive, ..launch };
            let own = program.host.start().into_iter().map(late).collect();
            launches.extend(program.launch(number, own));
        }
        launches
    }

    fn kernel_finished(&mut self, name: &str, instance: u32, cycle: u64) -> Vec<HostLaunch> {
        let (number, own) = program_of(name).expect("a kernel of one of the programs");
        let program = &mut self.0[number];
        let answer = program.host.kernel_finished(own, instance, cycle);
        program.running -= 1;
        let mut launches = program.launch(number, answer);
        launches.extend(self.go_on(cycle));
        launches
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        self.go_on(cycle)
    }

    fn products(&mut self) -> Products {
        let mut all = Products::default();
        for Products { printed, files } in self.0.iter_mut().map(|program| program.host.products())
        {
            all.printed.push_str(&printed);
            all.files.extend(files);
        }
        all
    }

    fn verify(&mut self) -> Result<(), String> {
        self.0.iter_mut().enumerate().try_for_each(|(number, program)| {
            let wrong = |message| format!("program {}: {message}", number + 1);
            program.host.verify().map_err(wrong)
        })
    }
}

#[cfg(test)]
mod tests;
