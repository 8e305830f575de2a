//! Opcodes of Kepler alone (compute capability 3.x; Fermi's are a subset).

use super::{Class, Group, SHARED};

pub(super) const TABLE: &[Group] = &[
    (Class::INTEGER, "ISAD ISUB SUBFM SUCLAMP SUEAU SULDGA SUSTGA"),
    (Class::SINGLE, "FSWZ"),
    (Class::load(SHARED), "LDSLK"),
    (Class::store(SHARED), "STSCUL"),
];
