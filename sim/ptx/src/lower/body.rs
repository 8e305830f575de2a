//! The statements of a function, one after the other, and the names in them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::instruction::Lowered as Step;
use super::layout::{self, Layout};
use super::names::{Named, Scopes};
use super::{finish, instruction, passing, wide, Text};
use crate::ast::{self, Function, Instruction, Space, Span, Statement, Type};
use crate::program::{Action, Code, Constant, Place, Reg};
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

/// Registers, and where they are passed.
pub(super) type InRegisters = Vec<(Reg, Place)>;

/// The functions of a module that have a body.
pub(super) struct Functions<'a> {
    pub numbers: FxHashMap<&'a str, u32>,
    pub defined: Vec<&'a Function>,
    /// Registers at module scope.
    pub registers: &'a [ast::Registers],
}

/// A function while it is lowered.
pub(super) struct Body<'a> {
    pub source: &'a Text<'a>,
    pub functions: &'a Functions<'a>,
    pub layout: &'a mut Layout,
    pub function: &'a Function,
    scopes: Scopes<'a>,
    /// Its instructions, with their scopes.
    flat: Vec<(&'a Instruction, usize)>,
    /// The type of each register.
    pub types: Vec<Type>,
    pub constants: Vec<Constant>,
    known_constants: FxHashMap<u64, u32>,
    /// The register that holds the carry bit, once it is used.
    carry: Option<Reg>,
    local: u64,
    own_parameters: u64,
    call_parameters: u64,
    /// Bytes behind those, for registers that calls pass.
    passed_registers: u64,
    /// What it takes and gives in registers.
    takes: InRegisters,
    pub gives: InRegisters,
    /// Bytes of shared variables of its own.
    shared: u64,
    /// Whether it uses shared variables at module scope.
    pub uses_module_shared: bool,
}

/// Lowers `function`, which has a body, for the architecture `sm`.
pub(super) fn lower<'a>(
    source: &'a Text<'a>,
    functions: &'a Functions<'a>,
    layout: &'a mut Layout,
    (function, sm): (&'a Function, u32),
) -> Result<Lowered, InputError> {
    let statements = function.body.as_deref().unwrap_or_default();
    let mut body = Body {
        source,
        functions,
        layout,
        function,
        scopes: Scopes::default(),
        flat: Vec::new(),
        types: Vec::new(),
        constants: Vec::new(),
        known_constants: FxHashMap::default(),
        carry: None,
        local: 0,
        own_parameters: 0,
        call_parameters: 0,
        passed_registers: 0,
        takes: Vec::new(),
        gives: Vec::new(),
        shared: 0,
        uses_module_shared: false,
    };
    if function.entry {
        // Each kernel has its own; they cannot be shared with what it calls.
        for registers in functions.registers {
            body.declare(registers, 0)?;
        }
    }
    let (parameters, takes) = body.own(&function.parameters)?;
    let (results, gives) = body.own(&function.returns)?;
    (body.takes, body.gives) = (takes, gives);
    body.collect(statements, 0)?;
    let steps = body.steps()?;
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
            narrow: finished.narrow,
            wide: finished.wide,
            flags: finished.flags,
            own_parameters,
            call_parameters: body.call_parameters + body.passed_registers,
            results,
            parameters,
            local: body.local,
            first: 0,
        },
    })
}

impl<'a> Body<'a> {
    /// Places parameters of the function itself; also gives those that are registers.
    fn own(
        &mut self,
        parameters: &[ast::Variable],
    ) -> Result<(Vec<Place>, InRegisters), InputError> {
        let (mut places, mut registers) = (Vec::new(), Vec::new());
        for parameter in parameters {
            if parameter.space == Space::Register {
                if parameter.ty == Type::Bits(128) {
                    let message =
                        format!("the register `{}` of 128 bits is passed", parameter.name);
                    return Err(self.refuse(&parameter.span, message, "a parameter in memory"));
                }
                let ast::Variable { ty, vector, name, span, .. } = parameter.clone();
                let first = Reg(self.types.len() as u32);
                let names = vec![(name, None)];
                self.declare(&ast::Registers { ty, vector, names, span }, 0)?;
                for part in 0..u32::from(vector) {
                    let bytes = passing::bytes(ty);
                    let place = passing::behind(&mut self.own_parameters, bytes);
                    places.push(place);
                    registers.push((Reg(first.0 + part), place));
                }
                continue;
            }
            let mut size = self.own_parameters;
            let place = self.put(parameter, &mut size)?;
            self.own_parameters = size;
            places.push(place);
            self.name(0, &parameter.name, Named::Own(place), &parameter.span)?;
        }
        Ok((places, registers))
    }

