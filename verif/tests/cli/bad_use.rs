//! Options and names that do not exist or do not go together.

use super::command::{worked_example, Place};
use expect_test::expect;

fn refused(args: &[&str], expected: &[&str]) {
    let place = Place::new();
    place.refused(&[&["run"], args].concat(), expected);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn a_bad_scheduler_is_refused_by_every_command_that_takes_one() {
    let table = [
        ("", "the scheduler is an empty string"),
        ("rr+", "the name of a gate is missing"),
        ("+claso", "the name of a scheduler is missing"),
        ("rr+claso(pa=0)", "`pa` cannot be `0`: expected 1 to 65535"),
        ("rr+claso(pa=65536)", "`pa` cannot be `65536`: expected 1 to 65535"),
        ("rr+claso(pl=-1)", "`pl` cannot be `-1`: expected 0 to 65535"),
        ("rr+claso(px=1)", "`claso` has no key `px`"),
        ("rr+claso(pa)", "`pa` has no value"),
        ("rr+claso(pa=1,pa=2)", "`pa` is given twice"),
        ("rr+claso(", "a closing parenthesis is missing"),
        ("claso", "`claso` is a gate, not a scheduler"),
        ("rr+claso+claso", "the gate `claso` is there twice"),
        ("rr/x", "`rr` has no variant `x`"),
        ("rr x", "` x` does not belong here"),
        ("rr+nope", "unknown gate `nope`"),
        ("nope", "unknown scheduler `nope`"),
        ("laperm", "`laperm` needs a variant"),
        ("laperm/smx-bind+claso", "`laperm/smx-bind` does not take the gate `claso`"),
        ("ikra", "`ikra` needs a variant"),
        ("ikra/steal(queue=3)", "`queue` cannot be `3`: expected 2, 4, 8, 16 or 32"),
        ("srtf(sample=0)", "`sample` cannot be `0`"),
        ("srtf+claso", "`srtf` does not take the gate `claso`"),
        ("mpmax+claso(pa=2)", "`mpmax` does not take the gate `claso`"),
        ("srtf/adaptive(limit=0)", "`limit` cannot be `0`: expected 1 to 16"),
        ("sjf", "`sjf` needs the run times of the kernels"),
        ("ljf(runtimes=1:0)", "`runtimes` cannot be `1:0`: expected one to eight numbers"),
    ];
    let path = worked_example("claso-case-study");
    for (scheduler, message) in table {
        refused(&["--scheduler", scheduler, "--scenario", &path], &[message, "help:"]);
        let place = Place::new();
        place.refused(&["verilog", "--scheduler", scheduler, "--out", "v"], &[message, "help:"]);
        assert_eq!(place.names(), Vec::<String>::new());
    }
}

#[test]
fn a_number_of_threads_that_cannot_be_is_refused_with_the_range() {
    let path = worked_example("claso-case-study");
    for threads in ["0", "257", "-1", "two", ""] {
        let option = format!("--threads={threads}");
        let args = ["--scheduler", "rr", "--scenario", &path, &option];
        refused(&args, &["--threads <N>", "expected 1 to 256"]);
    }
    let place = Place::new();
    for threads in ["1", "256"] {
        place.fine(&["run", "--scheduler", "rr", "--scenario", &path, "--threads", threads]);
    }
}

#[test]
fn oracles_have_no_hardware_and_the_policies_for_concurrent_kernels_no_device_launches() {
    let sjf = "sjf(runtimes=24853:416563)";
    let workload = ["--gpu", "gtx480", "--workload", "erc/JPEG-d+RayTracing"];
    for engine in ["rtl", "lockstep"] {
        let args = [&["--scheduler", sjf, "--engine", engine][..], &workload].concat();
        refused(&args, &["the run times that it needs come from outside", "use --engine golden"]);
    }
    for launch in ["cdp", "dtbl"] {
        let args =
            [&["--scheduler", "srtf", "--engine", "golden", "--launch", launch][..], &workload];
        refused(&args.concat(), &["takes no launches from the device", "help:"]);
    }
}

#[test]
fn what_no_engine_takes_is_refused_for_its_reason_by_those_with_hardware_too() {
    for engine in ["golden", "rtl", "lockstep"] {
        let with = |scheduler: &str, launch: &str, words: &[&str]| {
            let of = ["--scheduler", scheduler, "--launch", launch, "--engine", engine];
            refused(&[&of[..], &["--gpu", "denovo15", "--workload", "bfs"]].concat(), words);
        };
        with("ikra/steal", "cdp", &["launches from the device", "ikra/steal(nesting=2)"]);
        with("ikra/steal(nesting=2)", "dtbl", &["takes no aggregated groups", "--launch cdp"]);
    }
}

#[test]
fn a_workload_of_ercbench_names_kernels_and_takes_keys_of_its_own() {
    let with = |workload, more: &[&str], expected: &[&str]| {
        let args = ["--scheduler", "rr", "--engine", "golden", "--workload", workload];
        refused(&[&args[..], more].concat(), expected);
    };
    with("erc/SHA2", &[], &["there is no kernel `SHA2`", "expected erc/A or erc/A+B"]);
    with("erc/SAD+SAD", &[], &["the same kernel twice"]);
    with("erc/SAD", &["--set", "bfs.block=64"], &["`--set bfs.block` does nothing"]);
    with("erc/SAD", &["--set", "erc.offset=x"], &["`erc.offset` cannot be `x`"]);
    with("bfs", &["--set", "erc.offset=1"], &["`--set erc.offset` does nothing"]);
}

#[test]
fn the_durations_of_srtf_take_nothing_that_would_change_the_papers_workloads() {
    for (args, option) in [
        (&["--input", "g.txt"][..], "--input"),
        (&["--reduced"][..], "--reduced"),
        (&["--engine", "rtl"][..], "--engine"),
        (&["--gpu", "c2050"][..], "--gpu"),
        (&["--set", "erc.offset=5"][..], "--set erc.offset"),
    ] {
        let place = Place::new();
        let message = format!("`{option}` does nothing in `reproduce srtf --only durations`");
        let durations = ["reproduce", "srtf", "--only", "durations"];
        place.refused(&[&durations[..], args].concat(), &[&message, "help:"]);
    }
}

#[test]
fn workloads_that_run_together_are_kernels_in_cuda_c_with_keys_of_their_own() {
    let with = |workload, more: &[&str], expected: &[&str]| {
        let args = ["--scheduler", "rr", "--engine", "golden", "--workload", workload];
        refused(&[&args[..], more].concat(), expected);
    };
    with(
        "sad+bfs",
        &[],
        &["there is no workload `bfs` in `sad+bfs`", "expected A(key=value,...)+B"],
    );
    with("sad(rows=121)+sha1", &[], &["`sad.rows` cannot be `121`"]);
    with("sad+sha1", &["--set", "dct.rows=3"], &["`--set dct.rows` does nothing", "sad, sha1"]);
    with("sad+sha1", &["--input", "g.txt"], &["walks no graph"]);
    with("sad+sha1", &["--launch", "dtbl"], &["launch nothing from the device", "--launch flat"]);
}

#[test]
fn a_bad_scheduler_is_shown_with_the_part_that_is_wrong() {
    let args = ["verilog", "--scheduler", "rr+claso(pa=0,pl=1)", "--out", "v"];
    expect![[r#"
        blockyard::scheduler

          × `pa` cannot be `0`: expected 1 to 65535
           ╭────
         1 │ rr+claso(pa=0,pl=1)
           ·             ┬
           ·             ╰── here
           ╰────
          help: a default is taken where the key is left out

    "#]]
    .assert_eq(
        &Place::new().command(&args).env("LANG", "C.UTF-8").output().map(text).expect("it runs"),
    );
}

fn text(output: std::process::Output) -> String {
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn unknown_names_are_refused_with_those_that_there_are() {
    let path = worked_example("claso-case-study");
    let scenario = |more: &[&'static str], expected: &[&str]| {
        refused(&[&["--scheduler", "rr", "--scenario", &path], more].concat(), expected);
    };
    scenario(&["--gpu", "h99"], &["there is no GPU `h99`", "h100"]);
    scenario(
        &["--set", "smx.cuont=2"],
        &["unknown GPU key `smx.cuont`", "did you mean `smx.count` or `smx.tpc`?"],
    );
    let count = "bad value `\"four\"` for GPU key `smx.count`";
    scenario(&["--set", "smx.count=four"], &[count, "expected a whole number from 0 on"]);
    scenario(&["--set", "warp.policy=0"], &["bad value `0`", "expected a word, as gto"]);
    scenario(
        &["--set", "smx.count"],
        &["`--set smx.count` has no `=`", "expected --set key=value"],
    );
    scenario(&["--set", "bfs.block=64"], &["`--set bfs.block` does nothing in a scenario"]);
    scenario(&["--engine", "verilator"], &["invalid value 'verilator'", "golden, rtl, lockstep"]);
    scenario(&["--launch", "acs"], &["invalid value 'acs'", "flat, cdp, dtbl"]);
    refused(
        &["--scheduler", "rr", "--workload", "dfs"],
        &["unknown workload `dfs`", "bfs, sssp, clr"],
    );
    let bfs = |set: &'static str, expected: &[&str]| {
        refused(&["--scheduler", "rr", "--workload", "bfs", "--set", set], expected);
    };
    bfs("bfs.blok=2", &["unknown key `bfs.blok`", "bfs.block, bfs.source"]);
    bfs("graph.scal=2", &["unknown key `graph.scal`", "graph.scale"]);
    bfs("bfs.block=0", &["`bfs.block` cannot be `0`", "from 1 to 1024"]);
    bfs("bfs.source=1024", &["1024"]);
    bfs("graph.width=4", &["graph.width"]);
    bfs("smx.count=0", &["the GPU has zero cores"]);
    bfs("sssp.block=64", &["`--set sssp.block` does nothing in the workload bfs"]);
}

#[test]
fn bad_settings_of_searches_and_colourings_are_refused() {
    let run = |workload: &'static str, set: &'static str, expected: &[&str]| {
        refused(&["--scheduler", "rr", "--workload", workload, "--set", set], expected);
    };
    run("sssp", "sssp.blok=2", &["unknown key `sssp.blok`", "sssp.block, sssp.source"]);
    run("sssp", "sssp.threshold=-1", &["`sssp.threshold` cannot be `-1`", "from 0 to 4294967295"]);
    run("sssp", "sssp.child_block=0", &["`sssp.child_block` cannot be `0`", "from 1 to 1024"]);
    run("sssp", "sssp.weights=heavy", &["cannot be `heavy`", "expected listed or generated"]);
    run("sssp", "sssp.weights=listed", &["this one has no weights", "sssp.weights=generated"]);
    run("sssp", "sssp.source=1024", &["expected a vertex of the graph, 0 to 1023"]);
    run("clr", "clr.source=1", &["unknown key `clr.source`", "clr.block, clr.child_block"]);
    run("clr", "clr.block=1025", &["`clr.block` cannot be `1025`", "from 1 to 1024"]);
    run("clr", "bfs.block=64", &["`--set bfs.block` does nothing in the workload clr"]);
}

#[test]
fn bad_settings_of_kernels_in_cuda_c_are_refused() {
    let run = |workload: &'static str, set: &'static str, expected: &[&str]| {
        refused(&["--scheduler", "rr", "--workload", workload, "--set", set], expected);
    };
    run("reduce", "reduce.blok=2", &["unknown key `reduce.blok`", "reduce.count, reduce.block"]);
    run("vecadd", "vecadd.block=1025", &["`vecadd.block` cannot be `1025`", "from 1 to 1024"]);
    run("nested", "nested.limit=11", &["`nested.limit` cannot be `11`", "from 0 to 10"]);
    let does_nothing = "does nothing in the workload matmul";
    run("matmul", "graph.scale=3", &["`--set graph.scale`", does_nothing, "keys of matmul and of"]);
    run("matmul", "stencil.steps=3", &["`--set stencil.steps`", does_nothing]);
    run("bfs", "reduce.count=3", &["`--set reduce.count` does nothing in the workload bfs"]);
    let input = ["--scheduler", "rr", "--workload", "reduce", "--input", "g.txt"];
    refused(&input, &["the workload reduce walks no graph", "leave out --input"]);
    refused(&["--scheduler", "rr", "--workload", "reduc"], &["unknown workload", "vecadd, steal"]);
}

#[test]
fn a_block_of_a_workload_that_fits_no_smx_is_refused() {
    let run = |threads: &str| {
        let place = Place::new();
        let mut args = vec!["run", "--scheduler", "rr", "--workload", "bfs"];
        args.extend(["--set", "graph.scale=4", "--set", "bfs.block=64", "--set", threads]);
        place.run(&args)
    };
    let (small, fits) = (run("smx.threads=32"), run("smx.threads=64"));
    assert_eq!((small.status, fits.status), (2, 0));
    assert!(small.said().contains("it needs 64 threads, an SMX has 32"), "{}", small.stderr);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let path = worked_example("claso-case-study");
    let scenario = ["--scheduler", "rr", "--scenario", &path];
    let with = |more: &[&'static str], expected: &[&str]| {
        refused(&[&scenario[..], more].concat(), expected);
    };
    with(&["--input", "graph.txt"], &["--scenario", "cannot be used with", "--input"]);
    with(&["--workload", "bfs"], &["cannot be used with"]);
    with(&["--trace", "kernelslist.g"], &["cannot be used with"]);
    with(&["--wave", "w.vcd", "--engine", "golden"], &["the golden engine has no hardware"]);
    with(
        &["--wave", "w.vcd", "--wave-from", "9", "--wave-to", "8"],
        &["the window of the dump from 9 to 8 is empty"],
    );
    with(&["--wave-from", "9"], &["--wave <F.vcd>"]);
    with(&["--wave", "w.gtkw"], &["w.gtkw is the name of a dump's view", "expected F.vcd"]);
    with(&["--inject", "lost-completion:0,1", "--engine", "rtl"], &["--inject disturbs the twin"]);
    refused(&["--scenario", &path], &["required", "--scheduler"]);
    refused(&["--scheduler", "rr"], &["required", "--scenario"]);
    refused(&["--scheduler", "rr", "--trace", "none.g"], &["none.g"]);
    refused(
        &["--scheduler", "rr", "--trace", "k.g", "--set", "graph.scale=4"],
        &["`--set graph.scale` does nothing in a trace"],
    );
    refused(&["--scheduler", "rr", "--trace", "k.g", "--input", "g"], &["cannot be used with"]);
    let generator =
        ["--scheduler", "rr", "--workload", "bfs", "--input", "g", "--set", "graph.scale=4"];
    refused(&generator, &["`--set graph.scale` does nothing with --input"]);
}

#[test]
fn a_fault_that_cannot_happen_is_refused() {
    let path = worked_example("claso-case-study");
    let table = [
        ("rr+claso", "nonsense", "`nonsense` is not a fault"),
        ("rr+claso", "wrong-credit:1", "`wrong-credit:1` is not a fault"),
        ("rr+claso", "lost-completion:-1,5", "is not a fault"),
        ("rr+claso", "wrong-credit:32,0,1", "kernel entry 32, but there are 32 entries"),
        ("rr+claso", "wrong-credit:0,4,1", "SMX 4, but there are 4 SMXs"),
        ("rr+claso", "lost-completion:4,1", "SMX 4, but there are 4 SMXs"),
        ("rr", "wrong-credit:0,0,1", "the scheduler rr has no credits"),
    ];
    for (scheduler, fault, message) in table {
        for engine in ["golden", "lockstep"] {
            let args = [
                "--scheduler",
                scheduler,
                "--scenario",
                &path,
                "--inject",
                fault,
                "--engine",
                engine,
            ];
            refused(&args, &[message]);
        }
    }
}

#[cfg(unix)]
#[test]
fn nobody_at_the_other_end_of_standard_error_is_no_panic() {
    use std::process::Stdio;
    let place = Place::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = place.command(&["run", "--scheduler", "nope", "--workload", "bfs"]);
    let status = command.stderr(writer).stdout(Stdio::null()).status().expect("it runs");
    assert_eq!(status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_no_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let mut args: Vec<&OsStr> =
        ["run", "--scheduler", "rr", "--scenario", &path].map(OsStr::new).into();
    args.extend([OsStr::new("--max-cycles"), OsStr::new("9"), OsStr::new("--stats")]);
    args.push(OsStr::from_bytes(b"st\xffts.json"));
    let ended = place.run(&args);
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("repeat with: blockyard run"), "{}", ended.stderr);
}

#[test]
fn a_key_of_the_gpu_is_refused_where_there_is_none() {
    let run = ["--functional", "--workload", "vecadd", "--set", "vecadd.count=9", "--set"];
    for key in ["smx.count=3", "l1.ways=2"] {
        let message = format!("`--set {key}` does nothing with --functional");
        refused(&[&run[..], &[key]].concat(), &[&message, "without a GPU"]);
    }
    Place::new().fine(&[&["run"], &run[..5]].concat());
}

#[test]
fn a_report_that_is_no_folder_is_refused_before_the_run() {
    let place = Place::new();
    place.write("taken", "mine");
    let path = worked_example("claso-case-study");
    let args = ["run", "--scheduler", "rr", "--scenario", &path, "--report", "taken"];
    place.refused(&args, &["--report is taken, which is no folder", "a name that is free"]);
    assert_eq!((place.text("taken"), place.names()), ("mine".to_owned(), vec!["taken".to_owned()]));
}

#[test]
fn a_fault_that_made_no_difference_is_noted() {
    let path = worked_example("claso-case-study");
    let run = ["run", "--scheduler", "rr", "--scenario", &path, "--inject"];
    let late = Place::new().run(&[&run[..], &["lost-completion:0,1000000"]].concat());
    assert_eq!(late.status, 0);
    assert!(late.stderr.contains("note: --inject made no difference in the "), "{}", late.stderr);
}
