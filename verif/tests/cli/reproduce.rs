//! `blockyard reproduce`: rows for everything that a paper compares.

use super::command::Place;
use serde_json::Value;

#[test]
fn ikra_runs_four_microbenchmarks_under_five_schedulers_and_two_protocols() {
    let mut args = vec!["reproduce", "ikra", "--json", "--jobs", "2"];
    args.extend(["--set", "ikra.kernels=3", "--set", "ikra.data=6"]);
    let printed = Place::new().fine(&args).stdout;
    let alone = args.iter().map(|&arg| if arg == "2" { "1" } else { arg }).collect::<Vec<_>>();
    assert!(Place::new().fine(&alone).stdout == printed, "the same bytes with any number of jobs");
    let result: Value = serde_json::from_str(&printed).expect("JSON");
    let rows = result["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2 * 4 * 5);
    for row in rows {
        let served = row["served"].as_object().expect("shares");
        let all: f64 = served.values().map(|share| share.as_f64().expect("a share")).sum();
        assert!((all - 1.0).abs() < 1e-9, "{row}");
        assert!(row["cycles"].as_u64() > Some(0), "{row}");
        if row["protocol"] == "gpu" {
            assert_eq!(row["served"]["remote_l1"], 0.0, "{row}");
        }
        if row["scheduler"].as_str().is_some_and(|name| name.starts_with("rr")) {
            assert_eq!(row["cycles_by_rr"], 1.0, "{row}");
        }
    }
    // Data that the L1s hold: what each SMX owns stays there.
    let warm = |scheduler: &str| {
        let is = |row: &&Value| row["workload"] == "small" && row["scheduler"] == scheduler;
        rows.iter().find(is).expect("a row")["warm_flits"].as_u64()
    };
    for scheduler in ["ikra/reset", "ikra/flip"] {
        assert_eq!(warm(scheduler), Some(0), "{scheduler}");
    }
    assert!(result["statements"].as_array().is_some_and(|list| list.len() > 10));
    let effects = result["effects"].as_array().expect("effects");
    let of = |figure: &str, what: &str, policy: &str, benchmark: &str| {
        let is = |effect: &&Value| {
            [&effect["figure"], &effect["what"], &effect["policy"], &effect["benchmark"]]
                == [figure, what, policy, benchmark]
        };
        effects.iter().find(is).expect("an effect")
    };
    // 68 % less time, section 6.1.
    let small = of("Fig. 4", "time", "ikra/reset", "small");
    assert!((small["paper"].as_f64().expect("a number") - 0.32).abs() < 1e-9, "{small}");
    let is = |row: &&Value| {
        [&row["protocol"], &row["workload"], &row["scheduler"]] == ["denovo", "small", "ikra/reset"]
    };
    assert_eq!(small["ours"], rows.iter().find(is).expect("a row")["cycles_by_rr"]);
    assert_eq!(of("Section 6.1", "energy", "ikra/flip", "medium")["base"], "ikra/reset");
    let of_all = [&["small", "medium", "large", "work-stealing"][..], &["mean"]].concat();
    for benchmark in of_all {
        assert!(of("Section 7.2", "flits", "ikra/steal", benchmark)["paper"].is_null());
    }
}

#[test]
fn ikra_s_microbenchmarks_take_no_graph() {
    let input = ["reproduce", "ikra", "--input", "bfs"];
    Place::new().refused(&input, &["`--input` does nothing in `reproduce ikra`", "applications"]);
    let key = ["reproduce", "ikra", "--set", "bfs.block=64"];
    Place::new().refused(&key, &["does nothing in IKRA's microbenchmarks"]);
}

#[test]
fn ikra_s_applications_have_effects_by_group_and_protocol() {
    let args = ["reproduce", "ikra", "--reduced", "--only", "HS,srad2,sssp,NN", "--json"];
    let result = json(&Place::new().fine(&args).stdout);
    let effects = result["effects"].as_array().expect("effects");
    let of = |figure: &str| -> Vec<&Value> {
        effects.iter().filter(|effect| effect["figure"] == figure).collect()
    };
    // Four schedulers, and of what is no ratio round robin, too; two benchmarks and the mean.
    for (figure, schedulers) in [("Fig. 5a", 4), ("Fig. 5d", 5), ("Fig. 6c", 4), ("Fig. 6d", 5)] {
        assert_eq!(of(figure).len(), schedulers * 3, "{figure}");
    }
    for figure in ["Fig. 8, regular", "Fig. 8, irregular"] {
        assert_eq!(of(figure).len(), 4 * 3, "{figure}");
        assert!(of(figure).iter().all(|effect| effect["base"] == "rr"), "{figure}");
    }
    // Of SD2 and DJ2, six sizes under five schedulers, and under four by that of the same size.
    for (what, schedulers) in [("time", 5), ("time_of_size", 4)] {
        let sizes: Vec<&Value> =
            of("Fig. 7").into_iter().filter(|effect| effect["what"] == what).collect();
        assert_eq!(sizes.len(), 2 * 6 * schedulers, "{what}");
        assert!(sizes.iter().all(|effect| effect["ours"].as_f64() > Some(0.0)), "{what}");
    }
    let default = |effect: &&&Value| {
        effect["benchmark"] == "SD2, 128 KB" && effect["policy"] == "rr" && effect["what"] == "time"
    };
    assert_eq!(of("Fig. 7").iter().find(default).expect("round robin")["ours"], 1.0);
    // Time, energy and flits of one benchmark and its mean.
    assert_eq!(of("Section 6.4").len(), 3 * 4 * 2);
    let time = of("Fig. 5a");
    let steal = |benchmark: &str| {
        let is =
            |effect: &&&Value| effect["policy"] == "ikra/steal" && effect["benchmark"] == benchmark;
        *time.iter().find(is).expect("an effect")
    };
    assert_eq!(steal("mean")["paper"], 0.81, "section 6.2");
    assert_eq!(steal("SD2")["paper"], 0.57, "section 6.2");
    assert!(steal("HS")["paper"].is_null() && steal("HS")["ours"].as_f64() > Some(0.0));
}

#[test]
fn all_of_ikra_s_applications_are_asked_for_by_one_name() {
    let args = ["reproduce", "ikra", "--only", "applications", "--input", "no/such.mtx"];
    Place::new().refused(&args, &["no/such.mtx"]);
}

const SMALL: [&str; 5] = ["reproduce", "dtbl", "--reduced", "--only", "join,bfs_cage15"];

pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn dtbl_has_an_effect_for_each_benchmark_and_the_mean_of_each_figure() {
    let args = [&SMALL[..], &["--json", "--jobs", "2"]].concat();
    let printed = Place::new().fine(&args).stdout;
    let alone = args.iter().map(|&arg| if arg == "2" { "1" } else { arg }).collect::<Vec<_>>();
    assert!(Place::new().fine(&alone).stdout == printed, "the same bytes with any number of jobs");
    let result = json(&printed);
    let effects = result["effects"].as_array().expect("effects");
    let figures = effects.chunks(4);
    assert_eq!((effects.len() % 4, figures.len()), (0, 21), "three benchmarks and their mean");
    for figure in figures {
        let names: Vec<_> = figure.iter().map(|effect| effect["benchmark"].as_str()).collect();
        let expected = ["bfs_cage15", "join_uniform", "join_gaussian", "mean"].map(Some);
        assert_eq!(names, expected);
        for key in ["figure", "what", "policy", "launch", "unit", "base", "set"] {
            assert!(figure.iter().all(|effect| effect[key] == figure[0][key]), "{key}");
        }
    }
    let find = |benchmark: &str, launch: &str, base: &str| {
        let is = |effect: &&Value| {
            effect["what"] == "speedup"
                && effect["benchmark"] == benchmark
                && effect["launch"] == launch
                && effect["base"] == base
                && effect["set"].is_null()
        };
        effects.iter().find(is).expect("an effect")["ours"].as_f64().expect("a number")
    };
    for benchmark in ["join_uniform", "mean"] {
        let product = find(benchmark, "cdp", "flat") * find(benchmark, "dtbl", "cdp");
        let whole = find(benchmark, "dtbl", "flat");
        assert!((product / whole - 1.0).abs() < 1e-9, "{benchmark}: {product} {whole}");
    }
    let matched = |effect: &&Value| effect["what"] == "match_rate" && effect["benchmark"] == "mean";
    assert_eq!(effects.iter().find(matched).expect("a rate")["paper"], 98.0);
}

#[test]
fn laperm_compares_three_schedulers_with_round_robin_and_looks_at_what_blocks_share() {
    let args = ["reproduce", "laperm", "--reduced", "--only", "regx_string", "--json"];
    let result = json(&Place::new().fine(&args).stdout);
    let effects = result["effects"].as_array().expect("effects");
    // Three shares; three figures for two launch modes and three schedulers; each with its mean.
    assert_eq!(effects.len(), 2 * (3 + 3 * 2 * 3));
    let shared: Vec<_> = effects.iter().filter(|effect| effect["figure"] == "Fig. 2").collect();
    assert!(shared.iter().all(|effect| effect["ours"].as_f64().is_some_and(|ours| ours > 0.0)));
    let stated: Vec<f64> = effects
        .iter()
        .filter(|effect| effect["what"] == "ipc" && effect["benchmark"] == "mean")
        .map(|effect| effect["paper"].as_f64().expect("the paper's mean"))
        .collect();
    assert_eq!(stated, [1.04, 0.95, 1.06, 1.13, 1.08, 1.27], "section V-B");
}

#[test]
fn claso_has_an_effect_for_each_benchmark_and_the_mean_over_four_schedulers_and_of_the_levels() {
    let args = ["reproduce", "claso", "--reduced", "--only", "SP,scan", "--json"];
    let result = json(&Place::new().fine(&args).stdout);
    let effects = result["effects"].as_array().expect("effects");
    let credits: Vec<&Value> = effects.iter().filter(|effect| !effect["base"].is_null()).collect();
    // Three figures: two levels over each of four schedulers, and six levels over LRR.
    assert_eq!((credits.len() % 3, credits.len() / 3), (0, 3 * (4 * 2 + 6)));
    for figure in credits.chunks(3) {
        let names: Vec<_> = figure.iter().map(|effect| effect["benchmark"].as_str()).collect();
        assert_eq!(names, ["SP", "SLA", "mean"].map(Some));
        for key in ["figure", "what", "policy", "launch", "unit", "base", "set"] {
            assert!(figure.iter().all(|effect| effect[key] == figure[0][key]), "{key}");
        }
    }
    let of = |figure: &str, policy: &str, benchmark: &str| {
        let is = |effect: &&Value| {
            [&effect["figure"], &effect["policy"], &effect["benchmark"]]
                == [figure, policy, benchmark]
        };
        effects.iter().find(is).expect("an effect")
    };
    for (figure, base, warps, stated) in [
        ("Fig. 11", "rr", "lrr", 1.084),
        ("Fig. 13a", "rr", "two-level", 1.074),
        ("Fig. 13b", "rr", "owl", 1.044),
        ("Fig. 13c", "rr+dyncta(pause=1)", "lrr", 1.035),
    ] {
        for levels in ["pa=1,pl=0", "pa=2,pl=0"] {
            let mean = of(figure, &format!("{base}+claso({levels})"), "mean");
            assert_eq!([&mean["base"], &mean["what"]], [base, "speedup"]);
            assert_eq!(mean["set"], format!("warp.policy={warps}"));
            assert_eq!(mean["paper"], stated, "sections 4.2 and 4.3");
            assert!(mean["ours"].as_f64() > Some(0.0), "{mean}");
        }
    }
    let tight = "rr+claso(pa=1,pl=0)";
    for benchmark in ["SP", "SLA", "mean"] {
        let both = ["Fig. 11", "Fig. 16"].map(|figure| &of(figure, tight, benchmark)["ours"]);
        assert_eq!(both[0], both[1], "the same runs");
    }
    assert_eq!(of("Fig. 12a", tight, "mean")["paper"], -52.4);
    assert!(of("Fig. 15b", tight, "mean")["paper"].is_null(), "a plot alone");
}

#[test]
fn claso_shows_load_imbalance_without_credits_by_size_of_the_grid_and_by_time() {
    let args = ["reproduce", "claso", "--reduced", "--only", "SP,SLA", "--json"];
    let result = json(&Place::new().fine(&args).stdout);
    let effects = result["effects"].as_array().expect("effects");
    let of = |figure: &str, what: &str| -> Vec<&Value> {
        let is = |effect: &&Value| effect["figure"] == figure && effect["what"] == what;
        effects.iter().filter(is).collect()
    };
    let ours = |effect: &Value| effect["ours"].as_f64().expect("a number");
    let sizes = of("Fig. 2, SP", "idle_cycles");
    assert_eq!((sizes.len(), &sizes[0]["benchmark"]), (30, &Value::from("SP, 56 blocks")));
    let highest = sizes.iter().map(|size| ours(size)).fold(0.0, f64::max);
    for (row, name) in of("Fig. 2", "highest_idle_cycles").into_iter().zip(["SP", "highest"]) {
        assert_eq!((&row["benchmark"], ours(row)), (&Value::from(name), highest));
    }
    for (what, least) in [("instructions_in_first_half", 1.0), ("instructions_in_second_half", 0.0)]
    {
        let rows = of("Fig. 3a", what);
        assert_eq!(rows.len(), 14, "{what}");
        assert!(rows.iter().all(|row| ours(row) >= least), "{what}");
    }
    let blocks: f64 = of("Fig. 3b", "thread_blocks").into_iter().map(ours).sum();
    assert_eq!(blocks, 30.0);
    let stated = &of("Fig. 3a", "idle_in_second_half")[0]["paper"];
    assert_eq!(*stated, 50.0, "section 2.2");
    // Two benchmarks and the mean, over three lengths.
    let spread = of("Fig. 4", "service_spread");
    assert_eq!(spread.len(), 3 * 3);
    for (rows, length) in spread.chunks(3).zip([500, 5000, 50_000]) {
        assert_eq!(rows[0]["set"], format!("warp.policy=lrr, intervals={length}"));
    }
    let shares = of("Fig. 5", "behind_own");
    assert_eq!(
        [&shares[2]["benchmark"], &shares[2]["paper"]],
        [&Value::from("mean"), &30.0.into()]
    );
    assert!((ours(shares[0]) + ours(shares[1]) - 2.0 * ours(shares[2])).abs() < 1e-9);
}

#[test]
fn credits_take_idle_cycles_away_where_blocks_are_left_over() {
    // Three SMXs hold 24 of the 30 blocks at once.
    let args = ["reproduce", "claso", "--reduced", "--only", "SP", "--set", "smx.count=3"];
    let result = json(&Place::new().fine(&[&args[..], &["--json"]].concat()).stdout);
    let effects = result["effects"].as_array().expect("effects");
    let ours = |figure: &str| {
        let tight = |effect: &&Value| {
            effect["figure"] == figure && effect["policy"] == "rr+claso(pa=1,pl=0)"
        };
        effects.iter().find(tight).expect("an effect")["ours"].as_f64().expect("a number")
    };
    assert!(ours("Fig. 12a") < -10.0 && ours("Fig. 12a") > -100.0, "{}", ours("Fig. 12a"));
    assert!(ours("Fig. 11") > 1.0, "{}", ours("Fig. 11"));
}

#[test]
fn the_help_names_every_paper() {
    let help = Place::new().fine(&["reproduce", "--help"]).stdout;
    for paper in ["claso", "dtbl", "ikra", "laperm", "srtf"] {
        assert!(help.contains(&format!("- {paper}: ")), "{paper}: {help}");
    }
}

#[test]
fn claso_takes_a_graph_for_its_search_alone_and_no_warp_scheduler() {
    let refused = |more: &[&str], said: &[&str]| {
        Place::new().refused(&[&["reproduce", "claso", "--reduced"], more].concat(), said);
    };
    let only = ["--only", "SP,bfs_cage15"];
    refused(&only, &["`reproduce claso` has no benchmark `bfs_cage15`", "SP, CP, BS"]);
    let input = ["--only", "SP", "--input", "graph.txt"];
    refused(&input, &["`reproduce claso` has no benchmark `SP`", "bfs_graph"]);
    let set = ["--set", "warp.policy=gto"];
    refused(&set, &["`--set warp.policy=gto` does nothing in `reproduce claso`", "help:"]);
    let sweep = ["--sweep", "warp.policy=gto,owl"];
    refused(&sweep, &["`--sweep warp.policy=gto,owl` does nothing in `reproduce claso`"]);
    refused(&["--set", "laperm.levels=2"], &["laperm.levels", "rr+claso(pa=1,pl=0)"]);
    refused(
        &["--only", "SP", "--set", "graph.edges=9"],
        &["does nothing in any of the benchmarks"],
    );
}

#[test]
fn what_a_sweep_sets_stands_beside_the_warp_scheduler() {
    let args = ["reproduce", "claso", "--reduced", "--only", "SLA", "--sweep", "l1.mshrs=8,16"];
    let result = json(&Place::new().fine(&[&args[..], &["--json"]].concat()).stdout);
    let effects = result["effects"].as_array().expect("effects");
    for mshrs in [8, 16] {
        let set = format!("warp.policy=owl, l1.mshrs={mshrs}");
        let of_set = effects.iter().filter(|effect| effect["set"] == set.as_str());
        // Three figures, two levels, a benchmark and the mean.
        assert_eq!(of_set.count(), 3 * 2 * 2, "{set}");
    }
}

#[test]
fn what_is_for_no_benchmark_is_refused() {
    let refused = |more: &[&str], said: &[&str]| {
        Place::new().refused(&[&SMALL[..], more].concat(), said);
    };
    refused(
        &["--set", "pre.users=9"],
        &["`--set pre.users=9` does nothing in any of the benchmarks"],
    );
    refused(&["--set", "graph.scale=9"], &["does nothing in any of the benchmarks"]);
    refused(&["--set", "join.left=many"], &["join.left", "many"]);
    refused(&["--sweep", "launch.table"], &["`--sweep launch.table` has no `=`"]);
    refused(&["--resume"], &["--out"]);
    let only = ["reproduce", "laperm", "--only", "bfs_usa_road"];
    Place::new().refused(&only, &["has no benchmark `bfs_usa_road`", "bfs_citation"]);
    let other = ["reproduce", "ikra", "--only", "bfs"];
    Place::new().refused(&other, &["`reproduce ikra` has no benchmark `bfs`", "HS, KM, LUD"]);
    let varied = ["reproduce", "ikra", "--only", "HS", "--set", "coherence.protocol=gpu"];
    Place::new().refused(&varied, &["does nothing in `reproduce ikra`", "coherence.protocol"]);
}

#[test]
fn finished_runs_are_kept_and_not_run_again() {
    let place = Place::new();
    let args = ["reproduce", "dtbl", "--reduced", "--only", "join_uniform", "--out", "kept"];
    let first = place.fine(&args).stdout;
    for file in ["effects.json", "tables.md", "fig-11-speedup-ratio.svg"] {
        assert!(!place.bytes(&format!("kept/{file}")).is_empty(), "{file}");
    }
    let journal = place.text("kept/runs.jsonl");
    assert_eq!(journal.lines().count(), 1 + 7, "the header and seven runs");
    // The last line was torn, and another run came out differently: only the torn one runs again.
    let flat = journal.lines().find(|line| line.contains(" flat ")).expect("the flat run");
    let cycles = json(flat)["measured"]["cycles"].as_u64().expect("cycles");
    let other =
        flat.replace(&format!("\"cycles\":{cycles}"), &format!("\"cycles\":{}", 2 * cycles));
    let torn = journal.replace(flat, &other);
    place.write("kept/runs.jsonl", &torn[..torn.len() - 9]);
    let resumed = [&args[..], &["--resume"]].concat();
    let second = place.fine(&resumed).stdout;
    assert!(second != first, "the changed run was taken from the journal");
    assert_eq!(place.text("kept/runs.jsonl").lines().count(), 1 + 7);
    let seed = [&resumed[..], &["--seed", "2"]].concat();
    place.refused(&seed, &["runs.jsonl line 1: these are runs of another study"]);
    place.write("kept/runs.jsonl", torn.replace("\"measured\"", "\"mesured\""));
    place.refused(&resumed, &["runs.jsonl line 2", "expected the journal of a study"]);
    let anew = place.fine(&args).stdout;
    assert!(anew == first, "without --resume all runs are run");
}

#[test]
fn another_family_of_graphs_replaces_those_of_the_paper() {
    let set = ["--set", "graph.kind=road", "--set", "graph.vertices=300"];
    let args = [&["reproduce", "dtbl", "--only", "sssp", "--json"][..], &set].concat();
    let result = json(&Place::new().fine(&args).stdout);
    let names = result["benchmarks"].as_array().expect("benchmarks");
    assert_eq!(names.len(), 1);
    assert_eq!(names[0]["name"], "sssp_road");
}
