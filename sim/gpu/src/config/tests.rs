use super::*;
use crate::diagnostic::{rendered, InputError};

/// A GPU of ten SMXs with this value of `key`, if it can be.
pub(super) fn of_ten(key: &str, value: &str) -> Result<GpuConfig, InputError> {
    let mut config = GpuConfig::preset("k20c").unwrap();
    config.set("smx.count", "10").unwrap();
    config.set(key, value)?;
    config.validate()?;
    Ok(config)
}

/// A file of a GPU without these keys is what it is with them.
pub(super) fn may_be_left_out(keys: &[&str]) {
    let text = GpuConfig::text("k20c").unwrap();
    let without: String = text
        .lines()
        .filter(|line| !keys.iter().any(|key| line.starts_with(key)))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(without.len() < text.len());
    let parsed = GpuConfig::parse("my.toml", &without).unwrap();
    assert_eq!(parsed, GpuConfig::preset("k20c").unwrap());
}

#[test]
fn every_preset_parses_and_is_sound() {
    for name in GpuConfig::names() {
        GpuConfig::preset(name).unwrap().validate().unwrap();
    }
}

#[test]
fn the_bank_groups_of_every_preset_can_keep_the_data_bus_busy() {
    for name in GpuConfig::names() {
        let channel = GpuConfig::preset(name).unwrap().channel;
        let burst = channel.ccd.max(channel.burst_cycles);
        assert!(channel.ccdl <= channel.bank_groups * burst, "{name}");
        assert!(channel.ccd <= channel.burst_cycles, "{name}: from one group to another");
    }
}

#[test]
fn the_presets_have_identical_key_sets_and_every_value_names_its_source() {
    let keys = GpuConfig::preset("k20c").unwrap().keys();
    for (name, text) in PRESETS {
        let table: toml::Table = toml::from_str(text).unwrap();
        let mut found = Vec::new();
        for (group, inner) in &table {
            found.extend(inner.as_table().unwrap().keys().map(|key| format!("{group}.{key}")));
        }
        let mut expected = keys.clone();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{name}");
        for line in text.lines().filter(|line| line.contains(" = ")) {
            assert!(line.contains("# "), "{name}: no source on `{line}`");
        }
    }
}

#[test]
fn slots_and_threads_are_those_of_the_papers() {
    let of = |name| GpuConfig::preset(name).unwrap().smx;
    let table = ["k20c", "laperm", "c2050", "gtx480", "denovo15", "denovo3"]
        .map(|name| (of(name).count, of(name).threads, of(name).thread_block_slots));
    assert_eq!(
        table,
        [(13, 2048, 16), (13, 2048, 16), (14, 1536, 8), (15, 1536, 8), (15, 1536, 8), (3, 1536, 8)]
    );
}

#[test]
fn laperm_is_k20c_with_other_memories_in_the_smx() {
    let mut k20c = GpuConfig::preset("k20c").unwrap();
    k20c.set("l1.size", "32768").unwrap();
    k20c.set("smx.shared_memory", "32768").unwrap();
    assert_eq!(k20c, GpuConfig::preset("laperm").unwrap());
}

#[test]
fn a_key_is_set_by_its_dotted_name_or_its_short_name() {
    let mut config = GpuConfig::preset("k20c").unwrap();
    config.set("l1.size", "32768").unwrap();
    config.set("smx", "3").unwrap();
    config.set("smx_slowdown", "[1, 1.5, 1]").unwrap();
    config.set("warp.policy", "lrr").unwrap();
    assert_eq!((config.l1.size, config.smx.count), (32768, 3));
    assert_eq!(config.smx.slowdown, [1.0, 1.5, 1.0]);
    assert_eq!(config.warp.policy, WarpPolicy::LooseRoundRobin);
}

#[test]
fn a_refused_key_leaves_the_configuration_as_it_was() {
    let preset = GpuConfig::preset("k20c").unwrap();
    for (key, value) in [("l1.sise", "1"), ("l1.size", "-1"), ("l1.size", "big"), ("l1", "1")] {
        let mut config = preset.clone();
        config.set(key, value).unwrap_err();
        assert_eq!(config, preset, "{key}");
    }
}

#[test]
fn refusals_name_the_key_the_value_and_what_was_expected() {
    let refusal = |key: &str, value: &str| {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let error = config.set(key, value).and_then(|()| config.validate()).unwrap_err();
        rendered(&error)
    };
    let mut all = String::new();
    for (key, value) in [
        ("l1.sise", "1"),
        ("colour", "1"),
        ("l1.size", "-1"),
        ("l1.size", "1000"),
        ("l2.ways", "0"),
        ("warp.policy", "fifo"),
        ("smx", "0"),
        ("smx", "145"),
        ("thread_block_slots", "0"),
        ("thread_block_slots", "64"),
        ("threads", "1000"),
        ("dram.latency", "0"),
        ("launch.ahead", "0"),
        ("launch.ahead", "65"),
        ("smx_slowdown", "[1.0, 2.0]"),
    ] {
        all += &format!("--set {key}={value}\n{}", refusal(key, value));
    }
    all += &rendered(&GpuConfig::preset("k40").unwrap_err());
    expect_test::expect_file!["refusals.txt"].assert_eq(&all);
}

