use super::*;
use crate::gpu::host::{
    Body, DeviceLaunch, Durations, HostLaunch, HostProgram, Persistence, StatedLaunch,
};

#[test]
fn each_repetition_is_launched_after_the_one_before_and_then_no_more() {
    let text = format!("{KERNEL}repeat = 3\narrive = 50\nstream = 4\n");
    let mut program = parse(&text).unwrap().program(LaunchMode::Cdp, 0).unwrap();
    let first = program.start();
    assert_eq!((first.len(), first[0].arrive, first[0].stream), (1, 50, 4));
    let second = program.kernel_finished("P", 0, 900);
    assert_eq!((second.len(), second[0].arrive, second[0].stream), (1, 901, 4));
    assert_eq!(program.kernel_finished("P", 1, 1900).len(), 1);
    assert_eq!(program.kernel_finished("P", 2, 2900).len(), 0);
    program.verify().unwrap();
}

#[test]
fn kernels_are_launched_with_what_their_blocks_need_in_streams_of_their_own() {
    let child = child("C", "5") + "resident = true\nregisters_per_thread = 7\nshared_memory = 9\n";
    let text = format!("{KERNEL}registers_per_thread = 12\nshared_memory = 345\n{child}");
    let mut program = parse(&text).unwrap().program(LaunchMode::Cdp, 0).unwrap();
    let launches = program.start();
    let [resident, host] = launches.as_slice() else { panic!("{launches:?}") };
    let needs = |launch: &HostLaunch| (launch.registers_per_thread, launch.shared_memory);
    assert_eq!((needs(host), host.resident), ((12, 345), false));
    assert_eq!((needs(resident), resident.resident), ((7, 9), true));
    // Those that a file may state are below.
    assert_eq!([host.stream, resident.stream], [1 << 31, (1 << 31) + 1]);
}

#[test]
fn every_instance_is_launched_with_the_relation_of_the_file() {
    let text = format!("{KERNEL}repeat = 2\nrelation = {{ back = 2, ratio = 3, offset = -5 }}\n");
    let mut program = parse(&text).unwrap().program(LaunchMode::Flat, 0).unwrap();
    let relation = Relation { back: 2, ratio: 3, offset: -5 };
    assert_eq!(program.start()[0].relation, relation);
    assert_eq!(program.kernel_finished("P", 0, 900)[0].relation, relation);
}

#[test]
fn every_instance_is_launched_with_the_priority_of_the_file() {
    let text = format!("{KERNEL}repeat = 2\npriority = 5\n");
    let mut program = parse(&text).unwrap().program(LaunchMode::Flat, 0).unwrap();
    assert_eq!(program.start()[0].priority, 5);
    assert_eq!(program.kernel_finished("P", 0, 900)[0].priority, 5);
}

#[test]
fn every_instance_is_launched_with_the_setup_and_the_cancels_of_the_file() {
    let text = format!("{KERNEL}repeat = 2\nsetup = 100\ncancels = true\n");
    let mut program = parse(&text).unwrap().program(LaunchMode::Flat, 0).unwrap();
    let persistence = Persistence { setup: 100, cancels: true };
    assert_eq!(program.start()[0].persistence, persistence);
    assert_eq!(program.kernel_finished("P", 0, 900)[0].persistence, persistence);
    let mut silent = parse(KERNEL).unwrap().program(LaunchMode::Flat, 0).unwrap();
    assert_eq!(silent.start()[0].persistence, Persistence::default());
}

#[test]
fn every_instance_is_launched_with_the_partition_and_the_overlap_of_the_file() {
    let text = format!("{KERNEL}stream = 1\n{}", KERNEL.replace('P', "Q"));
    let keys =
        "stream = 1\nrepeat = 2\npartition = 6\ndependent = true\ntrigger = 60\nprologue = 20\n";
    let mut program =
        parse(&format!("{text}{keys}")).unwrap().program(LaunchMode::Flat, 0).unwrap();
    let expected = (6, Overlap { dependent: true, trigger: Some(60), prologue: Some(20) });
    let of = |launch: &HostLaunch| (launch.partition, launch.overlap);
    assert_eq!(of(&program.start()[1]), expected);
    assert_eq!(of(&program.kernel_finished("Q", 0, 900)[0]), expected);
}

