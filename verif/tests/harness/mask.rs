//! One bit for each SMX: a twin's set and a module's word.

use blockyard_rtl::mask::Mask;
use blockyard_rtl::wire::Signal;
use blockyard_sim::sched::mask::SmxMask;
use rand::RngExt;
use rust_hdl::prelude::In;

/// The word of a module that has `smxs` SMXs.
///
/// # Panics
/// When the set has an SMX that the module has not.
pub fn to_rtl(mask: SmxMask, smxs: usize) -> Mask {
    Mask::new(smxs, mask.words())
}

/// The set of the SMXs whose bits are set.
pub fn from_rtl(mask: Mask) -> SmxMask {
    SmxMask::from_words(mask.words())
}

/// Drives a port that has one bit for each SMX.
///
/// # Panics
/// When the set has an SMX that the port has not.
pub fn drive(port: &mut Signal<In, Mask>, mask: SmxMask) {
    port.next = to_rtl(mask, port.next.len());
}

/// The set in which SMX `s` is bit `s`.
pub fn from_bits(bits: u32) -> SmxMask {
    SmxMask::from_words([bits.into(), 0, 0])
}

/// SMX `s` is bit `s`.
///
/// # Panics
/// When an SMX from 32 on is in the set.
pub fn to_bits(mask: SmxMask) -> u32 {
    let [low, 0, 0] = mask.words() else { panic!("{mask:?}: an SMX from 64 on") };
    u32::try_from(low).expect("no SMX from 32 on")
}

/// All SMXs of a scheduler.
pub fn all(smxs: usize) -> SmxMask {
    from_rtl(!Mask::none(smxs))
}

/// A mask of `width` bits whose lowest 64 are those of `bits`.
///
/// # Panics
/// When `bits` has one that the mask has not.
pub fn low(width: usize, bits: u64) -> Mask {
    Mask::new(width, [bits, 0, 0])
}

/// Each of `width` bits is set as likely as not.
pub fn random(width: usize, random: &mut impl RngExt) -> Mask {
    Mask::gather(width, |_| random.random())
}

/// Each of `smxs` SMXs is in the set as likely as not.
pub fn random_smxs(smxs: usize, rng: &mut impl RngExt) -> SmxMask {
    from_rtl(random(smxs, rng))
}
