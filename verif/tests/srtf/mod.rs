//! SRTF's modules against their twins: the rules of `docs/srtf.md`.

mod block_starts;
mod divider;
mod fairness;
mod kernel_set;
mod oldest_below;
mod predictor;
mod reserve;
mod residents;
mod sampler;
mod scheduler;
mod shortest_first;

use crate::harness::random;
use blockyard_rtl::srtf::Choice;
use blockyard_rtl::word::U;
use blockyard_sim::port::{BlockNeeds, KernelEntry, SmxLimits};
use rand::RngExt;
use rand_pcg::Pcg64;

/// A Fermi's SMX.
const C2050: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

/// A kernel as hardware has it.
fn choice(kernel: Option<KernelEntry>) -> Choice {
    match kernel {
        Some(entry) => Choice { valid: true, kernel: U::new(entry.0.into()) },
        None => Choice::default(),
    }
}

/// A kernel as the twin has it.
fn kernel(word: Choice) -> Option<KernelEntry> {
    word.valid.then(|| KernelEntry(word.kernel.raw() as u8))
}

/// A kernel, or none.
fn any_kernel(random: &mut Pcg64, chance: f64) -> Option<KernelEntry> {
    random.random_bool(chance).then(|| KernelEntry(random.random_range(0..8)))
}

/// What a block takes: nothing, a part or all of an SMX.
fn any_needs(random: &mut Pcg64) -> BlockNeeds {
    let mut part = |most: u32| match random.random_range(0..8) {
        0 => 0,
        1 => most,
        2 => most / 2 + 1,
        _ => random.random_range(0..=most / 4),
    };
    BlockNeeds { threads: part(1536), registers: part(32_768), shared_memory: part(49_152) }
}

/// For each of eight kernels the older ones, in a random order; and times of which some are equal.
struct Order {
    older: [u8; 8],
    times: [u64; 8],
}

impl Order {
    fn any(random: &mut Pcg64) -> Self {
        let mut ranks: [u8; 8] = std::array::from_fn(|k| k as u8);
        for at in (1..8).rev() {
            ranks.swap(at, random.random_range(0..=at));
        }
        let older = std::array::from_fn(|k| {
            (0..8).filter(|&j| ranks[j] < ranks[k]).fold(0, |set, j| set | 1 << j)
        });
        let wide = random.random_bool(0.3);
        let most = if wide { (1 << 40) - 1 } else { 5 };
        let times = std::array::from_fn(|_| random.random_range(0..=most));
        Self { older, times }
    }
}

/// Random numbers of a test.
fn numbers(seed: u64) -> Pcg64 {
    random(seed)
}
