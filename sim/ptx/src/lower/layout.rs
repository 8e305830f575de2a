//! Where the variables of a module are.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Text;
use crate::address_space as space;
use crate::ast::{self, Initial, Linkage, Module, Space, Type};
use crate::program::{Pointer, Variable};
use blockyard_contract::diagnostic::InputError;

/// Most bytes of each space but global memory.
const MOST: u64 = space::WINDOW;
/// Most bytes of global variables.
const MOST_GLOBAL: u64 = space::HEAP - space::MODULE;

/// See the module.
pub(super) struct Layout {
    variables: Vec<Variable>,
    names: FxHashMap<String, u32>,
    sizes: FxHashMap<Space, u64>,
    /// Shared variables without a size: they begin behind all others of a kernel.
    dynamic: FxHashMap<String, u64>,
    /// Whether functions that are no kernels use shared memory.
    functions_share: bool,
}

/// What a name at module scope stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Variable(u32),
    /// Of shared memory, behind what a kernel has of its own.
    Dynamic,
}

impl Layout {
    pub fn new(
        source: &Text<'_>,
        module: &Module,
        functions: &FxHashMap<&str, u32>,
    ) -> Result<Self, InputError> {
        let mut layout = Self {
            variables: Vec::new(),
            names: FxHashMap::default(),
            sizes: FxHashMap::default(),
            dynamic: FxHashMap::default(),
            functions_share: false,
        };
        let mut filled = Vec::new();
        for variable in &module.variables {
            if let Some(number) = layout.declare(source, variable)? {
                filled.push((number, variable));
            }
        }
        // An initial value may have the address of a variable that follows.
        for (number, variable) in filled {
            layout.fill(source, functions, number, variable)?;
        }
        Ok(layout)
    }

    fn declare(
        &mut self,
        source: &Text<'_>,
        variable: &ast::Variable,
    ) -> Result<Option<u32>, InputError> {
        let name = &variable.name;
        if variable.space == Space::Shared && variable.extents.contains(&None) {
            return self.add_dynamic(source, variable).map(|()| None);
        }
        if self.names.contains_key(name) {
            if variable.linkage == Linkage::External {
                return Ok(None);
            }
            let message = format!("`{name}` is declared a second time");
            return Err(source.refuse(&variable.span, message, "each name once"));
        }
        let number = self.add(source, variable)?;
        self.names.insert(name.clone(), number);
        Ok(Some(number))
    }

    /// A shared variable whose size the launch says.
    pub fn add_dynamic(
        &mut self,
        source: &Text<'_>,
        variable: &ast::Variable,
    ) -> Result<(), InputError> {
        self.dynamic.insert(variable.name.clone(), alignment(source, variable)?);
        Ok(())
    }

    /// A variable that only one function knows by name; its space and address.
    pub fn own(
        &mut self,
        source: &Text<'_>,
        functions: &FxHashMap<&str, u32>,
        variable: &ast::Variable,
    ) -> Result<(Space, u64), InputError> {
        let number = self.add(source, variable)?;
        self.fill(source, functions, number, variable)?;
        Ok(self.address(number))
    }

    fn add(&mut self, source: &Text<'_>, variable: &ast::Variable) -> Result<u32, InputError> {
        let (space, bytes) = (placed_in(variable), bytes(source, variable)?);
        let align = alignment(source, variable)?;
        let offset = self.place(source, variable, space, bytes, align)?;
        self.variables.push(Variable {
            name: Rc::from(&*variable.name),
            space,
            offset,
            bytes,
            initial: Vec::new(),
            pointers: Vec::new(),
        });
        Ok(self.variables.len() as u32 - 1)
    }

    fn place(
        &mut self,
        source: &Text<'_>,
        variable: &ast::Variable,
        space: Space,
        bytes: u64,
        align: u64,
    ) -> Result<u64, InputError> {
        let most = if space == Space::Global { MOST_GLOBAL } else { MOST };
        let size = self.sizes.entry(space).or_default();
        let offset = size.next_multiple_of(align);
        let end = offset.checked_add(bytes).filter(|end| *end <= most);
        let Some(end) = end else {
            let message = format!("no room for `{}`, which has {bytes} bytes", variable.name);
            let expected = format!("at most {most} bytes in all");
            return Err(source.refuse(&variable.span, message, expected));
        };
        *size = end;
        Ok(offset)
    }

    /// What `name` stands for.
    pub fn find(&self, name: &str) -> Option<Global> {
        let variable = self.names.get(name).map(|&number| Global::Variable(number));
        variable.or_else(|| self.dynamic.contains_key(name).then_some(Global::Dynamic))
    }

    /// The alignment of what launches add to shared memory.
    pub fn added_align(&self) -> u64 {
        self.dynamic.values().copied().fold(16, u64::max)
    }

    /// The address of a variable in its own space; of a global one its generic address.
    pub fn address(&self, number: u32) -> (Space, u64) {
        let variable = &self.variables[number as usize];
        let base = if variable.space == Space::Global { space::MODULE } else { 0 };
        (variable.space, base + variable.offset)
    }

    /// Bytes of all variables of `space` at module scope.
    pub fn size(&self, space: Space) -> u64 {
        self.sizes.get(&space).copied().unwrap_or(0)
    }

    /// Bytes of shared variables at module scope.
    pub fn shared(&self) -> u64 {
        self.size(Space::Shared)
    }

    /// A function that is no kernel uses shared memory.
    pub fn share_with_functions(&mut self) {
        self.functions_share = true;
    }

