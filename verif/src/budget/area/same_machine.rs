//! Whether what is rewritten is still the same machine: Yosys says so, or the test says that it is
//! not there.

use crate::replay::{run_until, Patience, Tool, ToolStatus};

/// Has Yosys prove that the module `name` of two texts does the same for so many cycles from zero,
/// and that it does not once the second one has `change.1` in the place of `change.0`.
pub fn assert_same_machine(
    name: &str,
    (whole, pieces): (&str, &str),
    change: (&str, &str),
    cycles: usize,
) {
    if let ToolStatus::Skipped(program) | ToolStatus::Required(program) = Tool::Yosys.status() {
        assert!(std::env::var_os("CI").is_none(), "{program} is missing");
        println!("skipped: {program} not found");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let check = |pieces: &str| {
        std::fs::write(folder.path().join("whole.v"), whole).expect("a file");
        std::fs::write(folder.path().join("pieces.v"), pieces).expect("a file");
        let script = format!(
            "read_verilog whole.v; rename {name} whole; read_verilog pieces.v; \
             rename {name} pieces; proc; memory; flatten; opt_clean; \
             miter -equiv -flatten whole pieces miter; \
             sat -verify -prove trigger 0 -seq {cycles} -set-init-zero miter"
        );
        let patience = Patience { seconds: 120, mebibytes: None, stop: None };
        run_until("yosys", &["-Q", "-T", "-p", &script], folder.path(), patience).expect("it runs")
    };
    let same = check(pieces);
    assert!(same.success, "{}", same.log);
    assert!(pieces.contains(change.0), "{pieces}");
    let wrong = check(&pieces.replace(change.0, change.1));
    assert!(!wrong.success, "{} is as good as {}", change.1, change.0);
}
