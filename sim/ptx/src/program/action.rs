//! What a step of a warp does.

use std::rc::Rc;

use super::{ClusterAddress, Fetch, LaunchControl, Mbarrier, Surface, Tensor};
use crate::ast::{Space, Type};
use crate::semantics::{Apply, Combine, Function};

/// A register: a number of the function's own before registers are allocated. Afterwards that of
/// its place among those of up to 32 bits, among wider ones, or among predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reg(pub u32);

impl Reg {
    /// Set in the place of a register of more than 32 bits.
    const WIDE: u32 = 1 << 31;

    /// The register at that place.
    pub fn at(place: u32, wide: bool) -> Self {
        Self(place | if wide { Self::WIDE } else { 0 })
    }

    /// Whether it has more than 32 bits; of one that has a place.
    #[inline]
    pub fn is_wide(self) -> bool {
        self.0 & Self::WIDE != 0
    }

    /// Its place among those like it.
    #[inline]
    pub fn place(self) -> usize {
        (self.0 & !Self::WIDE) as usize
    }
}

/// A predicate as a source, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag {
    pub register: Reg,
    pub negated: bool,
}

/// Which lanes take part in a step.
pub(crate) type Guard = Flag;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Register(Reg),
    /// The same for all lanes: its place among the function's constants.
    Constant(u32),
    Special(Special),
}

/// A special register (PTX ISA, "Special Registers"); the numbers are those of x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread(u8),
    BlockExtent(u8),
    Block(u8),
    GridExtent(u8),
    /// The cluster's index among all, and how many there are.
    Cluster(u8),
    Clusters(u8),
    /// The block's place in its cluster, and the cluster's extent; both as one number.
    BlockInCluster(u8),
    ClusterExtent(u8),
    RankInCluster,
    ClusterBlocks,
    Lane,
    Warp,
    Warps,
    /// Lanes before, before and at, at, at and behind, behind the own one.
    LanesBelow,
    LanesUpTo,
    LaneItself,
    LanesFrom,
    LanesAbove,
    /// Instructions that all warps have executed.
    Clock,
    GridNumber,
    Zero,
    One,
    SharedBytes,
    /// The address of what a launch adds to shared memory, and bytes beyond.
    AddedShared(u32),
    DynamicSharedBytes,
    /// The address of local memory of the function, and bytes beyond.
    Local(u32),
}

/// `[base + offset]`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// `None`: 0.
    pub base: Option<Source>,
    pub offset: i64,
}

/// Where bytes are in one of the areas that calls copy between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub offset: u64,
    pub bytes: u64,
}

/// A signed value of fewer bits than its register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widening {
    pub from: u32,
    pub to: u32,
}

/// A memory access.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// `None`: a generic address.
    pub space: Option<Space>,
    /// Of an element.
    pub ty: Type,
    pub address: Address,
}

/// What an atomic operation does with the old value and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Add,
    Increment,
    Decrement,
    Minimum,
    Maximum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
    /// The lanes with the same value, or all of them if they all have it.
    MatchAny,
    MatchAll,
    Active,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What threads find out at a barrier about a predicate of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Count,
    All,
    Any,
}

/// `bar` and `barrier`.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub id: Source,
    /// Threads that take part; `None`: all of the block.
    pub threads: Option<Source>,
    /// Whether the warp waits.
    pub waits: bool,
    pub reduction: Option<(Reduction, Flag, Reg)>,
}

/// A function that the device's runtime has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    /// `cudaGetParameterBufferV2(function, grid, block, shared)`
    BufferFor,
    /// `cudaLaunchDeviceV2(buffer, stream)`
    LaunchBuffer,
    /// `cudaGetParameterBuffer(alignment, bytes)`
    Buffer,
    /// `cudaLaunchDevice(function, buffer, grid, block, shared, stream)`
    LaunchFunction,
    /// `blockyard_launch_group(buffer)`
    LaunchGroup,
    /// `cudaDeviceSynchronize()`
    Synchronize,
    /// Streams, events and limits of the device's own: taken, and of no effect but an answer.
    Accepted,
    /// `vprintf(format, arguments)`
    Print,
    /// `__assertfail(message, file, line, function, size)`
    AssertionFailed,
    /// `malloc(bytes)`
    Allocate,
    /// `free(pointer)`
    Release,
    /// `cudaMalloc(pointer, bytes)`
    AllocateAt,
    /// `cudaMemcpyAsync(to, from, bytes, kind, stream)`
    Copy,
    /// `cudaMemsetAsync(to, value, bytes, stream)`
    Fill,
    /// `cudaGetDevice(to)`
    Device,
    /// `cudaGetDeviceCount(to)`
    DeviceCount,
    /// `cudaDeviceGetAttribute(to, attribute, device)`
    Attribute,
    /// `cudaOccupancyMaxActiveBlocksPerMultiprocessor(to, kernel, threads, dynamic)`, with flags or
    /// without
    Occupancy,
    /// A function of numbers.
    Math(Function),
}

