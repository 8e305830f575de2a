//! Opcodes that Turing brought (compute capability 7.5) and later architectures keep: the uniform
//! data path, matrices in shared memory.

use super::{Class, Group, SHARED};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "BRXU JMXU MOVM R2UR S2UR SUATOM SULD SURED SUST UBMSK UBREV UCLEA UFLO UIADD3 UIMAD \
         UISETP ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT \
         USHF USHL USHR VOTEU",
    ),
    (Class::TENSOR, "BMMA"),
    (Class::load(SHARED), "LDSM"),
    (Class::Constant, "ULDC"),
];
