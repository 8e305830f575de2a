//! What instructions compute, lane by lane: arithmetic, logic, comparisons, conversions.
//!
//! A [`Form`] is an opcode with its modifiers (`mad.wide.u16`): which types it takes and gives, the
//! unit that it needs, and what it does to the values of all 32 lanes at once. Values are bits,
//! zero-extended to 64: a lane that does not take part computes too, and its result is dropped.
//!
//! | module | opcodes |
//! | --- | --- |
//! | `integer` | `add` to `rem`, `abs`, `min`, `sad`, dot products |
//! | `carry` | `add.cc`, `addc`, `madc` and their kind |
//! | `bits` | logic, shifts, fields, `prmt`, `popc` |
//! | `float` | IEEE arithmetic of f32 and f64; `half` that of f16 and bf16 |
//! | `special` | `rcp`, `sqrt`, `sin`, `ex2` and their kind |
//! | `library` | the functions that are called, of which there is no instruction |
//! | `compare` | `setp`, `set`, `selp`, `slct`, `testp` |
//! | `convert` | `cvt`; `pack` that of several numbers in a register |
//! | `video` | `vadd` and its kind; `simd` those of several parts at once, `product` `vmad` |

mod bits;
mod carry;
mod compare;
mod convert;
mod float;
mod half;
mod integer;
mod library;
mod lift;
mod pack;
mod product;
mod rounding;
mod simd;
mod special;
mod types;
mod video;

use crate::ast::Type;
use blockyard_gpu::program::Unit;

pub use compare::{set_values, Combine};
pub use half::{is_half, narrowed, of_halves, widened, OfHalves};
pub use library::Function;
pub use lift::{cut, widen, Apply, Lanes, Test, Value, Words};
pub use product::Product;
pub use simd::{mask, Choice, Simd};
pub use types::parse as parse_type;
pub(crate) use types::Word;
pub use video::{Part, Video};

/// An instruction that computes a value from values; see the module.
pub struct Form {
    /// The type of each source, in order.
    pub sources: Vec<Type>,
    /// The type of the result; [`Type::Predicate`] for a comparison.
    pub result: Type,
    /// What executes it.
    pub unit: Unit,
    /// What it does.
    pub apply: Apply,
}

/// The form `opcode.modifiers`, or `None` if there is no such form.
pub fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let families =
        [integer::form, carry::form, bits::form, float::form, special::form, compare::form];
    families
        .into_iter()
        .chain([half::form as fn(&str, &[&str]) -> Option<Form>, convert::form, pack::form])
        .find_map(|family| family(opcode, modifiers))
}
