//! The kernels of SRTF's Table 2.

use super::{Benchmark, Size};

/// The paper's name, the workload, what gives the grid of the table, and what makes the input
/// small.
type Row = (&'static str, &'static str, [&'static [&'static str]; 2]);

const ROWS: &[Row] = &[
    (
        "AES-d",
        "aes",
        [
            &["aes.direction=decrypt", "aes.states=91456"],
            &["aes.direction=decrypt", "aes.states=2000"],
        ],
    ),
    ("AES-e", "aes", [&["aes.states=91456"], &["aes.states=2000"]]),
    (
        "ImageDenoising-nlm2",
        "denoise",
        [&["denoise.width=512", "denoise.height=512"], &["denoise.width=48", "denoise.height=36"]],
    ),
    (
        "JPEG-d",
        "dct",
        [
            &["dct.direction=decode", "dct.columns=16", "dct.rows=32"],
            &["dct.direction=decode", "dct.columns=4", "dct.rows=5"],
        ],
    ),
    ("JPEG-e", "dct", [&["dct.columns=16", "dct.rows=32"], &["dct.columns=4", "dct.rows=5"]]),
    (
        "RayTracing",
        "raytrace",
        [
            &["raytrace.width=512", "raytrace.height=512"],
            &["raytrace.width=60", "raytrace.height=50", "raytrace.balls=8"],
        ],
    ),
    ("SAD", "sad", [&["sad.columns=44", "sad.rows=36"], &["sad.columns=6", "sad.rows=5"]]),
    ("SHA1", "sha1", [&["sha1.messages=98496"], &["sha1.messages=1200", "sha1.chunks=1"]]),
];

/// The kernels of SRTF's Table 2.
pub fn srtf(size: Size) -> Vec<Benchmark> {
    let of = |&(name, workload, sizes): &Row| Benchmark::new(name, workload, size.of(sizes));
    ROWS.iter().map(of).collect()
}
