//! The example of `docs/kernels.md`, as a new user types it.

use super::command::Place;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/kernels.md");

/// Whether there is clang 16; if not, says so on the standard output. Under CI that is a failure.
fn clang() -> bool {
    let found = Command::new("clang-16").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "clang-16 is missing");
    if !found {
        println!("skipped: clang-16 not found");
    }
    found
}

#[test]
fn five_commands_lead_from_an_empty_folder_to_a_waveform() {
    if !clang() {
        return;
    }
    let (_, rest) = PAGE.split_once("```sh\n").expect("an example");
    let (script, _) = rest.split_once("```").expect("its end");
    let commands =
        script.lines().filter(|line| line.starts_with("cat") || line.starts_with("blockyard"));
    assert_eq!(commands.count(), 5);
    let place = Place::new();
    let tool = Path::new(env!("CARGO_BIN_EXE_blockyard"));
    let mut folders = vec![tool.parent().expect("a folder").to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(place.path());
    shell.env("PATH", std::env::join_paths(folders).expect("a path"));
    let ended = super::command::ended(shell.output().expect("a shell"));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    for part in ["saxpy_param_3", "warp instructions    ", "lockstep   no difference"] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    let names = ["saxpy.cu", "saxpy.gtkw", "saxpy.sucl", "saxpy.toml", "saxpy.vcd"];
    assert_eq!(place.names(), names);
    assert!(place.text("saxpy.vcd").contains("$enddefinitions"));
}

#[test]
fn what_the_source_includes_is_among_the_inputs_of_a_run() {
    if !clang() {
        return;
    }
    let place = Place::new();
    place.write("one.h", "#define ONE 1\n");
    place.write(
        "k.cu",
        "#include \"one.h\"\nextern \"C\" __global__ void k(int *x) { *x = ONE; }\n",
    );
    let host = "[buffers]\nx = { type = \"i32\", count = 1 }\n[[launch]]\ngrid = 1\nblock = 1\n\
        arguments = [\"x\"]\n";
    place.write("k.toml", host);
    place.fine(&["run", "--scheduler", "rr", "--kernel", "k.cu", "--stats", "1.json"]);
    let stats: serde_json::Value = serde_json::from_str(&place.text("1.json")).expect("JSON");
    let inputs = stats["run"]["inputs"].as_array().expect("a list");
    let paths: Vec<&str> = inputs.iter().filter_map(|input| input["path"].as_str()).collect();
    assert_eq!(paths, ["k.cu", "k.toml", "one.h"]);
    place.fine(&["run", "--from", "1.json"]);
    place.write("one.h", "#define ONE 2\n");
    place.refused(&["run", "--from", "1.json"], &["one.h has changed since"]);
}

#[test]
fn what_is_wrong_is_shown_with_its_line_of_the_source() {
    if !clang() {
        return;
    }
    let place = Place::new();
    let source = "__device__ float twice(const float *x) {
    return 2.0f * *x;
}
extern \"C\" __global__ void k(float *x) {
    *x = 1.0f;
    *x = twice(x + FAR);
}
";
    let host = "[buffers]\nx = { type = \"f32\", count = 4 }\n[[launch]]\ngrid = 1\nblock = 1\n\
                arguments = [\"x\"]\n";
    place.write("k.toml", host);
    for (name, body, line) in [
        ("k.cu", source.replace("FAR", "1000"), "here, from k.cu:2:"),
        // At load.
        (
            "k.cu",
            source
                .replace("twice(x + FAR)", "nosuch")
                .replace("*x = 1.0f", "asm(\"nosuch;\"); float nosuch = 1"),
            "here, from k.cu:5:",
        ),
    ] {
        place.write(name, body);
        let ended = place.run(&["run", "--functional", "--kernel", name]);
        assert_eq!(ended.status, 2);
        let said = ended.said();
        assert!(said.contains(line) && said.contains("PTX of k.cu"), "{said}");
    }
}

#[test]
fn the_page_has_every_key_of_a_host_file() {
    let place = Place::new();
    let header = ".version 6.0\n.target sm_35\n.address_size 64\n";
    place.write("k.ptx", format!("{header}.visible .entry k()\n{{\nret;\n}}\n"));
    for table in [
        "",
        "[buffers]\nb = ",
        "[textures]\nb = ",
        "[expect]\nb = ",
        "[[launch]]\n",
        "[[repeat]]\n",
    ] {
        let unknown = if table.ends_with("= ") { "{ unheard = 1 }" } else { "unheard = 1" };
        place.write("k.toml", format!("{table}{unknown}"));
        let said = place.run(&["run", "--functional", "--kernel", "k.ptx"]).said();
        let (_, keys) = said.split_once("expected one of ").expect(&said);
        let keys: Vec<&str> = keys.split('`').skip(1).step_by(2).collect();
        assert!(keys.len() >= 5, "{said}");
        for key in keys {
            assert!(
                PAGE.contains(&format!("`{key}`")) || PAGE.contains(&format!("[{key}]")),
                "{key}"
            );
        }
    }
}
