//! Ranks by what each edge brings, against which the kernels are checked.

use blockyard_workloads::graph::Csr;

/// 1 as a fixed-point number; ranks are less.
const ONE: u64 = 1 << 32;

/// What of a rank goes on: 0.85, rounded up.
const DAMPING: u64 = (ONE * 85).div_ceil(100);

/// The rank of each of `vertices` vertices before the first iteration, in parts of 2^32. All
/// together are less than 1, so that no vertex ever gets more than a word holds.
pub fn first_rank(vertices: u32) -> u32 {
    u32::MAX / vertices.max(1)
}

/// The rank of every vertex of `csr` after `iterations`, in parts of 2^32.
pub fn reference_pagerank(csr: &Csr, iterations: u32) -> Vec<u32> {
    let count = csr.vertices();
    let mut ranks = vec![u64::from(first_rank(count)); count as usize];
    for _ in 0..iterations {
        let mut next = vec![0; count as usize];
        for vertex in 0..count {
            for &target in csr.neighbours(vertex) {
                next[target as usize] += ranks[vertex as usize] / u64::from(csr.degree(vertex));
            }
        }
        let rest = (ONE - DAMPING) / u64::from(count.max(1));
        ranks = next.into_iter().map(|rank| rest + rank * DAMPING / ONE).collect();
    }
    ranks.into_iter().map(|rank| rank as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_workloads::graph::generate;

    #[test]
    fn ranks_are_those_of_real_numbers_but_for_what_is_cut_off() {
        let csr = generate::uniform(300, 2000, 3);
        let mut exact = vec![1.0 / 300.0; 300];
        for _ in 0..20 {
            let mut next = vec![0.15 / 300.0; 300];
            for vertex in 0..300 {
                let share = 0.85 * exact[vertex as usize] / f64::from(csr.degree(vertex));
                csr.neighbours(vertex).iter().for_each(|&target| next[target as usize] += share);
            }
            exact = next;
        }
        let ranks = reference_pagerank(&csr, 20);
        assert!(ranks.iter().max() > ranks.iter().min(), "some lead to others more often");
        for (vertex, (&rank, exact)) in ranks.iter().zip(exact).enumerate() {
            let rank = f64::from(rank) / ONE as f64;
            assert!((rank / exact - 1.0).abs() < 1e-4, "vertex {vertex}: {rank}, exactly {exact}");
        }
    }

    #[test]
    fn all_ranks_together_stay_below_one() {
        // All lead to the first vertex, which leads to itself: nothing is lost.
        let mut list = blockyard_workloads::graph::EdgeList::new(3);
        (0..3).for_each(|vertex| list.push(vertex, 0));
        let csr = Csr::from_edges(&list);
        for iterations in 0..40 {
            let ranks = reference_pagerank(&csr, iterations);
            let all: u64 = ranks.iter().map(|&rank| u64::from(rank)).sum();
            assert!((ONE - 200..ONE).contains(&all), "{iterations}: {all}");
        }
    }
}
