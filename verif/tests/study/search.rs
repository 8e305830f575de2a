//! A search finds what running everything finds, where it is asked to try everything; else it tries
//! as many candidates as it is told to.

use super::command::Place;
use super::{place, Table, SCENARIO};
use rayon::prelude::*;

/// Eight sizes of a GPU, on three seeds.
const SPACE: &str = "storage = true\n[axes]\nscheduler = \"rr\"\nscenario = \"s.toml\"\n\
    \"smx.count\" = { from = 1, to = 8 }\nseed = [1, 2, 3]\n";

fn space(search: &str) -> Place {
    let place = place(&format!("{SPACE}[search]\naxes = [\"smx.count\"]\n{search}\n"));
    // More blocks than fit on most of these sizes, of durations that depend on the seed.
    let mixed = SCENARIO.replace("[9, 1, 1]", "[300, 1, 1]");
    place
        .write("s.toml", mixed.replace("duration = 100", "duration = { mean = 900.0, rsd = 0.5 }"));
    place.write("all.toml", SPACE);
    place
}

/// The candidate that `printed` names as the best, and its score.
fn best(printed: &str) -> (String, f64) {
    let line = printed.lines().find_map(|line| line.strip_prefix("best       smx.count="));
    let (count, rest) = line.expect(printed).split_once(": ").expect(printed);
    let score = rest.split(' ').next().expect(printed);
    (count.to_owned(), score.parse().expect(printed))
}

/// Of every size its geometric mean of cycles, if its hardware stores so few bits.
fn exhaustive(place: &Place, most: f64) -> Vec<f64> {
    place.fine(&["study", "all.toml"]);
    let table = Table::of(place, "study-all/table.csv");
    let numbers = |name: &str| -> Vec<f64> {
        table.column(name).iter().map(|text| text.parse().expect("a number")).collect()
    };
    let (cycles, bits) = (numbers("cycles"), numbers("storage_bits"));
    let small = cycles.chunks(3).zip(bits.chunks(3)).filter(|(_, bits)| bits[0] <= most);
    small.map(|(cycles, _)| (cycles.iter().map(|c| c.ln()).sum::<f64>() / 3.0).exp()).collect()
}

