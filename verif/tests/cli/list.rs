//! `blockyard list`, as text and as JSON.

use super::command::Place;
use serde_json::Value;

const KINDS: [&str; 5] = ["schedulers", "workloads", "gpus", "suites", "modules"];

fn json(args: &[&str]) -> Vec<Value> {
    let printed = Place::new().fine(&[&["list"], args, &["--json"]].concat()).stdout;
    serde_json::from_str(&printed).expect("JSON")
}

#[test]
fn each_kind_is_listed_and_all_of_them_together() {
    let mut all = Vec::new();
    for kind in KINDS {
        let items = json(&[kind]);
        assert!(!items.is_empty() && items.iter().all(|item| item["kind"] == kind), "{kind}");
        for item in &items {
            assert!(item["name"].as_str().is_some_and(|name| !name.is_empty()), "{item}");
            assert!(item["description"].as_str().is_some_and(|text| !text.is_empty()), "{item}");
        }
        all.extend(items);
    }
    assert_eq!(json(&[]), all);
}

#[test]
fn the_text_names_everything_that_the_json_does() {
    let text = Place::new().fine(&["list"]).stdout;
    for heading in ["Schedulers", "Workloads", "Gpus", "Suites", "Modules"] {
        assert!(text.lines().any(|line| line == heading), "{heading}");
    }
    for item in json(&[]) {
        let name = item["name"].as_str().expect("a name");
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}");
    }
}

#[test]
fn the_names_are_those_that_the_tool_takes() {
    let names = |kind| -> Vec<String> {
        let items = json(&[kind]);
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };
    let gpus = [
        "a100",
        "accelsim-gtx480",
        "accelsim-k20c",
        "accelsim-qv100",
        "c2050",
        "denovo15",
        "denovo3",
        "gtx480",
        "h100",
        "k20c",
        "laperm",
        "v100",
    ];
    assert_eq!(names("gpus"), gpus);
    let graphs = ["bfs", "sssp", "clr", "mis", "pagerank"].map(str::to_owned);
    let ikra = ["small", "medium", "large", "work-stealing"].map(|name| format!("ikra/{name}"));
    let plain = [
        "vecadd",
        "steal",
        "matmul",
        "attention",
        "reduce",
        "histogram",
        "stencil",
        "scalarprod",
        "coulomb",
        "blackscholes",
        "walsh",
        "montecarlo",
        "backprop",
        "scan",
        "stencil3d",
        "aes",
        "kmeans",
        "libor",
        "digits",
        "hotspot",
        "pathfinder",
        "srad1",
        "srad2",
        "nw",
        "lud",
        "convolution",
        "lavamd",
        "nearest",
        "sgemm",
        "sha1",
        "sad",
        "dct",
        "denoise",
        "raytrace",
    ];
    let launching = ["nested", "sort", "join", "regx", "amr", "bht", "pre"];
    let kernels = [&plain[..], &launching].concat();
    let kernels: Vec<_> = kernels.into_iter().map(str::to_owned).collect();
    let ercbench = ["erc/A+B".to_owned(), "A+B".to_owned()];
    assert_eq!(names("workloads"), [&graphs[..], &kernels, &ercbench, &ikra].concat());
    for workload in ikra {
        let mut args = vec!["run", "--scheduler", "rr", "--workload", &workload];
        args.extend(["--engine", "golden", "--gpu", "denovo3", "--set", "ikra.data=4"]);
        let said = Place::new().fine(&args).stdout;
        assert!(said.lines().any(|line| line == "kernels    16"), "{said}");
    }
    for workload in kernels {
        let launching = launching.contains(&&*workload);
        let modes = if launching { &["flat", "cdp", "dtbl"][..] } else { &["dtbl"] };
        for mode in modes {
            let mut args = vec!["run", "--scheduler", "rr", "--workload", &workload];
            args.extend(["--engine", "golden", "--launch", mode]);
            let said = Place::new().fine(&args).stdout;
            let launching = launching && *mode != "flat";
            assert_eq!(said.contains("launches from blocks"), launching, "{said}");
        }
    }
    for workload in graphs {
        for mode in ["flat", "cdp", "dtbl"] {
            let mut args = vec!["run", "--scheduler", "rr", "--workload", &workload];
            args.extend(["--engine", "golden", "--set", "graph.scale=6", "--launch", mode]);
            let said = Place::new().fine(&args).stdout;
            assert_eq!(said.contains("launches from blocks"), mode != "flat", "{said}");
        }
    }
    assert_eq!(names("suites"), ["quick", "full", "reach"]);
    for scheduler in names("schedulers") {
        let whole = if scheduler.starts_with('+') { format!("rr{scheduler}") } else { scheduler };
        let mut args =
            vec!["run", "--scheduler", &whole, "--workload", "bfs", "--engine", "golden"];
        args.extend(["--set", "graph.scale=4"]);
        Place::new().fine(&args);
    }
}

#[test]
fn an_unknown_kind_is_refused() {
    Place::new().refused(&["list", "papers"], &["invalid value 'papers'", "schedulers, workloads"]);
}
