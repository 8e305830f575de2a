//! Every seed of the fuzz targets is an input that its reader accepts.

use std::path::{Path, PathBuf};

use blockyard_sim::gpu::channel::alone::{Case, Settings};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::workload::scenario::Scenario;
use blockyard_sim::workload::{graph, trace};

/// The seeds of `target`, in order of names.
fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target}");
    paths
}

fn text(path: &Path) -> (String, Vec<(String, String)>) {
    let whole = std::fs::read_to_string(path).unwrap();
    let (text, settings) = whole.split_once("\n---\n").unwrap_or((&whole, ""));
    let pair = |line: &str| {
        let (key, value) = line.split_once('=').expect(line);
        (key.to_owned(), value.to_owned())
    };
    (text.to_owned(), settings.lines().map(pair).collect())
}

#[test]
fn traces_are_read_and_the_list_names_a_kernel_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for seed in seeds("trace") {
        let name = seed.file_name().unwrap();
        let copy = folder.path().join(name);
        std::fs::copy(&seed, &copy).unwrap();
        std::fs::copy(seed.with_file_name("modes.traceg"), folder.path().join("k.traceg")).unwrap();
        let info = trace::info(&copy).unwrap_or_else(|error| panic!("{error}"));
        assert!(info.total.warp_instructions > 0, "{}", seed.display());
    }
}

#[test]
fn graphs_are_read_in_four_formats() {
    for seed in seeds("graph") {
        let graph = graph::read(&seed).unwrap_or_else(|error| panic!("{error}"));
        assert!(graph.csr.edges() > 0, "{}", seed.display());
    }
}

#[test]
fn scenarios_are_sound_with_their_settings() {
    for seed in seeds("toml") {
        let (text, settings) = text(&seed);
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, value) in settings {
            config.set(&key, &value).unwrap();
        }
        let scenario = Scenario::parse("seed.toml", &text).unwrap();
        scenario.configure(&mut config).unwrap();
        scenario.check(&config).unwrap();
    }
}

#[test]
fn ptx_loads_and_has_a_kernel() {
    for seed in seeds("ptx") {
        let text = std::fs::read_to_string(&seed).unwrap();
        let program = blockyard_ptx::load("seed.ptx", &text);
        let program = program.unwrap_or_else(|error| panic!("{}: {error}", seed.display()));
        assert_eq!(program.kernels().len(), 1, "{}", seed.display());
    }
}

#[test]
fn lists_of_dram_requests_fit_their_settings() {
    for seed in seeds("dram_requests") {
        let (text, settings) = text(&seed);
        let pairs = settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let settings = Settings::from_pairs(pairs).unwrap();
        settings.validate().unwrap();
        let cases = Case::read("seed.csv", &text).unwrap();
        settings.check_addresses(&cases, &seed, &text).unwrap();
    }
}
