//! Levels: what a block launches carries its SMX and its level from the call on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::*;
use blockyard_sim::port::{Inputs, Outputs, Parent, QueuePlace};
use blockyard_sim::run::observer::DispatchedBlock;

/// What crosses the ports of launches, and the level of each block.
#[derive(Default)]
struct Watch {
    /// Parent and place of each launch of a kernel, in order.
    launches: Vec<(Parent, QueuePlace)>,
    /// Where each record comes from.
    records: Vec<QueuePlace>,
    /// Parent of each group that is taken.
    groups: Vec<Parent>,
    level: u8,
    /// SMX and level of each block of each kernel.
    blocks: BTreeMap<String, Vec<(usize, u8)>>,
}

impl Observer for Watch {
    fn cycle(&mut self, _: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        let (device, answer) = (&inputs.device, &outputs.device);
        if device.management.device_launch {
            self.launches.push((device.parents.launch_parent, answer.parents.launch_place));
        }
        if device.management.record.is_some() && answer.management.record_entry.is_some() {
            self.records.push(device.parents.record_place);
        }
        if answer.groups.group_taken.is_some() {
            self.groups.push(device.queues.group_parent);
        }
        self.level = answer.queues.level;
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let blocks = self.blocks.entry(block.kernel.to_owned()).or_default();
        blocks.push((block.smx, self.level));
    }
}

fn watch(scheduler: &str, mode: LaunchMode, text: &str) -> Watch {
    let mut watch = Watch::default();
    try_watch(scheduler, mode, &[], text, true, &mut watch).unwrap();
    watch
}

/// On two SMXs a chain of kernels `K0` to `K4`, of which each launches the next; K0 has two blocks,
/// and the second one launches.
fn chain() -> String {
    let mut text = "[gpu]\nsmx = 2\nthread_block_slots = 4\nlaunch.ideal = true\n".to_owned();
    for number in 0..5 {
        text +=
            &format!("[[kernel]]\nname = \"K{number}\"\nblock = [64, 1, 1]\nduration = 9_000\n");
        text += if number == 0 { "grid = [2, 1, 1]\n" } else { "child = true\n" };
        if number < 4 {
            let (by, next) = (u32::from(number == 0), number + 1);
            text += &format!(
                "[[kernel.launch]]\nby = {by}\nat = 8_999\nkernel = \"K{next}\"\ngrid = [1, 1, 1]\n"
            );
        }
    }
    text
}

#[test]
fn children_have_the_next_level_up_to_the_last_one() {
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let seen = watch("laperm/smx-bind(levels=2)", mode, &chain());
        assert_eq!(seen.blocks["K0"], [(0, 0), (1, 0)], "{mode:?}");
        for (kernel, level) in [("K1", 1), ("K2", 2), ("K3", 2), ("K4", 2)] {
            assert_eq!(seen.blocks[kernel], [(1, level)], "{kernel} {mode:?}");
        }
        // The blocks have ended when their launches reach the hardware.
        let parents = [0, 1, 2, 2].map(|level| Parent { smx: 1, level });
        let places = [1, 2, 2, 2].map(|level| QueuePlace { queue: 1, level });
        let launches: Vec<_> = parents.into_iter().zip(places).collect();
        assert_eq!((seen.launches, &seen.records[..]), (launches, &places[..]), "{mode:?}");
        let groups = if mode == LaunchMode::Dtbl { &parents[..] } else { &[] };
        assert_eq!(seen.groups, groups, "each falls back, with its parent");
    }
}

#[test]
fn one_queue_takes_the_launches_of_all_smxs() {
    let seen = watch("laperm/tb-pri", LaunchMode::Cdp, &chain());
    let places = [1, 2, 3, 4].map(|level| QueuePlace { queue: 0, level });
    assert_eq!(seen.records, places);
}

#[test]
fn under_ikra_with_levels_a_block_has_the_level_of_its_kernel_s_pool_which_the_scheduler_does_not_tell(
) {
    for (scheduler, parents, places) in [
        ("ikra/steal(nesting=2)", [0, 1, 1, 1], [1, 1, 1, 1]),
        ("ikra/steal(nesting=4)", [0, 1, 2, 3], [1, 2, 3, 3]),
    ] {
        let seen = watch(scheduler, LaunchMode::Cdp, &chain());
        let parents = parents.map(|level| Parent { smx: 1, level });
        let places = places.map(|level| QueuePlace { queue: 1, level });
        let launches: Vec<_> = parents.into_iter().zip(places).collect();
        assert_eq!((seen.launches, &seen.records[..]), (launches, &places[..]), "{scheduler}");
        assert_eq!(seen.blocks["K4"], [(1, 0)], "{scheduler}");
    }
}

#[test]
fn a_scheduler_without_priority_queues_is_told_of_no_parents() {
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let seen = watch("rr", mode, &chain());
        let none = (Parent::default(), QueuePlace::default());
        assert_eq!(seen.launches, [none; 4], "{mode:?}");
        assert!(seen.groups.iter().all(|parent| *parent == Parent::default()));
    }
}

#[test]
fn a_launch_under_flat_is_bad_use() {
    let scenario = Scenario::parse("test.toml", &chain()).unwrap();
    assert!(scenario.program(LaunchMode::Flat, 3).is_err());
}
