//! Every complaint as the user sees it.

use super::*;
use crate::diagnostic::rendered;

/// A kernel in which `from` is replaced.
fn kernel(from: &str, to: &str) -> String {
    assert!(KERNEL.contains(from));
    KERNEL.replace(from, to)
}

/// A kernel with this relation.
fn related(keys: &str) -> String {
    kernel("duration", &format!("relation = {{ {keys} }}\nduration"))
}

/// A kernel in these clusters; its grid is (8, 1, 1).
fn clustered(extent: &str) -> String {
    kernel("duration", &format!("cluster = {extent}\nduration"))
}

/// A second kernel of its stream, which states `keys`.
fn overlapping(keys: &str) -> String {
    let second = kernel("duration", &format!("stream = 1\n{keys}\nduration")).replace('P', "Q");
    format!("{KERNEL}stream = 1\n{second}")
}

fn launch(from: &str, to: &str) -> String {
    let launch =
        "[[kernel.launch]]\nby = 7\nat = 99\nthread = 63\nkernel = \"C\"\ngrid = [2, 1, 1]\n";
    let child = "[[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = [5, 6]\n";
    let text = format!("{KERNEL}{launch}{child}");
    assert!(text.contains(from));
    text.replacen(from, to, 1)
}

fn cases() -> Vec<(&'static str, String)> {
    let gpu = |table: &str| format!("[gpu]\n{table}\n{KERNEL}");
    let twice = format!("{KERNEL}{KERNEL}");
    let recursive = launch("duration = [5, 6]\n", "duration = 9\n")
        + "[[kernel.launch]]\nby = 0\nat = 1\nkernel = \"C\"\ngrid = [2, 1, 1]\n";
    vec![
        ("broken TOML", kernel("name = ", "name ")),
        ("an end in the middle", kernel("duration = 100\n", "duration = [1,")),
        ("a key twice", kernel("duration", "grid")),
        ("an unknown key", kernel("grid", "gird")),
        ("an unknown table", format!("[cpu]\ncores = 1\n{KERNEL}")),
        ("a missing key", kernel("duration = 100\n", "")),
        ("a missing grid", kernel("grid = [8, 1, 1]\n", "")),
        ("a string for a number", kernel("100", "\"long\"")),
        ("a fraction of a cycle", kernel("100", "1.5")),
        ("two dimensions", kernel("[8, 1, 1]", "[8, 1]")),
        ("an empty name", kernel("\"P\"", "\"\"")),
        ("no kernels", "[gpu]\nsmx = 4\n".to_owned()),
        ("an empty file", String::new()),
        ("two kernels of one name", twice),
        ("an empty grid", kernel("[8, 1, 1]", "[8, 0, 1]")),
        ("a grid dimension above its width", kernel("[8, 1, 1]", "[8, 65536, 1]")),
        ("a negative dimension", kernel("[8, 1, 1]", "[-8, 1, 1]")),
        ("too many blocks", kernel("[8, 1, 1]", "[65536, 32768, 1]")),
        ("an empty block", kernel("[64, 1, 1]", "[64, 1, 0]")),
        ("a block dimension above its width", kernel("[64, 1, 1]", "[1, 1, 128]")),
        ("too many threads in a block", kernel("[64, 1, 1]", "[32, 33, 1]")),
        ("no duration", kernel("100", "0")),
        ("a negative duration", kernel("100", "-5")),
        ("a duration of none in a list", kernel("100", "[1, 2, 3, 0, 5, 6, 7, 8]")),
        ("a short list of durations", kernel("100", "[1, 2, 3]")),
        ("a mean of nothing", kernel("100", "{ mean = 0.5, rsd = 0.1 }")),
        ("a deviation that is no number", kernel("100", "{ mean = 5, rsd = nan }")),
        ("a distribution without deviation", kernel("100", "{ mean = 5 }")),
        (
            "too many drawn durations",
            kernel("[8, 1, 1]", "[20000000, 1, 1]")
                .replace("= 100\n", "= { mean = 5, rsd = 0.1 }\n"),
        ),
        ("no repetition", kernel("duration", "repeat = 0\nduration")),
        ("a negative arrival", kernel("duration", "arrive = -1\nduration")),
        ("a negative stream", kernel("duration", "stream = -1\nduration")),
        (
            "a block of too many registers",
            kernel("duration", "registers_per_thread = 1025\nduration"),
        ),
        (
            "a block of too much shared memory",
            kernel("duration", "shared_memory = 49153\nduration"),
        ),
        ("a block of too many threads for a small GPU", gpu("threads = 32")),
        ("no SMXs", gpu("smx = 0")),
        ("too many SMXs", gpu("smx = 145")),
        ("no slots", gpu("thread_block_slots = 0")),
        ("an unknown GPU key", gpu("thread_blocks = 4")),
        ("a GPU value of the wrong kind", gpu("smx = \"four\"")),
        ("a negative GPU value", gpu("smx = -4")),
        ("a cache of no whole sets", gpu("l1 = { size = 1000 }")),
        ("a slowdown list of another length", gpu("smx = 4\nsmx_slowdown = [1, 2, 3]")),
        ("a slowdown of zero", gpu("smx = 2\nsmx_slowdown = [1, 0]")),
        ("a negative slowdown", gpu("smx = 2\nsmx_slowdown = [1, -1.5]")),
        ("an infinite slowdown", gpu("smx = 2\nsmx_slowdown = [1, inf]")),
        ("a relation to the kernel itself", related("back = 0")),
        ("a relation too far back", related("back = 5")),
        ("a relation of no ratio", related("ratio = 0")),
        ("a relation of too large a ratio", related("ratio = 65536")),
        ("a relation of too large an offset", related("back = 2, offset = 2147483648")),
        ("a relation of too small an offset", related("back = 2, offset = -2147483648")),
        ("a relation with an unknown key", related("back = 2, shift = 4")),
        ("a relation that is a number", kernel("duration", "relation = 4\nduration")),
        ("a fraction of a block", related("offset = 0.5")),
        ("a cluster of nothing", clustered("[0, 1, 1]")),
        ("a cluster of 17 blocks in a row", clustered("[1, 17, 1]")),
        ("a cluster of 18 blocks", clustered("[3, 3, 2]")),
        ("a negative cluster", clustered("[-2, 1, 1]")),
        ("a cluster of two dimensions", clustered("[2, 1]")),
        ("a cluster that does not divide the grid", clustered("[3, 1, 1]")),
        ("a cluster deeper than the grid", clustered("[1, 1, 2]")),
        ("a cluster that is a number", clustered("4")),
        ("a priority above the highest", kernel("duration", "priority = 8\nduration")),
        ("a negative priority", kernel("duration", "priority = -5\nduration")),
        ("a priority in words", kernel("duration", "priority = \"high\"\nduration")),
        ("a partition beyond the eighth", kernel("duration", "partition = 8\nduration")),
        ("a negative partition", kernel("duration", "partition = -1\nduration")),
        ("a trigger before the block begins", kernel("duration", "trigger = 0\nduration")),
        ("a trigger behind the end", kernel("duration", "trigger = 101\nduration")),
        (
            "a trigger behind the end of every block",
            kernel("100", "[1, 2, 3, 9, 5, 6, 7, 8]\ntrigger = 10"),
        ),
        ("a prologue of no dependent", kernel("duration", "prologue = 5\nduration")),
        ("a prologue beyond the end", overlapping("dependent = true\nprologue = 101")),
        ("a negative prologue", overlapping("dependent = true\nprologue = -1")),
        ("a prologue of an independent kernel", overlapping("dependent = false\nprologue = 1")),
        ("a dependent in words", overlapping("dependent = \"yes\"")),
        ("a dependent without a stream", kernel("duration", "dependent = true\nduration")),
        (
            "a dependent that is the first of its stream",
            kernel("duration", "stream = 4\ndependent = true\nduration"),
        ),
        ("a child of a partition", launch("child = true", "child = true\npartition = 1")),
        ("a child that triggers", launch("child = true", "child = true\ntrigger = 1")),
        ("a dependent child", launch("child = true", "child = true\ndependent = true")),
        ("a child with a prologue", launch("child = true", "child = true\nprologue = 1")),
        ("a setup beyond the end", kernel("duration", "setup = 101\nduration")),
        (
            "a setup beyond the end of every block",
            kernel("100", "[1, 2, 3, 9, 5, 6, 7, 8]\nsetup = 10"),
        ),
        ("a negative setup", kernel("duration", "setup = -1\nduration")),
        ("cancels in words", kernel("duration", "cancels = \"yes\"\nduration")),
        ("a child with a setup", launch("child = true", "child = true\nsetup = 1")),
        ("a child that cancels", launch("child = true", "child = true\ncancels = true")),
        ("domains of other SMXs than there are", gpu("smx = 4\nsmx_domains = [2, 3]")),
        ("an empty domain", gpu("smx = 4\nsmx_domains = [4, 0]")),
        ("domains in words", gpu("smx_domains = [\"0-3\"]")),
        ("partitions of SMXs that are not there", gpu("smx_partitions = [\"0-13\"]")),
        ("an empty partition", gpu("smx = 4\nsmx_partitions = [\"0-3\", \"\"]")),
        ("a partition that ends before it begins", gpu("smx_partitions = [\"3-1\"]")),
        ("partitions that are numbers", gpu("smx_partitions = [1, 2]")),
        ("a resident kernel that is no child", kernel("duration", "resident = true\nduration")),
        ("a child with a relation", launch("child = true", "child = true\nrelation = {}")),
        ("a child in clusters", launch("child = true", "child = true\ncluster = [2, 1, 1]")),
        ("a child with a priority", launch("child = true", "child = true\npriority = 1")),
        (
            "a relation of a launch from the device",
            launch("thread = 63", "thread = 63\nrelation = { back = 2 }"),
        ),
        ("a child with a grid", launch("child = true", "child = true\ngrid = [1, 1, 1]")),
        ("a launch by a block that is not there", launch("by = 7", "by = 8")),
        ("a launch after the end of its block", launch("at = 99", "at = 100")),
        ("a launch by a thread that is not there", launch("thread = 63", "thread = 64")),
        ("a launch of no kernel", launch("kernel = \"C\"", "kernel = \"D\"")),
        ("a launch of a kernel that is no child", launch("kernel = \"C\"", "kernel = \"P\"")),
        ("a launch that does not fit the list", launch("grid = [2, 1, 1]", "grid = [3, 1, 1]")),
        (
            "too many drawn durations in launches",
            launch("grid = [2, 1, 1]", "grid = [20000000, 1, 1]")
                .replace("[5, 6]", "{ mean = 5, rsd = 0.1 }"),
        ),
        (
            "a launch in clusters that its grid is no multiple of",
            launch("grid = [2, 1, 1]", "grid = [2, 1, 1]\ncluster = [4, 1, 1]"),
        ),
        (
            "a launch in clusters of 17 blocks",
            launch("grid = [2, 1, 1]", "grid = [2, 1, 1]\ncluster = [17, 1, 1]"),
        ),
        ("an empty launch", launch("grid = [2, 1, 1]", "grid = [2, 0, 1]")),
        ("launches without end", recursive),
        ("launches under --launch flat", launch("by", "by")),
    ]
}

