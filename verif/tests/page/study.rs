//! `blockyard study report`.

use super::browser::{between, column, document, errors, loaded};
use super::command::Place;
use super::journal::{rows, write};

fn reported(rows: &[blockyard::study::row::Row]) -> Place {
    let place = Place::new();
    write(&place, "s", rows);
    place.fine(&["study", "report", "s"]);
    place
}

#[test]
fn plots_follow_from_the_axes_and_each_has_its_command() {
    let place = reported(&rows());
    let text = place.text("s/report.html");
    for title in ["Speed-up by scheduler", "ipc over launch.table", "Storage against IPC"] {
        assert!(text.contains(&format!("aria-label=\"{title}\"")), "{title}");
    }
    assert_eq!(text.matches("data-copy=\"blockyard study report s\"").count(), 1 + 3);
    assert_eq!(text.matches("data-copy=\"blockyard run ").count(), 18, "a command a run");
    // The mean over the runs of a scheduler: a third of the baseline's cycles and less.
    assert!(
        text.contains("laperm/adaptive-bind has the highest mean speed-up over the baseline: 2.")
    );
    assert!(text.contains("The baseline is scheduler = rr."));
}

#[test]
fn a_study_without_baseline_scheduler_or_numbers_has_its_table() {
    let mut rows = rows();
    rows.retain(|row| row.run.starts_with("r10"));
    rows.iter_mut().for_each(|row| row.figures.retain(|figure, _| figure == "cycles"));
    let place = reported(&rows);
    let text = place.text("s/report.html");
    assert_eq!(text.matches("<figure").count(), 0, "nothing can be compared");
    assert_eq!(text.matches("data-copy=\"blockyard run ").count(), 2);
}

#[test]
fn failures_are_listed_with_their_command_and_left_out_of_means() {
    let mut rows = rows();
    rows[17].failure = Some("stuck in <cycle> 9".to_owned());
    rows[17].figures.clear();
    let text = reported(&rows).text("s/report.html");
    assert!(text.contains("18 runs finished, 1 of them failed."), "{text}");
    assert!(text.contains("stuck in &lt;cycle&gt; 9"));
}

#[test]
fn the_order_in_which_runs_finish_is_invisible_and_a_torn_line_is_none() {
    let (mut turned, place) = (rows(), Place::new());
    turned.reverse();
    write(&place, "s", &turned);
    let torn = place.text("s/runs.jsonl") + "{\"run\":\"r9";
    place.write("s/runs.jsonl", torn);
    place.fine(&["study", "report", "s"]);
    let in_order = reported(&rows()).text("s/report.html");
    assert!(place.text("s/report.html") == in_order);
}

#[test]
fn what_is_no_study_is_refused_with_file_and_line() {
    let place = Place::new();
    place.refused(&["study", "report", "none"], &["there are no runs in none", "blockyard study"]);
    write(&place, "s", &rows()[..1]);
    let text = place.text("s/runs.jsonl").replace("\"axes\":{", "\"axis\":{");
    place.write("s/runs.jsonl", text);
    place.refused(
        &["study", "report", "s"],
        &["runs.jsonl line 2", "expected the journal of a study"],
    );
    place.write("s/runs.jsonl", "[]\n");
    place.refused(
        &["study", "report", "s"],
        &["runs.jsonl line 1", "expected the journal of a study"],
    );
    write(&place, "s", &rows());
    let missing = ["study", "report", "s", "--out", "no/page.html"];
    place.refused(&missing, &["cannot write no/page.html"]);
    let format = ["study", "report", "s", "--format", "png"];
    place.refused(&format, &["--plots"]);
}

#[test]
fn plots_are_written_for_papers_as_svg_and_png() {
    let place = Place::new();
    write(&place, "s", &rows());
    let ended = place.fine(&["study", "report", "s", "--plots", "p", "--format", "svg,png"]);
    for name in ["speed-up-by-scheduler", "ipc-over-launch-table", "storage-against-ipc"] {
        let svg = place.text(&format!("p/{name}.svg"));
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
        let png = place.bytes(&format!("p/{name}.png"));
        assert_eq!(&png[1..4], b"PNG");
        let wide = u32::from_be_bytes(png[16..20].try_into().expect("four bytes"));
        assert_eq!(wide, 1520, "twice the pixels of the drawing");
        assert!(ended.stdout.contains(&format!("p/{name}.png\n")), "{}", ended.stdout);
    }
    let only = place.fine(&["study", "report", "s", "--plots", "q"]).stdout;
    assert!(!only.contains(".png"), "SVG unless asked for: {only}");
}

