//! `blockyard reproduce srtf`: ordered pairs of kernels as code.

use super::command::Place;
use super::reproduce::json;
use serde_json::Value;

/// Two kernels of one length and a short one.
const PAIRS: [&str; 5] = ["reproduce", "srtf", "--reduced", "--only", "AES-d,AES-e,JPEG-d"];

#[test]
fn srtf_has_an_effect_for_each_ordered_pair_and_the_mean_under_every_policy_of_table_5() {
    let args = [&PAIRS[..], &["--json", "--jobs", "2"]].concat();
    let printed = Place::new().fine(&args).stdout;
    let alone = args.iter().map(|&arg| if arg == "2" { "1" } else { arg }).collect::<Vec<_>>();
    assert!(Place::new().fine(&alone).stdout == printed, "the same bytes with any number of jobs");
    let result = json(&printed);
    let effects = result["effects"].as_array().expect("effects");
    let policies = ["fifo", "mpmax", "srtf", "srtf/adaptive", "sjf", "sjf/closed-form"];
    for (what, stated) in [
        ("STP", [1.35, 1.37, 1.59, 1.51, 1.82, 1.82]),
        ("ANTT", [3.66, 2.15, 1.63, 1.64, 1.13, 1.13]),
        ("fairness", [0.19, 0.36, 0.52, 0.56, 0.80, 0.80]),
    ] {
        for (policy, stated) in policies.into_iter().zip(stated) {
            let own: Vec<&Value> = effects
                .iter()
                .filter(|effect| [&effect["figure"], &effect["what"]] == ["Table 5", what])
                .filter(|effect| effect["policy"] == policy)
                .collect();
            assert_eq!(own.len(), 6 + 1, "{what} {policy}: ordered pairs and their mean");
            assert!(own.iter().all(|effect| effect["ours"].as_f64() > Some(0.0)), "{own:?}");
            let mean = own.last().expect("a mean");
            assert_eq!(mean["benchmark"], "mean");
            assert_eq!(mean["paper"].as_f64(), Some(stated));
            let logs = own[..6].iter().map(|effect| effect["ours"].as_f64().expect("ours").ln());
            let expected = (logs.sum::<f64>() / 6.0).exp();
            assert!((mean["ours"].as_f64().expect("ours") / expected - 1.0).abs() < 1e-9);
        }
    }
    let of = |figure: &str| effects.iter().filter(|effect| effect["figure"] == figure).count();
    // Three kernels and their mean at residencies 2 and 4 and without a limit.
    assert_eq!([of("Fig. 7"), of("Fig. 8")], [3 * (3 + 1); 2]);
    assert_eq!(of("Table 3"), 3 * 3);
    assert_eq!(of("Section 3.4.4"), 2 * (6 + 1), "blocks of both of a pair");
}

#[test]
fn a_short_kernel_behind_a_long_one_fares_better_under_srtf_and_mpmax_than_under_fifo() {
    // Two SMXs, so that a small input still has blocks to wait for.
    let small = ["--set", "smx.count=2", "--json"];
    let args = [&["reproduce", "srtf", "--reduced", "--only", "SAD,JPEG-d"][..], &small].concat();
    let result = json(&Place::new().fine(&args).stdout);
    let effects = result["effects"].as_array().expect("effects");
    let ours = |what: &str, policy: &str, benchmark: &str| {
        let is = |effect: &&Value| {
            [&effect["what"], &effect["policy"], &effect["benchmark"]] == [what, policy, benchmark]
        };
        effects.iter().find(is).expect("an effect")["ours"].as_f64().expect("a number")
    };
    let behind = |policy| ours("ANTT", policy, "SAD+JPEG-d");
    assert!(behind("fifo") > behind("srtf"), "{} {}", behind("fifo"), behind("srtf"));
    assert!(behind("fifo") > behind("mpmax"), "{} {}", behind("fifo"), behind("mpmax"));
    assert!(behind("srtf") >= behind("sjf"), "{} {}", behind("srtf"), behind("sjf"));
    let (closed, run) = (ours("STP", "sjf/closed-form", "mean"), ours("STP", "sjf", "mean"));
    assert!((run / closed - 1.0).abs() < 0.15, "{run} {closed}");
    // Section 3.4.3: with all blocks that fit instead of one, a block takes longer, and all of them
    // less.
    for (figure, longer) in [("Fig. 7", true), ("Fig. 8", false)] {
        for benchmark in ["SAD", "JPEG-d"] {
            let all = |effect: &&Value| {
                [&effect["figure"], &effect["benchmark"]] == [figure, benchmark]
                    && effect["set"].is_null()
            };
            let ours = effects.iter().find(all).expect("an effect")["ours"].as_f64();
            assert_eq!(ours > Some(1.0), longer, "{figure} {benchmark} {ours:?}");
        }
    }
}

#[test]
fn srtf_by_code_says_what_it_cannot_run() {
    let refused = |more: &[&str], said: &[&str]| {
        Place::new().refused(&[&["reproduce", "srtf", "--reduced"], more].concat(), said);
    };
    refused(&["--only", "SAD"], &["has no pair of one benchmark", "at least two"]);
    refused(&["--only", "SAD,clr"], &["`reproduce srtf` has no benchmark `clr`", "AES-d, AES-e"]);
    refused(&["--input", "g.txt"], &["`--input` does nothing in `reproduce srtf`", "help:"]);
    let key = ["--only", "SAD,SHA1", "--set", "dct.rows=3"];
    refused(&key, &["`--set dct.rows=3` does nothing in any of the benchmarks"]);
    let none = ["--only", "SAD,SHA1", "--set", "sad.rows=0"];
    refused(&none, &["SAD has no blocks, and so no time alone", "help:"]);
    refused(&["--only", "SAD,SHA1", "--set", "erc.stagger=x"], &["`erc.stagger` cannot be `x`"]);
    refused(&["--set", "laperm.levels=2"], &["laperm.levels", "help:"]);
}

#[test]
fn a_sweep_of_offsets_is_table_6_without_the_oracle() {
    let args = ["reproduce", "srtf", "--reduced", "--only", "JPEG-d,JPEG-e", "--json"];
    let sweep = ["--sweep", "erc.offset=25,50", "--out", "kept"];
    let place = Place::new();
    let first = place.fine(&[&args[..], &sweep].concat()).stdout;
    let result = json(&first);
    let effects = result["effects"].as_array().expect("effects");
    for (figure, offset, stated) in [("Table 6, 25 %", 25, 1.62), ("Table 6, 50 %", 50, 1.63)] {
        let own: Vec<&Value> = effects.iter().filter(|effect| effect["figure"] == figure).collect();
        assert_eq!(own.len(), 3 * 4 * (2 + 1), "no oracle");
        assert!(own.iter().all(|effect| effect["set"] == format!("erc.offset={offset}")));
        let mean = |effect: &&&Value| {
            [&effect["what"], &effect["policy"], &effect["benchmark"]] == ["STP", "srtf", "mean"]
        };
        assert_eq!(own.iter().find(mean).expect("a mean")["paper"], stated);
    }
    let again = place.fine(&[&args[..], &sweep, &["--resume"]].concat()).stdout;
    assert!(again == first, "nothing is run again");
}
