//! What a run writes is whole or absent, and the same bytes every time.

use super::command::{ended, worked_example, Place};
#[cfg(unix)]
use std::path::Path;

fn args<'a>(scenario: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--scheduler", "rr+claso", "--scenario", scenario], more].concat()
}

const ALL: [&str; 6] = ["--dispatch-log", "log.csv", "--stats", "stats.json", "--wave", "w.vcd"];

#[test]
fn the_same_command_gives_the_same_bytes() {
    let path = worked_example("concurrent-kernels");
    let run = |seed| {
        let place = Place::new();
        let printed = place.fine(&args(&path, &[&ALL[..], &["--seed", seed]].concat())).stdout;
        let files: Vec<_> =
            place.names().into_iter().map(|name| (place.bytes(&name), name)).collect();
        (printed, files)
    };
    let (one, again, other) = (run("5"), run("5"), run("6"));
    assert!(one == again);
    assert!(one.1 != other.1, "durations are drawn from the seed");
    assert!(one.1.iter().any(|(_, name)| name == "w.gtkw"));
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_run() {
    let path = worked_example("claso-case-study");
    for (option, name) in
        [("--dispatch-log", "log.csv"), ("--stats", "stats.json"), ("--wave", "w.vcd")]
    {
        for (folder, reason) in
            [("missing", "No such file"), ("file", "not a directory"), ("", "is a directory")]
        {
            let place = Place::new();
            place.write("file", "");
            let target =
                if folder.is_empty() { ".".to_owned() } else { format!("{folder}/{name}") };
            // With a limit that the run would break: its failure does not come first.
            let args = args(&path, &[option, &target, "--max-cycles", "9"]);
            place.refused(&args, &[&format!("cannot write {target}"), reason, "writable folder"]);
            assert_eq!(place.names(), ["file"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_written_to_and_stay_what_they_are() {
    let path = worked_example("claso-case-study");
    let place = Place::new();
    std::os::unix::fs::symlink("real.json", place.file("stats.json")).expect("a link");
    let null = ["--dispatch-log", "/dev/null", "--wave", "/dev/null", "--stats", "stats.json"];
    place.fine(&args(&path, &null));
    assert_eq!(place.names(), ["real.json", "stats.json"]);
    let there = std::fs::symlink_metadata(place.file("stats.json")).expect("a link");
    assert!(there.is_symlink() && place.text("real.json").starts_with('{'));
    assert!(!Path::new("/dev/null").is_file(), "it was replaced");
    assert!(!Path::new("/dev/null.gtkw").exists(), "a view of nothing");
    let same = ["--dispatch-log", "real.json", "--stats", "stats.json"];
    place.refused(&args(&path, &same), &["--dispatch-log and --stats are both"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_full_disk_does_not_take_of_the_page_is_an_error() {
    let path = worked_example("claso-case-study");
    let commands = [vec!["list", "gpus"], vec!["budget", "--scheduler", "rr"], args(&path, &[])];
    for command in commands {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let place = Place::new();
        let mut process = place.command(&command);
        let ended = ended(process.stdout(full).output().expect("blockyard starts"));
        assert_eq!(ended.status, 2, "{command:?}");
        assert!(ended.said().contains("cannot write to standard output: No space left"));
    }
}

#[test]
fn one_file_for_two_purposes_is_refused() {
    let place = Place::new();
    place.write("s.toml", std::fs::read(worked_example("claso-case-study")).expect("a scenario"));
    let before = place.bytes("s.toml");
    let same = ["--dispatch-log", "out", "--stats", "./out"];
    place.refused(&args("s.toml", &same), &["--dispatch-log and --stats are both ./out"]);
    let input = ["--stats", "s.toml"];
    place.refused(&args("s.toml", &input), &["--scenario and --stats are both s.toml"]);
    let view = ["--wave", "w.vcd", "--stats", "w.gtkw"];
    place.refused(&args("s.toml", &view), &["--stats and a view of --wave are both w.gtkw"]);
    assert_eq!(place.names(), ["s.toml"]);
    assert!(place.bytes("s.toml") == before);
}

#[test]
fn a_file_that_the_run_reads_is_no_output_whoever_names_it() {
    let place = Place::new();
    place.write("k.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n");
    let host =
        "[buffers]\na = { type = \"u8\", file = \"a.txt\" }\nb = { type = \"u8\", count = 1 }\n\
                [[launch]]\ngrid = 1\nblock = 1\n[expect]\nb = { file = \"b.txt\" }\n";
    place.write("k.toml", host);
    place.write("o.toml", format!("{host}[output]\na = \"b.txt\"\n"));
    place.write("a.txt", "7\n");
    place.write("b.txt", "0\n");
    place.write("gpu.toml", place.fine(&["list", "gpus", "k20c"]).stdout);
    let names = place.names();
    let run = ["run", "--scheduler", "rr", "--kernel", "k.ptx", "--gpu", "gpu.toml"];
    for read in ["k.toml", "a.txt", "b.txt", "gpu.toml"] {
        for option in ["--stats", "--wave"] {
            let said = format!("{option} are both {read}");
            place.refused(
                &[&run[..], &[option, read]].concat(),
                &["a file that the run reads and", &said],
            );
        }
    }
    let output = [&run[..], &["--host", "o.toml"]].concat();
    place.refused(&output, &["[output] are both", "b.txt"]);
    assert_eq!(place.names(), names);
    place.fine(&run);
}

#[test]
fn a_run_that_fails_leaves_older_files_as_they_were_but_for_the_dump_which_shows_how() {
    let path = worked_example("claso-case-study");
    let place = Place::new();
    for name in ["log.csv", "stats.json", "w.vcd", "w.gtkw", "w.sucl"] {
        place.write(name, "older");
    }
    let ended = place.run(&args(&path, &[&ALL[..], &["--max-cycles", "100"]].concat()));
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert_eq!(place.names(), ["log.csv", "stats.json", "w.gtkw", "w.sucl", "w.vcd"]);
    for name in place.names() {
        assert_eq!(place.text(&name) != "older", name.starts_with("w."), "{name}");
    }
    assert!(place.text("w.vcd").contains("\n#100\nsstuck "));
    assert!(place.text("w.gtkw").contains("[markername] Bstuck\n"));
    // The same command without the limit replaces all of them.
    place.fine(&args(&path, &ALL));
    assert!(place.names().iter().all(|name| place.text(name) != "older"));
}

#[test]
fn a_window_that_the_run_does_not_reach_is_refused() {
    let path = worked_example("claso-case-study");
    let window = ["--wave", "w.vcd", "--wave-from", "1000000"];
    let place = Place::new();
    let ended = place.run(&args(&path, &window));
    assert_eq!(ended.status, 2);
    assert!(
        ended.said().contains("the dump begins in cycle 1000000, but the run ended in"),
        "{}",
        ended.stderr
    );
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn verilog_and_views_that_cannot_be_written_are_refused() {
    let place = Place::new();
    place.write("file", "");
    place.refused(
        &["verilog", "--scheduler", "rr", "--out", "file"],
        &["cannot make the folder file"],
    );
    place
        .refused(&["verilog", "--scheduler", "rr", "--out", "file/v"], &["cannot make the folder"]);
    place.fine(&args(&worked_example("claso-case-study"), &["--wave", "w.vcd"]));
    std::fs::remove_file(place.file("w.gtkw")).expect("removed");
    std::fs::create_dir(place.file("w.gtkw")).expect("a folder in its place");
    place.refused(&["wave", "w.vcd"], &["cannot write w.gtkw"]);
}

#[test]
fn figures_are_json_and_add_up() {
    let place = Place::new();
    place.fine(&args(&worked_example("claso-case-study"), &ALL));
    let stats: serde_json::Value = serde_json::from_str(&place.text("stats.json")).expect("JSON");
    let cycles = stats["cycles"].as_u64().expect("cycles");
    let smx = stats["smx"].as_array().expect("SMXs");
    assert_eq!(smx.len(), 4);
    for each in smx {
        let figure = |name: &str| each[name].as_u64().expect("a figure");
        assert_eq!(figure("busy_cycles") + figure("idle_cycles"), cycles);
    }
    let kernel = &stats["kernels"][0];
    assert_eq!((&kernel["name"], &kernel["instance"]), (&"cta".into(), &0.into()));
    assert_eq!(
        (&kernel["arrive"], &kernel["distributed"], &kernel["first_dispatch"]),
        (&0.into(), &0.into(), &1.into())
    );
    assert_eq!(kernel["finish"].as_u64().expect("a cycle") + 1, cycles);
}

#[test]
fn what_a_command_reads_is_no_output_of_it() {
    let place = Place::new();
    place.write("g.toml", place.fine(&["list", "gpus", "k20c"]).stdout);
    let kept = place.text("g.toml");
    let vecadd = ["compare", "rr", "--workload", "vecadd", "--gpu", "g.toml", "--csv", "g.toml"];
    let traffic = ["run", "--scheduler", "rr", "--traffic", "cycles=9", "--gpu", "g.toml"];
    for args in [
        &["budget", "--gpu", "g.toml", "--csv", "g.toml"][..],
        &["budget", "--gpu", "g.toml", "--json", "./g.toml"],
        &["budget", "--gpu", "g.toml", "--sweep", "smx.count=2,3", "--plot", "g.toml"],
        &vecadd,
        &[&traffic[..], &["--dispatch-log", "g.toml"]].concat(),
        &[&traffic[..], &["--wave", "g.toml"]].concat(),
    ] {
        place.refused(args, &["are both", "g.toml", "expected a file for each"]);
        assert_eq!(place.text("g.toml"), kept, "{args:?}");
    }
    let path = worked_example("claso-case-study");
    let run = ["run", "--scheduler", "rr", "--scenario", &path, "--blocks", "b.csv", "--quiet"];
    place.fine(&run);
    let blocks = place.text("b.csv");
    let page = ["page", "blocks", "b.csv", "--out", "b.csv"];
    place.refused(&page, &["F.csv and --out are both b.csv"]);
    place.write("taken", "mine");
    place.refused(&[&page[..4], &["b.html", "--plots", "taken"]].concat(), &["taken"]);
    assert_eq!(place.names(), ["b.csv", "g.toml", "taken"]);
    assert_eq!((place.text("b.csv"), place.text("taken")), (blocks, "mine".to_owned()));
}

#[test]
fn one_file_for_two_outputs_is_refused_by_every_command() {
    let place = Place::new();
    let traffic = ["run", "--scheduler", "rr", "--traffic", "cycles=9", "--wave", "o.vcd"];
    let log = [&traffic[..], &["--dispatch-log", "o.gtkw"]].concat();
    place.refused(&log, &["a view of --wave and --dispatch-log are both o.gtkw"]);
    let regress = ["regress", "--filter", "replay/icarus/prim/fifo", "--out", "s"];
    for (more, said) in [
        (&["--coverage", "h.json", "--html", "h.html"][..], "--html and its page are both h.html"),
        (&["--junit", "x", "--html", "x"], "--junit and --html are both x"),
        (&["--html", "x", "--coverage", "x"], "--html and --coverage are both x"),
        (&["--junit", "-", "--html", "-"], "--junit and --html are both -"),
        (&["--junit", "s/results.jsonl"], "a file in the folder of the run and --junit are both"),
        (&["--html", "s/report.json"], "a file in the folder of the run and --html are both"),
    ] {
        place.refused(&[&regress[..], more].concat(), &[said]);
        assert_eq!(place.names(), Vec::<String>::new(), "{more:?}");
    }
}
