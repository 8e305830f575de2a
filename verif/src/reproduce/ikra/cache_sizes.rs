//! IKRA's Figure 7: time of four applications with first-level caches of 16 to 512 KB, and an L2
//! that is as much larger or smaller (section 7.1).

use super::applications::{point, ratio, short, BASE, FLIP};
use super::SCHEDULERS;
use crate::reproduce::benchmarks::Benchmark;
use crate::reproduce::effect::{Effect, RATIO};
use crate::reproduce::runs::{Figures, Point};

/// The four of the figure.
const APPLICATIONS: [&str; 4] = ["LUD", "SD1", "SD2", "DJ2"];

/// KB of an L1.
const SIZES: [u64; 6] = [16, 32, 64, 128, 256, 512];

/// KB of the L1 under whose round robin a time is 1.
const DEFAULT: u64 = 128;

/// KB of the L2 for each of an L1: 512 KB to 16 MB.
const L2_BY_L1: u64 = 32;

const FIGURE: &str = "Fig. 7";

/// The runs beside those of the other figures.
pub(super) fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let of_size = |(number, size)| SCHEDULERS.map(|policy| sized(number, policy, size, change));
    rows(benchmarks).into_iter().flat_map(of_size).collect()
}

/// What they show: by round robin of the default size, as the figure has it, and by round robin of
/// the same size.
pub(super) fn effects(
    benchmarks: &[Benchmark],
    change: Option<&str>,
    figures: &Figures,
) -> Vec<Effect> {
    let cycles =
        |number, policy, size| figures.of(&sized(number, policy, size, change)).cycles as f64;
    let rows = rows(benchmarks);
    let of = |what, base, policy: &'static str, size_of_base: fn(u64) -> u64| {
        let row = move |&(number, size): &(usize, u64)| {
            let name = &benchmarks[number].name;
            Effect {
                benchmark: format!("{name}, {size} KB"),
                paper: stated(what, policy, name, size),
                ours: ratio(cycles(number, policy, size), cycles(number, BASE, size_of_base(size))),
                base: Some(base),
                set: change.map(str::to_owned),
                ..Effect::flat(FIGURE, what, short(policy), RATIO)
            }
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let by_default = SCHEDULERS.map(|policy| of("time", "rr of 128 KB", policy, |_| DEFAULT));
    let by_same =
        SCHEDULERS[1..].iter().map(|policy| of("time_of_size", "rr", policy, |size| size));
    by_default.into_iter().chain(by_same).flatten().collect()
}

/// The text has one number, the least time with the smallest caches, and says that flip helps most.
fn stated(what: &str, policy: &str, name: &str, size: u64) -> Option<f64> {
    ((what, policy, name, size) == ("time_of_size", FLIP, "SD1", 16)).then_some(0.89)
}

/// Application and size of each row.
fn rows(benchmarks: &[Benchmark]) -> Vec<(usize, u64)> {
    let place = |name| benchmarks.iter().position(|benchmark| benchmark.name == name);
    let numbers = APPLICATIONS.into_iter().filter_map(place);
    numbers.flat_map(|number| SIZES.map(|size| (number, size))).collect()
}

fn sized(number: usize, policy: &'static str, size: u64, change: Option<&str>) -> Point {
    let mut point = point(number, policy, false, change);
    let bytes = |of, kilobytes: u64| format!("{of}.size={}", kilobytes << 10);
    // The default, too: what else is set may be a size.
    point.change.extend([bytes("l1", size), bytes("l2", L2_BY_L1 * size)]);
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::benchmarks::{ikra, Size};
    use crate::reproduce::ikra::applications::GPU;
    use blockyard_sim::gpu::config::GpuConfig;

    #[test]
    fn every_size_is_one_of_the_gpu_and_the_default_is_the_preset_s() {
        let preset = GpuConfig::preset(GPU).expect("a preset");
        for size in SIZES {
            let mut gpu = preset.clone();
            for setting in &sized(0, BASE, size, None).change {
                let (key, value) = setting.split_once('=').expect("a setting");
                gpu.set(key, value).expect("a key of the GPU");
            }
            gpu.validate().expect("caches that can be built");
            assert_eq!(gpu == preset, size == DEFAULT, "{size} KB");
        }
    }

    #[test]
    fn four_applications_have_sizes_and_a_size_that_is_set_does_not_replace_them() {
        let all = ikra(Size::Full);
        let points = points(&all, Some("l1.size=4096"));
        assert_eq!(points.len(), 4 * 6 * 5);
        assert!(points.iter().all(|point| point.change[0] == "l1.size=4096"));
        assert!(points.iter().all(|point| point.change[1].starts_with("l1.size=")));
        let hotspot: Vec<_> = all.into_iter().filter(|benchmark| benchmark.name == "HS").collect();
        assert!(super::points(&hotspot, None).is_empty());
    }
}
