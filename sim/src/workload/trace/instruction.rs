//! One instruction line:
//! `[line] PC mask n [destinations] opcode n [sources] width [mode addresses...] [immediate]`.

use super::fault::{Fault, Parsed};
use super::fields::Fields;
use super::header::Header;
use super::opcode::{Class, Decoder};
use crate::workload::program::{Access, Operation, Register, Space, Unit, MAX_SOURCES, WARP_LANES};

/// The register that reads as zero and keeps nothing: never a dependence.
pub(super) const RZ: Register = 255;

/// Most source registers that a tracer lists.
const MOST_LISTED: u64 = 5;

/// The addresses of the active lanes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    /// It is no memory access.
    None,
    /// Lane `l` accesses `base + l * stride`, in 64 bits with wrap-around.
    Stride { base: u64, stride: u64 },
    /// The entries of [`Traced::list`], one an active lane.
    List,
}

/// An instruction as the trace has it.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub pc: u32,
    pub active: u32,
    pub operation: Operation,
    /// [`RZ`] for none.
    pub destination: Register,
    /// [`RZ`] for none.
    pub sources: [Register; MAX_SOURCES],
    pub addresses: Addresses,
    /// Addresses of the active lanes from the lowest on; [`Traced::listed`] of them mean something.
    pub list: [u64; WARP_LANES],
    /// Whether no opcode table has its opcode.
    pub unknown: bool,
    /// Whether the trace does not have it: the exit behind a warp's last instruction.
    pub added: bool,
}

impl Default for Traced {
    fn default() -> Self {
        Self {
            pc: 0,
            active: 0,
            operation: Operation::Exit,
            destination: RZ,
            sources: [RZ; MAX_SOURCES],
            addresses: Addresses::None,
            list: [0; WARP_LANES],
            unknown: false,
            added: false,
        }
    }
}

impl Traced {
    /// The addresses that are listed, in order of lanes.
    pub fn listed(&self) -> &[u64] {
        &self.list[..self.active.count_ones() as usize]
    }

    /// The exit that is added behind an instruction at `pc` of the lanes `active`.
    pub fn added_exit(pc: u32, active: u32) -> Self {
        Self { pc, active, added: true, ..Self::default() }
    }
}

/// What a line says before its addresses, [`Traced`] apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    class: Class,
    width: u8,
    /// Bytes that a lane accesses, if it does.
    bytes: u8,
    /// Bytes of the line up to here.
    pub end: usize,
}

/// Overwrites `into` with the instruction in the line `text` of the kernel with `header`; `last`
/// says whether it is the warp's last one. Returns what [`read_rest`] needs for a line that begins alike.
///
/// # Errors
/// When the line is not an instruction.
pub(super) fn read(
    text: &[u8],
    header: &Header,
    decoder: &mut Decoder,
    last: bool,
    into: &mut Traced,
) -> Parsed<Head> {
    let mut fields = Fields::new(text);
    if header.line_numbers {
        fields.decimal("the line number", u64::from(u32::MAX))?;
    }
    into.pc = fields.hexadecimal32("the PC")?;
    into.active = fields.hexadecimal32("the active mask")?;
    into.destination = match fields.decimal("the number of destinations", 1)? {
        0 => RZ,
        _ => fields.register("the destination")?,
    };
    let (name, _) = fields.word("the opcode", "an opcode such as `FADD`")?;
    let opcode = decoder.resolve(name);
    into.unknown = opcode.unknown;
    into.added = false;
    into.sources = sources(&mut fields)?;
    let width = fields.decimal("the memory width", 16)?;
    if !matches!(width, 0 | 1 | 2 | 4 | 8 | 16) {
        let span = 0..text.len();
        let problem = format!("the memory width is {width} bytes");
        return Err(Fault::new(span, problem, "0, 1, 2, 4, 8 or 16 bytes a lane"));
    }
    let width = width as u8;
    let bytes = if width == 0 { opcode.default_bytes } else { width };
    let head = Head { class: opcode.class, width, bytes, end: fields.at() };
    read_rest(text, &head, header, last, into)?;
    Ok(head)
}

/// Overwrites what the line `text` says of `into` behind its begin, which says `head` and the rest of
/// `into`.
///
/// # Errors
/// As for [`read`].
pub(super) fn read_rest(
    text: &[u8],
    head: &Head,
    header: &Header,
    last: bool,
    into: &mut Traced,
) -> Parsed<()> {
    let mut fields = Fields::from(text, head.end);
    // Tracers derive the width from the opcode's modifiers and print 0 for `LDSM.MT88.4`.
    let accesses = matches!(head.class, Class::Memory(..));
    let has_addresses =
        head.width > 0 || accesses && fields.count(2) > usize::from(header.immediate);
    into.addresses = if has_addresses { addresses(&mut fields, into)? } else { Addresses::None };
    if header.immediate {
        fields.signed("the immediate")?;
        fields.end("the end of the line behind the immediate")?;
    } else {
        fields.end("the end of the line")?;
    }
    into.operation = operation(head.class, head.bytes, last, header, into);
    if !matches!(into.operation, Operation::Memory { space: Space::Global | Space::Shared, .. }) {
        into.addresses = Addresses::None;
    }
    Ok(())
}

