mod errors;
mod programs;

use super::*;

const KERNEL: &str =
    "[[kernel]]\nname = \"P\"\ngrid = [8, 1, 1]\nblock = [64, 1, 1]\nduration = 100\n";

fn parse(text: &str) -> Result<Scenario, InputError> {
    Scenario::parse("scenario.toml", text)
}

/// Everything that happens to a scenario before it runs.
fn prepare(text: &str) -> Result<GpuConfig, InputError> {
    let scenario = parse(text)?;
    let mut config = GpuConfig::preset("k20c")?;
    scenario.configure(&mut config)?;
    scenario.check(&config)?;
    scenario.program(LaunchMode::Flat, 0)?;
    Ok(config)
}

#[test]
fn a_full_kernel_is_read_and_what_is_not_said_has_its_default() {
    let text = "[[kernel]]\nname = \"P\"\ngrid = [4, 2, 1]\nblock = [33, 2, 1]\n\
                registers_per_thread = 16\nshared_memory = 512\narrive = 7\nstream = 3\nrepeat = 2\n\
                duration = 100_000\n";
    let scenario = parse(&format!("{text}{}", KERNEL.replace('P', "Q"))).unwrap();
    let [full, short] = scenario.kernels() else { panic!("two kernels") };
    assert_eq!(full.grid, Some(Dim3::new(4, 2, 1)));
    assert_eq!((full.arrive, full.stream, full.repeat), (7, Some(3), 2));
    assert_eq!(full.duration, DurationSpec::Uniform(100_000));
    let needs = BlockNeeds { threads: 96, registers: 96 * 16, shared_memory: 512 };
    assert_eq!(full.needs(), needs);
    assert_eq!((short.arrive, short.stream, short.repeat), (0, None, 1));
    assert_eq!(short.needs(), BlockNeeds { threads: 64, registers: 0, shared_memory: 0 });
}

#[test]
fn the_gpu_table_takes_flat_dotted_and_nested_keys() {
    let gpu = "[gpu]\nthread_block_slots = 1\nsmx.count = 4\nsmx.slowdown = [1, 1, 1.5, 1]\n\
               [gpu.l1]\nsize = 32768\n";
    let config = prepare(&format!("{gpu}{KERNEL}")).unwrap();
    assert_eq!((config.smx.count, config.smx.thread_block_slots), (4, 1));
    assert_eq!((config.smx.slowdown[2], config.l1.size), (1.5, 32768));
}

#[test]
fn a_refused_gpu_table_leaves_the_configuration_as_it_was() {
    let scenario = parse(&format!("[gpu]\nthreads = 64\nsmx = 0\n{KERNEL}")).unwrap();
    let mut config = GpuConfig::preset("k20c").unwrap();
    scenario.configure(&mut config).unwrap_err();
    assert_eq!(config, GpuConfig::preset("k20c").unwrap());
}

#[test]
fn limits_are_taken_and_one_more_is_refused() {
    let with = |key: &str, value: u64| {
        let lines = KERNEL.lines().filter(|line| !line.starts_with(key));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        prepare(&format!("{text}{key} = {value}\n")).is_ok()
    };
    for (key, low, high) in [
        ("duration", 1, MAX_CYCLES),
        ("arrive", 0, MAX_CYCLES),
        ("repeat", 1, (1 << 31) - 1),
        ("stream", 0, (1 << 31) - 1),
        ("registers_per_thread", 0, 1024),
        ("shared_memory", 0, 49152),
    ] {
        assert!(with(key, low) && with(key, high), "{key}");
        assert!(!with(key, high + 1), "{key}");
        assert!(low == 0 || !with(key, low - 1), "{key}");
    }
}

#[test]
fn so_many_durations_are_drawn_and_no_more() {
    let drawn = |blocks: &str| {
        let text = KERNEL.replace("[8, 1, 1]", blocks);
        parse(&text.replace("= 100\n", "= { mean = 5, rsd = 0.1 }\n")).is_ok()
    };
    assert!(drawn("[16777216, 1, 1]") && !drawn("[16777217, 1, 1]"));
}

/// A child whose blocks run for `duration` cycles.
fn child(name: &str, duration: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{name}\"\nchild = true\nblock = [64, 1, 1]\nduration = {duration}\n"
    )
}

/// A launch by block `by` of the kernel before.
fn launch(by: u32, child: &str, blocks: u32) -> String {
    format!("[[kernel.launch]]\nby = {by}\nat = 0\nkernel = \"{child}\"\ngrid = [{blocks}, 1, 1]\n")
}

#[test]
fn children_may_launch_children_as_long_as_that_ends() {
    let text = |last: &str| {
        let of = [KERNEL, &launch(0, "C", 1), &child("C", "9"), &launch(0, "D", 1)];
        of.concat() + &child("D", "9") + last
    };
    assert!(parse(&text("")).is_ok());
    assert!(parse(&text(&launch(0, "C", 1))).is_err(), "D launches C, which launches D");
}