#[test]
fn blocks_of_the_runs_that_have_them_are_drawn() {
    let place = Place::new();
    write(&place, "s", &rows());
    std::fs::create_dir(place.file("s/blocks")).expect("a folder");
    let blocks = "dispatched,completed,smx,kernel,instance,group,x,y,z\n1,9,0,k,0,0,0,0,0\n";
    place.write("s/blocks/r000.csv", blocks);
    place.fine(&["study", "report", "s"]);
    let text = place.text("s/report.html");
    assert!(text.contains("aria-label=\"Occupancy of each SMX over time\""));
    assert!(text.contains("blockyard page blocks s/blocks/r000.csv"));
    place.write("s/blocks/r000.csv", "x\n");
    place.refused(&["study", "report", "s"], &["s/blocks/r000.csv line 1"]);
}

#[test]
fn a_browser_sorts_tables_by_number_and_back() {
    let place = reported(&rows());
    let page = place.file("s/report.html");
    let cycles: Vec<f64> = rows().iter().map(|row| row.figures["cycles"]).collect();
    let numbers = |document: &str| -> Vec<f64> {
        let shown = column(document, "table-2", 3).into_iter();
        shown.map(|text| text.replace(',', "").parse().expect("a number")).collect()
    };
    let Some(plain) = loaded(&page, "") else { return };
    assert_eq!(numbers(&plain), cycles);
    let mut sorted = cycles;
    sorted.sort_by(f64::total_cmp);
    let up = loaded(&page, "sort=table-2:3").expect("chromium");
    assert_eq!(numbers(&up), sorted);
    assert_eq!(up.matches("aria-sort=\"ascending\"").count(), 1);
    let down = loaded(&page, "sort=table-2:3&sort=table-2:3").expect("chromium");
    sorted.reverse();
    assert_eq!(numbers(&down), sorted);
    assert_eq!(down.matches("aria-sort=\"descending\"").count(), 1);
}

#[test]
fn a_browser_switches_series_off_and_on_and_zooms() {
    let place = reported(&rows());
    let page = place.file("s/report.html");
    let plot =
        |fragment| Some(between(&loaded(&page, fragment)?, "id=\"plot-2\"", "</svg>").to_owned());
    let Some(plain) = plot("") else { return };
    // The line and its markers.
    let off = |text: &str| text.matches("class=\"series off\"").count();
    let pressed = |text: &str| text.matches("aria-pressed=\"true\"").count();
    assert_eq!((off(&plain), pressed(&plain)), (0, 3));
    let one = plot("toggle=plot-2:1").expect("chromium");
    assert_eq!((off(&one), pressed(&one)), (2, 2));
    let again = plot("toggle=plot-2:1&toggle=plot-2:1").expect("chromium");
    assert_eq!((off(&again), pressed(&again)), (0, 3));
    let zoomed = plot("zoom=plot-2:in").expect("chromium");
    assert!(zoomed.contains("matrix(1.6 0 0 1.6"), "{zoomed}");
    let all = plot("zoom=plot-2:in&zoom=plot-2:all").expect("chromium");
    assert!(all.contains("matrix(1 0 0 1 0 0)"), "{all}");
}

#[test]
fn a_browser_shows_values_by_keys_and_passes_over_what_is_switched_off() {
    let place = reported(&rows());
    let page = place.file("s/report.html");
    let said = |fragment: &str| {
        let text = loaded(&page, fragment)?;
        Some(between(&text, "<div id=\"tip\"", "</div>").to_owned())
    };
    let Some(none) = said("") else { return };
    assert!(none.contains("hidden"), "{none}");
    let second = said("key=plot-2:ArrowRight&key=plot-2:ArrowRight").expect("chromium");
    // IPC of rr with 64 entries, the mean over both workloads.
    let mean = (24_000.0 / 11_900.0 + 24_000.0 / 12_900.0) / 2.0;
    let expected = format!("rr\nlaunch.table: 64\nipc: {mean:.3}");
    assert!(second.ends_with(&expected) && !second.contains("hidden"), "{second}");
    let other =
        said("toggle=plot-2:0&key=plot-2:ArrowLeft&key=plot-2:ArrowLeft").expect("chromium");
    assert!(other.contains("laperm/adaptive-bind\nlaunch.table: 1,024"), "{other}");
    let gone = said("key=plot-2:ArrowRight&key=plot-2:Escape").expect("chromium");
    assert!(gone.contains("hidden"), "{gone}");
}

#[test]
fn errors_and_accesses_of_a_page_are_seen() {
    let place = reported(&rows());
    let page = place.text("s/report.html");
    for (broken, said) in [
        ("<script>nothing.at.all()</script>", "nothing is not defined"),
        ("<script>console.error('of', 2)</script>", "of 2"),
        ("<img src=\"http://127.0.0.1:9/x.png\">", "refused: http://127.0.0.1:9/x.png"),
    ] {
        place.write("broken.html", page.replace("</body>", &format!("{broken}</body>")));
        let Some(text) = document(&place.file("broken.html"), "") else { return };
        assert!(errors(&text).contains(said), "{said}: {}", errors(&text));
    }
}
