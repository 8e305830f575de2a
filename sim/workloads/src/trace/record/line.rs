//! An instruction as a line of a trace.

use std::fmt::Write;

use super::super::instruction::RZ;
use crate::program::{Access, Instruction, Operation, Space, Unit, WARP_LANES};

/// Appends `instruction` to `text`.
///
/// # Errors
/// When the format does not have it: what it is.
pub(super) fn write(instruction: &Instruction, text: &mut String) -> Result<(), &'static str> {
    let (opcode, bytes) = opcode(instruction)?;
    let Instruction { pc, active, .. } = instruction;
    let _ = write!(text, "{pc:04x} {active:08x} ");
    match instruction.destination.filter(|register| *register != RZ) {
        Some(register) => {
            let _ = write!(text, "1 R{register} {opcode} ");
        }
        None => {
            let _ = write!(text, "0 {opcode} ");
        }
    }
    let sources: Vec<u8> = instruction.sources.iter().flatten().copied().collect();
    let _ = write!(text, "{} ", sources.len());
    for source in sources {
        let _ = write!(text, "R{source} ");
    }
    if bytes == 0 || *active == 0 {
        text.push_str("0 \n");
        return Ok(());
    }
    let _ = write!(text, "{bytes} ");
    let first = active.trailing_zeros() as usize;
    if let Some((_, stride)) = instruction.addresses.stride() {
        let base = instruction.addresses.of(first);
        let _ = writeln!(text, "1 {base:#x} {} ", stride as i64);
        return Ok(());
    }
    text.push_str("0 ");
    for lane in (0..WARP_LANES).filter(|lane| active >> lane & 1 == 1) {
        let _ = write!(text, "{:#x} ", instruction.addresses.of(lane));
    }
    text.push('\n');
    Ok(())
}

/// The opcode that stands for what the timing knows of it, and bytes that a lane accesses.
fn opcode(instruction: &Instruction) -> Result<(&'static str, u8), &'static str> {
    Ok(match instruction.operation {
        Operation::Compute(Unit::Integer) => ("IADD3", 0),
        Operation::Compute(Unit::Single) => ("FADD", 0),
        Operation::Compute(Unit::Double) => ("DADD", 0),
        Operation::Compute(Unit::Special) => ("MUFU", 0),
        Operation::Compute(Unit::Tensor) => ("HMMA", 0),
        Operation::Memory { space, access, bytes } => {
            let answers = instruction.destination.is_some();
            let name = match (space, access) {
                (Space::Global, Access::Load) => "LDG",
                (Space::Global, Access::Store) => "STG",
                (Space::Global, Access::Atomic) if answers => "ATOMG",
                (Space::Global, Access::Atomic) => "RED",
                (Space::Shared, Access::Load) => "LDS",
                (Space::Shared, Access::Store) => "STS",
                (Space::Shared, Access::Atomic) => "ATOMS",
                (Space::Constant | Space::Parameter, Access::Load) => "LDC",
                (Space::Cluster, _) => return Err("shared memory of another block"),
                (Space::Texture, _) => "TEX",
                // Without addresses: it hits.
                (Space::Constant | Space::Parameter | Space::Unplaced, _) => return Ok(("LDC", 0)),
            };
            (name, bytes)
        }
        Operation::Barrier => ("BAR", 0),
        Operation::Exit => ("EXIT", 0),
        Operation::Launch => return Err("a launch from the device"),
        Operation::Synchronize => return Err("waiting for what the device has launched"),
        Operation::Trigger => return Err("letting dependent kernels begin"),
        Operation::AwaitPredecessor => return Err("waiting for the kernel before"),
        Operation::Cancel => return Err("asking for a block that has not started"),
        Operation::NamedBarrier(_) => return Err("a barrier by number, or for a part of a block"),
        Operation::ClusterArrive | Operation::ClusterWait => {
            return Err("the barrier of a cluster")
        }
        Operation::Fault => return Err("a fault"),
    })
}
