//! Which SMXs belong together.

use super::MAX_SMX;
use crate::mask::{self, SmxMask};
use std::ops::Range;

/// The graphics processing clusters (GPCs) of a GPU and its domains, ranges of SMXs, in order, and
/// its partitions, sets of SMXs. Schedulers of clusters of thread blocks look at the first ones
/// (`docs/clusters.md`, rule 4), `domains` at the second ones (`docs/domains.md`, rule 1),
/// `partitions` at the last ones (`docs/partitions.md`, rule 2), and everyone else at the number of
/// SMXs alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FloorPlan {
    gpcs: Vec<usize>,
    /// 1 to [`Self::MOST_PARTITIONS`], none empty; they may overlap and need not have every SMX.
    partitions: Vec<SmxMask>,
    /// 1 to [`Self::MOST_DOMAINS`], none empty; they have every SMX.
    domains: Vec<usize>,
}

impl FloorPlan {
    /// Most partitions: as many as a launch can tell apart.
    pub const MOST_PARTITIONS: usize = 8;

    /// Most domains: as many chiplets as the largest GPUs have.
    pub const MOST_DOMAINS: usize = 8;

    /// `smx` SMXs in GPCs of these sizes; of more SMXs the first ones count, and without GPCs all
    /// belong together. There is one partition of all SMXs, and one domain.
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
            sizes = vec![smx];
        } else {
            assert_eq!(left, 0, "GPCs of {gpcs:?} SMXs for {smx} SMXs");
        }
        // More SMXs than there can be are refused by whoever is built for them.
        let partitions = vec![mask::of(0..smx.min(MAX_SMX))];
        Self { gpcs: sizes, partitions, domains: vec![smx] }
    }

    /// The same with these partitions, in order; `None` when they are not 1 to
    /// [`Self::MOST_PARTITIONS`], or one has no SMX or one beyond the last.
    pub fn partitioned(self, partitions: &[SmxMask]) -> Option<Self> {
        let smx = self.smx();
        let sound = |partition: &SmxMask| partition.last_one().is_some_and(|last| last < smx);
        let few = (1..=Self::MOST_PARTITIONS).contains(&partitions.len());
        let partitions = (few && partitions.iter().all(sound)).then(|| partitions.to_vec())?;
        Some(Self { partitions, ..self })
    }

    /// The same with domains of these sizes, in order; `None` when they are not 1 to
    /// [`Self::MOST_DOMAINS`], or one has no SMX, or all of them together have more or fewer SMXs
    /// than there are.
    pub fn in_domains(self, sizes: &[usize]) -> Option<Self> {
        let few = (1..=Self::MOST_DOMAINS).contains(&sizes.len());
        let sound = few && !sizes.contains(&0) && sizes.iter().sum::<usize>() == self.smx();
        let domains = sound.then(|| sizes.to_vec())?;
        Some(Self { domains, ..self })
    }

    /// `smx` SMXs in GPCs of 16 SMXs and fewer, not all of one size, in up to eight partitions that
    /// overlap, not all of one size either, and of three SMXs and more without the middle one, and
    /// in up to eight domains, not all of one size from three SMXs on: for tests of what depends on
    /// them.
    pub fn uneven(smx: usize) -> Self {
        let most = smx.div_ceil(3).min(16);
        let smaller = (0..).map(|gpc| most.saturating_sub(gpc % 3).max(1) as u32);
        let gpcs: Vec<u32> = smaller.take(smx).collect();
        let count = smx.min(2 + smx % (Self::MOST_PARTITIONS - 1));
        let partitions: Vec<_> = (0..count)
            .map(|partition| {
                let (first, size) = (partition * smx / count, smx / count + 1 + partition % 3);
                let smxs = (first..first + size.min(smx)).map(|at| at % smx);
                mask::of(smxs.filter(|&at| smx < 3 || at != smx / 2))
            })
            .collect();
        let plan = Self::new(smx, &gpcs).partitioned(&partitions);
        let plan = plan.expect("each has two SMXs or all");
        plan.in_domains(&Self::uneven_domains(smx)).expect("each has an SMX")
    }

    /// Two to eight, of more than a few SMXs; the last one has what the others leave.
    fn uneven_domains(smx: usize) -> Vec<usize> {
        let count = smx.min(smx.div_ceil(3) + 1).min(2 + smx % (Self::MOST_DOMAINS - 1));
        let smaller =
            (0..count - 1).map(|domain| (smx / count).saturating_sub((domain + 1) % 3).max(1));
        let mut sizes: Vec<_> = smaller.collect();
        sizes.push(smx - sizes.iter().sum::<usize>());
        sizes
    }

    /// SMXs in all.
    pub fn smx(&self) -> usize {
        self.gpcs.iter().sum()
    }

    /// The partitions, in order.
    pub fn partitions(&self) -> &[SmxMask] {
        &self.partitions
    }

    /// The number of the partition that a kernel of that number counts for: the last one stands for
    /// those that there are not.
    pub fn partition_of(&self, partition: u8) -> usize {
        usize::from(partition).min(self.partitions.len() - 1)
    }

    /// SMXs of each domain.
    pub fn domains(&self) -> &[usize] {
        &self.domains
    }

    /// The SMXs of each domain.
    pub fn domain_ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        ranges_of(&self.domains)
    }

    /// SMXs of each GPC.
    pub fn gpcs(&self) -> &[usize] {
        &self.gpcs
    }

    /// The SMXs of each GPC.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        ranges_of(&self.gpcs)
    }
}

