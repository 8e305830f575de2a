//! The lowered module.

use std::rc::Rc;

use super::{Action, Guard, Kernel, Place};
use crate::ast::{Space, Span};
use crate::semantics::{Lanes, Words};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Operation, Register, MAX_SOURCES, WARP_LANES};

/// What the GPU's timing must know of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issue {
    /// Memory operations of generic addresses, and those whose lanes all stay out, are others.
    pub operation: Operation,
    pub destination: Option<Register>,
    pub sources: [Option<Register>; MAX_SOURCES],
}

/// An instruction of a function.
pub(crate) struct Step {
    pub guard: Option<Guard>,
    pub action: Action,
    pub issue: Issue,
    pub span: Span,
}

/// A value that is the same for all lanes.
pub(crate) struct Constant {
    pub wide: Lanes,
    /// If it has no more than 32 bits.
    pub narrow: Option<Words>,
}

impl Constant {
    pub fn new(value: u64) -> Self {
        let narrow = u32::try_from(value).ok().map(|value| [value; WARP_LANES]);
        Self { wide: [value; WARP_LANES], narrow }
    }
}

/// A function or the body of a kernel.
pub(crate) struct Code {
    pub name: Rc<str>,
    pub steps: Vec<Step>,
    pub constants: Vec<Constant>,
    /// Registers of a warp: those of up to 32 bits, wider ones, and predicates.
    pub narrow: usize,
    pub wide: usize,
    pub flags: usize,
    /// Bytes of the area of its own parameters and results, and of those that it passes on.
    pub own_parameters: u64,
    pub call_parameters: u64,
    /// Where its results are among its own parameters.
    pub results: Vec<Place>,
    /// Where its parameters are.
    pub parameters: Vec<Place>,
    /// Bytes of local memory that it has of its own.
    pub local: u64,
    /// The number of its first step among those of all functions.
    pub first: u32,
}

/// A variable at module scope.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: Rc<str>,
    pub space: Space,
    /// Of a global one: where it is relative to the first; else its address in its space.
    pub offset: u64,
    pub bytes: u64,
    /// What it holds at first; shorter than `bytes` where the rest is zero.
    pub initial: Vec<u8>,
    /// Addresses that it holds at first: the place of each among its bytes, its bytes, what it is
    /// of.
    pub pointers: Vec<(u64, u8, Pointer)>,
}

/// An address in an initial value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pointer {
    Variable { number: u32, generic: bool, offset: i64 },
    Function(u32),
}

/// A module that can be executed.
pub struct Program {
    pub(crate) file: Rc<str>,
    pub(crate) text: Rc<str>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) functions: Vec<Rc<Code>>,
    pub(crate) variables: Vec<Variable>,
    /// Bytes of constant memory.
    pub(crate) constant: u64,
    /// Where what a launch adds to shared memory begins, it is at a multiple of so many bytes.
    pub(crate) added_align: u64,
}

impl Program {
    /// The kernels, in the order of the file.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel `name`.
    ///
    /// # Errors
    /// When there is none: with the names of those that there are.
    pub fn kernel(&self, name: &str) -> Result<&Kernel, InputError> {
        self.kernels.iter().find(|kernel| &*kernel.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.kernels.iter().map(|kernel| &*kernel.name).collect();
            InputError::new(format!("{} has no kernel `{name}`", self.file))
                .help(format!("expected one of: {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_narrow_up_to_32_bits() {
        let most = u64::from(u32::MAX);
        assert_eq!(Constant::new(most).narrow, Some([u32::MAX; WARP_LANES]));
        assert_eq!(Constant::new(most + 1).narrow, None);
        assert_eq!(Constant::new(most + 1).wide, [most + 1; WARP_LANES]);
    }
}
