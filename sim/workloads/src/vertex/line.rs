//! One instruction of a kernel: what it says to the GPU, what it does to data, what comes next.

use super::{Addresses, Kernel, Threads};
use crate::program::{two_sources, Access, Operation, Register, Space, Unit, MAX_SOURCES};

/// What an instruction does to the data of kernel `K`, and the addresses that it accesses.
pub(crate) type Effect<K> = fn(&K, &mut Threads<<K as Kernel>::Own>, &mut Addresses);

/// Which lanes take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Those that have not left.
    Active,
    /// Those for which the last test holds.
    Chosen,
    /// All that have a thread.
    Launched,
}

/// A place in the code that a branch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// The test whether there are edges left.
    Test,
    /// The step to the next edge; in a child, which has one, the end.
    NextEdge,
    /// What is done for the lanes that a test leaves.
    Rest,
    /// The launch of children.
    Launch,
    /// The end.
    Exit,
}

/// Which instruction comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The one below.
    On,
    /// The one at a place.
    Go(To),
    /// The chosen lanes alone go on below; without any, the warp goes to the end.
    Keep,
    /// The chosen lanes leave; without others, the warp goes to the end.
    Drop,
    /// Without chosen lanes, the one at a place.
    Skip(To),
    /// Where a child walks the edges of some lane, the launch; else the one below.
    Degree,
    /// None.
    Stop,
}

/// One instruction of kernel `K`.
pub(crate) struct Line<K: Kernel> {
    pub operation: Operation,
    pub lanes: Lanes,
    pub destination: Option<Register>,
    pub sources: [Option<Register>; MAX_SOURCES],
    pub effect: Option<Effect<K>>,
    pub flow: Flow,
}

impl<K: Kernel> Clone for Line<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kernel> Copy for Line<K> {}

impl<K: Kernel> Line<K> {
    /// The same instruction of other lanes.
    pub const fn of(self, lanes: Lanes) -> Self {
        Self { lanes, ..self }
    }

    /// The same instruction, after which the warp goes on elsewhere.
    pub const fn then(self, flow: Flow) -> Self {
        Self { flow, ..self }
    }
}

/// The registers that an instruction reads.
pub(crate) type Sources = [Option<Register>; 2];

/// No register.
pub(crate) const NONE: Sources = [None, None];

/// One register.
pub(crate) const fn one(register: Register) -> Sources {
    [Some(register), None]
}

/// Two registers.
pub(crate) const fn two(first: Register, second: Register) -> Sources {
    [Some(first), Some(second)]
}

const fn line<K: Kernel>(
    operation: Operation,
    lanes: Lanes,
    destination: Option<Register>,
    sources: Sources,
    effect: Option<Effect<K>>,
    flow: Flow,
) -> Line<K> {
    Line { operation, lanes, destination, sources: two_sources(sources), effect, flow }
}

/// Arithmetic of the active lanes.
pub(crate) const fn integer<K: Kernel>(to: Register, from: Sources) -> Line<K> {
    line(Operation::Compute(Unit::Integer), Lanes::Active, Some(to), from, None, Flow::On)
}

/// Arithmetic of the active lanes that changes data or does not lead to the line below.
pub(crate) const fn integer_then<K: Kernel>(
    to: Register,
    from: Sources,
    effect: Effect<K>,
    flow: Flow,
) -> Line<K> {
    let operation = Operation::Compute(Unit::Integer);
    line(operation, Lanes::Active, Some(to), from, Some(effect), flow)
}

/// A branch of the active lanes on `predicate`.
pub(crate) const fn branch<K: Kernel>(predicate: Register, flow: Flow) -> Line<K> {
    line(Operation::Compute(Unit::Integer), Lanes::Active, None, one(predicate), None, flow)
}

/// A branch of the active lanes on `predicate`, which `effect` decides.
pub(crate) const fn branch_on<K: Kernel>(
    predicate: Register,
    effect: Effect<K>,
    flow: Flow,
) -> Line<K> {
    let operation = Operation::Compute(Unit::Integer);
    line(operation, Lanes::Active, None, one(predicate), Some(effect), flow)
}

/// A branch of the chosen lanes on `predicate`, after which only the found ones are chosen.
pub(crate) const fn branch_found<K: Kernel>(predicate: Register, flow: Flow) -> Line<K> {
    branch_on(predicate, narrow, flow).of(Lanes::Chosen)
}

fn narrow<K: Kernel>(_: &K, threads: &mut Threads<K::Own>, _: &mut Addresses) {
    threads.chosen = threads.found;
}

/// A jump of the active lanes.
pub(crate) const fn jump<K: Kernel>(to: To) -> Line<K> {
    line(Operation::Compute(Unit::Integer), Lanes::Active, None, NONE, None, Flow::Go(to))
}

/// A load of a word into `to`.
pub(crate) const fn load<K: Kernel>(
    to: Register,
    address: Register,
    lanes: Lanes,
    effect: Effect<K>,
) -> Line<K> {
    line(global(Access::Load), lanes, Some(to), one(address), Some(effect), Flow::On)
}

/// A store of a word; `address` is the register that it waits for, if any.
pub(crate) const fn store<K: Kernel>(address: Sources, lanes: Lanes, effect: Effect<K>) -> Line<K> {
    line(global(Access::Store), lanes, None, address, Some(effect), Flow::On)
}

/// An atomic operation of the chosen lanes on a word; the old one comes back into `to`.
pub(crate) const fn atomic<K: Kernel>(
    to: Register,
    (address, operand): (Register, Register),
    effect: Effect<K>,
) -> Line<K> {
    let sources = two(address, operand);
    line(global(Access::Atomic), Lanes::Chosen, Some(to), sources, Some(effect), Flow::On)
}

/// The launch of children by the chosen lanes.
pub(crate) const fn launch<K: Kernel>(from: Sources) -> Line<K> {
    line(Operation::Launch, Lanes::Chosen, None, from, None, Flow::Drop)
}

/// The end.
pub(crate) const fn exit<K: Kernel>() -> Line<K> {
    line(Operation::Exit, Lanes::Launched, None, NONE, None, Flow::Stop)
}

/// All arrays hold 32-bit words.
const fn global(access: Access) -> Operation {
    Operation::Memory { space: Space::Global, access, bytes: super::layout::WORD as u8 }
}
