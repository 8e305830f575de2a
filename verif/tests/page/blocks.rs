//! `blockyard page blocks`.

use super::browser::{between, loaded};
use super::command::{worked_example, Place};
use std::fmt::Write;

#[test]
fn a_run_becomes_a_page_with_its_occupancy_and_its_blocks() {
    let place = Place::new();
    let scenario = worked_example("laperm-figure-4");
    let run = ["run", "--scheduler", "laperm/tb-pri", "--launch", "dtbl", "--scenario", &scenario];
    place.fine(&[&run[..], &["--engine", "golden", "--blocks", "b.csv"]].concat());
    place.fine(&["page", "blocks", "b.csv", "--plots", "p", "--format", "png"]);
    let names = ["b.csv", "b.html", "p"];
    assert_eq!(place.names(), names);
    let text = place.text("b.html");
    let chart = between(&text, "aria-label=\"Blocks over time\"", "</svg>");
    let stays = place.text("b.csv").lines().count() - 1;
    assert_eq!(chart.matches(" data-t=").count(), stays, "a bar a stay");
    let Some(loaded) = loaded(&place.file("b.html"), "zoom=plot-2:in") else { return };
    assert!(loaded.contains("matrix(1.6 0 0 1 "), "time alone is zoomed");
}

#[test]
fn a_hundred_thousand_blocks_make_a_page_that_opens_and_says_what_it_leaves_out() {
    let place = Place::new();
    let mut text = "dispatched,completed,smx,kernel,instance,group,x,y,z\n".to_owned();
    for block in 0..100_000u64 {
        let (smx, from) = (block % 144, block / 144 * 10);
        let _ = writeln!(text, "{from},{},{smx},k{},0,0,{block},0,0", from + 70, block % 9);
    }
    place.write("b.csv", text);
    place.fine(&["page", "blocks", "b.csv"]);
    let page = place.bytes("b.html").len();
    assert!(page < 3_000_000, "{page} bytes");
    let Some(document) = loaded(&place.file("b.html"), "") else { return };
    assert!(document.contains("the first 4,000 of 100,000 stays"));
    place.fine(&[
        "page",
        "blocks",
        "b.csv",
        "--from",
        "6900",
        "--to",
        "6950",
        "--out",
        "late.html",
    ]);
    assert!(!place.text("late.html").contains("Drawn are the first"));
}

#[test]
fn bad_files_and_windows_are_refused() {
    let place = Place::new();
    place.refused(&["page", "blocks", "no.csv"], &["cannot read no.csv"]);
    place.write("b.csv", "cycle,smx\n1,2\n");
    place.refused(&["page", "blocks", "b.csv"], &["b.csv line 1", "expected `dispatched,"]);
    let window = ["page", "blocks", "b.csv", "--from", "9", "--to", "9"];
    place.refused(&window, &["there are no cycles from 9 to 9", "--from below --to"]);
    let head = "dispatched,completed,smx,kernel,instance,group,x,y,z\n";
    place.write("b.csv", format!("{head}3,8,0,k,0,0,0,0,0\n5,9,0"));
    let short = ["b.csv line 3: found `5,9,0`", "in nine columns"];
    place.refused(&["page", "blocks", "b.csv"], &short);
    place.write("b.csv", format!("{head}3,8,0,k,0,0,0,0,0\n"));
    let window = |from: &'static str, to: &'static str| {
        ["page", "blocks", "b.csv", "--out", "b.html", "--from", from, "--to", to]
    };
    for (from, to) in [("9", "20"), ("0", "3")] {
        let said = format!("no block ran from cycle {from} on before cycle {to}");
        place.refused(&window(from, to), &[&said, "some of the cycles 3 to 8"]);
    }
    let late = ["page", "blocks", "b.csv", "--from", "9"];
    place.refused(&late, &["no block ran from cycle 9 on", "some of the cycles 3 to 8"]);
    let far = format!("{head}3,8,0,k,0,0,0,0,0\n30,38,0,k,0,0,1,0,0\n");
    place.write("b.csv", far);
    place.refused(&window("9", "20"), &["no block ran from cycle 9 on before cycle 20"]);
    assert_eq!(place.names(), ["b.csv"]);
    place.fine(&window("8", "9"));
    place.fine(&window("0", "4"));
}
