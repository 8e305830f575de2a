//! What all blocks of a run share: global memory, textures, what they print.

mod buffers;
mod bytes;
mod memory;
mod print;
mod texture;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use blockyard_gpu::config::GpuConfig;
use rustc_hash::FxHashSet;

use crate::address_space as space;
use crate::ast::Space;
use crate::execute::{Registers, Scratch};
use crate::program::{Code, Pointer, Program};

pub(crate) use buffers::{Buffers, Wanted};
pub(crate) use bytes::{put, value_of};
pub use memory::Memory;
pub(crate) use print::{format, Arguments};
pub use texture::Texture;
pub(crate) use texture::{face, Beyond, Reads, Textures};

/// A GPU's memory with a module loaded: what the host and all threads see.
pub struct Machine {
    pub(crate) program: Rc<Program>,
    pub(crate) memory: RefCell<Memory>,
    /// What threads have allocated and not given back.
    pub(crate) given: RefCell<FxHashSet<u64>>,
    /// Parameters of launches from the device.
    pub(crate) buffers: RefCell<Buffers>,
    pub(crate) constants: RefCell<Vec<u8>>,
    pub(crate) textures: RefCell<Textures>,
    printed: RefCell<String>,
    /// Instructions that all warps have executed.
    pub(crate) instructions: Cell<u64>,
    grids: Cell<u64>,
    checks_shared: Cell<bool>,
    /// The GPU of which threads may ask.
    gpu: RefCell<Option<GpuConfig>>,
    local_places: RefCell<LocalPlaces>,
    /// Those that no warp uses at the moment. Most warps execute little, so that making registers
    /// anew for each would take as long as what they do.
    registers: RefCell<Vec<Registers>>,
    /// For the instruction at hand.
    pub(crate) scratch: RefCell<Scratch>,
}

/// Numbers of the warps that have local memory: those that are free, and the first that was never
/// used.
#[derive(Default)]
struct LocalPlaces {
    free: Vec<u32>,
    next: u32,
}

impl Machine {
    /// A machine with the variables of `program` in its memory.
    pub fn new(program: Rc<Program>) -> Rc<Self> {
        let machine = Self {
            memory: RefCell::new(Memory::default()),
            given: RefCell::default(),
            buffers: RefCell::new(Buffers::default()),
            constants: RefCell::new(vec![0; program.constant as usize]),
            textures: RefCell::new(Textures::default()),
            printed: RefCell::new(String::new()),
            instructions: Cell::new(0),
            grids: Cell::new(0),
            checks_shared: Cell::new(false),
            gpu: RefCell::default(),
            local_places: RefCell::default(),
            registers: RefCell::default(),
            scratch: RefCell::default(),
            program,
        };
        machine.load();
        Rc::new(machine)
    }

    /// Puts the module's variables into memory.
    fn load(&self) {
        let mut memory = self.memory.borrow_mut();
        let mut constants = self.constants.borrow_mut();
        let variables = &self.program.variables;
        for variable in variables {
            let mut bytes = variable.initial.clone();
            bytes.resize(variable.bytes as usize, 0);
            for (at, width, pointer) in &variable.pointers {
                let address = match *pointer {
                    Pointer::Function(number) => space::of_function(number),
                    Pointer::Variable { number, generic, offset } => {
                        let of = &variables[number as usize];
                        let base = match of.space {
                            Space::Global => space::MODULE,
                            other if generic => space::base(other),
                            _ => 0,
                        };
                        base.wrapping_add(of.offset).wrapping_add(offset as u64)
                    }
                };
                let (at, width) = (*at as usize, usize::from(*width));
                bytes[at..at + width].copy_from_slice(&address.to_le_bytes()[..width]);
            }
            match variable.space {
                Space::Global => memory.place(space::MODULE + variable.offset, bytes),
                Space::Constant => {
                    let at = variable.offset as usize;
                    constants[at..at + bytes.len()].copy_from_slice(&bytes);
                }
                _ => {}
            }
        }
    }

    /// The module that is loaded.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// Room for `bytes` bytes of global memory, zero at first; its address, a multiple of 256.
    /// `None`: there is no more.
    pub fn allocate(&self, bytes: u64) -> Option<u64> {
        self.memory.borrow_mut().allocate(bytes)
    }

    /// The `bytes` bytes from `address` on in global memory, if all of them were allocated
    /// together.
    pub fn read(&self, address: u64, bytes: u64) -> Option<Vec<u8>> {
        self.memory.borrow_mut().get(address, bytes).map(|place| place.to_vec())
    }