/// The distinct registers that an instruction reads. Of the five that a tracer can list the last
/// is left out when all differ.
fn sources(fields: &mut Fields<'_>) -> Parsed<[Register; MAX_SOURCES]> {
    let listed = fields.decimal("the number of sources", MOST_LISTED)?;
    let mut sources = [RZ; MAX_SOURCES];
    let mut found = 0;
    for _ in 0..listed {
        let register = fields.register("a source")?;
        if register != RZ && found < MAX_SOURCES && !sources[..found].contains(&register) {
            sources[found] = register;
            found += 1;
        }
    }
    Ok(sources)
}

/// Reads `mode addresses...`; every mode that says the same gives the same.
fn addresses(fields: &mut Fields<'_>, into: &mut Traced) -> Parsed<Addresses> {
    let mode = fields.decimal("the address mode", 2)?;
    let active = into.active;
    let first = active.trailing_zeros();
    match mode {
        0 => {
            for place in 0..active.count_ones() as usize {
                into.list[place] = fields.address("an address")?;
            }
        }
        1 => {
            let base = fields.address("the base address")?;
            let stride = fields.signed("the stride")? as u64;
            return Ok(match active.count_ones() {
                0 => Addresses::None,
                1 => Addresses::Stride { base, stride: 0 },
                _ => {
                    let base = base.wrapping_sub(stride.wrapping_mul(u64::from(first)));
                    Addresses::Stride { base, stride }
                }
            });
        }
        _ => {
            let mut address = fields.address("the base address")?;
            for place in 0..active.count_ones() as usize {
                if place > 0 {
                    address = address.wrapping_add(fields.signed("a delta")? as u64);
                }
                into.list[place] = address;
            }
        }
    }
    Ok(compact(active, &into.list))
}

/// The stride of the addresses `list` of the lanes `active`, if they have one.
fn compact(active: u32, list: &[u64; WARP_LANES]) -> Addresses {
    if active == 0 {
        return Addresses::None;
    }
    let first = active.trailing_zeros();
    let rest = active & (active - 1);
    if rest == 0 {
        return Addresses::Stride { base: list[0], stride: 0 };
    }
    let step = list[1].wrapping_sub(list[0]) as i64;
    let lanes = i64::from(rest.trailing_zeros() - first);
    if step % lanes != 0 {
        return Addresses::List;
    }
    let stride = (step / lanes) as u64;
    let base = list[0].wrapping_sub(stride.wrapping_mul(u64::from(first)));
    let mut left = rest;
    for &address in &list[1..active.count_ones() as usize] {
        let lane = u64::from(left.trailing_zeros());
        left &= left - 1;
        if base.wrapping_add(stride.wrapping_mul(lane)) != address {
            return Addresses::List;
        }
    }
    Addresses::Stride { base, stride }
}

/// What the GPU does for an instruction of `class`. What no lane executes is an integer
/// instruction: it was fetched and issued, and does nothing.
fn operation(class: Class, bytes: u8, last: bool, header: &Header, traced: &Traced) -> Operation {
    let nothing = Operation::Compute(Unit::Integer);
    match class {
        Class::Exit if last => Operation::Exit,
        Class::Compute(unit) => Operation::Compute(unit),
        Class::Barrier if traced.active != 0 => Operation::Barrier,
        Class::Constant if traced.active != 0 => {
            Operation::Memory { space: Space::Constant, access: Access::Load, bytes }
        }
        Class::Memory(space, access) => {
            let first = match traced.addresses {
                Addresses::None => return nothing,
                Addresses::Stride { base, stride } => {
                    let lane = u64::from(traced.active.trailing_zeros());
                    base.wrapping_add(stride.wrapping_mul(lane))
                }
                Addresses::List => traced.list[0],
            };
            let generic = || if header.is_shared(first) { Space::Shared } else { Space::Global };
            let space = space.unwrap_or_else(generic);
            // Atomics on shared memory stay in the SMX.
            let access = match (space, access) {
                (Space::Shared, Access::Atomic) if traced.destination == RZ => Access::Store,
                (Space::Shared, Access::Atomic) => Access::Load,
                (_, access) => access,
            };
            Operation::Memory { space, access, bytes }
        }
        Class::Exit | Class::Barrier | Class::Constant => nothing,
    }
}
