//! `.ci/equivalent` proves what is equal, and refuses what is not.

use blockyard::engine::rtl_module;
use blockyard::export;
use blockyard_sim::port::{LaunchMode, SmxLimits};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

fn exported(scheduler: &str) -> String {
    let composition = scheduler.parse().expect("a known scheduler");
    let module = rtl_module(&composition, LaunchMode::Flat, 1, 3, LIMITS).expect("hardware");
    export::verilog(module.as_module(), "blockyard_top").expect("Verilog")
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("a writable folder");
    path
}

/// Whether the two are proved equal, and what is said.
fn proved(old: &str, new: &str, renames: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/equivalent");
    let ended = Command::new(script)
        .args([file(folder.path(), "old.v", old), file(folder.path(), "new.v", new)])
        .args(renames)
        .output()
        .expect("bash");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    (ended.status.success(), said + &String::from_utf8_lossy(&ended.stderr))
}

#[test]
fn a_moved_instance_is_proved_equal_and_a_crossed_wire_is_not() {
    let there = Command::new("yosys").arg("-V").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "yosys is missing");
    if !there {
        println!("skipped: yosys not found");
        return;
    }
    let text = exported("rr+claso");
    let (equal, said) = proved(&text, &text, &[]);
    assert!(equal && said.contains("the same text"), "{said}");

    // The gate under another name, in the module of the chain.
    let moved = text.replace("gates$claso", "gates$credits").replace("claso$", "credits$");
    let moved = moved.replace(" claso(", " credits(");
    assert_ne!(moved, text);
    let (equal, said) = proved(&text, &moved, &["gates.credits=gates.claso"]);
    assert!(equal && said.contains("proved"), "{said}");

    let crossed =
        text.replace("gates$taken = dispatcher$taken", "gates$taken = dispatcher$request");
    assert_ne!(crossed, text);
    let (equal, said) = proved(&text, &crossed, &[]);
    assert!(!equal && said.contains("not proved"), "{said}");
}
