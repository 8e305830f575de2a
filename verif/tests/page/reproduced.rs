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
fn what_has_no_page_refuses_the_option_and_a_page_that_cannot_be_written_runs_nothing() {
    let place = Place::new();
    let ikra = ["reproduce", "ikra", "--html", "r.html"];
    place.refused(&ikra, &["`--html` does nothing in `reproduce ikra`"]);
    let missing = ["reproduce", "dtbl", "--reduced", "--html", "no/r.html", "--out", "kept"];
    place.refused(&missing, &["cannot write no/r.html"]);
}
