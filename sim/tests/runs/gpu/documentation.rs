//! The pages that define keys define all of them.

use super::*;

#[test]
fn the_page_on_the_gpu_has_a_row_for_every_key_with_the_values_of_two_presets() {
    let page = include_str!("../../../../docs/gpu.md");
    let presets = [
        include_str!("../../../gpu/presets/k20c.toml"),
        include_str!("../../../gpu/presets/gtx480.toml"),
    ];
    let presets = presets.map(|text| toml::from_str::<toml::Table>(text).unwrap());
    for key in GpuConfig::preset("k20c").unwrap().keys() {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("no row `{key}` in docs/gpu.md"));
        let (table, name) = key.split_once('.').unwrap();
        let values = presets.each_ref().map(|preset| preset[table][name].to_string());
        let [k20c, gtx480] = values.map(|value| value.replace('"', ""));
        assert!(row.ends_with(&format!(" | {k20c} | {gtx480} |")), "{k20c}, {gtx480}: {row}");
    }
}

#[test]
fn the_page_on_the_gpu_names_every_preset() {
    let page = include_str!("../../../../docs/gpu.md");
    for name in GpuConfig::names() {
        assert!(page.contains(&format!("| `{name}` |")), "no row `{name}` in docs/gpu.md");
    }
}

/// The names of all values in `json`, as `table.key`; those of a list's entries as `list[].key`.
fn keys(json: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    if let Some(entries) = json.as_array() {
        for entry in entries {
            keys(entry, &format!("{path}[]"), found);
        }
    } else if let Some(table) = json.as_object() {
        for (key, value) in table {
            let dot = if path.is_empty() { "" } else { "." };
            keys(value, &format!("{path}{dot}{key}"), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

#[test]
fn the_page_on_statistics_has_a_row_for_every_key_of_a_run() {
    let page = include_str!("../../../../docs/statistics.md");
    let mut found = Vec::new();
    let domains = [("smx.domains", "[6, 7]"), ("memory.placement", "first-touch")];
    for (name, changes) in [("k20c", &domains[..]), ("denovo15", &[])] {
        let mut config = GpuConfig::preset(name).unwrap();
        changes.iter().for_each(|(key, value)| config.set(key, value).unwrap());
        let script = Rc::new(scripts(vec![vec![load(1, None, 4)]]));
        let (seen, _) = run_gpu(gpu(config, script, 1, 1), true);
        let stats = seen.stats;
        keys(&serde_json::to_value(&stats).unwrap(), "", &mut found);
    }
    let launches = crate::device::launching_scenario().stats;
    keys(&serde_json::to_value(&launches).unwrap(), "", &mut found);
    let sharing = super::launches::sharing::run_of_a_family();
    keys(&serde_json::to_value(&sharing).unwrap(), "", &mut found);
    for part in ["launches.", "footprint."] {
        assert!(found.iter().any(|key| key.starts_with(part)));
    }
    found.sort();
    found.dedup();
    assert!(found.len() > 60, "{found:?}");
    // An SMX's figures are those of the whole, and so are a channel's.
    for key in found {
        let rest = ["smx[].", "dram.channels[]."].iter().find_map(|part| key.strip_prefix(part));
        let names = match (rest, key.starts_with("dram.channels")) {
            (Some(rest), true) => vec![format!("dram.{rest}")],
            (Some(rest), false) => vec![key.clone(), rest.to_owned()],
            (None, _) => vec![key.clone()],
        };
        let listed = |name: &String| {
            let row = format!("| `{name}` |");
            page.lines().any(|line| line.starts_with(&row))
        };
        assert!(names.iter().any(listed), "no row `{key}` in docs/statistics.md");
    }
}
