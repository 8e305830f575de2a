//! Variables, parameters and registers, and what variables hold at first.

use super::constant::Constant;
use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use super::types::{space_of, type_of};
use crate::ast::{Initial, Linkage, Registers, Space, Type, Variable};

const TYPE: &str = "a type such as `.u32`";

/// What stands before the names of a declaration.
struct Prefix {
    space: Space,
    align: Option<u64>,
    vector: u8,
    ty: Type,
}

impl Parser<'_> {
    /// `.global .align 4 .u32 a, b[8] = {1, 2};` and the like; `expected` is said where no variable
    /// begins.
    pub fn variables(
        &mut self,
        linkage: Linkage,
        expected: &str,
        mut found: impl FnMut(Variable),
    ) -> Parsed<()> {
        if self.peek() == Kind::Dotted("reg") {
            return Err(self.unexpected(expected));
        }
        let prefix = self.prefix(expected)?;
        loop {
            let mut variable = self.declarator(&prefix, linkage)?;
            if self.accept("=")? {
                match prefix.ty {
                    // How a texture is read; set by the host in files of today.
                    Type::Texture | Type::Sampler | Type::Surface => self.skip_group("{", "}")?,
                    _ => variable.initial = Some(self.initial()?),
                }
            }
            found(variable);
            if !self.accept(",")? {
                return self.expect(";", "`;`, `,`, `=` or `[`");
            }
        }
    }

    /// One parameter of a function.
    pub fn parameter(&mut self) -> Parsed<Variable> {
        let prefix = self.prefix("a parameter such as `.param .u64 x`")?;
        self.declarator(&prefix, Linkage::Internal)
    }

    fn prefix(&mut self, expected: &str) -> Parsed<Prefix> {
        let Kind::Dotted(word) = self.peek() else { return Err(self.unexpected(expected)) };
        let space = match word {
            "reg" => Some(Space::Register),
            _ => space_of(word),
        };
        let Some(space) = space else { return Err(self.unexpected(expected)) };
        self.advance()?;
        if space == Space::Constant && self.accept("[")? {
            // One of the banks of PTX 1.
            self.whole("the number of a bank")?;
            self.expect("]", "`]`")?;
        }
        let (mut align, mut vector, mut ty, mut pointer) = (None, 1, None, false);
        while let Kind::Dotted(word) = self.peek() {
            if self.skip_attribute()? {
                continue;
            }
            match word {
                "align" => {
                    self.advance()?;
                    let bytes = self.whole("a number of bytes")?;
                    // Behind `.ptr` it is said of what the parameter points to.
                    align = if pointer { align } else { Some(bytes) };
                    continue;
                }
                "v2" => vector = 2,
                "v4" => vector = 4,
                "ptr" => pointer = true,
                _ if pointer && space_of(word).is_some() => {}
                _ if ty.is_none() && type_of(word).is_some() => ty = type_of(word),
                _ => return Err(self.unexpected("a type, `.align`, `.v2`, `.v4` or a name")),
            }
            self.advance()?;
        }
        let Some(ty) = ty else { return Err(self.unexpected(TYPE)) };
        Ok(Prefix { space, align, vector, ty })
    }

    /// A name with its extents.
    fn declarator(&mut self, prefix: &Prefix, linkage: Linkage) -> Parsed<Variable> {
        let &Prefix { space, align, vector, ty } = prefix;
        let (name, span) = self.word("a name")?;
        let mut extents = Vec::new();
        while self.accept("[")? {
            if self.accept("]")? {
                extents.push(None);
            } else {
                extents.push(Some(self.whole("a number of elements or `]`")?));
                self.expect("]", "`]`")?;
            }
        }
        let (name, initial) = (name.to_owned(), None);
        Ok(Variable { space, linkage, align, ty, vector, name, extents, initial, span })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let name = match self.peek() {
            Kind::Symbol("{") => return self.nested(Self::initial_list),
            Kind::Word(name) if name != "WARP_SZ" => name,
            _ => {
                let expected = "a number, the name of a variable or function, or `{a, b}`";
                return Ok(match self.constant(expected)? {
                    Constant::Whole(whole) => Initial::Integer(whole.bits),
                    Constant::Single(bits) => Initial::Single(bits),
                    Constant::Double(bits) => Initial::Double(bits),
                });
            }
        };
        self.advance()?;
        let generic = name == "generic" && self.accept("(")?;
        let name = if generic { self.word("the name of a variable")?.0 } else { name }.to_owned();
        if generic {
            self.expect(")", "`)`")?;
        }
        Ok(Initial::Address { name, generic, offset: self.offset()? })
    }

    fn initial_list(&mut self) -> Parsed<Initial> {
        self.advance()?;
        self.list("}", Self::initial).map(Initial::List)
    }

    /// Bytes behind a name: `+ 4`, `- 4`, `+-4`, or nothing.
    pub fn offset(&mut self) -> Parsed<i64> {
        if self.is("+") || self.is("-") {
            // The sign is the constant's: a sum behind it is added up from the left all the same.
            return Ok(self.whole("a number of bytes")? as i64);
        }
        Ok(0)
    }

    /// `.reg .b32 %r<8>, x;`
    pub fn registers(&mut self) -> Parsed<Registers> {
        let start = self.span().start;
        let Prefix { vector, ty, .. } = self.prefix("`.reg`")?;
        let mut names = Vec::new();
        loop {
            let name = self.word("the name of a register")?.0.to_owned();
            let mut number = None;
            if self.accept("<")? {
                let span = self.span();
                let Ok(registers) = u32::try_from(self.whole_literal("a number of registers")?)
                else {
                    return Err(self.fault(span, "these are too many registers", "at most 2^32-1"));
                };
                number = Some(registers);
                self.expect(">", "`>`")?;
            }
            names.push((name, number));
            if !self.accept(",")? {
                break;
            }
        }
        let span = self.span_from(start);
        self.expect(";", "`;`, `,` or `<`")?;
        Ok(Registers { ty, vector, names, span })
    }

    /// A number without sign or operators.
    pub fn whole_literal(&mut self, expected: &str) -> Parsed<u64> {
        let Kind::Integer { bits, .. } = self.peek() else {
            return Err(self.unexpected(expected));
        };
        self.advance()?;
        Ok(bits)
    }
}
