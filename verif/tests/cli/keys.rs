//! `blockyard list keys`: every key of `--set`, and GPUs as files.

use super::command::Place;
use serde_json::Value;
use std::collections::BTreeSet;

fn keys(more: &[&str]) -> Vec<Value> {
    let args = [&["list", "keys"], more, &["--json"]].concat();
    serde_json::from_str(&Place::new().fine(&args).stdout).expect("JSON")
}

fn text<'a>(key: &'a Value, field: &str) -> &'a str {
    key[field].as_str().unwrap_or_else(|| panic!("{key} has no {field}"))
}

fn named<'a>(keys: &'a [Value], name: &str) -> &'a Value {
    keys.iter().find(|key| key["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Words and truths count nothing.
fn is_number(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_digit() || first == '[')
}

#[test]
fn every_key_has_unit_range_default_and_where_it_comes_from() {
    for gpu in ["k20c", "denovo15", "accelsim-gtx480"] {
        let keys = keys(&[gpu]);
        let names: BTreeSet<&str> = keys.iter().map(|key| text(key, "name")).collect();
        assert_eq!(names.len(), keys.len(), "each once");
        assert!(names.len() > 180, "{}", names.len());
        for key in &keys {
            assert!(!text(key, "range").is_empty(), "{key}");
            assert!(!text(key, "default").is_empty(), "{key}");
            assert!(!text(key, "unit").is_empty() || !is_number(text(key, "default")), "{key}");
            let table = text(key, "name").split('.').next().expect("a table");
            let of_gpu = ["clock", "smx", "l1", "channel", "launch", "energy"].contains(&table);
            assert!(!of_gpu || !text(key, "source").is_empty(), "{key}");
        }
    }
}

#[test]
fn the_range_is_what_set_says_of_a_value_beyond_it() {
    let keys = keys(&[]);
    for (name, unit, range, default) in [
        ("clock.core", "MHz", "1 to 100000 MHz", "706.0"),
        ("smx.count", "SMXs", "1 to 144", "13"),
        ("smx.threads", "threads", "32 to 2048", "2048"),
        ("l1.line", "bytes", "32, 64, 128", "128"),
        ("l1.global", "", "true or false", "true"),
        ("warp.policy", "", "one of lrr, gto, two-level, owl, owl-blp", "gto"),
        ("launch.table", "groups", "a power of two from 1 to 2048", "1024"),
        ("energy.l1", "pJ", "0 to 1000000000 pJ", "2935.0"),
        ("channel.cl", "DRAM cycles", "0 to 10000", "16"),
        ("address.row", "first and last bit of the row", "16 to 47", "[16, 27]"),
        ("coherence.forward", "cycles", "a whole number from 0 on", "1"),
        ("laperm.entries", "entries for each SMX", "a power of two from 1 to 2048", "128"),
        ("laperm.queue", "kind of queue", "shifting or linked", "linked"),
        ("bfs.block", "threads of a block", "1 to 1024", "256"),
        (
            "sssp.weights",
            "where weights come from",
            "listed or generated",
            "listed if the graph has some",
        ),
        ("graph.scale", "logarithm of the vertices", "1 to 24", "10"),
        ("erc.offset", "percent of the first kernel's run time", "0 to 1000", "0"),
        ("ikra.kernels", "launches", "1 to 10000", "16"),
        ("vecadd.count", "elements of an array", "0 to 67108864", "10000"),
        ("join.keys", "", "uniform or gaussian", "uniform"),
    ] {
        let key = named(&keys, name);
        assert_eq!((text(key, "range"), text(key, "default")), (range, default), "{name}");
        if !unit.is_empty() {
            assert_eq!(text(key, "unit"), unit, "{name}");
        }
    }
}

#[test]
fn every_key_that_is_listed_can_be_set_to_its_default() {
    let keys = keys(&[]);
    let place = Place::new();
    let mut args =
        vec!["verilog".to_owned(), "--scheduler".into(), "rr".into(), "--out".into(), "v".into()];
    let table = |key: &Value| text(key, "name").split('.').next().expect("a table").to_owned();
    let of_gpu = |key: &&Value| !text(key, "source").is_empty();
    for key in keys.iter().filter(of_gpu) {
        args.extend([
            "--set".to_owned(),
            format!("{}={}", text(key, "name"), text(key, "default")),
        ]);
    }
    place.fine(&args);
    // The others are refused for meaning nothing here, and not for being unknown.
    let tables: BTreeSet<String> = keys.iter().filter(|key| !of_gpu(key)).map(table).collect();
    assert!(tables.contains("bfs") && tables.contains("laperm") && tables.contains("vecadd"));
    for key in keys.iter().filter(|key| !of_gpu(key) && table(key) != "laperm") {
        let default = text(key, "default");
        if default.contains(' ') {
            continue;
        }
        let set = format!("{}={default}", text(key, "name"));
        place.refused(&["budget", "--set", &set], &[text(key, "name"), "is of a workload"]);
    }
}

#[test]
fn values_and_sources_are_those_of_the_gpu_that_is_named() {
    let (k20c, gtx480) = (keys(&["k20c"]), keys(&["gtx480"]));
    assert_eq!(k20c, keys(&[]), "k20c is what `run` takes unless it is told");
    assert_eq!(text(named(&k20c, "smx.count"), "default"), "13");
    assert_eq!(text(named(&k20c, "smx.count"), "source"), "DTBL, Table 2: # of SMX");
    assert_eq!(text(named(&gtx480, "smx.count"), "default"), "15");
    let page = Place::new().fine(&["list", "keys", "gtx480"]).stdout;
    assert!(
        page.lines().count() > 180
            && page.lines().next().is_some_and(|head| head.contains("gtx480"))
    );
    let refused = ["list", "keys", "k20"];
    Place::new().refused(&refused, &["there is no GPU `k20`", "did you mean `k20c`?"]);
    Place::new().refused(&["list", "suites", "k20c"], &["`k20c` does nothing here"]);
}

#[test]
fn a_gpu_is_printed_as_toml_read_back_from_its_file_and_hashed_as_an_input() {
    let place = Place::new();
    let printed = place.fine(&["list", "gpus", "c2050"]).stdout;
    place.write("my.toml", printed.replace("count = 14", "count = 3 "));
    let run = |gpu: &str, more: &[&str]| {
        let args = ["run", "--scheduler", "rr", "--workload", "vecadd", "--gpu", gpu];
        place.fine(&[&args[..], &["--stats", "s.json"], more].concat()).stdout
    };
    assert_eq!(run("my.toml", &[]), run("c2050", &["--set", "smx.count=3"]));
    run("my.toml", &["--set", "smx.count=2"]);
    let stats: Value = serde_json::from_str(&place.text("s.json")).expect("JSON");
    assert_eq!(
        (&stats["run"]["gpu"]["smx"]["count"], &stats["run"]["inputs"][0]["path"]),
        (&2.into(), &"my.toml".into())
    );
    place.fine(&["run", "--from", "s.json"]);
    place.fine(&["budget", "--gpu", "my.toml"]);
    place.write("my.toml", printed.replace("count = 14", "count = 0 "));
    place.refused(&["run", "--from", "s.json"], &["my.toml has changed since"]);
    let args = ["run", "--scheduler", "rr", "--workload", "vecadd", "--gpu", "my.toml"];
    place.refused(&args, &["zero cores (smx.count = 0)"]);
    place.write("my.toml", printed.replace("count = 14", "count = \"many\""));
    place.refused(&args, &["[my.toml:", "found \"many\", expected a whole number from 0 to"]);
    let missing = ["run", "--scheduler", "rr", "--workload", "vecadd", "--gpu", "no.toml"];
    place.refused(&missing, &["cannot read no.toml"]);
}

#[test]
fn a_slip_is_answered_with_what_may_have_been_meant() {
    let run = |args: &[&str], said: &[&str]| {
        let all = [&["run", "--scheduler", "rr", "--workload", "bfs"], args].concat();
        Place::new().refused(&all, said);
    };
    run(&["--gpu", "gtx48"], &["there is no GPU `gtx48`", "did you mean `gtx480`"]);
    run(&["--set", "bfs.blok=3"], &["unknown key `bfs.blok`", "did you mean `bfs.block`"]);
    run(&["--set", "grph.scale=3"], &["unknown key `grph.scale`", "did you mean `graph.scale`"]);
    run(&["--set", "l1.siz=3"], &["unknown GPU key `l1.siz`", "did you mean `l1.size`"]);
    run(
        &["--set", "lapem.levels=3"],
        &["unknown key `lapem.levels`", "did you mean `laperm.levels`"],
    );
    for (scheduler, meant) in [
        ("oldest-frist", "oldest-first"),
        ("laperm/smx-bnd", "smx-bind"),
        ("rr+clasa", "claso"),
        ("ikra/flop", "flip"),
    ] {
        let args = ["run", "--scheduler", scheduler, "--workload", "bfs"];
        Place::new().refused(&args, &[&format!("did you mean `{meant}`")]);
    }
    let workload = ["run", "--scheduler", "rr", "--workload", "vecad"];
    Place::new().refused(&workload, &["unknown workload `vecad`", "did you mean `vecadd`"]);
    run(&["--workload-set"], &["unexpected argument"]);
}

#[test]
fn numbers_are_refused_in_plain_words() {
    for (option, value, expected) in [
        ("--seed", "x", "expected a whole number from 0 to 18446744073709551615"),
        ("--max-cycles", "-1", "expected a whole number"),
        ("--threads", "0", "expected 1 to 256"),
        ("--threads", "many", "expected 1 to 256"),
    ] {
        let option_is = format!("{option}={value}");
        let args = ["run", "--scheduler", "rr", "--workload", "bfs", &option_is];
        Place::new().refused(&args, &[&format!("invalid value '{value}'"), expected]);
    }
    Place::new().refused(&["regress", "--jobs", "0"], &["expected a whole number from 1 to"]);
    Place::new()
        .refused(&["wave", "show", "f.vcd", "--around", "1.5"], &["expected a whole number"]);
}
