//! One instruction line:
//! `[line] PC mask n [destinations] opcode n [sources] width [mode addresses...] [tail]`.

use super::addresses::Addresses;
use super::bulk;
use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::header::Header;
use super::opcode::{Class, Decoder};
use super::quick::Quick;
use super::tail::{self, Tail};
use crate::program::{Access, Operation, Register, Space, Unit, MAX_SOURCES, WARP_LANES};

/// The register that reads as zero and keeps nothing: never a dependence.
pub(super) const RZ: Register = 255;

/// What an opcode must be.
const OPCODE: &str = "an opcode such as `FADD`";

/// Most source registers that a tracer lists.
const MOST_LISTED: u64 = 5;

/// An instruction as the trace has it.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub pc: u32,
    pub active: u32,
    pub operation: Operation,
    pub destination: Option<Register>,
    pub sources: [Option<Register>; MAX_SOURCES],
    pub addresses: Addresses,
    /// Addresses of the active lanes from the lowest on; [`Traced::listed`] of them mean something.
    pub list: [u64; WARP_LANES],
    /// Whether no opcode table has its opcode.
    pub unknown: bool,
    /// Whether it is a bulk copy, of which nothing is timed.
    pub bulk: bool,
    /// Whether the trace does not have it: the exit behind a warp's last instruction.
    pub added: bool,
}

impl Default for Traced {
    fn default() -> Self {
        Self {
            pc: 0,
            active: 0,
            operation: Operation::Exit,
            destination: None,
            sources: [None; MAX_SOURCES],
            addresses: Addresses::None,
            list: [0; WARP_LANES],
            unknown: false,
            bulk: false,
            added: false,
        }
    }
}

impl Traced {
    /// The address of the lowest active lane, if it is a memory access.
    #[inline]
    pub fn first_address(&self) -> Option<u64> {
        match self.addresses {
            Addresses::None => None,
            Addresses::Stride { base, stride } => {
                let lane = u64::from(self.active.trailing_zeros());
                Some(base.wrapping_add(stride.wrapping_mul(lane)))
            }
            Addresses::List => Some(self.list[0]),
        }
    }

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
    /// Registers that are listed, any of which may have values at the end.
    registers: u64,
    /// Bytes of the line up to here.
    pub end: usize,
}

/// Overwrites `into` with the instruction in the line `text` of the kernel with `header`; `last`
/// says whether it is the warp's last one. Returns what [`read_rest`] needs for a line that begins
/// alike.
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
    let destinations = fields.decimal("the number of destinations", 1)?;
    into.destination = match destinations {
        0 => None,
        _ => register(&mut fields, "the destination", header)?,
    };
    let (name, span) = fields.word("the opcode", OPCODE)?;
    let opcode = decoder.resolve(name);
    if opcode.unknown && !name.iter().all(u8::is_ascii_graphic) {
        return Err(Fault::new(span, format!("the opcode is `{}`", shown(name)), OPCODE));
    }
    into.unknown = opcode.unknown;
    into.bulk = opcode.class == Class::Bulk;
    into.added = false;
    let listed = fields.decimal("the number of sources", MOST_LISTED)?;
    into.sources = sources(&mut fields, listed, header)?;
    // A newer tracer says of matrices across warps whether they end a group.
    if header.version >= 6 && memchr::memmem::find(name, b"GMMA").is_some() {
        fields.decimal("the end of a group", 1)?;
    }
    let bulk = is_bulk(opcode.class, header);
    let most = if bulk { u64::from(u32::MAX) } else { 16 };
    let width = fields.decimal("the memory width", most)?;
    if !bulk && !matches!(width, 0 | 1 | 2 | 4 | 8 | 16) {
        let span = 0..text.len();
        let problem = format!("the memory width is {width} bytes");
        return Err(Fault::new(span, problem, "0, 1, 2, 4, 8 or 16 bytes a lane"));
    }
    // What a bulk copy has are no addresses of lanes.
    let width = if bulk { 0 } else { width as u8 };
    let bytes = if width == 0 { opcode.default_bytes } else { width };
    let (class, registers) = (opcode.class, destinations + listed);
    let head = Head { class, width, bytes, registers, end: fields.at() };
    read_rest(text, &head, header, last, into)?;
    Ok(head)
}

/// Overwrites what the line `text` says of `into` behind its begin, which says `head` and the rest
/// of `into`.
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
    if head.width > 0 && quick_rest(&text[head.end..], head, header, last, into).is_some() {
        return Ok(());
    }
    let mut fields = Fields::from(text, head.end);
    if is_bulk(head.class, header) {
        bulk::check(&mut fields)?;
    }
    let accesses = matches!(head.class, Class::Memory(..));
    let has_addresses = head.width > 0 || accesses && names_addresses(fields, header.tail);
    if accesses && !has_addresses && into.active != 0 {
        let problem =
            format!("{} lanes access memory without an address", into.active.count_ones());
        let expected = "a memory width of 1, 2, 4, 8 or 16, an address mode and the addresses";
        return Err(Fault::new(head.end..head.end, problem, expected));
    }
    into.addresses = if has_addresses { addresses(&mut fields, into)? } else { Addresses::None };
    tail::check(&mut fields, header.tail, head.registers)?;
    conclude(head, header, last, into);
    Ok(())
}