/// Ranges of these sizes, one after the other, from SMX 0 on.
fn ranges_of(sizes: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    sizes.iter().scan(0, |first, &size| {
        let range = *first..*first + size;
        *first = range.end;
        Some(range)
    })
}

impl From<usize> for FloorPlan {
    /// One GPC, one partition and one domain of all SMXs.
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

    #[test]
    fn without_partitions_there_is_one_of_all_smxs() {
        for plan in [FloorPlan::from(5), FloorPlan::new(5, &[2, 3])] {
            assert_eq!(plan.partitions(), [mask::of(0..5)]);
            assert_eq!([0, 1, 7].map(|kernel| plan.partition_of(kernel)), [0, 0, 0]);
        }
    }

    #[test]
    fn a_number_beyond_the_last_partition_counts_as_the_last() {
        let partitions = [mask::of([0, 1]), mask::of([1]), mask::of([3])];
        let plan = FloorPlan::from(4).partitioned(&partitions).unwrap();
        assert_eq!(plan.partitions(), partitions);
        assert_eq!([0, 1, 2, 3, 7].map(|kernel| plan.partition_of(kernel)), [0, 1, 2, 2, 2]);
        assert_eq!(plan.gpcs(), [4], "the GPCs stay");
    }

    #[test]
    fn partitions_are_one_to_eight_and_have_smxs_that_there_are() {
        let of = |partitions: &[SmxMask]| FloorPlan::from(4).partitioned(partitions);
        let all = mask::of(0..4);
        assert_eq!(of(&[all]), Some(FloorPlan::from(4)));
        assert!(of(&[all; 8]).is_some());
        for wrong in [&[][..], &[all; 9], &[all, SmxMask::ZERO], &[mask::of([4])]] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn uneven_plans_have_partitions_that_overlap_and_leave_an_smx_out() {
        for smx in 1..=144 {
            let plan = FloorPlan::uneven(smx);
            let partitions = plan.partitions();
            let twice = |at: usize| partitions.iter().filter(|smxs| smxs[at]).count() > 1;
            assert!(smx == 1 || (0..smx).any(twice), "{plan:?}");
            let left_out = |at: &usize| partitions.iter().all(|smxs| !smxs[*at]);
            let expected = if smx < 3 { vec![] } else { vec![smx / 2] };
            assert_eq!((0..smx).filter(left_out).collect::<Vec<_>>(), expected);
        }
        let sizes =
            |smx| FloorPlan::uneven(smx).partitions().iter().map(|p| p.count_ones()).collect();
        let (small, large): (Vec<_>, Vec<_>) = (sizes(6), sizes(132));
        assert_eq!((small, large), (vec![2, 2, 3, 1, 3, 4], vec![17, 18, 19, 17, 17, 19, 17, 18]));
    }

    #[test]
    fn without_domains_there_is_one_of_all_smxs() {
        for plan in [FloorPlan::from(5), FloorPlan::new(5, &[2, 3])] {
            assert_eq!(plan.domains(), [5]);
            assert_eq!(plan.domain_ranges().collect::<Vec<_>>(), vec![0..5]);
        }
    }

    #[test]
    fn domains_are_ranges_in_order_and_have_every_smx() {
        let plan = FloorPlan::new(6, &[4, 2]).in_domains(&[1, 3, 2]).unwrap();
        assert_eq!(plan.domains(), [1, 3, 2]);
        assert_eq!(plan.domain_ranges().collect::<Vec<_>>(), [0..1, 1..4, 4..6]);
        assert_eq!(plan.gpcs(), [4, 2], "the GPCs stay");
        assert!(FloorPlan::from(8).in_domains(&[1; 8]).is_some());
        for wrong in [&[][..], &[6, 0], &[3, 2], &[4, 3]] {
            assert_eq!(FloorPlan::from(6).in_domains(wrong), None, "{wrong:?}");
        }
        assert_eq!(FloorPlan::from(9).in_domains(&[1; 9]), None);
    }

    #[test]
    fn uneven_plans_have_domains_of_several_sizes() {
        for smx in 1..=144 {
            let plan = FloorPlan::uneven(smx);
            let sizes = plan.domains();
            assert!(smx < 3 || sizes.iter().any(|&size| size != sizes[0]), "{plan:?}");
            assert!(smx == 1 || sizes.len() > 1, "{plan:?}");
        }
        assert_eq!(FloorPlan::uneven(4).domains(), [1, 1, 2]);
        assert_eq!(FloorPlan::uneven(6).domains(), [1, 1, 4]);
        assert_eq!(FloorPlan::uneven(132).domains(), [15, 14, 16, 15, 14, 16, 15, 27]);
    }
}