    /// Shows `see` the bytes that [`Machine::read`] gives.
    pub fn look<R>(&self, address: u64, bytes: u64, see: impl FnOnce(&[u8]) -> R) -> Option<R> {
        self.memory.borrow_mut().get(address, bytes).map(|place| see(place))
    }

    /// Overwrites what is at `address` with `bytes`; whether that much was allocated there.
    pub fn write(&self, address: u64, bytes: &[u8]) -> bool {
        let mut memory = self.memory.borrow_mut();
        let found = memory.get(address, bytes.len() as u64);
        found.map(|place| place.copy_from_slice(bytes)).is_some()
    }

    /// The words of 32 bits of an array, as [`Machine::read`].
    pub fn words(&self, address: u64, count: u64) -> Option<Vec<u32>> {
        let mut memory = self.memory.borrow_mut();
        let place = memory.get(address, count.checked_mul(4)?)?;
        Some(place.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// An array of the 32-bit words `words` in memory of its own; its address.
    pub fn array(&self, words: &[u32]) -> Option<u64> {
        let address = self.allocate(4 * words.len() as u64)?;
        let mut memory = self.memory.borrow_mut();
        let place = memory.get(address, 4 * words.len() as u64)?;
        for (place, word) in place.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        Some(address)
    }

    /// The address and bytes of the variable `name` at module scope, if it is in global memory.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let variables = self.program.variables.iter();
        let mut found = variables.filter(|variable| &*variable.name == name);
        let found = found.find(|variable| variable.space == Space::Global)?;
        Some((space::MODULE + found.offset, found.bytes))
    }

    /// Overwrites the begin of the constant variable `name`; whether there is one with that many
    /// bytes.
    pub fn set_constant(&self, name: &str, bytes: &[u8]) -> bool {
        let variables = self.program.variables.iter();
        let mut found = variables.filter(|variable| &*variable.name == name);
        let found = found.find(|variable| variable.space == Space::Constant);
        let Some(found) = found.filter(|found| found.bytes >= bytes.len() as u64) else {
            return false;
        };
        let at = found.offset as usize;
        self.constants.borrow_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }

    /// Binds the texture variable `name` to `texture`; whether there is such a variable.
    pub fn bind(&self, name: &str, texture: Texture) -> bool {
        let found = self.variable(name);
        found.map(|(address, _)| self.textures.borrow_mut().bind(address, texture)).is_some()
    }

    /// A handle for `texture`, for kernels that take textures and surfaces as parameters.
    pub fn texture_object(&self, texture: Texture) -> u64 {
        self.textures.borrow_mut().object(texture)
    }

    /// Lets the handle `object` stand for `texture` from now on.
    pub fn set_texture_object(&self, object: u64, texture: Texture) {
        self.textures.borrow_mut().bind(object, texture);
    }

    /// Lets blocks that start from now on look for reads of shared memory that nobody has written,
    /// and for accesses of different warps with no barrier between: the first one found ends the
    /// run.
    pub fn check_shared(&self) {
        self.checks_shared.set(true);
    }

    /// Lets threads that ask what an SMX has and holds be answered for `gpu`.
    pub fn set_gpu(&self, gpu: &GpuConfig) {
        *self.gpu.borrow_mut() = Some(gpu.clone());
    }

    /// What `of` says of the GPU, if there is one.
    pub(crate) fn of_gpu<R>(&self, of: impl FnOnce(&GpuConfig) -> R) -> Option<R> {
        self.gpu.borrow().as_ref().map(of)
    }

    pub(crate) fn checks_shared(&self) -> bool {
        self.checks_shared.get()
    }

    /// Takes what threads have printed since the last call.
    pub fn take_printed(&self) -> String {
        self.printed.take()
    }

    pub(crate) fn print(&self, text: &str) {
        self.printed.borrow_mut().push_str(text);
    }

    /// The number of the next grid.
    pub(crate) fn next_grid(&self) -> u64 {
        self.grids.replace(self.grids.get() + 1)
    }

    /// Registers for a warp that begins with `code`.
    pub(crate) fn take_registers(&self, code: &Code) -> Registers {
        let mut registers = self.registers.borrow_mut().pop().unwrap_or_default();
        registers.clear(code);
        registers
    }

    /// A warp does not need them any more.
    pub(crate) fn give_registers(&self, registers: Registers) {
        self.registers.borrow_mut().push(registers);
    }

    /// A number for a warp that has local memory.
    pub(crate) fn take_local_place(&self) -> u32 {
        let mut places = self.local_places.borrow_mut();
        places.free.pop().unwrap_or_else(|| {
            places.next += 1;
            places.next - 1
        })
    }

    /// The warp with that number is done.
    pub(crate) fn give_local_place(&self, place: u32) {
        self.local_places.borrow_mut().free.push(place);
    }
}
