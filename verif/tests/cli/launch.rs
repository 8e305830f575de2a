//! `--launch`: what blocks launch, and what it changes where they launch nothing.

use super::command::{figures, lines, worked_example, Place};

const LAUNCHING: &str =
    "[[kernel]]\nname = \"P\"\ngrid = [2, 1, 1]\nblock = [64, 1, 1]\nduration = 50_000\n\
     [[kernel.launch]]\nby = 1\nat = 20\nthread = 3\nkernel = \"C\"\ngrid = [2, 1, 1]\n\
     [[kernel]]\nname = \"C\"\nchild = true\nblock = [32, 1, 1]\nduration = 3\n";

fn run<'a>(mode: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all = ["run", "--scheduler", "rr", "--scenario", "s.toml", "--launch", mode];
    [&all[..], more].concat()
}

#[test]
fn flat_refuses_launches_by_their_line_and_names_the_other_modes() {
    for args in [&run("flat", &[])[..], &["run", "--scheduler", "rr", "--scenario", "s.toml"]] {
        let place = Place::new();
        place.write("s.toml", LAUNCHING);
        let expected = ["`--launch flat` does not allow", "[s.toml:6:1]", "--launch cdp"];
        place.refused(args, &expected);
        assert_eq!(place.names(), ["s.toml"]);
    }
}

#[test]
fn a_launch_of_no_blocks_is_refused_in_its_line() {
    let place = Place::new();
    place.write(
        "s.toml",
        LAUNCHING.replace("kernel = \"C\"\ngrid = [2", "kernel = \"C\"\ngrid = [0"),
    );
    for mode in ["flat", "cdp", "dtbl"] {
        let expected = ["`grid` of kernel `P` is 0", "[s.toml:11:9]", "expected 1 to"];
        place.refused(&run(mode, &["--engine", "golden"]), &expected);
    }
}

#[test]
fn cdp_and_dtbl_differ_by_the_calls_of_table_3() {
    let first = |mode: &str| {
        let place = Place::new();
        place.write("s.toml", LAUNCHING);
        let outputs = ["--engine", "golden", "--dispatch-log", "l.csv", "--stats", "s.json"];
        let ended = place.fine(&run(mode, &outputs));
        assert!(ended.stdout.contains("launches from blocks"), "{}", ended.stdout);
        let log = lines(&place.text("l.csv"));
        let child: Vec<_> = log.iter().filter(|line| line.kernel == "C").collect();
        assert_eq!(child.len(), 2);
        assert!(child.iter().all(|line| (line.instance, line.group) == (0, 0)));
        let stats: serde_json::Value = serde_json::from_str(&place.text("s.json")).expect("JSON");
        let kernel = &stats["kernels"][1];
        let call = kernel["arrive"].as_u64().expect("a cycle");
        // Block 1 is dispatched in 2.
        assert_eq!((kernel["name"].as_str(), call), (Some("C"), 22));
        assert_eq!(kernel["first_dispatch"].as_u64(), Some(child[0].cycle));
        assert_eq!(
            stats["launches"]["average_wait"].as_f64(),
            Some((child[0].cycle - call) as f64)
        );
        child[0].cycle - call
    };
    let (parameters, launch) = (8023 + 129, 12187 + 1592);
    assert_eq!(first("cdp"), 7165 + parameters + launch + 283 + 1);
    // No kernel C is there: the search ends a cycle after the call.
    assert_eq!(first("dtbl"), parameters + 1 + launch + 283 + 1);
}

#[test]
fn a_run_with_launches_is_the_same_every_time_with_and_without_skipping() {
    for mode in ["cdp", "dtbl"] {
        let files = |more: &[&'static str]| {
            let place = Place::new();
            place.write("s.toml", LAUNCHING);
            let outputs = ["--engine", "golden", "--dispatch-log", "l.csv", "--stats", "s.json"];
            place.fine(&run(mode, &[&outputs[..], more].concat()));
            (place.bytes("l.csv"), place.bytes("s.json"))
        };
        assert_eq!(files(&[]), files(&[]), "{mode}");
        assert_eq!(files(&[]), files(&["--no-skip"]), "{mode}");
    }
}

