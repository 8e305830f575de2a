//! What `docs/regression.md` says of the suites, and what the quick one leaves to the full one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use blockyard::regress::{suites, Case, Suite};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/regression.md");

/// The kind of a case, and what of its id is left.
fn kind(case: &Case) -> (&str, &str) {
    let slashes = if case.id.starts_with("replay/") { 2 } else { 1 };
    let (end, _) = case.id.match_indices('/').nth(slashes - 1).expect("a kind");
    (&case.id[..end], &case.id[end + 1..])
}

fn suite(name: &str) -> Suite {
    suites().into_iter().find(|suite| suite.name == name).expect("a suite")
}

/// Cases and cycles of each kind.
fn counts(suite: &Suite) -> BTreeMap<&str, (u64, u64)> {
    let mut counts = BTreeMap::<_, (u64, u64)>::new();
    for case in suite.cases.iter() {
        for kind in [kind(case).0, "together"] {
            let (cases, cycles) = counts.entry(kind).or_default();
            (*cases, *cycles) = (*cases + 1, *cycles + case.cycles);
        }
    }
    counts
}

/// With a comma before every three digits; nothing for zero.
fn written(number: u64) -> String {
    match number {
        0 => String::new(),
        1..1000 => number.to_string(),
        _ => format!("{},{:03}", written(number / 1000), number % 1000),
    }
}

fn table() -> String {
    let (quick, full) = (suite("quick"), suite("full"));
    let (quick, full) = (counts(&quick), counts(&full));
    let mut table = "| kind | `quick`: cases | cycles | `full`: cases | cycles |\n\
                     | --- | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    let kinds = full.keys().filter(|kind| **kind != "together");
    for kind in kinds.chain(["together"].iter()) {
        table += &format!("| {kind} |");
        for suite in [&quick, &full] {
            let (cases, cycles) = suite.get(kind).copied().unwrap_or_default();
            table += &format!(" {} | {} |", written(cases), written(cycles));
        }
        table.push('\n');
    }
    table
}

#[test]
fn the_page_states_what_the_suites_hold() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let table = table();
    assert!(page.contains(&table), "the table of docs/regression.md is to be\n\n{table}");
}

/// What of a case both suites are to have: each part of its id, and the scheduler with its mode and
/// workload.
fn met(case: &Case) -> BTreeSet<String> {
    let (kind, rest) = kind(case);
    // Faults in the hardware take minutes a design, and the quick suite has none.
    if kind == "mutate" {
        return BTreeSet::new();
    }
    let parts: Vec<&str> = rest.split('/').collect();
    let [first, middle @ .., last] = &parts[..] else { panic!("{}", case.id) };
    let met = match kind {
        "lockstep" => {
            let (smx, scheduler) = middle.split_last().expect("a number of SMXs");
            vec![format!("{smx} {last}"), format!("{first} {}", scheduler.join("/"))]
        }
        // A scheduler walks one graph in the quick suite, and any of them will do.
        "bfs" | "expansion" => vec![parts[2..].join("/"), format!("{first} {}", parts[1])],
        "pair" => {
            let kernel = first.split('+').next().unwrap_or_default();
            vec![kernel.to_owned(), parts[1..].join("/")]
        }
        "benchmark" => vec![format!("{first} {}", parts[1]), parts[2..].join("/")],
        // In one launch mode for each list of gates, or scheduler without parameters.
        "long" => {
            let scheduler = middle.join("/");
            let part = scheduler.split_once('+').map_or(&*scheduler, |(_, gates)| gates);
            let plain = part.split('+').map(|part| part.split('(').next().unwrap_or(part));
            vec![plain.collect::<Vec<_>>().join("+")]
        }
        "replay/lint" => vec![parts[..2].join("/")],
        // What gets far takes long, and the quick suite has none of it.
        "replay/verilator" | "replay/yosys" | "deep" | "ranks" | "prove" => Vec::new(),
        _ => vec![rest.to_owned()],
    };
    met.into_iter().map(|text| format!("{kind} {text}")).collect()
}

#[test]
fn the_quick_suite_meets_all_that_the_full_one_combines() {
    let met = |name| -> BTreeSet<String> { suite(name).cases.iter().flat_map(met).collect() };
    let (quick, full) = (met("quick"), met("full"));
    let missing: Vec<&String> = full.difference(&quick).collect();
    assert!(missing.is_empty(), "not in the quick suite: {missing:#?}");
    assert!(full.contains("lockstep n144 dense") && full.contains("expansion clr cdp"));
}

#[test]
fn each_case_of_the_quick_suite_is_one_of_the_full_one() {
    let ids = |name| -> BTreeSet<String> {
        suite(name).cases.iter().map(|case| case.id.clone()).collect()
    };
    let (quick, full) = (ids("quick"), ids("full"));
    let missing: Vec<&String> = quick.difference(&full).collect();
    assert!(missing.is_empty(), "not in the full suite: {missing:#?}");
}