#[test]
fn every_complaint_names_the_file_the_place_the_value_and_what_was_expected() {
    let mut all = String::new();
    for (what, text) in cases() {
        let error = prepare(&text).err().unwrap_or_else(|| panic!("{what}: accepted"));
        all += &format!("## {what}\n{}\n", rendered(&error));
    }
    expect_test::expect_file!["errors.txt"].assert_eq(&all);
}

#[test]
fn durations_of_all_kernels_together_are_drawn_in_bounded_memory() {
    let drawn = |name: &str, blocks: u32| {
        format!(
            "[[kernel]]\nname = \"{name}\"\ngrid = [{blocks}, 1, 1]\nblock = [32, 1, 1]\n\
             duration = {{ mean = 5, rsd = 0.1 }}\n"
        )
    };
    let half = 1 << 23;
    let parse = |text: String| Scenario::parse("f.toml", &text);
    assert_eq!(parse(drawn("A", half) + &drawn("B", half)).unwrap().kernels().len(), 2);
    let error = parse(drawn("A", half) + &drawn("B", half) + &drawn("C", 1)).unwrap_err();
    assert_eq!(error.to_string(), "with kernel `C`, durations of 16777217 blocks are drawn");
    assert!(rendered(&error).contains("f.toml:12:8"), "{}", rendered(&error));
}

