//! Opcodes that every architecture from Kepler on has.

use super::{Class, Group, GENERIC, GLOBAL, SHARED};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "B2R BPT BRA BRX CCTL CCTLL F2F F2I FLO I2F I2I IADD IADD32I IMAD IMNMX IMUL IMUL32I \
         ISCADD ISCADD32I ISETP JMP JMX LOP LOP32I MEMBAR MOV MOV32I NOP P2R POPC PRMT PSETP R2P \
         RET S2R SEL SHF SHFL SHL SHR VOTE",
    ),
    (Class::SINGLE, "FADD FADD32I FCHK FFMA FFMA32I FMNMX FMUL FMUL32I FSET FSETP"),
    (Class::DOUBLE, "DADD DFMA DMUL DSETP"),
    (Class::SPECIAL, "MUFU TEX TLD TLD4 TXQ"),
    (Class::load(GENERIC), "LD"),
    (Class::load(GLOBAL), "LDG LDL"),
    (Class::load(SHARED), "LDS"),
    (Class::Constant, "LDC"),
    (Class::store(GENERIC), "ST"),
    (Class::store(GLOBAL), "STL"),
    (Class::store(SHARED), "STS"),
    (Class::atomic(GENERIC), "ATOM"),
    (Class::atomic(GLOBAL), "RED"),
    (Class::Barrier, "BAR"),
    (Class::Exit, "EXIT"),
];
