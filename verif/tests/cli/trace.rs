//! `blockyard trace info`, as text and as JSON.

use super::command::Place;
use serde_json::Value;

/// The trace of a kernel of one block with one warp: a load, a store and an exit.
pub fn kernel(name: &str) -> String {
    format!(
        "-kernel name = {name}\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n\
         -shmem = 64\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n\
         -shmem base_addr = 0x0000000000000000\n-local mem base_addr = 0x0000000001000000\n\
         -accelsim tracer version = 4\n#traces format = PC mask ... immediate\n\n\
         #BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n\
         0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x80000000 4 0\n\
         0010 0000ffff 0 STG.E 2 R2 R1 4 0 {}0\n\
         0020 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n",
        "0x90000000 ".repeat(16)
    )
}

const LIST: &str = "MemcpyHtoD,0x80000000,128\na.traceg\nb.traceg\n";

fn place() -> Place {
    let place = Place::new();
    place.write("a.traceg", kernel("a"));
    place.write("b.traceg", kernel("b"));
    place.write("kernelslist.g", LIST);
    place
}

#[test]
fn the_json_has_a_kernel_for_each_of_the_list_and_the_total() {
    let printed = place().fine(&["trace", "info", "kernelslist.g", "--json"]).stdout;
    let trace: Value = serde_json::from_str(&printed).expect("JSON");
    let names: Vec<&Value> =
        trace["kernels"].as_array().expect("a list").iter().map(|kernel| &kernel["name"]).collect();
    assert_eq!(names, ["a", "b"]);
    let first = &trace["kernels"][0];
    assert_eq!(first["grid"], serde_json::json!([1, 1, 1]));
    assert_eq!((&first["shared_memory"], &first["registers_per_thread"]), (&64.into(), &16.into()));
    let counts = ["warp_instructions", "thread_instructions", "global_loads", "footprint"];
    let of = |counted: &Value| counts.map(|count| counted[count].as_u64().expect(count));
    assert_eq!(of(first), [3, 80, 1, 256]);
    assert_eq!(of(&trace["total"]), [6, 160, 2, 256], "both kernels touch the same lines");
    assert_eq!((&trace["copies"], &trace["copied_bytes"]), (&1.into(), &128.into()));
}

#[test]
fn the_text_has_a_table_a_kernel_and_one_for_all() {
    let text = place().fine(&["trace", "info", "kernelslist.g"]).stdout;
    let row = |what: &str| -> Vec<&str> {
        let cells = text.lines().filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).filter(|cell| !cell.is_empty());
            (cells.next() == Some(what)).then(|| cells.next().unwrap_or(""))
        });
        cells.collect()
    };
    assert_eq!(row("name"), ["a", "b"]);
    assert_eq!(row("grid"), ["(1, 1, 1)"; 2]);
    assert_eq!(row("warp instructions"), ["3", "3", "6"]);
    assert_eq!(row("footprint, bytes"), ["256"; 3]);
    assert!(text.ends_with("copies to the GPU: 1, 128 bytes\n"), "{text}");
    let one = place().fine(&["trace", "info", "b.traceg"]).stdout;
    assert_eq!(one.matches("warp instructions").count(), 1, "one kernel has no table of all");
}

#[test]
fn a_run_says_which_opcodes_no_table_has() {
    let place = Place::new();
    place.write("k.traceg", kernel("k").replace("LDG.E", "LDX.E"));
    let args = ["run", "--scheduler", "rr", "--trace", "k.traceg", "--stats", "s.json"];
    let ended = place.run(&args);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let note = "note: opcodes that no table has ran as integer instructions";
    assert!(
        ended.stderr.starts_with(note) && ended.stderr.ends_with(": LDX.E\n"),
        "{}",
        ended.stderr
    );
    place.write("k.traceg", kernel("k"));
    place.fine(&args);
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    let place = place();
    let args = ["trace", "info", "kernelslist.g", "--json"];
    assert_eq!(place.fine(&args).stdout, place.fine(&args).stdout);
}

/// The counts of all kernels of `F` in the folder `place`.
fn total(place: &Place, file: &str) -> Value {
    let printed = place.fine(&["trace", "info", file, "--json"]).stdout;
    serde_json::from_str::<Value>(&printed).expect("JSON")["total"].clone()
}

#[test]
fn the_three_address_modes_say_the_same() {
    let place = Place::new();
    let list: String = (0..32).map(|lane| format!("{:#x} ", 0x8000_0000_u64 + 4 * lane)).collect();
    let modes = [
        format!("0 {list}"),
        "1 0x80000000 4 ".into(),
        format!("2 0x80000000 {}", "4 ".repeat(31)),
    ];
    let counts = modes.map(|mode| {
        let good = kernel("k");
        assert!(good.contains("4 1 0x80000000 4 0"));
        place.write("k.traceg", good.replace("4 1 0x80000000 4 0", &format!("4 {mode}0")));
        total(&place, "k.traceg")
    });
    assert_eq!(counts[0]["footprint"], 256);
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], counts[2]);
}

#[test]
fn kernels_have_streams_tracers_and_architectures_of_their_own() {
    let place = Place::new();
    place.write("a.traceg", kernel("a"));
    let old = kernel("b").replace("stream id = 0", "stream id = 94826418238");
    let old = old.replace("tracer version = 4", "tracer version = 3").replace("= 70", "= 35");
    // The tracer of version 3 writes no immediates.
    let old = old.replace(" immediate", "");
    let old = ["4 0\n", "0x90000000 0\n", "EXIT 0 0 0\n"]
        .iter()
        .fold(old, |old, end| old.replace(end, &format!("{}\n", &end[..end.len() - 3])));
    place.write("b.traceg", old);
    place.write("kernelslist.g", LIST);
    let printed = place.fine(&["trace", "info", "kernelslist.g", "--json"]).stdout;
    let trace: Value = serde_json::from_str(&printed).expect("JSON");
    let of = |key: &str| [0, 1].map(|kernel: usize| trace["kernels"][kernel][key].clone());
    assert_eq!(of("stream"), [0.into(), 94_826_418_238_u64.into()] as [Value; 2]);
    assert_eq!(of("tracer_version"), [4.into(), 3.into()] as [Value; 2]);
    assert_eq!(of("architecture"), ["Volta".into(), "Kepler".into()] as [Value; 2]);
    assert_eq!(of("thread_instructions"), [80.into(), 80.into()] as [Value; 2]);
}

#[test]
fn a_compressed_trace_counts_as_its_text_does() {
    let place = Place::new();
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/trace/modes.traceg");
    let counts = total(&place, seeds);
    assert_eq!((&counts["blocks"], &counts["warps"]), (&2.into(), &4.into()));
    assert_eq!(total(&place, &format!("{seeds}.xz")), counts);
}
