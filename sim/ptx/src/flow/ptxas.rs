//! What the assembler of the vendor would make of a function: registers of a thread.

use super::Node;

/// Registers of 32 bits per thread that ptxas would report ("Used N registers") for a kernel on the
/// architecture `sm` (52 for `sm_52`): an estimate from the `pressure` of its PTX without registers
/// that are made again (see [`leave_out_remade`]). A kernel's `.maxnreg` may set a lower limit.
///
/// ptxas needs more than the values that PTX names: temporaries of instructions that it expands,
/// the stack pointer, loads that it moves ahead, and from sm_70 on two that it always adds. How
/// much was chosen by these kernels, so that others may fit worse:
///
/// | kernels                                      | slope | added | mean error |
/// |----------------------------------------------|------:|------:|-----------:|
/// | 56 of Rodinia, sm_20                         |  0.87 |     3 |        3.5 |
/// | 12 of Rodinia, sm_52                         |  1.02 |     7 |        2.8 |
/// | 67 small ones, sm_89, by their machine code  |  0.98 |     7 |        2.3 |
///
/// Some kernels need far more (by 18 on sm_20, by 24 on sm_89), others up to 10 less. Between
/// sm_20 and sm_52 nothing was measured; neither were routines that ptxas calls, nor spills.
pub fn registers(pressure: u32, sm: u32) -> u32 {
    let added = if sm < 30 { 3 } else { 7 };
    // Instructions of sm_20 to sm_30 have six bits for the name of a register, later ones eight;
    // one name is that of zero.
    let most = if sm <= 30 { 63 } else { 255 };
    pressure.saturating_add(added).min(most)
}

/// Sets the `sizes` of those registers to 0 whose value costs nothing to make again where it is
/// read, as ptxas does rather than keep it.
///
/// `makes` says of every instruction whether it only takes what lies in constant memory or in the
/// code, or changes nothing of it: parameters, constants, addresses of variables, moves, and
/// changes of address space. Its results count if they are written once, without a guard, and from
/// nothing but such results.
///
/// # Panics
///
/// When `makes` has no entry for an instruction, or `sizes` none for a register.
pub fn leave_out_remade(nodes: &[Node], makes: &[bool], sizes: &mut [u8]) {
    let mut writes = vec![0u32; sizes.len()];
    for &register in nodes.iter().flat_map(|node| &node.writes) {
        writes[register as usize] += 1;
    }
    let mut remade = vec![false; sizes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let once = node.writes.iter().all(|&register| writes[register as usize] == 1);
        let from_such = node.reads.iter().all(|&register| remade[register as usize]);
        if makes[index] && once && from_such && !node.keeps {
            for &register in &node.writes {
                remade[register as usize] = true;
                sizes[register as usize] = 0;
            }
        }
    }
}
