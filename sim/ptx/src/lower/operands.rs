//! What operands stand for.

use super::body::Body;
use super::layout::Global;
use super::names::Named;
use super::special;
use crate::address_space;
use crate::ast::{Instruction, Operand, Space, Span, Type};
use crate::program::{Action, Address, Flag, LaunchControl, Place, Reg, Source, Special};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::Operation;

/// How wide a register may be for an operand of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// As wide as the type.
    Exact,
    /// Or wider, as for loads, stores and conversions.
    Wider,
}

/// The operands of one instruction.
pub(super) struct Operands<'b, 'a> {
    pub body: &'b mut Body<'a>,
    pub instruction: &'a Instruction,
    pub scope: usize,
    /// What is done before and behind the instruction itself.
    pub before: Vec<(Action, Operation)>,
    pub after: Vec<(Action, Operation)>,
}

impl<'a> Operands<'_, 'a> {
    /// Where the instruction stands.
    pub fn span(&self) -> &'a Span {
        &self.instruction.span
    }

    /// The complaint that the instruction is not as `expected`.
    pub fn refuse(
        &self,
        message: impl std::fmt::Display,
        expected: impl std::fmt::Display,
    ) -> InputError {
        self.body.refuse(self.span(), message, expected)
    }

    /// Its modifiers.
    pub fn modifiers(&self) -> Vec<&'a str> {
        self.instruction.modifiers.iter().map(String::as_str).collect()
    }

    /// The operand with number `index`.
    pub fn get(&self, index: usize) -> Result<&'a Operand, InputError> {
        self.instruction.operands.get(index).ok_or_else(|| {
            let count = self.instruction.operands.len();
            self.refuse(format!("`{}` has {count} operands", self.full_name()), "more operands")
        })
    }

    /// Refuses an instruction that does not have `counts` operands.
    pub fn expect(&self, counts: std::ops::RangeInclusive<usize>) -> Result<(), InputError> {
        let count = self.instruction.operands.len();
        if counts.contains(&count) {
            return Ok(());
        }
        let (least, most) = (counts.start(), counts.end());
        let expected =
            if least == most { format!("{least}") } else { format!("{least} to {most}") };
        Err(self.refuse(format!("`{}` has {count} operands", self.full_name()), expected))
    }

    /// The opcode with its modifiers.
    pub fn full_name(&self) -> String {
        let mut name = self.instruction.opcode.clone();
        for modifier in &self.instruction.modifiers {
            name.push('.');
            name.push_str(modifier);
        }
        name
    }

    /// What the name `name` stands for.
    pub fn find(&self, name: &str) -> Option<Named<'a>> {
        self.body.find(name, self.scope)
    }

    /// The operands `list`, with the parts of a vector instead of the vector itself.
    pub fn parts_of(&self, list: &[Operand]) -> Vec<Operand> {
        let parts = |operand: &Operand| match operand {
            Operand::Name(name) => match self.find(name) {
                Some(Named::Vector { parts, .. }) => {
                    let names = ["x", "y", "z", "w"].iter().take(parts as usize);
                    names.map(|part| Operand::Name(format!("{name}.{part}"))).collect()
                }
                _ => vec![operand.clone()],
            },
            Operand::Vector(list) => list.clone(),
            _ => vec![operand.clone()],
        };
        list.iter().flat_map(parts).collect()
    }

    fn unknown(&self, name: &str) -> InputError {
        self.refuse(format!("nobody declares `{name}`"), "a name that is declared")
    }

    /// The value of `operand` as one of type `ty`.
    pub fn source(&mut self, operand: &Operand, ty: Type, fit: Fit) -> Result<Source, InputError> {
        let bits = match operand {
            Operand::Name(name) => return self.named(name, ty, fit),
            Operand::Integer(value) => match ty {
                Type::Float(32) => u64::from((*value as i64 as f32).to_bits()),
                Type::Float(64) => (*value as i64 as f64).to_bits(),
                _ => *value,
            },
            Operand::Single(bits) => match ty {
                Type::Float(64) => f64::from(f32::from_bits(*bits)).to_bits(),
                Type::Float(32) | Type::Bits(32) => u64::from(*bits),
                _ => return Err(self.fraction(ty)),
            },
            Operand::Double(bits) => match ty {
                Type::Float(32) => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                Type::Float(64) | Type::Bits(64) => *bits,
                _ => return Err(self.fraction(ty)),
            },
            Operand::Address { base: Some(name), offset, bracketed: false } => {
                if let Some((_, base)) = self.relative(name, *offset) {
                    return Ok(Source::Special(base));
                }
                let (_, address) = self.address_of(name)?.ok_or_else(|| self.unknown(name))?;
                address.wrapping_add(*offset as u64)
            }
            _ => return Err(self.refuse("an operand is no value", "a register or a number")),
        };
        let width = ty.width();
        let bits = if width < 64 { bits & ((1 << width) - 1) } else { bits };
        Ok(Source::Constant(self.body.constant(bits)))
    }

    /// The complaint about a floating-point number where one of type `ty` belongs.
    fn fraction(&self, ty: Type) -> InputError {
        let message = format!("an operand of `{}` is a floating-point number", self.full_name());
        let expected = match ty {
            Type::Float(_) | Type::Bits(_) => format!("a register or {} bits", ty.width()),
            _ => "a register or a whole number".to_owned(),
        };
        self.refuse(message, expected)
    }

    fn named(&mut self, name: &str, ty: Type, fit: Fit) -> Result<Source, InputError> {
        if let Some(special) = special::parse(name) {
            return Ok(Source::Special(special));
        }
        if let Some(Named::Register(register)) = self.find(name) {
            self.check(name, register, ty, fit)?;
            return Ok(Source::Register(register));
        }
        if let Some((_, base)) = self.relative(name, 0) {
            return Ok(Source::Special(base));
        }
        let (_, address) = self.address_of(name)?.ok_or_else(|| self.unknown(name))?;
        Ok(Source::Constant(self.body.constant(address)))
    }

    /// The space and the address, `offset` bytes beyond, of the variable `name`, if it depends on
    /// who calls or on the launch.
    fn relative(&mut self, name: &str, offset: i64) -> Option<(Space, Special)> {
        match self.find(name) {
            Some(Named::Variable(Space::Local, at)) => {
                Some((Space::Local, Special::Local(at.wrapping_add(offset as u64) as u32)))
            }
            Some(_) => None,
            None => {
                let found = self.body.layout.find(name);
                found.filter(|found| matches!(found, Global::Dynamic))?;
                self.use_module_shared();
                Some((Space::Shared, Special::AddedShared(offset as u32)))
            }
        }
    }

    /// The space and, in it, the address of what `name` stands for, if that is in memory.
    fn address_of(&mut self, name: &str) -> Result<Option<(Space, u64)>, InputError> {
        Ok(match self.find(name) {
            Some(Named::Variable(space, offset)) => Some((space, offset)),
            Some(Named::Own(place)) => Some((Space::Parameter, place.offset)),
            Some(Named::Passed(place)) => {
                Some((Space::Parameter, self.body.own_parameters() + place.offset))
            }
            Some(_) => None,
            None => match self.body.layout.find(name) {
                Some(Global::Variable(number)) => {
                    let (space, address) = self.body.layout.address(number);
                    if space == Space::Shared {
                        self.use_module_shared();
                    }
                    Some((space, address))
                }
                Some(Global::Dynamic) | None => {
                    let number = self.body.functions.numbers.get(name).copied();
                    number.map(|number| (Space::Global, address_space::of_function(number)))
                }
            },
        })
    }

    fn use_module_shared(&mut self) {
        self.body.uses_module_shared = true;
        if !self.body.function.entry {
            self.body.layout.share_with_functions();
        }
    }

    /// Whether `register`, which is called `name`, is one for an operand of type `ty`.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(&self, name: &str, register: Reg, ty: Type, fit: Fit) -> Result<(), InputError> {
        let own = self.body.types[register.0 as usize];
        let predicates = (own == Type::Predicate, ty == Type::Predicate);
        let fits = match (predicates, fit) {
            ((false, false), Fit::Exact) => own.width() == ty.width(),
            ((false, false), Fit::Wider) => own.width() >= ty.width(),
            (both, _) => both == (true, true),
        };
        if fits {
            return Ok(());
        }
        let width = |ty: Type| match ty {
            Type::Predicate => "a predicate".to_owned(),
            ty => format!("{} bits", ty.width()),
        };
        let message = format!("the register `{name}` of `{}` has {}", self.full_name(), width(own));
        Err(self.refuse(message, width(ty)))
    }

    /// The register that `operand` is, of type `ty`; `None` for `_`.
    pub fn target(
        &mut self,
        operand: &Operand,
        ty: Type,
        fit: Fit,
    ) -> Result<Option<Reg>, InputError> {
        let Operand::Name(name) = operand else {
            return Err(self.refuse("a result goes to what is no register", "a register"));
        };
        if name == "_" {
            return Ok(None);
        }
        match self.find(name) {
            Some(Named::Register(register)) => {
                self.check(name, register, ty, fit)?;
                Ok(Some(register))
            }
            Some(_) => Err(self.refuse(format!("`{name}` is no register"), "a register")),
            None => Err(self.unknown(name)),
        }
    }

    /// Bits of the register, to which values are widened.
    pub fn width(&self, register: Option<Reg>) -> u32 {
        register.map_or(0, |register| self.body.types[register.0 as usize].width())
    }

    /// The predicate that `operand` is, or its complement, or one as a number says.
    pub fn flag(&mut self, operand: &Operand) -> Result<Flag, InputError> {
        let (name, negated) = match operand {
            Operand::Name(name) if name == "%is_explicit_cluster" => {
                let to = self.body.unnamed(Type::Predicate);
                let states = Action::LaunchControl(Box::new(LaunchControl::StatesCluster { to }));
                self.before.push((states, super::instruction::INTEGER));
                return Ok(Flag { register: to, negated: false });
            }
            // The same for all lanes.
            Operand::Integer(value) => {
                let register = self.body.unnamed(Type::Predicate);
                let set = Action::SetFlag { to: register, value: *value != 0 };
                self.before.push((set, super::instruction::INTEGER));
                return Ok(Flag { register, negated: false });
            }
            Operand::Name(name) => (name, false),
            Operand::Not(name) => (name, true),
            _ => return Err(self.refuse("an operand is no predicate", "a predicate")),
        };
        match self.find(name) {
            Some(Named::Register(register)) => {
                self.check(name, register, Type::Predicate, Fit::Exact)?;
                Ok(Flag { register, negated })
            }
            Some(_) => Err(self.refuse(format!("`{name}` is no predicate"), "a predicate")),
            None => Err(self.unknown(name)),
        }
    }

    /// The address `operand`, with the space that it says where it names a variable.
    pub fn address(&mut self, operand: &Operand) -> Result<(Option<Memory>, Address), InputError> {
        let Operand::Address { base, offset, bracketed: true } = operand else {
            return Err(self.refuse("an operand is no address", "`[...]`"));
        };
        let Some(name) = base else {
            return Ok((None, Address { base: None, offset: *offset }));
        };
        match self.find(name) {
            Some(Named::Register(register)) => {
                let width = self.body.types[register.0 as usize].width();
                let wanted = if width == 32 { Type::Bits(32) } else { Type::Bits(64) };
                self.check(name, register, wanted, Fit::Exact)?;
                let base = Some(Source::Register(register));
                return Ok((None, Address { base, offset: *offset }));
            }
            Some(Named::Passed(place)) => {
                return Ok((Some(Memory::Passed(place)), Address { base: None, offset: *offset }));
            }
            _ => {}
        }
        if let Some((space, base)) = self.relative(name, 0) {
            let address = Address { base: Some(Source::Special(base)), offset: *offset };
            return Ok((Some(Memory::Space(space)), address));
        }
        let (space, address) = self.address_of(name)?.ok_or_else(|| self.unknown(name))?;
        let memory = if space == Space::Parameter { Memory::Own } else { Memory::Space(space) };
        let offset = (address as i64).wrapping_add(*offset);
        Ok((Some(memory), Address { base: None, offset }))
    }

    /// The step at the label `name`.
    pub fn label(&self, name: &str) -> Result<u32, InputError> {
        match self.find(name) {
            Some(Named::Label(at)) => Ok(at),
            Some(_) => Err(self.refuse(format!("`{name}` is no label"), "a label")),
            None => Err(self.unknown(name)),
        }
    }
}

/// Where a named address is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Memory {
    Space(Space),
    /// Among the function's own parameters.
    Own,
    /// Among those that it passes on.
    Passed(Place),
}
