//! Arguments of a launch: numbers by the types of the parameters, addresses of buffers, the
//! number of the round, what a buffer begins with.

use blockyard_ptx::ast::Type;
use blockyard_ptx::{Kernel, Parameter};
use toml::{Spanned, Value};

use super::data::{Data, ROUND};
use super::element::{shown, Element, Number};
use super::texture::TextureSpec;
use super::{Source, Span};
use crate::diagnostic::InputError;

/// The parameters of a launch.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// As they lie; zero where something is put at each launch.
    pub bytes: Vec<u8>,
    /// What is put where.
    pub filled: Vec<(usize, Filled)>,
}

/// What is known only when a kernel is launched.
#[derive(Clone, Copy, Debug)]
pub enum Filled {
    /// The address of this buffer, and bytes beyond.
    Address(usize, u64),
    /// The number of the round, where the first has this one; so many bytes.
    Round(u32, usize),
    /// The first word of this buffer; so many bytes.
    Word(usize, usize),
    /// The handle of this texture.
    Texture(usize),
}

/// What is known then.
pub struct Now<'a> {
    /// Where the buffers are.
    pub addresses: &'a [u64],
    /// The handles of the textures.
    pub textures: &'a [u64],
    /// The number of the round.
    pub round: u32,
}

impl Arguments {
    /// All of them; `word` is the first word of a buffer.
    pub fn at(&self, now: &Now<'_>, word: impl Fn(usize) -> u32) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for (at, filled) in &self.filled {
            let (value, width) = match *filled {
                Filled::Address(buffer, beyond) => (now.addresses[buffer].wrapping_add(beyond), 8),
                Filled::Round(first, width) => (u64::from(first) + u64::from(now.round), width),
                Filled::Word(buffer, width) => (u64::from(word(buffer)), width),
                Filled::Texture(texture) => (now.textures[texture], 8),
            };
            bytes[*at..*at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        }
        bytes
    }

    /// Whether one of them is the texture with that number.
    pub fn pass(&self, texture: usize) -> bool {
        let is = |filled: &Filled| matches!(filled, Filled::Texture(found) if *found == texture);
        self.filled.iter().any(|(_, filled)| is(filled))
    }

    /// Whether what kernels have left decides on some.
    pub fn read_memory(&self) -> bool {
        self.filled.iter().any(|(_, filled)| matches!(filled, Filled::Word(..)))
    }
}

/// What an argument may refer to.
pub struct Known<'a> {
    /// The file.
    pub source: &'a Source,
    /// The buffers.
    pub buffers: &'a [Data],
    /// The textures.
    pub textures: &'a [TextureSpec],
    /// Whether there are rounds.
    pub in_repeat: bool,
}

/// The arguments of `kernel`.
pub fn arguments(
    known: &Known<'_>,
    kernel: &Kernel,
    values: &[Spanned<Value>],
    span: &Span,
) -> Result<Arguments, InputError> {
    let (given, wanted) = (values.len(), kernel.parameters.len());
    if given != wanted {
        let message = format!("kernel `{}` is given {given} arguments", kernel.name);
        let list: Vec<String> = kernel.parameters.iter().map(described).collect();
        let error = known.source.error(span, message, &format!("expected {wanted}"));
        return Err(if list.is_empty() { error } else { error.help(list.join(", ")) });
    }
    let bytes = vec![0; kernel.parameter_bytes as usize];
    let mut arguments = Arguments { bytes, filled: Vec::new() };
    for (parameter, value) in kernel.parameters.iter().zip(values) {
        let place = Place { known, kernel, parameter, span: value.span() };
        if parameter.bytes == parameter.ty.bytes() {
            let at = parameter.offset as usize;
            place.put(&mut arguments, at, parameter.ty, value.get_ref())?;
        } else {
            place.structure(&mut arguments, value.get_ref())?;
        }
    }
    Ok(arguments)
}

/// `.f32 saxpy_param_0`
fn described(parameter: &Parameter) -> String {
    let Parameter { name, ty, bytes, .. } = parameter;
    if *bytes == ty.bytes() {
        format!(".{ty} {name}")
    } else {
        format!("{name} of {bytes} bytes")
    }
}

/// Where an argument stands, and what for.
struct Place<'a> {
    known: &'a Known<'a>,
    kernel: &'a Kernel,
    parameter: &'a Parameter,
    span: Span,
}

