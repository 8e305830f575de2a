//! Opcodes that Maxwell or Pascal brought and every later architecture has.

use super::{Class, Group, GLOBAL, SHARED};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "BMOV BMSK BREAK BREV BSSY BSYNC CALL CCTLT CS2R CSMTEST DEPBAR ERRBAR FRND GETLMEMBASE \
         I2IP IABS IADD3 IDP IDP4A KILL LEA LEPC LOP3 MATCH NANOSLEEP PLOP3 PMTRIG QSPC R2B \
         RPCMOV RTT SETCTAID SETLMEMBASE SGXT VABSDIFF VABSDIFF4 VOTE_VTG WARPSYNC YIELD",
    ),
    (Class::SINGLE, "FSEL FSWZADD HADD2 HFMA2 HMUL2 HSET2 HSETP2"),
    (Class::SPECIAL, "TMML TXD"),
    (Class::store(GLOBAL), "STG"),
    (Class::atomic(GLOBAL), "ATOMG"),
    (Class::atomic(SHARED), "ATOMS"),
];
