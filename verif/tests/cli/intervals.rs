//! `run --intervals`: what SMXs issue and what DRAM does for each, by time.

use super::command::Place;
use serde_json::Value;

/// A product of vectors that leaves blocks over; what `more` says wins.
fn run(place: &Place, more: &[&str]) -> String {
    let args = ["run", "--scheduler", "rr", "--engine", "golden", "--workload", "scalarprod"];
    let set = ["--set", "scalarprod.blocks=100", "--set", "scalarprod.elements=600"];
    place.fine(&[&args[..], &set, &["--stats", "s.json"], more].concat());
    place.text("s.json")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn sum(counts: &Value) -> u64 {
    counts.as_array().expect("an entry an interval").iter().map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn intervals_hold_every_instruction_and_every_read_of_dram() {
    let place = Place::new();
    let stats = json(&run(&place, &["--gpu", "c2050", "--intervals", "500"]));
    let intervals = &stats["intervals"];
    let count = stats["cycles"].as_u64().expect("cycles").div_ceil(500);
    assert!(count > 3, "{count} intervals");
    let (mut services, by_smx) = (0, intervals["smx"].as_array().expect("an entry an SMX"));
    assert_eq!(by_smx.len(), 14);
    for (by_time, smx) in by_smx.iter().zip(stats["smx"].as_array().expect("SMXs")) {
        assert_eq!(sum(&by_time["instructions"]), smx["thread_instructions"].as_u64().unwrap());
        for key in ["instructions", "services"] {
            assert_eq!(by_time[key].as_array().map(Vec::len), Some(count as usize), "{key}");
        }
        services += sum(&by_time["services"]);
    }
    assert_eq!(intervals["services"], services);
    // A line of 128 bytes is a service, of two bursts.
    assert_eq!(stats["dram"]["reads"], 2 * services);
    let share = intervals["behind_own_rate"].as_f64().expect("a share");
    assert!(share > 0.0 && share < 1.0, "{share}");
    assert!(intervals["spread"].as_f64() >= Some(1.0), "{intervals}");
}

#[test]
fn they_are_the_same_bytes_for_any_number_of_threads_and_change_nothing_else() {
    let place = Place::new();
    for gpu in ["c2050", "denovo15"] {
        let with = ["--gpu", gpu, "--intervals", "70"];
        let counted = run(&place, &with);
        for more in [&["--threads", "2"][..], &["--threads", "4"], &["--no-skip"]] {
            assert!(run(&place, &[&with[..], more].concat()) == counted, "{gpu} {more:?}");
        }
        let mut plain = json(&run(&place, &["--gpu", gpu]));
        let mut counted = json(&counted);
        assert!(plain.get("intervals").is_none(), "not asked for");
        assert!(counted.as_object_mut().expect("figures").remove("intervals").is_some());
        for stats in [&mut plain, &mut counted] {
            stats.as_object_mut().expect("figures").remove("run");
        }
        assert_eq!(plain, counted, "{gpu}");
    }
}

#[test]
fn a_repeated_run_counts_in_the_same_intervals() {
    let place = Place::new();
    let first = run(&place, &["--intervals", "9"]);
    place.fine(&["run", "--from", "s.json", "--stats", "again.json"]);
    assert!(place.text("again.json") == first);
}

#[test]
fn intervals_without_cycles_or_without_a_gpu_are_refused() {
    let place = Place::new();
    let workload = ["run", "--scheduler", "rr", "--workload", "scalarprod"];
    for length in ["0", "-1", "many"] {
        let option = format!("--intervals={length}");
        place.refused(&[&workload[..], &[&option]].concat(), &["--intervals", "expected"]);
    }
    let functional = ["run", "--functional", "--workload", "vecadd", "--intervals", "500"];
    place.refused(&functional, &["--intervals", "--functional", "cannot be used with"]);
}
