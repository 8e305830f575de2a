//! What the paper states of pairs of kernels and of kernels alone.

use blockyard_sim::workload::erc::ErcKernel;
use serde::Serialize;

/// A row of Table 5 or 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PaperRow {
    /// System throughput.
    pub stp: Option<f64>,
    /// Average normalised turnaround time.
    pub antt: Option<f64>,
    /// StrictF.
    pub fairness: Option<f64>,
}

const fn all(stp: f64, antt: f64, fairness: f64) -> PaperRow {
    PaperRow { stp: Some(stp), antt: Some(antt), fairness: Some(fairness) }
}

/// Table 5, and of zero sampling what section 6.2.2 tells; Table 6: percent of the first kernel's
/// run time after which the second one arrives, the policy, its row.
const ROWS: [(u32, &str, PaperRow); 14] = [
    (0, "fifo", all(1.35, 3.66, 0.19)),
    (0, "mpmax", all(1.37, 2.15, 0.36)),
    (0, "srtf", all(1.59, 1.63, 0.52)),
    (0, "srtf/adaptive", all(1.51, 1.64, 0.56)),
    (0, "sjf", all(1.82, 1.13, 0.80)),
    (0, "srtf/zero-sampling", PaperRow { stp: Some(1.64), antt: Some(1.33), fairness: None }),
    (25, "fifo", all(1.44, 2.74, 0.27)),
    (25, "mpmax", all(1.45, 2.05, 0.38)),
    (25, "srtf", all(1.62, 1.60, 0.53)),
    (25, "srtf/adaptive", all(1.56, 1.65, 0.56)),
    (50, "fifo", all(1.48, 2.36, 0.32)),
    (50, "mpmax", all(1.49, 1.93, 0.40)),
    (50, "srtf", all(1.63, 1.56, 0.55)),
    (50, "srtf/adaptive", all(1.59, 1.58, 0.59)),
];

/// The row of `policy` where the second kernel arrives at `offset` percent; a closed form has that
/// of what it is of.
pub fn stated(offset: u32, policy: &str) -> PaperRow {
    let policy = policy.strip_suffix("/closed-form").unwrap_or(policy);
    let row = ROWS.iter().find(|row| (row.0, row.1) == (offset, policy));
    row.map_or_else(PaperRow::default, |row| row.2)
}

/// The table of that offset.
pub fn at_offset(offset: u32) -> &'static str {
    match offset {
        0 => "Table 5",
        25 => "Table 6, 25 %",
        50 => "Table 6, 50 %",
        _ => "Table 6, another offset",
    }
}

/// What is measured, the policy, the pair or kernel, the value.
type Stated = (&'static str, &'static str, &'static str, f64);

const STATED: [Stated; 8] = [
    // Section 6.2.3: the worst ones.
    ("ANTT", "fifo", "SHA1+JPEG-d", 425.45),
    ("ANTT", "mpmax", "SHA1+JPEG-d", 10.08),
    ("ANTT", "srtf", "SHA1+JPEG-d", 37.77),
    ("ANTT", "srtf/adaptive", "SHA1+JPEG-d", 30.95),
    // Section 6.2.2.
    ("slowdown of the second", "fifo", "RayTracing+JPEG-d", 17.76),
    // Section 3.4.4: nearly 28,000 cycles beside seven blocks of NLM2; Table 3: 32,332 alone.
    ("block time of the second", "mpmax", "ImageDenoising-nlm2+SAD", 28_000.0 / 32_332.0),
    // The same, and 16,000 cycles with one block on an SMX.
    ("Fig. 7", "fifo", "SAD", 32_332.0 / 16_000.0),
    // Section 3.4.1.
    ("blocks within 0.75 to 1 of the mean", "fifo", "RayTracing", 50.0),
];

/// What the text or Table 3 states of a pair or kernel.
pub fn stated_of(offset: u32, what: &str, policy: &str, benchmark: &str) -> Option<f64> {
    if offset != 0 {
        return None;
    }
    if let Some(kernel) = ErcKernel::named(benchmark) {
        match what {
            "run time alone" => return Some(kernel.runtime as f64),
            "block time" => return Some(kernel.mean),
            "deviation of block times" => return Some(kernel.deviation),
            _ => {}
        }
    }
    let row = STATED.iter().find(|row| (row.0, row.1, row.2) == (what, policy, benchmark));
    row.map(|row| row.3)
}
