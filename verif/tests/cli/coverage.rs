//! `blockyard coverage` and `regress --coverage`.

use super::command::Place;

/// What a shard of the suite `suite` has met, with one point.
fn shard(suite: &str, shard: &str, met: u64) -> String {
    format!(
        r#"{{"suite": "{suite}", "seed": 1, "shards": ["{shard}"], "filter": null, "unfinished": 0,
            "points": [{{"name": "kmu/fetch: a suspended kernel", "section": "x.md", "met": {met}}}]}}"#
    )
}

#[test]
fn shards_are_merged_into_one_file_with_a_page_and_the_met_points_are_listed() {
    let place = Place::new();
    place.write("1.json", shard("reach", "1/2", 3));
    place.write("2.json", shard("reach", "2/2", 4));
    let said = place.fine(&["coverage", "1.json", "2.json", "--out", "all.json"]).stdout;
    assert!(said.starts_with("coverage: 1 points met, 0 not"), "{said}");
    assert!(place.text("all.json").contains(r#""met": 7"#));
    assert!(place.text("all.html").contains("Coverage of reach, seed 1"));
    let listed = place.fine(&["coverage", "all.json", "--list"]).stdout;
    assert_eq!(listed, "kmu/fetch: a suspended kernel\n");
}

#[test]
fn a_whole_quick_run_that_loses_a_kept_point_fails_and_names_it() {
    let place = Place::new();
    place.write("whole.json", shard("quick", "1/1", 1));
    let ended = place.run(&["coverage", "whole.json"]);
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let lost = "was met before, and is not any more: dtbl/search: only the block's y differs";
    assert!(ended.stdout.contains(lost), "{}", ended.stdout);
}

#[test]
fn files_that_do_not_go_together_or_are_none_are_refused() {
    let place = Place::new();
    place.write("1.json", shard("reach", "1/2", 3));
    place.write("other.json", shard("quick", "2/2", 3));
    place.write("none.json", "{");
    place.refused(&["coverage", "1.json", "other.json"], &["other.json", "suite is `quick`"]);
    place.refused(&["coverage", "1.json", "1.json"], &["1.json: shard 1/2"]);
    place.refused(&["coverage", "none.json"], &["none.json:1", "regress --coverage"]);
    place.refused(&["coverage", "missing.json"], &["cannot read missing.json"]);
    place.refused(&["coverage"], &["<F.json>"]);
    place.refused(&["regress", "--coverage", "x.html"], &["x.html", "does not end in .html"]);
}

#[test]
fn a_shard_is_not_written_over_and_standard_output_takes_no_page() {
    let place = Place::new();
    place.write("1.json", shard("reach", "1/2", 3));
    place.write("2.json", shard("reach", "2/2", 4));
    let files = place.names();
    let merge = ["coverage", "1.json", "2.json", "--out"];
    place.refused(&[&merge[..], &["1.json"]].concat(), &["F.json and --out are both 1.json"]);
    place.refused(&[&merge[..], &["-"]].concat(), &["`-` is no name", "--out coverage.json"]);
    assert_eq!((place.names(), place.text("1.json")), (files, shard("reach", "1/2", 3)));
}
