//! Opcodes that Blackwell brought (compute capability 10.x to 12.x): tensor memory and its
//! matrices, pairs of floats, floats on the uniform data path.

use super::{Class, Group, GLOBAL, SHARED};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "ACQSHMINIT CREDUX CS2UR DECOMPRESS LDT LDTM MOV64IUR SPARSIFY STT STTM SYNCSU UBLKL2CCTL \
         UF2F UF2I UF2IP UFADD UFFMA UFMNMX UFMUL UFRND UFSEL UFSET UFSETP UGETNEXTWORKID UI2F UI2FP \
         UI2I UI2IP UIABS UIMNMX UMEMSETS USYNCS UTCATOMSWS UTCBAR UTCCP UTCSHIFT UTMAL2CCTL UVIADD \
         UVIMNMX UVIRTCOUNT VISET",
    ),
    (Class::SINGLE, "FADD2 FFMA2 FHADD FHADD2 FHFMA FHFMA2 FHMUL2 FMNMX3 FMUL2"),
    (Class::TENSOR, "OMMA QMMA UTCHMMA UTCIMMA UTCOMMA UTCQMMA"),
    (Class::Constant, "LDCU"),
    (Class::store(GLOBAL), "USTGR"),
    (Class::atomic(GLOBAL), "UREDGR"),
    (Class::atomic(SHARED), "REDS"),
];
