//! `blockyard reproduce --html`.

use super::browser::{column, loaded};
use super::command::Place;

#[test]
fn every_figure_has_a_table_and_a_plot_with_the_papers_values() {
    let place = Place::new();
    let args = ["reproduce", "laperm", "--reduced", "--only", "regx_string", "--html", "r.html"];
    let printed = place.fine(&args).stdout;
    let text = place.text("r.html");
    let figures =
        printed.lines().filter(|line| line.contains(": ") && !line.starts_with('|')).count();
    assert!(figures > 3, "{printed}");
    assert_eq!(text.matches("<figure").count(), figures);
    assert_eq!(text.matches("<table").count(), figures);
    assert!(text.contains("the paper has 1.27"), "section V-B");
    let Some(document) = loaded(&place.file("r.html"), "sort=table-1:0&toggle=plot-1:0") else {
        return;
    };
    let rows = column(&document, "table-1", 0);
    assert_eq!(rows, ["mean", "regx_string"], "sorted by name");
}

#[test]
fn ikras_microbenchmarks_have_their_page_with_what_the_text_states() {
    let place = Place::new();
    let args = ["reproduce", "ikra", "--set", "ikra.kernels=2", "--set", "ikra.data=6"];
    place.fine(&[&args[..], &["--html", "r.html"]].concat());
    let text = place.text("r.html");
    for part in
        ["Fig. 4: time (ratio)", "Section 6.1: energy (ratio)", "Section 7.2: flits (ratio)"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.contains("the paper has 0.32"), "small: 68 % less time");
    let Some(document) = loaded(&place.file("r.html"), "sort=table-1:0") else { return };
    let rows = column(&document, "table-1", 0);
    assert_eq!(rows, ["large", "mean", "medium", "small", "work-stealing"], "sorted by name");
}

#[test]
fn a_page_that_cannot_be_written_runs_nothing() {
    let place = Place::new();
    let missing = ["reproduce", "dtbl", "--reduced", "--html", "no/r.html", "--out", "kept"];
    place.refused(&missing, &["cannot write no/r.html"]);
}
