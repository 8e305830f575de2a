use super::*;
use crate::session::{Engine, ONE_THREAD};
use serde_json::{json, Value};

/// Of a scenario with this name, which there need not be.
fn provenance(scenario: &str) -> Provenance {
    let options = json!({
        "scheduler": "rr", "workload": null, "scenario": scenario, "trace": null, "kernel": null,
        "host": null, "cuda_arch": "sm_35", "input": null, "gpu": "k20c", "set": [], "launch": "flat",
        "engine": "golden", "seed": 1, "footprint": false, "max_cycles": null, "inject": [],
    });
    Provenance {
        origin: Origin::here(),
        scheduler: Some("rr".to_owned()),
        gpu: GpuConfig::preset("k20c").expect("a preset"),
        inputs: Vec::new(),
        options: serde_json::from_value(options).expect("options"),
    }
}

#[test]
fn a_line_may_stand_in_a_comment_of_any_format_and_reads_back_the_same() {
    for name in ["a.toml", "$end", "caf\u{e9} \u{1f980}\n\"#\".toml", ""] {
        let provenance = provenance(name);
        let line = provenance.line();
        assert!(line.is_ascii() && !line.contains(['$', '\n']), "{line}");
        let read: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(read, serde_json::to_value(&provenance).expect("plain data"));
        assert_eq!(read["options"]["scenario"], name);
    }
}

#[test]
fn another_version_and_other_keys_are_remarked_and_the_same_ones_are_not() {
    let provenance = provenance("a.toml");
    let remark = |value: Value| {
        let recorded: Recorded = serde_json::from_value(value).expect("recorded");
        recorded.remark(&provenance.gpu)
    };
    let same = serde_json::to_value(&provenance).expect("plain data");
    assert_eq!(remark(same.clone()), None);
    let mut older = same.clone();
    older["version"] = "0.0.1".into();
    assert!(remark(older).expect("another version").contains("made by Blockyard 0.0.1 ("));
    let mut other = same;
    other["gpu"]["smx"]["count"] = 12.into();
    other["gpu"]["smx"]["cores"] = 192.into();
    let remark = remark(other).expect("other keys");
    assert!(remark.contains("smx.count of its GPU was 12, and is 13"), "{remark}");
    assert!(remark.contains("smx.cores of its GPU was 192, and is no key any more"), "{remark}");
}

#[test]
fn figures_stand_as_before_with_what_they_come_from_behind_them() {
    #[derive(serde::Serialize)]
    struct Figures {
        cycles: u64,
        large: u128,
    }
    let provenance = provenance("a.toml");
    let text = provenance.beside(&Figures { cycles: 3, large: u128::MAX });
    let start = format!("{{\n  \"cycles\": 3,\n  \"large\": {},\n  \"run\": {{\n", u128::MAX);
    assert!(text.starts_with(&start) && text.ends_with("}\n"), "{text}");
}

#[test]
fn the_scheduler_is_in_canonical_form_and_the_gpu_as_it_was_overridden() {
    let mut options = provenance("a.toml").options;
    options.source.scenario = None;
    options.source.workload = Some("erc/SAD".to_owned());
    options.scheduler = Some("fifo+claso".to_owned());
    options.gpu.set = vec!["smx.count=2".to_owned()];
    let session = Session {
        engine: Engine::Golden,
        threads: ONE_THREAD,
        ..options.session().expect("a run")
    };
    let found = Provenance::of(&options, &session).expect("no inputs");
    assert_eq!(found.scheduler.as_deref(), Some("rr+claso(pa=1,pl=0)"));
    assert_eq!((found.gpu.smx.count, found.inputs.len()), (2, 0));
    assert_eq!(found.options, options);
}
