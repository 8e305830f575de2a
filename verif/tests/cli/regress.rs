//! `blockyard regress` over the suites: what it lists, and what a broken tool looks like.

use super::command::{ended, Place};

#[test]
fn the_cases_of_a_suite_are_listed_as_the_filter_takes_them() {
    let place = Place::new();
    let filter = "scenario/claso-case-study/rr";
    let listed = place.fine(&["regress", "quick", "--list", "--filter", filter]).stdout;
    let ids: Vec<&str> = listed.lines().collect();
    assert_eq!(ids.len(), 1, "the exact id wins: {listed}");
    assert!(ids[0].starts_with(&format!("{filter} seed=")), "{listed}");
    let again = place.fine(&["regress", "quick", "--list", "--filter", ids[0]]).stdout;
    assert_eq!(again, listed);
    let half = |shard| place.fine(&["regress", "quick", "--list", "--shard", shard]).stdout;
    let all = place.fine(&["regress", "--list"]).stdout.lines().count();
    assert_eq!(half("1/2").lines().count() + half("2/2").lines().count(), all);
    place.refused(&["regress", "--list", "--filter", "zebra"], &["no case of suite `quick`"]);
    assert_eq!(place.names(), Vec::<String>::new(), "nothing ran");
}

/// Programs of these names that complain and fail, before all others of the environment.
#[cfg(unix)]
fn broken_tools(place: &Place, names: &[&str]) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir(place.file("bin")).expect("a folder");
    for name in names {
        place.write(&format!("bin/{name}"), "#!/bin/sh\necho broken >&2\nexit 1\n");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(place.file(&format!("bin/{name}")), mode).expect("a program");
    }
    let mut search = vec![place.file("bin")];
    search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(search).expect("a path")
}

#[cfg(unix)]
#[test]
fn a_simulator_that_is_broken_is_one_cause_of_many_failures() {
    let place = Place::new();
    let path = broken_tools(&place, &["iverilog", "vvp"]);
    let mut command =
        place.command(&["regress", "quick", "--filter", "replay/icarus/prim/", "--out", "o"]);
    let ended = ended(command.env("PATH", path).output().expect("it runs"));
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("cases): iverilog rejects the Verilog:"), "{}", ended.stdout);
    assert!(ended.stdout.contains(" failed (1 cause), 0 skipped"), "{}", ended.stdout);
}
