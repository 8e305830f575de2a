use super::*;
use crate::gpu::host::{Body, Durations, HostProgram};

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
    let child = "[[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 5\n";
    let mut program =
        parse(&format!("{child}{KERNEL}")).unwrap().program(LaunchMode::Cdp, 0).unwrap();
    let names: Vec<_> = program.start().iter().map(|launch| launch.name.to_string()).collect();
    assert_eq!(names, ["P"]);
}
