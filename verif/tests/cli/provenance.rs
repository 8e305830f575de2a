//! Results say what they come from, and that is enough to repeat them.

use super::command::{figures, worked_example, Place};
use blockyard_waves::Dump;
use serde_json::Value;

const EDGES: &str = "0 1\n1 2\n2 0\n0 3\n";
/// `sha256sum` of [`EDGES`].
const EDGES_SHA256: &str = "4ff5aacade2afb517b7350d86c5688981eb3c249092b06409e06d9ea6e220534";

const MODULE: &str = ".version 6.0\n.target sm_35\n.address_size 64\n\
     .visible .entry k(.param .u64 x)\n{\nbar.sync 0;\nret;\n}\n";
const HOST: &str = "[buffers]\nx = { file = \"x.txt\", type = \"u32\" }\n\
     [[launch]]\ngrid = 2\nblock = 64\narguments = [\"x\"]\n[expect]\nx = { file = \"y.txt\" }\n";

/// The trace of a kernel of two blocks of a warp.
fn traced() -> String {
    let mut text = "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n\
         -shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n\
         -shmem base_addr = 0x0\n-local mem base_addr = 0x1000000\n\
         -accelsim tracer version = 4\n#traces format = PC mask ... immediate\n"
        .to_owned();
    for block in 0..2 {
        text += &format!(
            "\n#BEGIN_TB\n\nthread block = {block},0,0\n\nwarp = 0\ninsts = 1\n\
             0000 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n"
        );
    }
    text
}

/// A folder with an input of every kind.
fn place() -> Place {
    let place = Place::new();
    place.write("g.el", EDGES);
    place.write("s.toml", std::fs::read(worked_example("claso-case-study")).expect("a scenario"));
    place.write("kernelslist.g", "kernel-1.traceg\n");
    place.write("kernel-1.traceg", traced());
    place.write("k.ptx", MODULE);
    place.write("k.toml", HOST);
    place.write("x.txt", "1 2 3\n");
    place.write("y.txt", "1 2 3\n");
    place
}

/// A run of every kind of source, with the files that it reads.
const SOURCES: [(&[&str], &[&str]); 7] = [
    (&["--workload", "bfs", "--set", "graph.scale=4", "--seed", "3", "--launch", "dtbl"], &[]),
    (&["--workload", "bfs", "--input", "g.el", "--set", "smx.count=2"], &["g.el"]),
    (&["--workload", "erc/SAD+SHA1", "--gpu", "gtx480", "--engine", "golden"], &[]),
    (&["--scenario", "s.toml"], &["s.toml"]),
    (&["--trace", "kernelslist.g"], &["kernelslist.g", "kernel-1.traceg"]),
    (&["--trace", "kernel-1.traceg", "--engine", "rtl"], &["kernel-1.traceg"]),
    (&["--kernel", "k.ptx"], &["k.ptx", "k.toml", "x.txt", "y.txt"]),
];

fn run<'a>(source: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--scheduler", "rr"], source, more].concat()
}

fn comes_from(place: &Place, file: &str) -> Value {
    let stats: Value = serde_json::from_str(&place.text(file)).expect("JSON");
    stats["run"].clone()
}

#[test]
fn a_run_of_every_kind_of_source_is_repeated_from_its_statistics_to_the_byte() {
    let place = place();
    for (source, inputs) in SOURCES {
        place.fine(&run(source, &["--stats", "1.json", "--dispatch-log", "1.csv"]));
        let again = ["run", "--from", "1.json", "--stats", "2.json", "--dispatch-log", "2.csv"];
        place.fine(&again);
        assert_eq!(place.text("1.json"), place.text("2.json"), "{source:?}");
        assert_eq!(place.text("1.csv"), place.text("2.csv"), "{source:?}");
        let named = comes_from(&place, "1.json")["inputs"].clone();
        let named: Vec<&str> =
            named.as_array().expect("inputs").iter().filter_map(|i| i["path"].as_str()).collect();
        assert_eq!(named, inputs, "{source:?}");
    }
}

