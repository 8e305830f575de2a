//! The words behind a dot that name a type, a space or a linkage.

use crate::ast::{Linkage, Space, Type};

/// The type `.word`.
pub(super) fn type_of(word: &str) -> Option<Type> {
    Some(match word {
        "pred" => Type::Predicate,
        "b8" => Type::Bits(8),
        "b16" => Type::Bits(16),
        "b32" => Type::Bits(32),
        "b64" => Type::Bits(64),
        "b128" => Type::Bits(128),
        "u8" => Type::Unsigned(8),
        "u16" => Type::Unsigned(16),
        "u32" => Type::Unsigned(32),
        "u64" => Type::Unsigned(64),
        "s8" => Type::Signed(8),
        "s16" => Type::Signed(16),
        "s32" => Type::Signed(32),
        "s64" => Type::Signed(64),
        "f16" => Type::Float(16),
        "f32" => Type::Float(32),
        "f64" => Type::Float(64),
        "f16x2" => Type::Halves,
        "bf16" => Type::Brain,
        "bf16x2" => Type::Brains,
        "texref" => Type::Texture,
        "samplerref" => Type::Sampler,
        "surfref" => Type::Surface,
        _ => return None,
    })
}

/// The state space `.word`.
pub(super) fn space_of(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "shared" => Space::Shared,
        "local" => Space::Local,
        "const" => Space::Constant,
        "param" => Space::Parameter,
        "tex" => Space::Texture,
        _ => return None,
    })
}

/// The linkage `.word`.
pub(super) fn linkage_of(word: &str) -> Option<Linkage> {
    Some(match word {
        "extern" => Linkage::External,
        "visible" => Linkage::Visible,
        "weak" | "common" => Linkage::Weak,
        _ => return None,
    })
}