#[test]
fn a_missing_file_is_refused_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing.toml");
    let message = Scenario::read(&path).unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot read {}: ", path.display())), "{message}");
}

#[test]
fn a_file_that_is_not_utf8_is_refused_at_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, b"[gpu]\nsmx = \xff4\n").unwrap();
    let error = Scenario::read(&path).unwrap_err();
    let shown = rendered(&error).replace(&folder.path().display().to_string(), "FOLDER");
    assert!(shown.contains("is not UTF-8: byte 0xff"), "{shown}");
    assert!(shown.contains("bad.toml:2:7"), "{shown}");
    let label = miette::Diagnostic::labels(&error).unwrap().next().unwrap();
    assert_eq!(label.len(), 1, "the byte alone");
}

#[test]
fn of_several_overrides_that_is_marked_without_which_the_rest_is_sound() {
    let gpu = "[gpu]\nsmx.slowdown = [1, 2]\nthread_block_slots = 4\n";
    let scenario = parse(&format!("{gpu}{KERNEL}")).unwrap();
    let error = scenario.configure(&mut GpuConfig::preset("k20c").unwrap()).unwrap_err();
    let label = miette::Diagnostic::labels(&error).unwrap().next().unwrap();
    assert_eq!(label.offset(), "[gpu]\n".len(), "{}", rendered(&error));
}

#[test]
fn a_file_is_read_like_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.toml");
    std::fs::write(&path, KERNEL).unwrap();
    assert_eq!(Scenario::read(&path).unwrap().kernels()[0].name, "P");
}