impl Place<'_> {
    fn refuse(&self, value: &Value, expected: &str) -> InputError {
        let parameter = described(self.parameter);
        let message = format!(
            "parameter {parameter} of kernel `{}` is given {}",
            self.kernel.name,
            shown(value)
        );
        self.known.source.error(&self.span, message, &format!("expected {expected}"))
    }

    /// Puts `value` at byte `at`, which holds a `ty`.
    fn put(
        &self,
        arguments: &mut Arguments,
        at: usize,
        ty: Type,
        value: &Value,
    ) -> Result<(), InputError> {
        let width = ty.bytes() as usize;
        let bits = match value {
            Value::String(name) if name == ROUND => return self.round(arguments, at, ty, value, 0),
            Value::String(name) => return self.address(arguments, (at, ty), name, value),
            Value::Integer(_) | Value::Float(_) => self.number(ty, value)?,
            Value::Table(table) => match table.iter().next().map(|(key, value)| (&**key, value)) {
                Some(("round", Value::Integer(first))) if table.len() == 1 => {
                    let first = u32::try_from(*first);
                    let first = first.map_err(|_| self.refuse(value, "a first round from 0 on"))?;
                    return self.round(arguments, at, ty, value, first);
                }
                Some(("word", Value::String(name))) if table.len() == 1 => {
                    return self.word(arguments, (at, ty), name, value);
                }
                Some(("texture", Value::String(name))) if table.len() == 1 => {
                    return self.texture(arguments, (at, ty), name, value);
                }
                Some((name, number)) if table.len() == 1 && name != "buffer" => {
                    let (element, bits) = self.explicit(name, number, value)?;
                    if element.bytes() != width {
                        return Err(self.refuse(value, &format!("{width} bytes")));
                    }
                    bits
                }
                _ => return self.element(arguments, (at, ty), table, value),
            },
            _ => return Err(self.refuse(value, "a number, or the name of a buffer")),
        };
        arguments.bytes[at..at + width].copy_from_slice(&bits.to_le_bytes()[..width]);
        Ok(())
    }

    fn number(&self, ty: Type, value: &Value) -> Result<u64, InputError> {
        let number = Number::of(value).unwrap_or(Number::Integer(0));
        let width = ty.bytes() as u8;
        match ty {
            Type::Float(32 | 64) => {
                let element = Element::Float(width);
                let bits = element.encode(number);
                bits.ok_or_else(|| self.refuse(value, &element.expectation()))
            }
            Type::Unsigned(_) | Type::Signed(_) | Type::Bits(8..=64) => {
                // The type says nothing of the sign: compilers write .u32 for all.
                let signed = Element::Signed(width).encode(number);
                signed.or_else(|| Element::Unsigned(width).encode(number)).ok_or_else(|| {
                    let float = matches!(number, Number::Float(_)) && width >= 4;
                    let bits = 8 * width;
                    let error = self.refuse(value, &format!("a whole number of {bits} bits"));
                    let help =
                        format!("{{ f{bits} = {} }} passes the bits of a float", shown(value));
                    if float {
                        error.help(help)
                    } else {
                        error
                    }
                })
            }
            _ => Err(self.refuse(value, "its bits, as { u16 = 0x3c00 }")),
        }
    }

    /// `{ f32 = 2.0 }`
    fn explicit(
        &self,
        name: &str,
        number: &Value,
        value: &Value,
    ) -> Result<(Element, u64), InputError> {
        let element = Element::named(name).ok_or_else(|| {
            let expected = format!("round, word, texture, buffer, or one of {}", Element::names());
            self.refuse(value, &expected)
        })?;
        let bits = Number::of(number).and_then(|number| element.encode(number));
        let bits = bits.ok_or_else(|| self.refuse(value, &element.expectation()))?;
        Ok((element, bits))
    }

    fn round(
        &self,
        arguments: &mut Arguments,
        at: usize,
        ty: Type,
        value: &Value,
        first: u32,
    ) -> Result<(), InputError> {
        if !self.known.in_repeat {
            return Err(self.refuse(value, "a number: only a [[repeat]] has rounds"));
        }
        if !matches!(ty, Type::Unsigned(32 | 64) | Type::Signed(32 | 64) | Type::Bits(32 | 64)) {
            return Err(self.refuse(value, "something else: rounds have 32 bits"));
        }
        arguments.filled.push((at, Filled::Round(first, ty.bytes() as usize)));
        Ok(())
    }

    /// `{ word = "size" }`
    fn word(
        &self,
        arguments: &mut Arguments,
        (at, ty): (usize, Type),
        name: &str,
        value: &Value,
    ) -> Result<(), InputError> {
        let buffers = self.known.buffers;
        let Some(number) = buffers.iter().position(|buffer| buffer.name == name) else {
            return Err(self.refuse(value, &super::names(buffers)));
        };
        if !buffers[number].begins_with_word() {
            return Err(self.refuse(value, "a buffer of u32, i32 or f32 with an element"));
        }
        if !matches!(ty.bytes(), 4 | 8) {
            return Err(self.refuse(value, "something else: a word has 32 bits"));
        }
        arguments.filled.push((at, Filled::Word(number, ty.bytes() as usize)));
        Ok(())
    }

    /// `{ texture = "image" }`
    fn texture(
        &self,
        arguments: &mut Arguments,
        (at, ty): (usize, Type),
        name: &str,
        value: &Value,
    ) -> Result<(), InputError> {
        let textures = self.known.textures;
        let Some(number) = textures.iter().position(|texture| texture.name == name) else {
            let names: Vec<&str> = textures.iter().map(|texture| &*texture.name).collect();
            let expected = match names[..] {
                [] => "a texture of [textures]".to_owned(),
                _ => format!("one of {}", names.join(", ")),
            };
            return Err(self.refuse(value, &expected));
        };
        if ty.bytes() != 8 || matches!(ty, Type::Float(_)) {
            return Err(self.refuse(value, "something else: a texture's handle has 64 bits"));
        }
        arguments.filled.push((at, Filled::Texture(number)));
        Ok(())
    }

    fn address(
        &self,
        arguments: &mut Arguments,
        (at, ty): (usize, Type),
        name: &str,
        value: &Value,
    ) -> Result<(), InputError> {
        let buffers = self.known.buffers;
        let Some(buffer) = buffers.iter().position(|buffer| buffer.name == name) else {
            return Err(self.refuse(value, &super::names(buffers)));
        };
        self.place_address(arguments, (at, ty), (buffer, 0), value)
    }

    fn place_address(
        &self,
        arguments: &mut Arguments,
        (at, ty): (usize, Type),
        (buffer, beyond): (usize, u64),
        value: &Value,
    ) -> Result<(), InputError> {
        if ty.bytes() != 8 || matches!(ty, Type::Float(_)) {
            return Err(self.refuse(value, "a number: an address has 64 bits"));
        }
        arguments.filled.push((at, Filled::Address(buffer, beyond)));
        Ok(())
    }

    /// `{ buffer = "x", element = 10 }`
    fn element(
        &self,
        arguments: &mut Arguments,
        place: (usize, Type),
        table: &toml::Table,
        value: &Value,
    ) -> Result<(), InputError> {
        let buffers = self.known.buffers;
        let expected =
            "{ buffer = NAME, element = N }, { word = NAME }, { texture = NAME }, { round = N } or { TYPE = N }";
        let known = table.keys().all(|key| key == "buffer" || key == "element");
        let (true, Some(Value::String(name))) = (known, table.get("buffer")) else {
            return Err(self.refuse(value, expected));
        };
        let Some(number) = buffers.iter().position(|buffer| buffer.name == *name) else {
            return Err(self.refuse(value, &super::names(buffers)));
        };
        let buffer = &buffers[number];
        let index = match table.get("element") {
            None => 0,
            Some(Value::Integer(index)) if (0..=buffer.count as i64).contains(index) => {
                *index as u64
            }
            Some(_) => {
                let expected = format!("an element from 0 to {}", buffer.count);
                return Err(self.refuse(value, &expected));
            }
        };
        let beyond = index * buffer.element.bytes() as u64;
        self.place_address(arguments, place, (number, beyond), value)
    }

    /// The members of a structure, each at a multiple of its size.
    fn structure(&self, arguments: &mut Arguments, value: &Value) -> Result<(), InputError> {
        let Value::Array(members) = value else {
            return Err(self.refuse(value, "a list of its members, as [{ u32 = 1 }, \"x\"]"));
        };
        let mut end = 0;
        for member in members {
            let ty = match member {
                Value::Table(table)
                    if table.contains_key("buffer") || table.contains_key("texture") =>
                {
                    Type::Bits(64)
                }
                Value::Table(table) if table.contains_key("word") => Type::Bits(32),
                Value::Table(table) => {
                    let name = table.keys().next().map_or("", String::as_str);
                    let element = Element::named(name);
                    let bytes = element.map(|element| element.bytes() as u8);
                    Type::Bits(
                        8 * bytes.ok_or_else(|| {
                            self.refuse(member, &format!("one of {}", Element::names()))
                        })?,
                    )
                }
                Value::String(_) => Type::Bits(64),
                _ => return Err(self.refuse(member, "its type, as { u32 = 1 }")),
            };
            let start = (end as u64).next_multiple_of(ty.bytes());
            if start + ty.bytes() > self.parameter.bytes {
                let expected = format!("members of {} bytes in all", self.parameter.bytes);
                return Err(self.refuse(value, &expected));
            }
            let at = self.parameter.offset + start;
            self.put(arguments, at as usize, ty, member)?;
            end = (start + ty.bytes()) as usize;
        }
        Ok(())
    }
}
