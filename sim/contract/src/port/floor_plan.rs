//! Which SMXs belong together.

use std::ops::Range;

/// The graphics processing clusters (GPCs) of a GPU: ranges of SMXs, in order. Schedulers of clusters
/// of thread blocks look at it (`docs/clusters.md`, rule 4), all others at the number of SMXs alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FloorPlan {
    gpcs: Vec<usize>,
}

impl FloorPlan {
    /// `smx` SMXs in GPCs of these sizes; of more SMXs the first ones count, and without GPCs all
    /// belong together.
    ///
    /// # Panics
    /// When the GPCs have fewer SMXs; a GPU preset is checked before it gets here.
    pub fn new(smx: usize, gpcs: &[u32]) -> Self {
        let mut left = smx;
        let mut sizes = Vec::new();
        for &gpc in gpcs {
            let size = left.min(gpc as usize);
            left -= size;
            sizes.extend((size > 0).then_some(size));
        }
        if gpcs.is_empty() {
            return Self { gpcs: vec![smx] };
        }
        assert_eq!(left, 0, "GPCs of {gpcs:?} SMXs for {smx} SMXs");
        Self { gpcs: sizes }
    }

    /// `smx` SMXs in GPCs of 16 SMXs and fewer, not all of one size: for tests of what depends on sizes.
    pub fn uneven(smx: usize) -> Self {
        let most = smx.div_ceil(3).min(16);
        let smaller = (0..).map(|gpc| most.saturating_sub(gpc % 3).max(1) as u32);
        let gpcs: Vec<u32> = smaller.take(smx).collect();
        Self::new(smx, &gpcs)
    }

    /// SMXs in all.
    pub fn smx(&self) -> usize {
        self.gpcs.iter().sum()
    }

    /// SMXs of each GPC.
    pub fn gpcs(&self) -> &[usize] {
        &self.gpcs
    }

    /// The SMXs of each GPC.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.gpcs.iter().scan(0, |first, &size| {
            let range = *first..*first + size;
            *first = range.end;
            Some(range)
        })
    }
}

impl From<usize> for FloorPlan {
    /// One GPC of all SMXs.
    fn from(smx: usize) -> Self {
        Self::new(smx, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpcs_are_ranges_in_order_and_the_first_smxs_count() {
        let plan = FloorPlan::new(7, &[4, 2, 4, 4]);
        assert_eq!(plan.gpcs(), [4, 2, 1]);
        assert_eq!(plan.ranges().collect::<Vec<_>>(), [0..4, 4..6, 6..7]);
        assert_eq!(plan.smx(), 7);
        assert_eq!(FloorPlan::new(6, &[4, 2, 4]).gpcs(), [4, 2]);
        assert_eq!(FloorPlan::from(5).gpcs(), [5]);
    }

    #[test]
    #[should_panic(expected = "GPCs of [4, 2] SMXs for 7 SMXs")]
    fn more_smxs_than_the_gpcs_have_are_refused() {
        FloorPlan::new(7, &[4, 2]);
    }

    #[test]
    fn uneven_plans_have_every_smx_in_gpcs_of_one_to_sixteen() {
        for smx in 1..=144 {
            let plan = FloorPlan::uneven(smx);
            assert_eq!(plan.smx(), smx);
            assert!(plan.gpcs().iter().all(|size| (1..=16).contains(size)), "{plan:?}");
        }
        assert_eq!(FloorPlan::uneven(6).gpcs(), [2, 1, 1, 2]);
        assert_eq!(FloorPlan::uneven(132).gpcs(), [16, 15, 14, 16, 15, 14, 16, 15, 11]);
    }
}
