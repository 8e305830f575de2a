//! The statements of a function, one after the other, and the names in them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::layout::{self, Layout};
use super::{finish, instruction, Text};
use crate::ast::{self, Function, Instruction, Space, Span, Statement, Type};
use crate::program::{Code, Place, Reg};
use crate::semantics::Lanes;
use blockyard_contract::diagnostic::InputError;

/// Most registers that a function declares.
const MOST_REGISTERS: u32 = 1 << 20;
/// Most bytes of local memory of a function, and of its parameters.
const MOST_BYTES: u64 = 1 << 19;

/// A function with what its kernel needs.
pub(super) struct Lowered {
    pub code: Code,
    pub registers: u32,
    /// Bytes of shared memory of known size.
    pub shared: u64,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Named {
    Register(Reg),
    /// Registers with numbers from 0 to before `count` behind their name.
    Row {
        count: u32,
        first: Reg,
    },
    Variable(Space, u64),
    /// A parameter of the function itself, and one that it passes on.
    Own(Place),
    Passed(Place),
    Label(u32),
    Targets(Vec<String>),
    Prototype,
}

/// Names that are known between two braces.
#[derive(Default)]
struct Scope {
    parent: Option<usize>,
    names: FxHashMap<String, Named>,
}

/// A function while it is lowered.
pub(super) struct Body<'a> {
    pub source: &'a Text<'a>,
    pub functions: &'a FxHashMap<&'a str, u32>,
    pub layout: &'a mut Layout,
    pub function: &'a Function,
    scopes: Vec<Scope>,
    /// Its instructions, with their scopes.
    flat: Vec<(&'a Instruction, usize)>,
    /// The type of each register.
    pub types: Vec<Type>,
    pub constants: Vec<Lanes>,
    known_constants: FxHashMap<u64, u32>,
    /// The register that holds the carry bit, once it is used.
    carry: Option<Reg>,
    local: u64,
    own_parameters: u64,
    call_parameters: u64,
    /// Bytes of shared variables of its own.
    shared: u64,
    /// Whether it uses shared variables at module scope.
    pub uses_module_shared: bool,
}

/// Lowers `function`, which has a body, for the architecture `sm`.
pub(super) fn lower<'a>(
    source: &'a Text<'a>,
    functions: &'a FxHashMap<&'a str, u32>,
    layout: &'a mut Layout,
    (function, sm): (&'a Function, u32),
) -> Result<Lowered, InputError> {
    let statements = function.body.as_deref().unwrap_or_default();
    let mut body = Body {
        source,
        functions,
        layout,
        function,
        scopes: vec![Scope::default()],
        flat: Vec::new(),
        types: Vec::new(),
        constants: Vec::new(),
        known_constants: FxHashMap::default(),
        carry: None,
        local: 0,
        own_parameters: 0,
        call_parameters: 0,
        shared: 0,
        uses_module_shared: false,
    };
    let parameters = body.own(&function.parameters)?;
    let results = body.own(&function.returns)?;
    body.collect(statements, 0)?;
    let mut steps = Vec::new();
    for (instruction, scope) in std::mem::take(&mut body.flat) {
        steps.push(instruction::lower(&mut body, instruction, scope)?);
    }
    let finished = finish::finish(&body, steps, sm)?;
    let name: Rc<str> = Rc::from(&*function.name);
    let stated = function.directives.iter().find(|(name, _)| name == "maxnreg");
    let stated = stated.and_then(|(_, values)| u32::try_from(*values.first()?).ok());
    let uses_module = body.uses_module_shared || body.layout.functions_share();
    let module_shared = if uses_module { body.layout.shared() } else { 0 };
    let own_parameters = body.own_parameters();
    Ok(Lowered {
        registers: stated.map_or(finished.registers, |most| most.min(finished.registers)),
        shared: if body.shared == 0 { module_shared } else { body.layout.shared() + body.shared },
        code: Code {
            name,
            steps: finished.steps,
            constants: body.constants,
            slots: finished.slots,
            flags: finished.flags,
            own_parameters,
            call_parameters: body.call_parameters,
            results,
            parameters,
            local: body.local,
            first: 0,
        },
    })
}

impl<'a> Body<'a> {
    /// Places parameters of the function itself.
    fn own(&mut self, parameters: &[ast::Variable]) -> Result<Vec<Place>, InputError> {
        let mut places = Vec::new();
        for parameter in parameters {
            let mut size = self.own_parameters;
            let place = self.put(parameter, &mut size)?;
            self.own_parameters = size;
            places.push(place);
            self.name(0, &parameter.name, Named::Own(place), &parameter.span)?;
        }
        Ok(places)
    }

    /// Puts `variable` behind `size` bytes.
    fn put(&self, variable: &ast::Variable, size: &mut u64) -> Result<Place, InputError> {
        let bytes = layout::bytes(self.source, variable)?;
        let offset = size.next_multiple_of(layout::alignment(self.source, variable)?);
        let end = offset.checked_add(bytes).filter(|end| *end <= MOST_BYTES);
        *size = end.ok_or_else(|| {
            let message = format!("no room for `{}`, which has {bytes} bytes", variable.name);
            let expected = format!("at most {MOST_BYTES} bytes in all");
            self.source.refuse(&variable.span, message, expected)
        })?;
        Ok(Place { offset, bytes })
    }