#[test]
fn an_input_that_has_changed_is_refused_with_both_hashes_before_anything_is_written() {
    for (source, inputs) in SOURCES {
        let place = place();
        place.fine(&run(source, &["--stats", "1.json"]));
        for input in inputs {
            let before = place.bytes(input);
            place.write(input, [&before[..], b"\n"].concat());
            let args = ["run", "--from", "1.json", "--stats", "2.json"];
            let was = comes_from(&place, "1.json")["inputs"].clone();
            let was = was.as_array().expect("inputs").iter().find(|i| i["path"] == *input);
            let was = was.expect("it is there")["sha256"].as_str().expect("a hash").to_owned();
            place.refused(
                &args,
                &[&format!("{input} has changed since: its SHA-256 was {was}, and is ")],
            );
            std::fs::remove_file(place.file(input)).expect("removed");
            place.refused(&args, &[&format!("cannot read {input}"), "the run was started"]);
            assert!(!place.file("2.json").exists());
            place.write(input, before);
        }
        place.fine(&["run", "--from", "1.json"]);
    }
}

#[test]
fn statistics_say_scheduler_gpu_inputs_engine_seed_and_who_made_them_where() {
    let place = place();
    let source = ["--workload", "bfs", "--input", "g.el", "--set", "smx.count=2"];
    let mut args = vec!["run", "--scheduler", "fifo+claso", "--seed", "9", "--stats", "s.json"];
    args.extend(source);
    place.fine(&args);
    let run = comes_from(&place, "s.json");
    assert_eq!(run["scheduler"], "rr+claso(pa=1,pl=0)");
    assert_eq!(
        (&run["gpu"]["smx"]["count"], &run["gpu"]["clock"]["core"]),
        (&2.into(), &706.0.into())
    );
    assert_eq!(run["inputs"][0]["sha256"], EDGES_SHA256);
    assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
    for key in ["name", "system", "architecture"] {
        assert!(run["host"][key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    assert!(run["revision"].as_str().is_some_and(|text| !text.is_empty()));
    let options = &run["options"];
    assert_eq!(
        (
            &options["workload"],
            &options["gpu"],
            &options["launch"],
            &options["engine"],
            &options["seed"]
        ),
        (&"bfs".into(), &"k20c".into(), &"flat".into(), &"lockstep".into(), &9.into())
    );
}

#[test]
fn the_figures_do_not_change_with_what_is_said_of_them() {
    let place = place();
    for engine in ["golden", "rtl", "lockstep"] {
        let name = format!("{engine}.json");
        place.fine(&run(&["--scenario", "s.toml"], &["--engine", engine, "--stats", &name]));
    }
    let one = place.text("golden.json");
    for engine in ["rtl", "lockstep"] {
        let other = place.text(&format!("{engine}.json"));
        assert!(one != other, "they come from another engine");
        assert_eq!(figures(&one), figures(&other));
    }
}

#[test]
fn other_options_of_the_run_are_refused_beside_from() {
    let place = place();
    place.fine(&run(&["--scenario", "s.toml"], &["--stats", "1.json"]));
    for more in [
        &["--seed", "2"][..],
        &["--scheduler", "rr"],
        &["--set", "smx.count=2"],
        &["--gpu", "k20c"],
        &["--workload", "bfs"],
        &["--scenario", "s.toml"],
        &["--input", "g.el"],
        &["--host", "k.toml"],
        &["--engine", "rtl"],
        &["--functional"],
    ] {
        let args = [&["run", "--from", "1.json"], more].concat();
        place.refused(&args, &["--from <F.json>", more[0], "cannot be used with"]);
    }
    let same = ["run", "--from", "1.json", "--stats", "1.json"];
    place.refused(&same, &["--from and --stats are both 1.json"]);
}

#[test]
fn what_does_not_say_what_it_comes_from_cannot_be_repeated() {
    let place = place();
    place.write("old.json", "{\"cycles\": 3}\n");
    place.write("not.json", "{\"cycles\": 3,\n \"run\": 7}\n");
    place.write("text.json", "cycles 3\n");
    let expected = "expected what `blockyard run --stats F.json` writes";
    place.refused(&["run", "--from", "old.json"], &["old.json does not say what it", expected]);
    place.refused(
        &["run", "--from", "not.json"],
        &["not.json, line 2 column", "found `7`, expected a table", expected],
    );
    place.refused(&["run", "--from", "text.json"], &["text.json, line 1 column 1", expected]);
    place.refused(&["run", "--from", "no.json"], &["cannot read no.json"]);
}

#[test]
fn another_version_is_a_note_and_no_reason_not_to_run() {
    let place = place();
    place.fine(&run(&["--scenario", "s.toml"], &["--stats", "1.json"]));
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    let older = place.text("1.json").replace(version, "\"version\": \"0.0.7\"");
    place.write("older.json", &older);
    let ended = place.run(&["run", "--from", "older.json", "--stats", "2.json"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("note: it was made by Blockyard 0.0.7 ("), "{}", ended.stderr);
    assert_eq!(place.text("1.json"), place.text("2.json"));
}

#[test]
fn dumps_of_both_formats_say_it_beside_their_signals() {
    let place = place();
    for (dump, stats) in [("w.vcd", "1.json"), ("w.fst", "2.json")] {
        place.fine(&run(&["--scenario", "s.toml"], &["--wave", dump, "--stats", stats]));
        let read = Dump::open(&place.file(dump)).expect("a dump");
        let about: Value = serde_json::from_str(read.about().expect(dump)).expect("JSON");
        assert_eq!(about, comes_from(&place, stats), "{dump}");
        assert!(!read.has("run.about"), "it is no signal");
    }
}

#[test]
fn a_dispatch_log_says_it_in_a_comment_if_it_is_asked_to() {
    let place = place();
    place.fine(&run(&["--scenario", "s.toml"], &["--dispatch-log", "1.csv", "--stats", "1.json"]));
    place.fine(&run(&["--scenario", "s.toml"], &["--dispatch-log", "2.csv", "--provenance"]));
    let log = place.text("2.csv");
    let (comment, rest) = log.split_once('\n').expect("lines");
    assert_eq!(rest, place.text("1.csv"));
    let said = comment.strip_prefix("# run: ").expect("a comment");
    let said: Value = serde_json::from_str(said).expect("JSON");
    assert_eq!(said, comes_from(&place, "1.json"));
    place.refused(&run(&["--scenario", "s.toml"], &["--provenance"]), &["--dispatch-log <F.csv>"]);
}

#[cfg(unix)]
#[test]
fn an_input_whose_name_cannot_be_written_down_is_refused_only_where_it_would_be() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = place();
    let name = OsStr::from_bytes(b"s\xff.toml");
    std::fs::copy(place.file("s.toml"), place.path().join(name)).expect("a copy");
    let args = ["run", "--scheduler", "rr", "--scenario"].map(OsStr::new);
    let args = [&args[..], &[name]].concat();
    place.fine(&args);
    let stats = [&args[..], &["--stats", "1.json"].map(OsStr::new)].concat();
    place.refused(&stats, &["the name of the input", "expected a name in UTF-8"]);
}

#[test]
fn what_reproduces_a_paper_says_it_as_well() {
    let args = ["reproduce", "ikra", "--json", "--set", "ikra.kernels=2", "--set", "ikra.data=6"];
    let printed = Place::new().fine(&[&args[..], &["--set", "l1.mshrs=32"]].concat()).stdout;
    let result: Value = serde_json::from_str(&printed).expect("JSON");
    let run = &result["run"];
    assert_eq!((&run["options"]["paper"], &run["options"]["seed"]), (&"ikra".into(), &1.into()));
    assert_eq!(run["gpu"]["l1"]["mshrs"], 32);
    assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
    assert!(run["options"].get("jobs").is_none(), "it decides on nothing");
}
