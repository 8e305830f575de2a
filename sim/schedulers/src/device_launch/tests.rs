use super::super::tests::harness::{kernel, run, slots, Work};
use super::super::{build, build_faulty_for, Fault, FaultError};
use super::*;
use crate::port::{DevicePorts, KernelEntry};

fn refused(name: &str, launch: LaunchMode, entries: u32) -> LaunchModeError {
    let composition = name.parse().unwrap();
    build_for(&composition, launch, entries, 2, slots(2)).err().expect("refused")
}

#[test]
fn what_launches_nothing_is_the_same_scheduler_under_every_launch_mode() {
    let work: Vec<_> = (0..9).map(|k| Work::new(7 * k, kernel(5), &[13, 5, 8])).collect();
    for name in ["rr", "rr+claso(pa=2,pl=1)"] {
        let composition: Composition = name.parse().unwrap();
        let flat = run(&mut *build(&composition, 3, slots(2)), slots(2), &work, 10_000, false);
        let launch = LaunchMode::Flat;
        let mut same = build_for(&composition, launch, 3, 3, slots(2)).unwrap();
        assert_eq!(run(&mut *same, slots(2), &work, 10_000, false), flat, "{name}");
    }
}

#[test]
fn schedulers_that_run_one_kernel_at_a_time_take_no_device_launches() {
    for launch in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        for name in ["ikra/chunk", "ikra/flip", "ikra/steal"] {
            let steal = refused(name, launch, 4);
            assert!(matches!(steal, LaunchModeError::OneAtATime(_)), "{steal}");
        }
    }
}

#[test]
fn what_a_block_launches_goes_through_the_management_unit_but_groups_need_their_lists() {
    for name in [
        "rr(start=last-finished)",
        "rr-gpgpusim+claso",
        "oldest-first",
        "priority(levels=2)+claso",
        "partitions+dyncta",
        "dependent",
        "domains(policy=contiguous)",
        "clusters(policy=balance)",
        "launch-control",
        "launch-control(policy=spread)",
    ] {
        let composition: Composition = name.parse().unwrap();
        assert!(build_for(&composition, LaunchMode::Cdp, 4, 2, slots(2)).is_ok(), "{name}");
        assert!(composition.ports(LaunchMode::Cdp).launches(), "{name}");
        assert!(!composition.ports(LaunchMode::Flat).launches(), "{name}");
        let error = refused(name, LaunchMode::Dtbl, 4);
        assert_eq!(
            error.to_string(),
            format!("the scheduler {composition} takes no aggregated groups")
        );
        assert!(matches!(error, LaunchModeError::Groups(_)), "{name}");
    }
}

#[test]
fn ikra_with_levels_of_kernels_takes_device_kernels_and_no_aggregated_groups() {
    for name in ["ikra/steal(nesting=2)", "ikra/steal(queue=4,nesting=4)+dyncta"] {
        let composition: Composition = name.parse().unwrap();
        for launch in [LaunchMode::Flat, LaunchMode::Cdp] {
            assert!(build_for(&composition, launch, 3, 2, slots(2)).is_ok(), "{name}");
            assert_eq!(composition.ports(launch).device, DevicePorts::Nested);
        }
        let error = refused(name, LaunchMode::Dtbl, 4);
        assert_eq!(error, LaunchModeError::NestedGroups(composition));
    }
    let without: Composition = "ikra/steal".parse().unwrap();
    assert_eq!(without.ports(LaunchMode::Flat).device, DevicePorts::None);
}

#[test]
fn rr_takes_its_gates_under_every_launch_mode() {
    for launch in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
        for name in ["rr", "rr+claso", "rr+dyncta", "rr+dyncta+claso"] {
            let composition = name.parse().unwrap();
            assert!(build_for(&composition, launch, 4, 2, slots(2)).is_ok(), "{name}");
        }
    }
}

#[test]
fn the_aggregated_group_table_has_a_power_of_two_of_entries_up_to_2048() {
    for entries in [0, 3, 1023, 4096, u32::MAX] {
        assert_eq!(
            refused("rr", LaunchMode::Dtbl, entries),
            LaunchModeError::GroupEntries(entries)
        );
    }
    for entries in [1, 1024, 2048] {
        let composition = "rr+claso".parse().unwrap();
        assert!(build_for(&composition, LaunchMode::Dtbl, entries, 2, slots(2)).is_ok());
    }
}

#[test]
fn laperm_takes_its_gates_under_every_launch_mode() {
    for launch in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
        for name in [
            "laperm/tb-pri+claso",
            "laperm/adaptive-bind(queue=shifting)+dyncta+claso",
            "laperm/smx-bind",
            "laperm/smx-bind+dyncta",
        ] {
            // The size of a table that LaPerm does not have is of no matter.
            let composition = name.parse().unwrap();
            assert!(build_for(&composition, launch, 3, 2, slots(2)).is_ok(), "{name}");
        }
    }
}

#[test]
fn faults_reach_the_gates_and_ports_of_a_scheduler_behind_the_management_unit() {
    let wrong = Fault::WrongCredit { kernel: KernelEntry(0), smx: 1, cycle: 5 };
    for launch in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let build = |name: &str, faults: &[Fault]| {
            build_faulty_for(&name.parse().unwrap(), launch, 8, 2, slots(2), faults)
        };
        assert!(build("rr+claso", &[wrong]).is_ok());
        assert!(build("laperm/adaptive-bind+claso", &[wrong]).is_ok());
        let error = build("laperm/smx-bind", &[wrong]).err();
        assert!(matches!(error, Some(FaultError::NoCredits(_))), "{error:?}");
        let error = build("rr", &[wrong]).err();
        assert!(matches!(error, Some(FaultError::NoCredits(_))), "{error:?}");
        let error = build("ikra/chunk", &[]).err();
        assert!(matches!(error, Some(FaultError::LaunchMode(_))), "{error:?}");
    }
}
