//! `blockyard regress --html`.

use super::browser::{column, loaded};
use super::command::{worked_example, Place};
use blockyard::regress::{page, CaseResult, Outcome, RegressReport, Shard, Verdict};
use std::path::PathBuf;
use std::time::Duration;

fn result(id: &str, verdict: Verdict) -> CaseResult {
    let outcome = Outcome { verdict, cycles: 41 };
    CaseResult {
        id: id.to_owned(),
        seed: 7,
        outcome,
        time: Duration::from_millis(20),
        met: Default::default(),
        resumed: false,
    }
}

fn failed(message: &str, artefacts: &[&str]) -> Verdict {
    Verdict::Failed {
        message: message.to_owned(),
        repeat_command: Some("blockyard regress quick --filter 'a<b'".to_owned()),
        artefacts: artefacts.iter().map(PathBuf::from).collect(),
    }
}

/// A report of a run in the folder of `place`.
fn report(place: &Place, results: Vec<CaseResult>) -> RegressReport {
    RegressReport {
        suite: "quick".to_owned(),
        seed: 1,
        shard: Shard::WHOLE,
        filter: None,
        version: "0.1.0".to_owned(),
        out: place.path().to_owned(),
        results,
    }
}

#[test]
fn a_failure_has_its_cause_message_command_and_the_picture_of_its_window() {
    let place = Place::new();
    let scenario = worked_example("claso-case-study");
    let run = ["run", "--scheduler", "rr+claso", "--gpu", "c2050", "--scenario", &scenario];
    let fault = ["--inject", "wrong-credit:0,3,500", "--report", "case"];
    assert_eq!(place.run(&[&run[..], &fault].concat()).status, 1);
    let message =
        "mismatch on dispatch\ncycle 1032: port dispatch[3]: expected no block, got <block>";
    let results = vec![
        result("lockstep/rr", Verdict::Passed),
        result("scenario/claso", failed(message, &["case/mismatch.vcd", "case/mismatch.txt"])),
        result("scenario/other", failed("mismatch on dispatch\nelsewhere", &["case/none.vcd"])),
        result("replay/icarus/fifo", Verdict::Skipped("iverilog not found".to_owned())),
        result("replay/icarus/row", Verdict::NotRun),
    ];
    let html = page(&report(&place, results), "blockyard regress --html r.html").html();
    assert!(html.contains("got &lt;block&gt;") && html.contains("'a&lt;b'"));
    assert_eq!(html.matches("<svg ").count(), 1, "one window can be read");
    assert!(html.contains("There is no picture of the waveform: cannot read"));
    let marked: Vec<&str> = html.split('\u{25b6}').skip(1).collect();
    assert!(!marked.is_empty() && marked.iter().all(|text| text.starts_with(" top.dispatch_3_")));
    place.write("r.html", html);
    let Some(document) = loaded(&place.file("r.html"), "sort=table-1:0") else { return };
    assert_eq!(column(&document, "table-1", 0), ["lockstep", "replay/icarus", "scenario"]);
    assert_eq!(column(&document, "table-1", 2), ["0", "0", "2"], "failed");
}

#[test]
fn a_regression_writes_its_page_and_one_that_cannot_be_written_is_refused_first() {
    let place = Place::new();
    let args =
        ["regress", "quick", "--filter", "scenario/claso-case-study/rr", "--out", "o", "--html"];
    let missing = [&args[..], &["no/r.html"]].concat();
    place.refused(&missing, &["cannot write no/r.html"]);
    assert!(place.names().is_empty());
    let ended = place.run(&[&args[..], &["r.html"]].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let text = place.text("r.html");
    assert!(text.contains("Regression quick, seed 1") && text.contains("--html r.html"));
    assert!(!text.contains("Failed:"));
}