#[test]
fn every_instance_is_launched_with_the_cluster_of_the_file() {
    let text = format!("{KERNEL}repeat = 2\ncluster = [4, 1, 1]\n");
    let mut program = parse(&text).unwrap().program(LaunchMode::Flat, 0).unwrap();
    let cluster = Cluster { x: 4, y: 1, z: 1 };
    assert_eq!(program.start()[0].cluster, cluster);
    assert_eq!(program.kernel_finished("P", 0, 900)[0].cluster, cluster);
}

#[test]
fn the_seed_decides_drawn_durations_and_nothing_else() {
    let drawn = KERNEL.replace("= 100\n", "= { mean = 5238, rsd = 0.30 }\n");
    let durations = |seed| {
        let mut program = parse(&drawn).unwrap().program(LaunchMode::Cdp, seed).unwrap();
        match &program.start()[0].body {
            Body::Durations(Durations::Each(list)) => list.to_vec(),
            body => panic!("{body:?}"),
        }
    };
    assert_eq!(durations(1).len(), 8);
    assert_eq!(durations(1), durations(1));
    assert_ne!(durations(1), durations(2));
}

#[test]
fn children_are_not_launched_by_the_host() {
    let mut program =
        parse(&(child("C", "5") + KERNEL)).unwrap().program(LaunchMode::Cdp, 0).unwrap();
    let names: Vec<_> = program.start().iter().map(|launch| launch.name.to_string()).collect();
    assert_eq!(names, ["P"]);
}

/// The launches of block `block` of the first kernel.
fn launches(program: &mut ScenarioProgram, block: u64) -> (Vec<StatedLaunch>, Vec<DeviceLaunch>) {
    let Body::Launching(_, of) = program.start().remove(0).body else { panic!("it launches") };
    let stated = of.of_block(block);
    let launches = stated.iter().map(|launch| of.launch(launch.number)).collect();
    (stated, launches)
}

#[test]
fn each_block_launches_what_the_file_says_of_it() {
    let text = format!(
        "{KERNEL}[[kernel.launch]]\nby = 2\nat = 10\nthread = 40\nkernel = \"C\"\ngrid = [2, 3, 1]\n\
         [[kernel.launch]]\nby = 2\nat = 11\nkernel = \"D\"\ngrid = [1, 1, 1]\n\
         [[kernel]]\nname = \"D\"\nchild = true\nblock = [32, 1, 1]\nduration = 5\n\
         [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 2, 1]\nregisters_per_thread = 7\n\
         shared_memory = 9\nduration = 6\n"
    );
    let mut program = parse(&text).unwrap().program(LaunchMode::Dtbl, 0).unwrap();
    assert_eq!(launches(&mut program, 1).0, []);
    let (stated, launches) = launches(&mut program, 2);
    assert_eq!(stated.iter().map(|l| (l.at, l.thread)).collect::<Vec<_>>(), [(10, 40), (11, 0)]);
    assert_ne!(stated[0].kernel, stated[1].kernel);
    let [c, d] = &launches[..] else { panic!("two launches") };
    assert_eq!((&*c.name, c.thread, c.grid), ("C", 40, Dim3::new(2, 3, 1)));
    assert_eq!((c.block, c.registers_per_thread, c.shared_memory), (Dim3::new(64, 2, 1), 7, 9));
    assert_eq!((&*d.name, d.thread, d.block), ("D", 0, Dim3::new(32, 1, 1)));
    assert!(matches!(c.body, Body::Durations(Durations::Uniform(6))));
}

#[test]
fn the_end_of_a_child_makes_the_host_launch_nothing() {
    let text = format!(
        "{KERNEL}repeat = 2\n[[kernel.launch]]\nby = 0\nat = 0\nkernel = \"C\"\ngrid = [1, 1, 1]\n\
         [[kernel]]\nname = \"C\"\nchild = true\nblock = [32, 1, 1]\nduration = 5\n"
    );
    let scenario = parse(&text).unwrap();
    assert!(scenario.has_launches() && !parse(KERNEL).unwrap().has_launches());
    let mut program = scenario.program(LaunchMode::Cdp, 0).unwrap();
    assert_eq!(program.kernel_finished("C", 0, 500).len(), 0);
    assert_eq!(program.kernel_finished("P", 0, 600).len(), 1);
}
