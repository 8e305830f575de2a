//! Opcodes that Kepler, Maxwell and Pascal have and later architectures have not.

use super::{Class, Group};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "BFE BFI BRK CAL CONT CSET CSETP ICMP IMADSP ISET JCAL PBK PCNT PRET PSET SSY",
    ),
    (Class::SINGLE, "FCMP RRO"),
    (Class::DOUBLE, "DMNMX DSET"),
];