/// [`read_rest`] of a line that has addresses and is as tracers print it; `text` is what follows
/// `head`. Gives what is behind the line: nothing, or its end and further lines. `None` for every
/// other line; what `into` says of the addresses then means nothing.
#[inline]
pub(super) fn quick_rest<'a>(
    text: &'a [u8],
    head: &Head,
    header: &Header,
    last: bool,
    into: &mut Traced,
) -> Option<&'a [u8]> {
    let mut columns = Quick::new(text);
    into.addresses = columns.addresses(into.active, &mut into.list)?;
    let behind = columns.tail(header.tail)?;
    conclude(head, header, last, into);
    Some(behind)
}

/// Adds to `into`, whose addresses are known, what follows from all of a line.
#[inline]
pub(super) fn conclude(head: &Head, header: &Header, last: bool, into: &mut Traced) {
    into.operation = operation(head.class, head.bytes, last, header, into);
    let placed = match into.operation {
        Operation::Memory { space, .. } => space != Space::Unplaced,
        _ => false,
    };
    if !placed {
        into.addresses = Addresses::None;
    }
}

/// Whether an instruction of `class` has the columns of a bulk copy: older tracers know none.
fn is_bulk(class: Class, header: &Header) -> bool {
    class == Class::Bulk && header.version >= 6
}

/// Whether a line whose width is 0 has addresses all the same: tracers derive the width from the
/// opcode's modifiers and print 0 for `LDSM.MT88.4`.
fn names_addresses(mut fields: Fields<'_>, tail: Tail) -> bool {
    match tail {
        Tail::None => fields.count(1) > 0,
        Tail::Immediate => fields.count(2) > 1,
        // Behind the mode, an address has a prefix, and no immediate has one.
        Tail::Values => {
            let mut second = || fields.word("", "").and_then(|_| fields.word("", ""));
            second().is_ok_and(|(word, _)| word.starts_with(b"0x"))
        }
    }
}

/// A register, `None` for one that is never a dependence.
fn register(fields: &mut Fields<'_>, field: &str, header: &Header) -> Parsed<Option<Register>> {
    // A newer tracer lists uniform registers and predicates, too, whose dependences are not timed.
    if header.version >= 6 && fields.other_register() {
        return Ok(None);
    }
    Ok(Some(fields.register(field)?).filter(|&register| register != RZ))
}

/// The distinct registers that an instruction reads. Of the five that a tracer can list the last
/// is left out when all differ.
fn sources(
    fields: &mut Fields<'_>,
    listed: u64,
    header: &Header,
) -> Parsed<[Option<Register>; MAX_SOURCES]> {
    let mut sources = [None; MAX_SOURCES];
    let mut found = 0;
    for _ in 0..listed {
        let Some(register) = register(fields, "a source", header)? else { continue };
        if found < MAX_SOURCES && !sources[..found].contains(&Some(register)) {
            sources[found] = Some(register);
            found += 1;
        }
    }
    Ok(sources)
}

/// Reads `mode addresses...`; every mode that says the same gives the same.
fn addresses(fields: &mut Fields<'_>, into: &mut Traced) -> Parsed<Addresses> {
    let mode = fields.decimal("the address mode", 2)?;
    let active = into.active;
    match mode {
        0 => {
            for place in 0..active.count_ones() as usize {
                into.list[place] = fields.address("an address")?;
            }
        }
        1 => {
            let base = fields.address("the base address")?;
            let stride = fields.signed("the stride")? as u64;
            return Ok(Addresses::from_first(active, base, stride));
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
    Ok(Addresses::of_list(active, &into.list))
}

/// What the GPU does for an instruction of `class`. What no lane executes is an integer
/// instruction: it was fetched and issued, and does nothing.
#[inline]
fn operation(class: Class, bytes: u8, last: bool, header: &Header, traced: &Traced) -> Operation {
    let nothing = Operation::Compute(Unit::Integer);
    match class {
        Class::Memory(space, access) => {
            let Some(first) = traced.first_address() else { return nothing };
            let is_shared = match space {
                Some(space) => space == Space::Shared,
                None => header.is_shared(first),
            };
            if !is_shared {
                return Operation::Memory { space: Space::Global, access, bytes };
            }
            // Atomics on shared memory stay in the SMX.
            let access = match access {
                Access::Atomic if traced.destination.is_none() => Access::Store,
                Access::Atomic => Access::Load,
                access => access,
            };
            Operation::Memory { space: Space::Shared, access, bytes }
        }
        Class::Exit if last => Operation::Exit,
        Class::Compute(unit) => Operation::Compute(unit),
        Class::Barrier if traced.active != 0 => Operation::Barrier,
        // Tracers give neither addresses; recorded runs do.
        Class::Constant if traced.active != 0 => {
            let space = match traced.addresses {
                Addresses::None => Space::Unplaced,
                Addresses::Stride { .. } | Addresses::List => Space::Constant,
            };
            Operation::Memory { space, access: Access::Load, bytes }
        }
        Class::Texture => match traced.addresses {
            Addresses::None => Operation::Compute(Unit::Special),
            Addresses::Stride { .. } | Addresses::List => {
                Operation::Memory { space: Space::Texture, access: Access::Load, bytes }
            }
        },
        Class::Exit | Class::Barrier | Class::Constant | Class::Bulk => nothing,
    }
}