    /// Whether one does.
    pub fn functions_share(&self) -> bool {
        self.functions_share
    }

    /// A function has put variables of its own behind those that there were: they take `size` bytes
    /// now.
    pub fn grow_shared(&mut self, size: u64) {
        self.sizes.insert(Space::Shared, size);
        self.functions_share = true;
    }

    /// The variables, in order.
    pub fn into_variables(self) -> Vec<Variable> {
        self.variables
    }

    fn fill(
        &mut self,
        source: &Text<'_>,
        functions: &FxHashMap<&str, u32>,
        number: u32,
        variable: &ast::Variable,
    ) -> Result<(), InputError> {
        let Some(initial) = &variable.initial else { return Ok(()) };
        let extents: Vec<u64> = variable.extents.iter().map(|extent| extent.unwrap_or(0)).collect();
        let mut filler = Filler {
            layout: self,
            functions,
            ty: variable.ty,
            bytes: Vec::new(),
            pointers: Vec::new(),
            unknown: None,
        };
        let fits = filler.put(initial, &extents, 0);
        let Filler { bytes, pointers, unknown, .. } = filler;
        if let Some(name) = unknown {
            let message = format!("nobody declares `{name}`");
            return Err(source.refuse(&variable.span, message, "a variable or a function"));
        }
        let own = &mut self.variables[number as usize];
        let pointers_end = pointers.iter().map(|(at, width, _)| at + u64::from(*width)).max();
        if !fits || bytes.len() as u64 > own.bytes || pointers_end.unwrap_or(0) > own.bytes {
            let message = format!("`{}` has more initial values than elements", variable.name);
            return Err(source.refuse(&variable.span, message, "at most one for each element"));
        }
        (own.initial, own.pointers) = (bytes, pointers);
        Ok(())
    }
}

/// Collects the bytes of an initial value.
struct Filler<'a> {
    layout: &'a Layout,
    functions: &'a FxHashMap<&'a str, u32>,
    ty: Type,
    bytes: Vec<u8>,
    pointers: Vec<(u64, u8, Pointer)>,
    unknown: Option<String>,
}

impl Filler<'_> {
    /// Puts `initial`, an array of `extents`, at byte `at`; whether it fits.
    fn put(&mut self, initial: &Initial, extents: &[u64], at: u64) -> bool {
        let width = self.ty.bytes();
        let bits = match initial {
            Initial::List(list) => {
                let (most, rest) = extents.split_first().map_or((0, extents), |(m, r)| (*m, r));
                // `[] = {...}` has as many elements as values.
                let unsized_array = extents.first() == Some(&0);
                let stride = rest.iter().product::<u64>().max(1) * width;
                return (list.len() as u64 <= most || unsized_array)
                    && (0..)
                        .zip(list)
                        .all(|(index, value)| self.put(value, rest, at + index * stride));
            }
            Initial::Integer(value) => match self.ty {
                Type::Float(32) => u64::from((*value as i64 as f32).to_bits()),
                Type::Float(64) => (*value as i64 as f64).to_bits(),
                _ => *value,
            },
            Initial::Single(bits) => u64::from(*bits),
            Initial::Double(bits) => match self.ty {
                Type::Float(32) => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                _ => *bits,
            },
            Initial::Address { name, generic, offset } => {
                let function = self.functions.get(name.as_str());
                let pointer = match (self.layout.find(name), function) {
                    (Some(Global::Variable(number)), _) => {
                        Pointer::Variable { number, generic: *generic, offset: *offset }
                    }
                    (_, Some(&function)) => Pointer::Function(function),
                    _ => {
                        self.unknown.get_or_insert_with(|| name.clone());
                        return true;
                    }
                };
                self.pointers.push((at, width.max(1) as u8, pointer));
                return true;
            }
        };
        let (start, end) = (at as usize, (at + width) as usize);
        if end as u64 > MOST_GLOBAL {
            return false;
        }
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(&bits.to_le_bytes()[..width as usize]);
        true
    }
}

/// Textures and their kind are a word of global memory that the host sets.
fn placed_in(variable: &ast::Variable) -> Space {
    match variable.space {
        Space::Texture => Space::Global,
        space => space,
    }
}

/// Bytes of a variable.
pub(super) fn bytes(source: &Text<'_>, variable: &ast::Variable) -> Result<u64, InputError> {
    let listed = match &variable.initial {
        Some(Initial::List(list)) => list.len() as u64,
        _ => 0,
    };
    let element = variable.ty.bytes().max(1) * u64::from(variable.vector);
    let extents = variable.extents.iter().map(|extent| extent.unwrap_or(listed));
    let bytes = extents.into_iter().try_fold(element, u64::checked_mul);
    bytes.ok_or_else(|| {
        let message = format!("`{}` has more than 2^64 bytes", variable.name);
        source.refuse(&variable.span, message, "fewer elements")
    })
}

/// Its alignment in bytes: that of an element unless stated.
pub(super) fn alignment(source: &Text<'_>, variable: &ast::Variable) -> Result<u64, InputError> {
    let own = (variable.ty.bytes().max(1) * u64::from(variable.vector)).next_power_of_two();
    let align = variable.align.unwrap_or(own);
    if align.is_power_of_two() && align <= 1 << 16 {
        return Ok(align);
    }
    let message = format!("`{}` is aligned to {align} bytes", variable.name);
    Err(source.refuse(&variable.span, message, "a power of two up to 65536"))
}