#[test]
fn launches_draw_so_many_durations_and_no_more() {
    let drawn = |first: u32, second: u32| {
        let launches = launch(0, "C", first) + &launch(1, "C", second);
        parse(&format!("{KERNEL}{launches}{}", child("C", "{ mean = 5, rsd = 0.1 }"))).is_ok()
    };
    assert!(drawn(1 << 23, 1 << 23) && !drawn(1 << 23, (1 << 23) + 1));
}

#[test]
fn a_block_that_launches_is_one_of_those_that_a_grid_may_have() {
    // Nobody launches `C`: it has no grid of its own.
    let by = |by| {
        parse(&format!("{KERNEL}{}{}", child("C", "9"), launch(by, "D", 1) + &child("D", "9")))
    };
    assert!(by((1 << 31) - 2).is_ok() && by((1 << 31) - 1).is_err());
}

#[test]
fn extents_are_taken_up_to_the_widths_of_the_ports() {
    let grid = |grid: &str| parse(&KERNEL.replace("[8, 1, 1]", grid)).is_ok();
    assert!(grid("[2147483647, 1, 1]") && !grid("[2147483648, 1, 1]"));
    assert!(grid("[1, 65535, 1]") && !grid("[1, 65536, 1]"));
    assert!(grid("[1, 1, 65535]") && !grid("[1, 1, 65536]"));
    assert!(grid("[32767, 65535, 1]") && !grid("[32770, 65535, 1]"), "2^31 - 1 blocks in all");
    assert!(!grid("[0, 1, 1]") && !grid("[1, 1, 0]"));
    let block = |block: &str| parse(&KERNEL.replace("[64, 1, 1]", block)).is_ok();
    assert!(block("[1024, 1, 1]") && !block("[1025, 1, 1]"));
    assert!(block("[1, 1, 127]") && !block("[1, 1, 128]"));
    assert!(block("[1, 1, 1]") && !block("[1, 0, 1]"));
}

#[test]
fn a_relation_is_read_with_its_defaults_and_up_to_its_limits() {
    let read = |relation: &str| {
        let scenario = parse(&format!("{KERNEL}relation = {relation}\n"));
        scenario.map(|scenario| scenario.kernels()[0].relation)
    };
    let plain = Relation { back: 1, ratio: 1, offset: 0 };
    assert_eq!(parse(KERNEL).unwrap().kernels()[0].relation, plain);
    assert_eq!(read("{}").unwrap(), plain);
    assert_eq!(read("{ back = 3 }").unwrap(), Relation { back: 3, ..plain });
    assert_eq!(read("{ ratio = 2 }").unwrap(), Relation { ratio: 2, ..plain });
    assert_eq!(read("{ offset = -4 }").unwrap(), Relation { offset: -4, ..plain });
    let all = "{ back = 4, ratio = 65535, offset = 2147483647 }";
    let most = Relation { back: 4, ratio: 65_535, offset: i32::MAX };
    assert_eq!(read(all).unwrap(), most);
    assert_eq!(read("{ offset = -2147483647 }").unwrap().offset, -i32::MAX);
    let table = parse(&format!("{KERNEL}[kernel.relation]\nback = 2\n")).unwrap();
    assert_eq!(table.kernels()[0].relation, Relation { back: 2, ..plain });
    for bad in ["back = 0", "back = 5", "ratio = 0", "ratio = 65536", "back = -1"] {
        assert!(read(&format!("{{ {bad} }}")).is_err(), "{bad}");
    }
    for bad in ["2147483648", "-2147483648", "9223372036854775807", "-9223372036854775808"] {
        assert!(read(&format!("{{ offset = {bad} }}")).is_err(), "{bad}");
    }
}

#[test]
fn a_cluster_is_read_up_to_sixteen_blocks_that_divide_the_grid() {
    let read = |grid: &str, cluster: &str| {
        let text = KERNEL.replace("[8, 1, 1]", grid);
        let scenario = parse(&format!("{text}cluster = {cluster}\n"));
        scenario.map(|scenario| scenario.kernels()[0].cluster)
    };
    assert_eq!(parse(KERNEL).unwrap().kernels()[0].cluster, Cluster { x: 1, y: 1, z: 1 });
    assert_eq!(read("[8, 1, 1]", "[8, 1, 1]").unwrap(), Cluster { x: 8, y: 1, z: 1 });
    assert_eq!(read("[8, 34, 3]", "[4, 2, 1]").unwrap(), Cluster { x: 4, y: 2, z: 1 });
    assert_eq!(read("[8, 4, 4]", "[4, 2, 2]").unwrap().blocks(), 16);
    for bad in ["[4, 4, 2]", "[16, 1, 1]", "[0, 1, 1]", "[3, 1, 1]", "[1, 1, 8]"] {
        assert!(read("[8, 4, 4]", bad).is_err(), "{bad}");
    }
}