#[test]
fn one_to_144_smxs_are_accepted_and_no_others() {
    let accepted = |count: &str| {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("smx.count", count).unwrap();
        config.validate().is_ok()
    };
    assert_eq!(["0", "1", "33", "144", "145"].map(accepted), [false, true, true, true, false]);
}

#[test]
fn a_crossbar_has_144_slices_at_most_and_a_mesh_more() {
    let accepted = |(channels, topology)| {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let size = config.l2.ways * config.l1.line * 4 * 36 * 37;
        for (key, value) in [
            ("dram.channels", channels),
            ("l2.slices", "4"),
            ("l2.size", &*size.to_string()),
            ("interconnect.topology", topology),
        ] {
            config.set(key, value).unwrap();
        }
        config.validate().map_err(|error| rendered(&error))
    };
    assert_eq!(accepted(("36", "crossbar")), Ok(()));
    assert_eq!(accepted(("37", "mesh")), Ok(()));
    let refused = accepted(("37", "crossbar")).unwrap_err();
    assert!(refused.contains("at most 144 over all 37 channels of a crossbar"), "{refused}");
}

#[test]
fn slowdowns_are_refused_outside_their_range_and_taken_at_its_ends() {
    let with = |factor: f64| {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.smx.count = 1;
        config.smx.slowdown = vec![factor];
        config.validate()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.000_000_9, 1000.1] {
        assert!(with(bad).is_err(), "{bad}");
    }
    for good in [0.000_001, 1.0, 1000.0] {
        assert!(with(good).is_ok(), "{good}");
    }
}

#[test]
fn a_slowed_duration_is_rounded_up_from_the_decimal_that_was_written() {
    let mut config = GpuConfig::preset("k20c").unwrap();
    config.smx.slowdown = vec![1.0, 1.1, 1.5, 0.1];
    let slowed = |smx, duration| config.slowed(smx, duration);
    assert_eq!([slowed(0, 7), slowed(1, 10), slowed(1, 11)], [7, 11, 13]);
    assert_eq!([slowed(2, 2), slowed(2, 3), slowed(3, 1), slowed(3, 11)], [3, 5, 1, 2]);
    assert_eq!(slowed(4, 9), 9, "an SMX without an entry runs at full speed");
}

#[test]
fn every_key_that_is_a_number_has_a_unit_and_no_other_one() {
    let preset = GpuConfig::preset("k20c").unwrap();
    for key in preset.keys() {
        let value = preset.value(&key).unwrap();
        let counts = value.is_integer() || value.is_float() || value.is_array();
        assert_eq!(GpuConfig::unit(&key).is_some(), counts, "{key}");
    }
    assert_eq!((GpuConfig::unit("l1"), GpuConfig::unit("l3.size")), (None, None));
}

#[test]
fn every_preset_says_of_every_key_where_it_comes_from_and_reads_back_from_its_text() {
    for name in GpuConfig::names() {
        let text = GpuConfig::text(name).unwrap();
        let config = GpuConfig::parse("copy.toml", &text).unwrap();
        assert_eq!(config, GpuConfig::preset(name).unwrap());
        let sources: Vec<_> = GpuConfig::sources(&text).collect();
        let mut keys: Vec<_> = sources.iter().map(|(key, _)| key.clone()).collect();
        let mut all = config.keys();
        keys.sort();
        all.sort();
        assert_eq!(keys, all, "{name}");
        for (key, source) in sources {
            assert!(!source.is_empty(), "{name}: {key} has no source");
        }
    }
}

#[test]
fn a_gpu_of_a_file_is_refused_with_the_line_and_in_plain_words() {
    let text = GpuConfig::text("k20c").unwrap();
    let refused = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert!(changed != text, "{from}");
        rendered(&GpuConfig::parse("my.toml", &changed).unwrap_err())
    };
    for (from, to, expected) in [
        (
            "count = 13",
            "count = \"13\"",
            "found \"13\", expected a whole number from 0 to 4294967295",
        ),
        ("count = 13", "cuont = 13", "unknown key `cuont`"),
        ("count = 13 ", "# ", "missing key `count`"),
        ("[smx]", "[smx", "my.toml"),
    ] {
        let said = refused(from, to);
        assert!(said.contains(expected) && said.contains("my.toml:"), "{said}");
        assert!(said.contains("blockyard list gpus k20c"), "{said}");
    }
}
