//! Registers that are as wide as 32 SMXs need, and must be wider for more.

use super::fit::Point;

/// SMXs that the built widths reach to.
const BUILT: usize = 32;

/// Thread-block slots of an SMX that counts of resident blocks reach to.
const SLOTS: usize = 63;

/// Entries of the Kernel Distributor.
const KERNELS: u64 = 32;

/// What such a register holds.
#[derive(Clone, Copy, Debug)]
enum Holds {
    /// The number of an SMX.
    Smx,
    /// The number of one of LaPerm's queues.
    Queue,
    /// For each kernel, how many of its blocks are in execution on all SMXs.
    Blocks,
}

/// By the ends of their paths. What counts cycles, blocks of a grid or kernels is as wide for any number of
/// SMXs.
const REGISTERS: [(&str, Holds); 7] = [
    ("placement.pointer", Holds::Smx),
    ("selector.at", Holds::Smx),
    ("last.kept", Holds::Smx),
    ("thief.place", Holds::Smx),
    ("selector.backups[*]", Holds::Queue),
    ("pools.at", Holds::Queue),
    (".in_execution", Holds::Blocks),
];

/// Bits of the registers at a place that has so many as it is built.
pub fn of_registers(path: &str, built: u64, at: Point) -> u64 {
    let more = |most: usize, built: usize| bits(most).saturating_sub(bits(built));
    match REGISTERS.iter().find(|(end, _)| path.ends_with(end)).map(|(_, holds)| holds) {
        None => built,
        Some(Holds::Smx) => built + more(at.smx - 1, BUILT - 1),
        Some(Holds::Queue) => built + more(at.queues - 1, BUILT - 1),
        Some(Holds::Blocks) => built + KERNELS * more(at.smx * SLOTS, BUILT * SLOTS),
    }
}

/// Bits of the largest number that is to be held.
fn bits(most: usize) -> u64 {
    u64::from(usize::BITS - most.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Node;
    use blockyard_rtl::catalog;

    fn smx(smx: usize) -> Point {
        Point { smx, queues: smx }
    }

    #[test]
    fn numbers_of_smxs_grow_with_the_33rd_and_the_65th() {
        let pointer = |count| of_registers("dispatcher.placement.pointer", 5, smx(count));
        assert_eq!([1, 32, 33, 64, 65, 132].map(pointer), [5, 5, 6, 6, 7, 8]);
        let backups = |count| of_registers("a.selector.backups[*]", 6, smx(count));
        assert_eq!([32, 33].map(backups), [6, 7]);
        let shared = Point { smx: 132, queues: 1 };
        assert_eq!(of_registers("management.pools.at", 5, shared), 5);
    }

    #[test]
    fn counts_of_blocks_grow_where_63_an_smx_no_longer_fit() {
        let counts = |count| of_registers("kernels.in_execution", 352, smx(count));
        assert_eq!([32, 33, 65, 66].map(counts), [352, 384, 384, 416]);
        assert_eq!(of_registers("dispatcher.units", 768, smx(132)), 768);
    }

    #[test]
    fn every_place_that_is_named_is_in_the_hardware() {
        let mut places = Vec::new();
        for entry in catalog::entries() {
            for configuration in &entry.configurations {
                Node::new(&*configuration.build()).walk(&mut |node| places.push(node.path.clone()));
            }
        }
        for (end, _) in REGISTERS {
            assert!(places.iter().any(|place| place.ends_with(end)), "nothing ends in {end}");
        }
    }
}