    fn name(
        &mut self,
        scope: usize,
        name: &str,
        named: Named,
        span: &Span,
    ) -> Result<(), InputError> {
        if self.scopes[scope].names.insert(name.to_owned(), named).is_some() {
            let message = format!("`{name}` is declared a second time");
            return Err(self.source.refuse(span, message, "each name once between two braces"));
        }
        Ok(())
    }

    /// Goes through `statements`, which are in `scope`.
    fn collect(&mut self, statements: &'a [Statement], scope: usize) -> Result<(), InputError> {
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => self.flat.push((instruction, scope)),
                Statement::Label { name, span } => {
                    let at = self.flat.len() as u32;
                    self.name(scope, name, Named::Label(at), span)?;
                }
                Statement::Registers(registers) => self.declare(registers, scope)?,
                Statement::Variable(variable) => self.variable(variable, scope)?,
                Statement::Block(statements) => {
                    self.scopes.push(Scope { parent: Some(scope), names: FxHashMap::default() });
                    self.collect(statements, self.scopes.len() - 1)?;
                }
                Statement::Prototype { name, span } => {
                    self.name(scope, name, Named::Prototype, span)?;
                }
                Statement::Targets { name, targets, span } => {
                    self.name(scope, name, Named::Targets(targets.clone()), span)?;
                }
                Statement::Location { .. } => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, registers: &ast::Registers, scope: usize) -> Result<(), InputError> {
        for (name, count) in &registers.names {
            let parts = u32::from(registers.vector);
            let all = self.types.len() as u32 + count.unwrap_or(parts).min(MOST_REGISTERS);
            if all > MOST_REGISTERS || count.is_some_and(|count| count > MOST_REGISTERS) {
                let message = format!("`{name}` makes too many registers");
                let expected = format!("at most {MOST_REGISTERS} in a function");
                return Err(self.source.refuse(&registers.span, message, expected));
            }
            let first = Reg(self.types.len() as u32);
            self.types.resize(all as usize, registers.ty);
            let span = &registers.span;
            match count {
                Some(count) => {
                    let row = Named::Row { count: *count, first };
                    self.name(scope, name, row, span)?;
                }
                None if parts == 1 => self.name(scope, name, Named::Register(first), span)?,
                None => {
                    for (part, letter) in (0..parts).zip(["x", "y", "z", "w"]) {
                        let register = Named::Register(Reg(first.0 + part));
                        self.name(scope, &format!("{name}.{letter}"), register, span)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &ast::Variable, scope: usize) -> Result<(), InputError> {
        let named = match variable.space {
            Space::Parameter => {
                let mut size = self.call_parameters;
                let place = self.put(variable, &mut size)?;
                self.call_parameters = size;
                Named::Passed(place)
            }
            Space::Local => {
                let mut size = self.local;
                let place = self.put(variable, &mut size)?;
                self.local = size;
                Named::Variable(Space::Local, place.offset)
            }
            Space::Shared if !variable.extents.contains(&None) => {
                // Those of kernels are behind those of the module, in the same place; a function may be
                // called by any kernel.
                let before = self.layout.shared();
                let mut size = before + self.shared;
                let place = self.put(variable, &mut size)?;
                if self.function.entry {
                    self.shared = size - before;
                } else {
                    self.layout.grow_shared(size);
                }
                Named::Variable(Space::Shared, place.offset)
            }
            space => {
                let message = format!("`{}` cannot be declared in a function", variable.name);
                let expected = format!("it at module scope, not in {space:?} memory here");
                return Err(self.source.refuse(&variable.span, message, expected));
            }
        };
        self.name(scope, &variable.name, named, &variable.span)
    }

    /// What `name` stands for in `scope`.
    pub fn find(&self, name: &str, mut scope: usize) -> Option<Named> {
        loop {
            let names = &self.scopes[scope].names;
            if let Some(named) = names.get(name) {
                return (!matches!(named, Named::Row { .. })).then(|| named.clone());
            }
            let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            for split in (name.len() - digits..name.len()).filter(|&split| split > 0) {
                let (row, number) = name.split_at(split);
                let Some(Named::Row { count, first, .. }) = names.get(row) else { continue };
                let canonical = number == "0" || !number.starts_with('0');
                let number =
                    number.parse::<u32>().ok().filter(|number| canonical && number < count);
                if let Some(number) = number {
                    return Some(Named::Register(Reg(first.0 + number)));
                }
            }
            scope = self.scopes[scope].parent?;
        }
    }

    /// The constant `value`, the same for all lanes.
    pub fn constant(&mut self, value: u64) -> u32 {
        let next = self.constants.len() as u32;
        let number = *self.known_constants.entry(value).or_insert(next);
        if number == next {
            self.constants.push([value; 32]);
        }
        number
    }

    /// The register that holds the carry bit.
    pub fn carry(&mut self) -> Reg {
        *self.carry.get_or_insert_with(|| {
            self.types.push(Type::Predicate);
            Reg(self.types.len() as u32 - 1)
        })
    }

    /// Bytes of the function's own parameters; those that it passes on are behind them.
    pub fn own_parameters(&self) -> u64 {
        self.own_parameters.next_multiple_of(16)
    }

    /// Complains about what stands at `span` in this function.
    pub fn refuse(
        &self,
        span: &Span,
        message: impl std::fmt::Display,
        expected: impl std::fmt::Display,
    ) -> InputError {
        let kind = if self.function.entry { "kernel" } else { "function" };
        let message = format!("{kind} `{}`: {message}", self.function.name);
        self.source.refuse(span, message, expected)
    }
}
