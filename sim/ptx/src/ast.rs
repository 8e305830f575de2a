//! A PTX file as it is written: names are not resolved, and nothing is checked but the grammar.
//!
//! Every piece keeps the bytes of the file in which it stands ([`Span`]), for diagnostics.

use std::ops::Range;

/// Bytes of the file.
pub type Span = Range<usize>;

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// `.version`: major and minor.
    pub version: (u32, u32),
    /// `.target`: the architecture (`sm_35`), then options.
    pub target: Vec<String>,
    /// `.address_size` in bits; 32 where the file does not say.
    pub address_size: u32,
    /// Registers at module scope, of PTX 1 and 2.
    pub registers: Vec<Registers>,
    /// Variables at module scope, in order.
    pub variables: Vec<Variable>,
    /// Kernels and functions, declared or defined, in order.
    pub functions: Vec<Function>,
}

/// A type of a register, a variable, or an instruction's modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `.b8`, `.b16`, `.b32`, `.b64`, `.b128`: bits of that number.
    Bits(u8),
    /// `.u8` to `.u64`.
    Unsigned(u8),
    /// `.s8` to `.s64`.
    Signed(u8),
    /// `.f16`, `.f32`, `.f64`.
    Float(u8),
    /// `.f16x2`: two halves.
    Halves,
    /// `.bf16`.
    Brain,
    /// `.bf16x2`: two of them.
    Brains,
    /// `.pred`.
    Predicate,
    /// `.texref`.
    Texture,
    /// `.samplerref`.
    Sampler,
    /// `.surfref`.
    Surface,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.global`
    Global,
    /// `.shared`
    Shared,
    /// `.shared::cluster`, of addresses alone
    Cluster,
    /// `.local`
    Local,
    /// `.const`
    Constant,
    /// `.param`
    Parameter,
    /// `.tex`, of old files: a texture at module scope.
    Texture,
    /// `.reg`, of parameters and results alone.
    Register,
}

/// `.extern`, `.visible`, `.weak`, `.common`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// None is given.
    Internal,
    /// `.extern`
    External,
    /// `.visible`
    Visible,
    /// `.weak` or `.common`
    Weak,
}

/// A variable, or a parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Where it is.
    pub space: Space,
    /// Who else sees it.
    pub linkage: Linkage,
    /// `.align` in bytes, if given.
    pub align: Option<u64>,
    /// Type of an element.
    pub ty: Type,
    /// Elements of a vector: 1, 2 (`.v2`) or 4 (`.v4`).
    pub vector: u8,
    /// Its name.
    pub name: String,
    /// Its extents; `None`: `[]`, unsized. Empty: no array.
    pub extents: Vec<Option<u64>>,
    /// What stands behind `=`.
    pub initial: Option<Initial>,
    /// Where it stands.
    pub span: Span,
}

/// What a variable holds at first.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// A whole number, in two's complement.
    Integer(u64),
    /// The bits of an f32 (`0f3F800000`).
    Single(u32),
    /// The bits of an f64 (`0d...`, or a decimal fraction such as `1.5`).
    Double(u64),
    /// The address of a variable or function, as generic address if so written, plus bytes.
    Address {
        /// Of what.
        name: String,
        /// `generic(name)`.
        generic: bool,
        /// Bytes beyond.
        offset: i64,
    },
    /// `{a, b, ...}`, nested for arrays of more than one dimension.
    List(Vec<Initial>),
}

/// `.entry` or `.func`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub entry: bool,
    /// Who else sees it.
    pub linkage: Linkage,
    /// What a function returns: parameters in front of its name.
    pub returns: Vec<Variable>,
    /// What it takes.
    pub parameters: Vec<Variable>,
    /// `.maxnreg`, `.maxntid` and the like, in order: name without dot, values.
    pub directives: Vec<(String, Vec<u64>)>,
    /// What it does; `None`: it is only declared.
    pub body: Option<Vec<Statement>>,
    /// Where its name stands.
    pub span: Span,
}

/// A statement of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `NAME:`
    Label {
        /// Its name.
        name: String,
        /// Where it stands.
        span: Span,
    },
    /// An instruction.
    Instruction(Instruction),
    /// `.reg`
    Registers(Registers),
    /// A variable that the function has of its own.
    Variable(Variable),
    /// `{ ... }`: names in it are known only there.
    Block(Vec<Statement>),
    /// `NAME: .callprototype (.param .b32 _) _ (.param .b64 _);`
    Prototype {
        /// Its name.
        name: String,
        /// What an indirect call passes.
        parameters: Vec<Variable>,
        /// Where it stands.
        span: Span,
    },
    /// `NAME: .branchtargets a, b;` and `NAME: .calltargets f, g;`
    Targets {
        /// Its name.
        name: String,
        /// Labels or functions.
        targets: Vec<String>,
        /// Where it stands.
        span: Span,
    },
    /// `.loc`: the line of the source from which the next instructions come.
    Location {
        /// Number of the file.
        file: u64,
        /// Its line.
        line: u64,
    },
}

/// `.reg .b32 %r<8>;` or `.reg .v2 .f32 a, b;`
#[derive(Clone, Debug, PartialEq)]
pub struct Registers {
    /// Type of an element.
    pub ty: Type,
    /// Elements: 1, 2 or 4.
    pub vector: u8,
    /// Their names; with a number `n`, the registers `name0` to `name(n - 1)`.
    pub names: Vec<(String, Option<u32>)>,
    /// Where it stands.
    pub span: Span,
}

/// `@p` or `@!p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// The predicate's name.
    pub predicate: String,
    /// Whether lanes take part for which it does *not* hold.
    pub negated: bool,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Which lanes take part.
    pub guard: Option<Guard>,
    /// What stands before the first dot: `add`.
    pub opcode: String,
    /// What stands between dots behind that, without `::` parts taken apart: `sat`, `s32`,
    /// `shared::cta`.
    pub modifiers: Vec<String>,
    /// Its operands, in order.
    pub operands: Vec<Operand>,
    /// Where it stands, from the opcode to the last operand.
    pub span: Span,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, variable, label, function or special register, with its component if it has one
    /// (`%tid.x`, `v.y`); `_` where a result is not wanted.
    Name(String),
    /// `!p`
    Not(String),
    /// `-a`, of video instructions
    Minus(String),
    /// `p|q`
    Pair(String, String),
    /// A whole number, in two's complement: a constant expression is evaluated.
    Integer(u64),
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
    /// `[name + 4]`, and `name + 4` where a variable's address is moved (`bracketed` is false
    /// then).
    Address {
        /// What is added to: a name, or `None` for a number alone (`[16]`).
        base: Option<String>,
        /// Bytes beyond.
        offset: i64,
        /// Whether it stands in brackets.
        bracketed: bool,
    },
    /// `[texture, {x, y}]` or `[texture, sampler, {x, y}]`
    Texture {
        /// The texture, and the sampler if there is one.
        names: Vec<String>,
        /// Where it is read: a vector, or one register.
        coordinates: Vec<Operand>,
    },
    /// `{a, b, c, d}`
    Vector(Vec<Operand>),
    /// `(a, b)`, of calls.
    List(Vec<Operand>),
}