#[test]
fn where_nothing_is_launched_the_launch_mode_changes_nothing() {
    for example in ["claso-case-study", "concurrent-kernels", "round-robin-100-blocks"] {
        let path = worked_example(example);
        for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
            let files = |mode: &str| {
                let place = Place::new();
                let args = ["run", "--scheduler", scheduler, "--scenario", &path, "--launch", mode];
                let outputs =
                    ["--engine", "golden", "--dispatch-log", "l.csv", "--stats", "s.json"];
                place.fine(&[&args[..], &outputs[..]].concat());
                (place.text("l.csv"), figures(&place.text("s.json")).to_owned())
            };
            let flat = files("flat");
            for mode in ["cdp", "dtbl"] {
                assert!(files(mode) == flat, "{example}, {scheduler}, {mode}");
            }
        }
    }
}

#[test]
fn schedulers_that_take_no_launches_and_tables_that_cannot_be_are_refused() {
    let place = Place::new();
    place.write("s.toml", LAUNCHING);
    let run = |scheduler: &'static str, more: &[&'static str]| {
        let args = ["run", "--scheduler", scheduler, "--scenario", "s.toml", "--engine", "golden"];
        [&args[..], more].concat()
    };
    place.refused(
        &run("srtf", &["--launch", "cdp"]),
        &["srtf", "takes no launches from the device", "what is known of a kernel"],
    );
    let words = ["rr-gpgpusim", "takes no aggregated groups", "--launch cdp"];
    place.refused(&run("rr-gpgpusim", &["--launch", "dtbl"]), &words);
    place.fine(&run("rr-gpgpusim", &["--launch", "cdp"]));
    for table in ["launch.table=0", "launch.table=1000", "launch.table=4096"] {
        let words = [&table.replace('=', " = ")[..], "a power of two from 1 to 2048"];
        place.refused(&run("rr", &["--launch", "dtbl", "--set", table]), &words);
    }
    place.fine(&run("rr", &["--launch", "dtbl", "--set", "launch.table=1"]));
}

#[test]
fn a_failed_check_is_repeated_with_the_launch_mode() {
    let place = Place::new();
    place.write("s.toml", LAUNCHING);
    let ended = place.run(&run("cdp", &["--engine", "golden", "--max-cycles", "100"]));
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("--launch cdp --engine golden --max-cycles 100"));
}

#[test]
fn a_footprint_is_there_on_request_and_says_so_when_there_is_none() {
    let place = Place::new();
    place.write("s.toml", LAUNCHING);
    let (parent, _) = LAUNCHING.split_once("[[kernel.launch]]").expect("it launches");
    place.write("flat.toml", parent);
    let flat = ["run", "--scheduler", "rr", "--scenario", "flat.toml", "--engine", "golden"];
    let stated = run("cdp", &["--engine", "golden"]);
    for args in [&flat[..], &stated] {
        let key = |more: &[&str]| {
            let ended = place.run(&[args, &["--stats", "s.json"], more].concat());
            assert_eq!(ended.status, 0);
            let stats: serde_json::Value = serde_json::from_str(&place.text("s.json")).unwrap();
            (ended.stderr.contains("--footprint found nothing"), stats.get("footprint").cloned())
        };
        assert_eq!(key(&[]), (false, None));
        let (said, footprint) = key(&["--footprint"]);
        assert!(said);
        assert_eq!(footprint.expect("asked for")["parents"], 0);
    }
    let functional = ["run", "--functional", "--workload", "vecadd", "--footprint"];
    place.refused(&functional, &["--footprint", "--functional", "cannot be used with"]);
}
