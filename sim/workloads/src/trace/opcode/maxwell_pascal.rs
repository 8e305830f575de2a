//! Opcodes of Maxwell and Pascal alone (compute capability 5.x and 6.x).

use super::{Class, Group};

pub(super) const TABLE: &[Group] =
    &[(Class::INTEGER, "PEXIT SYNC VADD VMNMX XMAD"), (Class::Texture, "TEXS TLD4S TLDS")];
