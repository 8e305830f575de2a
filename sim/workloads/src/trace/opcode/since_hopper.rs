//! Opcodes that Hopper brought (compute capability 9.0) and Blackwell keeps: clusters, bulk copies,
//! minima and maxima of three, barriers in shared memory.

use super::{Class, Group, GLOBAL, SHARED};

pub(super) const TABLE: &[Group] = &[
    (
        Class::INTEGER,
        "ACQBULK CGAERRBAR ELECT ENDCOLLECTIVE FENCE PREEXIT SYNCS UCGABAR_ARV UCGABAR_WAIT ULEPC \
         USETMAXREG UTMACCTL UTMACMDFLUSH VIADD VIADDMNMX VIMNMX VIMNMX3",
    ),
    (Class::SINGLE, "VHMNMX"),
    (Class::Bulk, "UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG"),
    (Class::load(GLOBAL), "LDGMC"),
    (Class::store(SHARED), "STAS STSM"),
    (Class::atomic(GLOBAL), "REDG"),
    (Class::atomic(SHARED), "REDAS"),
];
