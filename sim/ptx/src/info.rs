//! What is in a module, for people: instructions by unit and opcode, calls, launches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::ast::Type;
use crate::program::{Action, Callee, Code, Intrinsic, Kernel, Program, Step};
use blockyard_gpu::program::{Access, Operation, Space, Unit};

/// How many instructions there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    /// By what executes them: `integer`, `global load`, `barrier`, ...
    pub units: BTreeMap<&'static str, u64>,
    /// By opcode without modifiers: `ld`, `mad`, ...
    pub opcodes: BTreeMap<String, u64>,
}

/// A kernel as it stands in the file, not as it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Its own instructions.
    pub own: Mix,
    /// Its own and those of all functions that it may call, each function once.
    pub all: Mix,
    /// The functions that it may call, and those that these may call.
    pub calls: BTreeSet<String>,
    /// Whether one of them calls through a pointer.
    pub calls_indirectly: bool,
    /// Whether threads may launch kernels.
    pub launches: bool,
}

impl Program {
    /// What is in `kernel`, one of the module's.
    pub fn info(&self, kernel: &Kernel) -> KernelInfo {
        let entry = kernel.function;
        let mut reached = BTreeSet::from([entry]);
        let mut open = vec![entry];
        let mut info = KernelInfo {
            own: Mix::default(),
            all: Mix::default(),
            calls: BTreeSet::new(),
            calls_indirectly: false,
            launches: false,
        };
        while let Some(number) = open.pop() {
            let Some(code) = self.functions.get(number as usize) else { continue };
            if number == entry {
                self.count(code, &mut info.own);
            } else {
                info.calls.insert(code.name.to_string());
            }
            self.count(code, &mut info.all);
            for step in &code.steps {
                match &step.action {
                    Action::Call { function: Callee::Known(callee), .. } => {
                        open.extend(reached.insert(*callee).then_some(*callee));
                    }
                    Action::Call { function: Callee::Indirect(_), .. } => {
                        info.calls_indirectly = true;
                    }
                    Action::Undefined(name) => {
                        info.calls.insert(name.to_string());
                    }
                    Action::Intrinsic { intrinsic, .. } => {
                        info.calls.insert(name(*intrinsic));
                        info.launches |= is_launch(*intrinsic);
                    }
                    _ => {}
                }
            }
        }
        info
    }

    fn count(&self, code: &Code, mix: &mut Mix) {
        for step in &code.steps {
            // A return that the file does not state stands at the function's name.
            let Some(opcode) = self.opcode(step) else { continue };
            *mix.units.entry(unit(step)).or_default() += 1;
            *mix.opcodes.entry(opcode.to_owned()).or_default() += 1;
        }
    }

    /// The opcode that stands where the step does, without modifiers.
    fn opcode(&self, step: &Step) -> Option<&str> {
        let text = self.text.get(step.span.clone())?;
        let end = text.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(text.len());
        crate::lower::OPCODES.binary_search(&&text[..end]).is_ok().then(|| &text[..end])
    }
}

/// What executes a step.
fn unit(step: &Step) -> &'static str {
    match (&step.action, step.issue.operation) {
        (Action::Barrier(_) | Action::ClusterBarrier { .. }, _) => "barrier",
        (Action::Intrinsic { intrinsic: Intrinsic::Math(_), .. }, _) => "special",
        (
            Action::Branch { .. }
            | Action::BranchIndexed { .. }
            | Action::Call { .. }
            | Action::Intrinsic { .. }
            | Action::Undefined(_)
            | Action::Return
            | Action::Exit
            | Action::Trap,
            _,
        ) => "control",
        (Action::Texture(_) | Action::Surface(_), _) => "texture",
        (_, Operation::Compute(Unit::Integer)) => "integer",
        (_, Operation::Compute(Unit::Single)) => "single",
        (_, Operation::Compute(Unit::Double)) => "double",
        (_, Operation::Compute(Unit::Special)) => "special",
        (_, Operation::Compute(Unit::Tensor)) => "tensor",
        (_, Operation::Memory { space, access, .. }) => memory(step, space, access),
        _ => "control",
    }
}

fn memory(step: &Step, space: Space, access: Access) -> &'static str {
    use crate::ast::Space as Of;
    let said = match &step.action {
        Action::Load { from: lookup, .. }
        | Action::Store { to: lookup, .. }
        | Action::Atomic { at: lookup, .. } => lookup.space,
        _ => None,
    };
    match (space, said, access) {
        (Space::Shared | Space::Cluster, _, Access::Load) => "shared load",
        (Space::Shared | Space::Cluster, _, Access::Store) => "shared store",
        (Space::Shared | Space::Cluster, _, Access::Atomic) => "shared atomic",
        (_, Some(Of::Parameter), Access::Load) => "parameter load",
        (_, Some(Of::Parameter), _) => "parameter store",
        (Space::Constant, ..) => "constant load",
        (_, Some(Of::Local), Access::Load) => "local load",
        (_, Some(Of::Local), _) => "local store",
        (_, None, Access::Load) => "generic load",
        (_, None, Access::Store) => "generic store",
        (_, None, Access::Atomic) => "generic atomic",
        (_, _, Access::Load) => "global load",
        (_, _, Access::Store) => "global store",
        (_, _, Access::Atomic) => "global atomic",
    }
}

fn is_launch(intrinsic: Intrinsic) -> bool {
    let launches = [Intrinsic::LaunchBuffer, Intrinsic::LaunchFunction, Intrinsic::LaunchGroup];
    launches.contains(&intrinsic)
}

/// What files call it.
fn name(intrinsic: Intrinsic) -> String {
    let name = match intrinsic {
        Intrinsic::Math(function) => return function.to_string(),
        Intrinsic::BufferFor => "cudaGetParameterBufferV2",
        Intrinsic::LaunchBuffer => "cudaLaunchDeviceV2",
        Intrinsic::Buffer => "cudaGetParameterBuffer",
        Intrinsic::LaunchFunction => "cudaLaunchDevice",
        Intrinsic::LaunchGroup => "blockyard_launch_group",
        Intrinsic::Synchronize => "cudaDeviceSynchronize",
        Intrinsic::Accepted => "the device runtime",
        Intrinsic::Print => "vprintf",
        Intrinsic::AssertionFailed => "__assertfail",
        Intrinsic::Allocate => "malloc",
        Intrinsic::Release => "free",
        Intrinsic::AllocateAt => "cudaMalloc",
        Intrinsic::Copy => "cudaMemcpyAsync",
        Intrinsic::Fill => "cudaMemsetAsync",
        Intrinsic::Device => "cudaGetDevice",
        Intrinsic::DeviceCount => "cudaGetDeviceCount",
        Intrinsic::Attribute => "cudaDeviceGetAttribute",
        Intrinsic::Occupancy => "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    };
    name.to_owned()
}

impl fmt::Display for Type {
    /// As it stands behind the dot: `u32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bits(width) => write!(f, "b{width}"),
            Type::Unsigned(width) => write!(f, "u{width}"),
            Type::Signed(width) => write!(f, "s{width}"),
            Type::Float(width) => write!(f, "f{width}"),
            Type::Halves => f.write_str("f16x2"),
            Type::Brain => f.write_str("bf16"),
            Type::Brains => f.write_str("bf16x2"),
            Type::Predicate => f.write_str("pred"),
            Type::Texture => f.write_str("texref"),
            Type::Sampler => f.write_str("samplerref"),
            Type::Surface => f.write_str("surfref"),
        }
    }
}
