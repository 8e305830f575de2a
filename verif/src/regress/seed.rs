//! The seed of a case, from the seed of the run and the id of the case.

/// The seed of one case: 32 bits, so that it is easy to read and to type.
///
/// It is the upper half of the 64-bit FNV-1a hash of the eight bytes of `suite_seed`, least
/// significant first, and then of the UTF-8 bytes of `id`, mixed by the 64-bit finaliser of
/// MurmurHash3 (ids that differ in the last character would else have similar seeds). The
/// definition never changes: a seed that a report names stays good.
pub fn case_seed(suite_seed: u64, id: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in suite_seed.to_le_bytes().iter().chain(id.as_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (hash ^ (hash >> 33)) >> 32
}

/// The id of a case with its seed, as reports print it: `lockstep/rr/n13 seed=7`.
pub fn full_id(id: &str, seed: u64) -> String {
    format!("{id} seed={seed}")
}

#[cfg(test)]
mod tests {
    use super::{case_seed, full_id};

    /// The numbers come from an implementation of the definition in another language.
    #[test]
    fn the_definition_of_the_seed_never_changes() {
        assert_eq!(case_seed(1, "lockstep/rr/n13"), 3_583_193_541);
        assert_eq!(case_seed(u64::MAX, ""), 1_788_002_338);
    }

    #[test]
    fn the_seed_depends_on_the_id_and_on_the_seed_of_the_run() {
        assert_ne!(case_seed(1, "a"), case_seed(1, "b"));
        assert_ne!(case_seed(1, "a"), case_seed(2, "a"));
    }

    #[test]
    fn the_full_id_ends_in_the_seed() {
        assert_eq!(full_id("lockstep/rr/n13", 7), "lockstep/rr/n13 seed=7");
    }
}