/// See the module.
pub(crate) enum Action {
    /// Nothing that a thread could see: a fence, a prefetch; or what the GPU does by itself.
    Nothing,
    /// A value; `signed` widens it to its register.
    Compute {
        apply: Rc<Apply>,
        sources: Vec<Source>,
        to: Option<Reg>,
        signed: Option<Widening>,
    },
    /// A comparison: gives predicates, or parts of a value in the lanes where they hold.
    Test {
        apply: Rc<Apply>,
        combine: Option<(Combine, Flag)>,
        sources: Vec<Source>,
        to: Option<Reg>,
        complement: Option<Reg>,
        value: Option<[u64; 2]>,
    },
    /// `lop3` with a predicate: whether the value is not 0, combined with another one.
    Table {
        apply: Rc<Apply>,
        sources: Vec<Source>,
        to: Option<Reg>,
        combine: (Combine, Flag),
        holds: Option<Reg>,
    },
    /// Predicates to a predicate.
    Logic {
        apply: Rc<Apply>,
        sources: Vec<Flag>,
        to: Reg,
    },
    Select {
        sources: [Source; 2],
        by: Flag,
        to: Reg,
    },
    /// A predicate that is the same for all lanes.
    SetFlag {
        to: Reg,
        value: bool,
    },
    /// Arithmetic that reads or writes the carry bit.
    Carry {
        apply: Rc<Apply>,
        sources: Vec<Source>,
        to: Option<Reg>,
        reads: Option<Reg>,
        writes: Option<Reg>,
    },
    /// `{a, b}` to one register, each part of `bits`.
    Pack {
        parts: Vec<Source>,
        bits: u32,
        to: Reg,
    },
    /// One value to `{a, b}`.
    Unpack {
        from: Source,
        bits: u32,
        to: Vec<Option<Reg>>,
    },
    /// `signed` widens as in `Compute`.
    Load {
        from: Lookup,
        to: Vec<Option<Reg>>,
        signed: Option<Widening>,
    },
    Store {
        to: Lookup,
        values: Vec<Source>,
    },
    Atomic {
        operation: Atomic,
        at: Lookup,
        operands: Vec<Source>,
        to: Option<Reg>,
    },
    /// 128 bits are exchanged, or compared with the first two operands and exchanged for the
    /// others.
    AtomicPair {
        compares: bool,
        at: Lookup,
        operands: Vec<Source>,
        to: Vec<Option<Reg>>,
    },
    /// An element after the other, each of the type of `at`; without `to`, nobody takes what was
    /// there.
    AtomicVector {
        operation: Atomic,
        at: Lookup,
        operands: Vec<Source>,
        to: Vec<Option<Reg>>,
    },
    /// Whether a generic address is in a space.
    IsInSpace {
        space: Space,
        address: Source,
        to: Reg,
    },
    /// Where the lanes that take part go on; `reconverge`: where all are together again.
    Branch {
        target: u32,
        reconverge: Option<u32>,
    },
    BranchIndexed {
        index: Source,
        targets: Vec<u32>,
        reconverge: Option<u32>,
    },
    /// Arguments and results are copied between these places and those that the function declares.
    Call {
        function: Callee,
        arguments: Vec<Place>,
        results: Vec<Place>,
    },
    Intrinsic {
        intrinsic: Intrinsic,
        arguments: Vec<Place>,
        result: Option<Place>,
    },
    /// A call of a function of that name that is not in the file.
    Undefined(Rc<str>),
    Return,
    Exit,
    Trap,
    Barrier(Barrier),
    /// `barrier.cluster`: arrives, or waits.
    ClusterBarrier {
        waits: bool,
    },
    Vote {
        vote: Vote,
        members: Option<Source>,
        of: VoteOf,
        to: Option<Reg>,
        holds: Option<Reg>,
    },
    Shuffle {
        shuffle: Shuffle,
        members: Option<Source>,
        sources: [Source; 3],
        to: Option<Reg>,
        holds: Option<Reg>,
    },
    Reduce {
        operation: Atomic,
        ty: Type,
        members: Source,
        source: Source,
        to: Reg,
    },
    Texture(Fetch),
    Surface(Surface),
    Tensor(Box<Tensor>),
    Mbarrier(Box<Mbarrier>),
    LaunchControl(Box<LaunchControl>),
    ClusterAddress(Box<ClusterAddress>),
}

/// What a vote is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VoteOf {
    Nothing,
    Flag(Flag),
    Value(Source),
}

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    /// A number among the module's functions.
    Known(u32),
    /// By address.
    Indirect(Source),
}