#[test]
fn a_priority_is_read_from_0_which_is_the_default_to_7() {
    let read = |priority: &str| {
        let scenario = parse(&format!("{KERNEL}priority = {priority}\n"));
        scenario.map(|scenario| scenario.kernels()[0].priority)
    };
    assert_eq!(parse(KERNEL).unwrap().kernels()[0].priority, 0);
    assert_eq!((read("0").unwrap(), read("7").unwrap()), (0, 7));
    for bad in ["8", "-1", "1.5"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_partition_is_read_from_0_which_is_the_default_to_7() {
    let read = |partition: &str| {
        let scenario = parse(&format!("{KERNEL}partition = {partition}\n"));
        scenario.map(|scenario| scenario.kernels()[0].partition)
    };
    assert_eq!(parse(KERNEL).unwrap().kernels()[0].partition, 0);
    assert_eq!((read("0").unwrap(), read("7").unwrap()), (0, 7));
    for bad in ["8", "-1", "1.5", "\"1\""] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

/// A kernel of stream 3, and one behind it of that stream, of eight blocks and these durations,
/// which states `keys`.
fn second(duration: &str, keys: &str) -> Result<Overlap, InputError> {
    let second = KERNEL.replace('P', "Q").replace("100", duration);
    let text = format!("{KERNEL}stream = 3\n{second}stream = 3\n{keys}\n");
    parse(&text).map(|scenario| scenario.kernels()[1].overlap)
}

#[test]
fn an_overlap_is_read_with_its_defaults() {
    assert_eq!(second("100", "").unwrap(), Overlap::default());
    assert_eq!(second("100", "dependent = false").unwrap(), Overlap::default());
    let dependent = Overlap { dependent: true, ..Default::default() };
    assert_eq!(second("100", "dependent = true").unwrap(), dependent);
    let all = "dependent = true\ntrigger = 60\nprologue = 20";
    let expected = Overlap { dependent: true, trigger: Some(60), prologue: Some(20) };
    assert_eq!(second("100", all).unwrap(), expected);
    // Every kernel triggers, also one that is no dependent.
    let first = parse(&format!("{KERNEL}trigger = 60\n")).unwrap().kernels()[0].overlap;
    assert_eq!(first, Overlap { trigger: Some(60), ..Default::default() });
}

#[test]
fn triggers_and_prologues_are_taken_up_to_the_longest_duration() {
    for (duration, most) in
        [("100", 100), ("[1, 9, 3, 1, 1, 1, 1, 1]", 9), ("{ mean = 5, rsd = 0.1 }", MAX_CYCLES)]
    {
        let read = |key: &str, value: u64| {
            second(duration, &format!("dependent = true\n{key} = {value}")).is_ok()
        };
        for (key, least) in [("trigger", 1), ("prologue", 0)] {
            assert!(read(key, least) && read(key, most), "{duration} {key}");
            assert!(!read(key, most + 1), "{duration} {key}");
        }
        assert!(!read("trigger", 0), "{duration}");
    }
}

#[test]
fn a_dependent_needs_a_kernel_before_it_in_its_stream() {
    let kernel = |name: &str, keys: &str| format!("{}{keys}\n", KERNEL.replace('P', name));
    let read = |kernels: &[(&str, &str)]| {
        let text: String = kernels.iter().map(|(name, keys)| kernel(name, keys)).collect();
        parse(&text).is_ok()
    };
    assert!(read(&[("A", "stream = 3"), ("B", ""), ("C", "stream = 3\ndependent = true")]));
    assert!(!read(&[("A", "stream = 3"), ("B", "stream = 4\ndependent = true")]));
    assert!(!read(&[("A", "stream = 3\ndependent = true"), ("B", "stream = 3")]));
    assert!(!read(&[("A", ""), ("B", "dependent = true")]));
    assert!(!read(&[("A", "stream = 3"), ("B", "stream = 3\nprologue = 5")]));
}

#[test]
fn launches_are_read_with_their_defaults() {
    let text = format!(
        "{KERNEL}[[kernel.launch]]\nby = 7\nat = 99\nthread = 63\nkernel = \"C\"\ngrid = [2, 1, 1]\n\
         [[kernel.launch]]\nby = 0\nat = 0\nkernel = \"C\"\ngrid = [2, 1, 1]\n\
         [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = [5, 6]\n"
    );
    let scenario = parse(&text).unwrap();
    assert!(scenario.has_launches() && scenario.kernels()[1].child());
    let [full, short] = &scenario.kernels()[0].launches[..] else { panic!("two launches") };
    assert_eq!((full.by, full.at, full.thread, &*full.kernel), (7, 99, 63, "C"));
    assert_eq!((short.by, short.at, short.thread), (0, 0, 0));
}