fn least(scores: &[f64]) -> f64 {
    scores.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn a_search_over_everything_finds_the_best() {
    for method in ["random", "halving", "bayesian"] {
        let search =
            format!("goal = \"cycles\"\nmaximise = false\nbudget = 8\nmethod = \"{method}\"");
        let place = space(&search);
        let (_, score) = best(&place.fine(&["study", "t.toml"]).stdout);
        let expected = least(&exhaustive(&place, f64::INFINITY));
        assert!((score - expected).abs() < 1e-3, "{method}: {score} {expected}");
        let runs = Table::of(&place, "study-t/table.csv").rows.len();
        // Halving: 8 on one seed, 4 on two, 2 on three.
        let expected = if method == "halving" { 8 + 4 + 2 } else { 24 };
        assert_eq!(runs, expected, "{method}");
    }
}

#[test]
fn hardware_that_stores_more_is_not_tried() {
    let place = space("goal = \"cycles\"\nmaximise = false\nbudget = 8\nmax_storage_bits = MOST");
    let all = exhaustive(&place, f64::INFINITY);
    let table = Table::of(&place, "study-all/table.csv");
    let bits = table.column("storage_bits");
    // As much as five SMXs take.
    let most = &bits[3 * 4];
    place.write("t.toml", place.text("t.toml").replace("MOST", most));
    let (_, score) = best(&place.fine(&["study", "t.toml"]).stdout);
    let small = exhaustive(&place, most.parse().expect("a number"));
    assert_eq!((all.len(), small.len()), (8, 5));
    assert!((score - least(&small)).abs() < 1e-3, "{score} {small:?}");
    let text = place.text("t.toml").replace(&format!("bits = {most}"), "bits = 1");
    place.write("t.toml", text);
    place.refused(&["study", "t.toml"], &["the hardware of no candidate stores 1 bits or less"]);
}

#[test]
fn as_many_candidates_are_tried_as_the_budget_says_and_the_seed_decides_which() {
    let tried = |seed: u64| {
        let place =
            space(&format!("goal = \"cycles\"\nmaximise = false\nbudget = 3\nseed = {seed}"));
        place.fine(&["study", "t.toml"]);
        Table::of(&place, "study-t/table.csv").column("smx.count")
    };
    let first = tried(1);
    assert_eq!((first.len(), &first), (9, &tried(1)));
    assert!((2..6).any(|seed| tried(seed) != first), "the seed decides nothing");
}

/// The best of 16 of 640 machines, of which larger ones take fewer cycles: none holds all blocks.
fn best_of_sixteen(method: &str, seed: u64) -> f64 {
    let place = space(&format!(
        "goal = \"cycles\"\nmaximise = false\nbudget = 16\nmethod = \"{method}\"\nseed = {seed}"
    ));
    let slots = "\"smx.thread_block_slots\" = { from = 1, to = 16 }\n";
    let text = place.text("t.toml").replace("to = 8", "to = 40");
    let text = text.replace("seed = [1, 2, 3]\n", slots);
    let axes = "[\"smx.count\", \"smx.thread_block_slots\"]";
    place.write("t.toml", text.replace("[\"smx.count\"]", axes));
    place.write("s.toml", place.text("s.toml").replace("[300, ", "[3000, "));
    let printed = place.fine(&["study", "t.toml"]).stdout;
    assert_eq!(Table::of(&place, "study-t/table.csv").rows.len(), 16, "{method} {seed}");
    let line = printed.lines().find(|line| line.starts_with("best ")).expect("a best one");
    let score = line.split(": ").nth(1).and_then(|rest| rest.split(' ').next());
    score.and_then(|score| score.parse().ok()).expect(line)
}

#[test]
fn what_a_bayesian_search_has_seen_guides_it() {
    let best = |method| (1..=8).into_par_iter().map(move |seed| best_of_sixteen(method, seed));
    let sum = |method| best(method).collect::<Vec<f64>>().iter().sum::<f64>();
    let (bayesian, random) = (sum("bayesian"), sum("random"));
    assert!(bayesian < random, "{bayesian} {random}");
}

#[test]
fn a_search_that_is_resumed_runs_nothing_twice() {
    for method in ["halving", "bayesian"] {
        let place = space(&format!(
            "goal = \"cycles\"\nmaximise = false\nbudget = 4\nmethod = \"{method}\""
        ));
        let printed = place.fine(&["study", "t.toml"]).stdout;
        let journal = place.text("study-t/runs.jsonl");
        let half: String = journal.lines().take(4).map(|line| format!("{line}\n")).collect();
        place.write("study-t/runs.jsonl", half);
        assert_eq!(place.fine(&["study", "t.toml", "--resume"]).stdout, printed, "{method}");
        let resumed = place.text("study-t/runs.jsonl");
        assert_eq!(resumed.lines().count(), journal.lines().count(), "{method}");
    }
}

#[test]
fn a_search_that_makes_no_sense_is_refused() {
    let refused = |search: &str, said: &[&str]| {
        let place = space(search);
        place.refused(&["study", "t.toml"], said);
    };
    refused("budget = 0", &["t.toml line 7: search: no axes or no budget"]);
    refused(
        "budget = 2\nmethod = \"luck\"",
        &["line 10: method", "\"random\", \"halving\" or \"bayesian\""],
    );
    refused("budget = 2\ngaol = \"ipc\"", &["line 10: unknown key `gaol`"]);
    refused("budget = 2\ngoal = \"icp\"", &["no run of the search has the figure `icp`"]);
    let place = space("budget = 2");
    let study = place.text("t.toml");
    let over = |axes: &str, said: &str| {
        place.write("t.toml", study.replace("axes = [\"smx.count\"]", &format!("axes = {axes}")));
        place.refused(&["study", "t.toml"], &[said]);
    };
    over("\"pa\"", "line 7: search: there is no axis `pa`");
    over("[\"smx.count\", \"smx.count\"]", "line 8: search: `smx.count` stands in axes twice");
}
