//! From the syntax tree to a program: names are resolved, types are checked, registers are
//! allocated.
//!
//! ```text
//!   variables -- layout --> addresses --+
//!   statements -- body --> steps, names +-- instruction --> actions -- finish --> Code
//! ```

mod atomic;
mod body;
mod calls;
mod cluster;
mod finish;
mod instruction;
mod launch_control;
mod layout;
mod mbarrier;
mod memory;
mod moves;
mod names;
mod operands;
mod passing;
mod special;
mod tensor;
mod textures;
mod unseen;
mod video;
mod warp_wide;
mod wide;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ast::{Function, Module, Space, Span};
use crate::program::{Kernel, Parameter, Place, Program};
use crate::source_line;
use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use body::Functions;
use layout::Layout;
pub(crate) use mbarrier::COUNT_BITS;

/// The opcodes of which some form is there, in order.
pub const OPCODES: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "addc",
    "and",
    "applypriority",
    "atom",
    "bar",
    "barrier",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "bra",
    "brev",
    "brkpt",
    "brx",
    "call",
    "clusterlaunchcontrol",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp",
    "createpolicy",
    "cvt",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "exit",
    "fence",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "ld",
    "ldmatrix",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "mapa",
    "match",
    "max",
    "mbarrier",
    "membar",
    "min",
    "mma",
    "mov",
    "mul",
    "mul24",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "redux",
    "rem",
    "ret",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "st",
    "sub",
    "subc",
    "suld",
    "suq",
    "sust",
    "szext",
    "tanh",
    "testp",
    "tex",
    "tld4",
    "trap",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "wmma",
    "xor",
];

/// Checks `module`, which was read from `text`, the contents of `file`.
///
/// # Errors
/// At the first thing that cannot be executed: an unknown opcode or modifier, a name that nobody
/// declares, an operand of another type; with file, line, kernel and what was expected.
pub fn lower(file: &str, text: &str, module: &Module) -> Result<Program, InputError> {
    let source = Text { file, text };
    let defined: Vec<&Function> =
        module.functions.iter().filter(|function| function.body.is_some()).collect();
    let mut numbers = FxHashMap::default();
    for (number, function) in (0..).zip(&defined) {
        if numbers.insert(function.name.as_str(), number).is_some() {
            let message = format!("`{}` is defined a second time", function.name);
            return Err(source.refuse(&function.span, message, "each name once"));
        }
    }
    let mut layout = Layout::new(&source, module, &numbers)?;
    let functions = Functions { numbers, defined, registers: &module.registers };
    let defined = &functions.defined;
    let sm = architecture(module);
    // Functions that kernels call come first: what they have in shared memory every kernel has.
    let mut lowered = FxHashMap::default();
    for entry in [false, true] {
        for (number, function) in (0_u32..).zip(defined) {
            if function.entry == entry {
                let body = body::lower(&source, &functions, &mut layout, (function, sm))?;
                lowered.insert(number, body);
            }
        }
    }
    let mut functions = Vec::new();
    let mut kernels = Vec::new();
    let mut first = 0;
    for (number, function) in (0..).zip(defined) {
        let mut lowered = lowered.remove(&number).expect("each was lowered");
        lowered.code.first = first;
        first += lowered.code.steps.len() as u32;
        if function.entry {
            if function.directives.iter().any(|(name, _)| name == "blocksareclusters") {
                let message = format!("the grid of kernel `{}` counts clusters", function.name);
                let expected = "a kernel without `.blocksareclusters`, whose grid counts blocks";
                return Err(source.refuse(&function.span, message, expected));
            }
            let code = &lowered.code;
            let declared = function.parameters.iter();
            kernels.push(Kernel {
                name: Rc::clone(&code.name),
                parameters: declared
                    .zip(&code.parameters)
                    .map(|(parameter, place)| Parameter {
                        name: Rc::from(&*parameter.name),
                        ty: parameter.ty,
                        offset: place.offset,
                        bytes: place.bytes,
                    })
                    .collect(),
                parameter_bytes: end_of(&code.parameters),
                registers: lowered.registers,
                shared_memory: lowered.shared,
                local_memory: code.local,
                most_threads: most_threads(function),
                required_block: required("reqntid", function),
                required_cluster: required("reqnctapercluster", function),
                works_in_cluster: false,
                function: number,
            });
        }
        functions.push(Rc::new(lowered.code));
    }
    for kernel in &mut kernels {
        kernel.works_in_cluster = cluster::works_in_cluster(&functions, kernel.function);
    }
    Ok(Program {
        file: file.into(),
        text: text.into(),
        kernels,
        functions,
        constant: layout.size(Space::Constant),
        added_align: layout.added_align(),
        variables: layout.into_variables(),
    })
}

/// The number in `.target sm_35`; 35 where there is none.
fn architecture(module: &Module) -> u32 {
    let numbers = module.target.iter().filter_map(|target| {
        target.strip_prefix("sm_")?.trim_end_matches(char::is_alphabetic).parse().ok()
    });
    numbers.max().unwrap_or(35)
}

/// Bytes up to the end of the last parameter.
fn end_of(parameters: &[Place]) -> u64 {
    parameters.iter().map(|place| place.offset + place.bytes).max().unwrap_or(0)
}

/// The extent that a directive states; what it leaves out is 1.
fn required(directive: &str, function: &Function) -> Option<Dim3> {
    let (_, stated) = function.directives.iter().find(|(name, _)| name == directive)?;
    let extent = |axis: usize| u32::try_from(stated.get(axis).copied().unwrap_or(1)).ok();
    Some(Dim3::new(extent(0)?, extent(1)?, extent(2)?))
}

fn most_threads(function: &Function) -> Option<u32> {
    let stated = |(name, _): &&(String, Vec<u64>)| name == "reqntid" || name == "maxntid";
    let (_, extents) = function.directives.iter().find(stated)?;
    extents.iter().try_fold(1_u32, |all, &extent| all.checked_mul(u32::try_from(extent).ok()?))
}

/// A file, for diagnostics.
struct Text<'a> {
    file: &'a str,
    text: &'a str,
}

impl Text<'_> {
    /// The complaint that what stands at `span` is not `expected`.
    fn refuse(
        &self,
        span: &Span,
        message: impl Into<String>,
        expected: impl std::fmt::Display,
    ) -> InputError {
        InputError::new(message)
            .at(self.file, self.text, span.clone(), source_line::label(self.text, span.start))
            .help(format!("expected {expected}"))
    }
}
