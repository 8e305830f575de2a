//! Clusters that a launch states.

use super::*;
use crate::diagnostic::InputError;

const KERNEL: &str = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }";

fn parsed(keys: &str) -> Result<KernelFile, InputError> {
    let program = blockyard_ptx::load("clusters.ptx", KERNEL).expect("a module");
    let text = format!("[[launch]]\nblock = 1\n{keys}\n");
    KernelFile::parse(Path::new("clusters.toml"), &text, program)
}

#[test]
fn a_launch_states_its_clusters_by_a_number_or_an_extent() {
    for (keys, extent) in [
        ("grid = 4", [1, 1, 1]),
        ("grid = 4\ncluster = 2", [2, 1, 1]),
        ("grid = [4, 6, 2]\ncluster = [1, 3, 2]", [1, 3, 2]),
        ("grid = 16\ncluster = 16", [16, 1, 1]),
    ] {
        let mut host = Rc::new(parsed(keys).expect(keys)).host(1).expect("a host");
        let [launch] = &host.start()[..] else { panic!("one launch") };
        let [x, y, z] = extent;
        assert_eq!(launch.cluster.extent(), crate::port::Dim3::new(x, y, z), "{keys}");
    }
}

#[test]
fn what_is_no_cluster_of_the_grid_is_refused() {
    for (keys, message) in [
        ("grid = 4\ncluster = 3", "the grid (4, 1, 1) is not made of whole clusters"),
        ("grid = [4, 3, 1]\ncluster = [2, 2]", "the grid (4, 3, 1) is not made of whole clusters"),
        ("grid = 34\ncluster = 17", "a cluster has 17 blocks"),
        ("grid = [8, 8, 1]\ncluster = [4, 8]", "a cluster has 32 blocks"),
        ("grid = 4\ncluster = 0", "`cluster` is 0"),
        ("grid = 4\ncluster = \"two\"", "`cluster` is \"two\""),
    ] {
        assert_eq!(parsed(keys).expect_err(keys).to_string(), message, "{keys}");
    }
}

#[test]
fn a_kernel_that_requires_clusters_runs_in_these_and_in_no_other() {
    let requires = KERNEL.replace("k()", "k() .reqnctapercluster 2, 2");
    let parsed = |keys: &str| {
        let program = blockyard_ptx::load("clusters.ptx", &requires).expect("a module");
        let text = format!("[[launch]]\nblock = 1\n{keys}\n");
        KernelFile::parse(Path::new("clusters.toml"), &text, program)
    };
    for keys in ["grid = [4, 2]", "grid = [4, 2]\ncluster = [2, 2, 1]"] {
        let mut host = Rc::new(parsed(keys).expect(keys)).host(1).expect("a host");
        let [launch] = &host.start()[..] else { panic!("one launch") };
        assert_eq!(launch.cluster.extent(), crate::port::Dim3::new(2, 2, 1), "{keys}");
    }
    for (keys, message) in [
        ("grid = 4", "kernel `k` runs in clusters of (2, 2, 1) blocks"),
        ("grid = [4, 4]\ncluster = 4", "a cluster of kernel `k` is (4, 1, 1)"),
    ] {
        let error = parsed(keys).expect_err(keys);
        assert_eq!(error.to_string(), message, "{keys}");
    }
    let large = requires.replace("2, 2", "32");
    let program = blockyard_ptx::load("clusters.ptx", &large).map_err(|e| e.to_string());
    let text = "[[launch]]\nblock = 1\ngrid = 32\n";
    let said = KernelFile::parse(Path::new("clusters.toml"), text, program.expect("a module"));
    let said = said.expect_err("too large").to_string();
    assert_eq!(said, "kernel `k` runs in clusters of (32, 1, 1) blocks");
    let clusters = requires.replace(".reqnctapercluster", ".blocksareclusters .reqnctapercluster");
    let said = blockyard_ptx::load("clusters.ptx", &clusters).map(|_| ()).expect_err("refused");
    let said = said.to_string();
    assert!(said.contains("the grid of kernel `k` counts clusters"), "{said}");
}