    /// The instructions, with what takes and gives registers.
    fn steps(&mut self) -> Result<Vec<Step>, InputError> {
        let mut steps = Vec::new();
        let nowhere = self.function.span.start..self.function.span.start;
        for (register, place) in self.takes.clone() {
            let taken = passing::take(self, register, place.offset);
            steps.extend(taken.into_iter().map(|step| Step::unguarded(step, &nowhere)));
        }
        // An instruction may become several steps.
        let mut starts = Vec::new();
        for (instruction, scope) in std::mem::take(&mut self.flat) {
            starts.push(steps.len() as u32);
            instruction::lower(self, instruction, scope, &mut steps)?;
        }
        starts.push(steps.len() as u32);
        for step in &mut steps {
            let start = |target: &mut u32| *target = starts[*target as usize];
            match &mut step.action {
                Action::Branch { target, .. } => start(target),
                Action::BranchIndexed { targets, .. } => targets.iter_mut().for_each(start),
                _ => {}
            }
        }
        if finish::needs_return(&steps) {
            let given = passing::give_all(self);
            steps.extend(given.into_iter().map(|step| Step::unguarded(step, &nowhere)));
        }
        Ok(steps)
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
        named: Named<'a>,
        span: &Span,
    ) -> Result<(), InputError> {
        if !self.scopes.declare(scope, name, named) {
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
                    let inner = self.scopes.open(scope);
                    self.collect(statements, inner)?;
                }
                Statement::Prototype { name, parameters, span } => {
                    self.name(scope, name, Named::Prototype(parameters), span)?;
                }
                Statement::Targets { name, targets, span } => {
                    self.name(scope, name, Named::Targets(targets), span)?;
                }
                Statement::Location { .. } => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, registers: &ast::Registers, scope: usize) -> Result<(), InputError> {
        if registers.ty == Type::Bits(128) {
            return self.declare(&wide::in_halves(self.source, registers)?, scope);
        }
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
                    self.name(scope, name, Named::Vector { parts }, span)?;
                    for (part, letters) in (0..parts).zip(["xr", "yg", "zb", "wa"]) {
                        let register = Named::Register(Reg(first.0 + part));
                        for letter in letters.chars() {
                            self.name(scope, &format!("{name}.{letter}"), register.clone(), span)?;
                        }
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
                // Those of kernels are behind those of the module, in the same place; a function
                // may be called by any kernel.
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
            Space::Shared => return self.layout.add_dynamic(self.source, variable),
            _ => {
                let numbers = &self.functions.numbers;
                let (space, address) = self.layout.own(self.source, numbers, variable)?;
                Named::Variable(space, address)
            }
        };
        self.name(scope, &variable.name, named, &variable.span)
    }

    /// What `name` stands for in `scope`.
    pub fn find(&self, name: &str, scope: usize) -> Option<Named<'a>> {
        self.scopes.find(name, scope)
    }

    /// The constant `value`, the same for all lanes.
    pub fn constant(&mut self, value: u64) -> u32 {
        let next = self.constants.len() as u32;
        let number = *self.known_constants.entry(value).or_insert(next);
        if number == next {
            self.constants.push(Constant::new(value));
        }
        number
    }

    /// A register that no name stands for.
    pub fn unnamed(&mut self, ty: Type) -> Reg {
        self.types.push(ty);
        Reg(self.types.len() as u32 - 1)
    }

    /// The register that holds the carry bit.
    pub fn carry(&mut self) -> Reg {
        let carry = self.carry.unwrap_or_else(|| self.unnamed(Type::Predicate));
        *self.carry.insert(carry)
    }

    /// A call passes registers: a place for `bytes` bytes behind the first `used` of those that
    /// calls share, as an offset among all parameters.
    pub fn passed_register(&mut self, used: &mut u64, bytes: u64) -> Place {
        let Place { offset, bytes } = passing::behind(used, bytes);
        self.passed_registers = self.passed_registers.max(*used);
        // As aligned as the places themselves.
        self.call_parameters = self.call_parameters.next_multiple_of(16);
        Place { offset: self.own_parameters() + self.call_parameters + offset, bytes }
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
