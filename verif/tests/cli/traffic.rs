//! `blockyard run --traffic`.

use super::command::{Ended, Place};
use blockyard_waves::Dump;

const RUN: [&str; 7] = ["run", "--scheduler", "rr+claso", "--gpu", "c2050", "--set", "smx.count=3"];

fn with_traffic(place: &Place, traffic: &str, more: &[&str]) -> Ended {
    place.run(&[&RUN[..], &["--traffic", traffic], more].concat())
}

#[test]
fn every_engine_sees_the_same_traffic_under_the_invariants() {
    let place = Place::new();
    let said = |engine| {
        let traffic = "cycles=2000,density=dense,seed=5";
        let ended = with_traffic(&place, traffic, &["--engine", engine]);
        assert_eq!(ended.status, 0, "{engine}: {}", ended.stderr);
        ended.stdout
    };
    let golden = said("golden");
    assert!(golden.contains("invariants hold"), "{golden}");
    assert!(golden.contains("cycles=2000,seed=5,launches=300,completions=120,resets=0"));
    let blocks = golden.lines().find_map(|line| line.strip_prefix("blocks     "));
    let dispatched = blocks.and_then(|blocks| blocks.split(' ').next()).expect(&golden);
    assert!(dispatched.parse::<u64>().expect("a number") > 100, "{golden}");
    assert_eq!(said("rtl"), golden);
    assert_eq!(said("lockstep").replace("lockstep   no difference\n", ""), golden);
}

#[test]
fn the_seed_is_that_of_the_run_unless_the_traffic_names_one() {
    let place = Place::new();
    let of = |traffic, more: &[&str]| with_traffic(&place, traffic, more).stdout;
    let golden = ["--engine", "golden", "--seed", "7"];
    assert_eq!(of("cycles=500", &golden), of("cycles=500,seed=7", &["--engine", "golden"]));
    assert_ne!(of("cycles=500", &golden), of("cycles=500", &["--engine", "golden"]));
}

#[test]
fn it_leaves_a_dump_and_a_log_as_a_workload_does() {
    let place = Place::new();
    let outputs = ["--wave", "w.vcd", "--dispatch-log", "log.csv"];
    let ended = with_traffic(&place, "cycles=300,launches=500,resets=0", &outputs);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(place.names(), ["log.csv", "w.gtkw", "w.sucl", "w.vcd"]);
    let log = place.text("log.csv");
    let dispatched = format!("blocks     {} dispatched", log.lines().count() - 1);
    assert!(ended.stdout.contains(&dispatched), "{} and {log}", ended.stdout);
    let dump = Dump::open(&place.file("w.vcd")).expect("a dump");
    assert_eq!(dump.times().last(), Some(&300));
    let kernel = |cycle| dump.value("story.kernels.entry_0", cycle).expect("a text");
    assert!((0..300).any(|cycle| kernel(cycle).as_deref() == Some("k#0")));
}

#[test]
fn an_smx_may_have_no_shared_memory() {
    let place = Place::new();
    for key in ["smx.shared_memory=0", "smx.shared_memory=1"] {
        let ended = with_traffic(&place, "cycles=3000", &["--set", key]);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{key}");
    }
}

#[test]
fn a_mismatch_leaves_the_report_that_workloads_leave() {
    let place = Place::new();
    let fault = ["--inject", "lost-completion:1,100", "--report", "report"];
    let found = with_traffic(&place, "cycles=4000,density=dense,resets=0", &fault);
    assert_eq!((found.status, found.stdout.as_str()), (1, ""), "{}", found.stderr);
    assert_eq!(found.stderr, place.text("report/mismatch.txt"));
    let said = found.said();
    for line in ["mismatch in cycle ", "what happened last", "repeat blockyard run --scheduler"] {
        assert!(said.contains(line), "no `{line}`: {said}");
    }
    let value = |what: &str| {
        let line = found.stderr.lines().find_map(|line| line.trim().strip_prefix(what));
        line.expect(what).trim().to_owned()
    };
    let cycle: u64 = value("mismatch in cycle").parse().expect("a number");
    let port = value("port").replace('[', "_").replace(']', "");
    let dump = Dump::open(&place.file("report/mismatch.vcd")).expect("a dump");
    assert_eq!(dump.times().last(), Some(&(cycle + 21)));
    for (side, words) in [("twin", value("expected")), ("hardware", value("got"))] {
        let text = dump.value(&format!("story.{side}.{port}"), cycle).expect("a text");
        let text = text.expect("it says something").replace('_', " ").replace(',', ", ");
        assert_eq!(text, words, "{side}");
    }
    let mut slots =
        (0..3).flat_map(|smx| (0..8).map(move |slot| format!("story.smx_{smx}.slot_{slot}")));
    let holds = |path: String| {
        dump.value(&path, cycle).expect("a text").is_some_and(|text| !text.is_empty())
    };
    assert!(slots.any(holds), "a slot says what it holds");
    let again = with_traffic(&place, "cycles=4000,density=dense,resets=0", &fault);
    assert_eq!(again.stderr, found.stderr);
}

#[test]
fn bad_traffic_and_options_that_need_a_gpu_are_refused() {
    let place = Place::new();
    for (traffic, more, words) in [
        ("cycels=5", &[][..], &["unknown key `cycels`", "did you mean `cycles`?"][..]),
        ("cycles=0", &[], &["`cycles` of --traffic cannot be `0`"]),
        ("cycles=5", &["--stats", "s.json"], &["`--stats` does nothing with --traffic"]),
        ("cycles=5", &["--no-skip"], &["`--no-skip` does nothing with --traffic"]),
        ("cycles=5", &["--set", "bfs.block=32"], &["`--set bfs.block` does nothing in random"]),
        (
            "cycles=5",
            &["--engine", "golden", "--wave", "w.vcd"],
            &["golden engine has no hardware"],
        ),
        (
            "cycles=5",
            &["--engine", "rtl", "--inject", "lost-completion:0,1"],
            &["disturbs the twin"],
        ),
        ("cycles=5", &["--inject", "lost-completion:9,1"], &["the fault is on SMX 9"]),
        ("cycles=5", &["--launch", "dtbl", "--scheduler", "rr-gpgpusim"], &[]),
    ] {
        let args = match more.contains(&"--scheduler") {
            true => [&["run", "--traffic", traffic], more].concat(),
            false => [&RUN[..], &["--traffic", traffic], more].concat(),
        };
        place.refused(&args, words);
    }
    assert_eq!(place.names(), Vec::<String>::new());
}
