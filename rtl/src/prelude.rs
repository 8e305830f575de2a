//! What a hardware module is written with: `use crate::prelude::*`.

pub use crate::control::Control;
pub use crate::mask::Mask;
pub use crate::module::Fresh;
pub use crate::optional::Optional;
pub use crate::value::Value;
pub use crate::wire::{Constant, Signal};
pub use crate::word::{bit_cast, bit_cast_of, bit_cast_to, count_bits, id_bits, Lit, Word, U};
pub use crate::{hdl_module, port_bundle};
// This `hdl_gen`, not rust-hdl's.
pub use blockyard_rtl_derive::{hdl_gen, Record};
pub use rust_hdl::prelude::*;
