//! That memories which are declared as SRAMs are such for a tool that has none but those with ports
//! of their own for reading and writing, clocked, and without a reset.

use super::{folder, has};
use blockyard::replay::{cases, yosys_run, Check, Tool, TOP};
use blockyard_rtl::catalog::find;
use blockyard_rtl::storage::{Declared, MemoryKind, Storage};

/// What Yosys is to map memories to: 2^11 words of 256 bits. A word that is written as it is read
/// is read as it was.
const LIBRARY: &str =
    "ram block $__SRAM_ {\n  abits 11;\n  width 256;\n  cost 1;\n  init none;\n  \
    port sr \"R\" { clock posedge; }\n  port sw \"W\" { clock posedge; wrtrans all old; }\n}\n";

/// How many SRAMs `module` and its parts declare.
fn declared(module: &dyn Declared) -> usize {
    let is_sram = |storage: &Storage| matches!(storage, Storage::Memory(memory) if memory.kind != MemoryKind::RegisterFile);
    let mut found = module.storage().iter().filter(|storage| is_sram(storage)).count();
    module.parts(&mut |_, _, part| found += declared(part));
    found
}

#[test]
fn every_declared_sram_maps_to_one_with_a_read_and_a_write_port() {
    if !has(Tool::Yosys) {
        return;
    }
    let mut mapped = 0;
    for (module, configuration) in [
        ("prim/sram_two_port", "block_id_a7"),
        ("prim/ahead_memory", "w64_a5_words16"),
        ("prim/ahead_memory", "w64_a5_words32"),
        ("laperm/linked_queue", "e4_l3"),
        ("laperm/linked_queue", "e128_l4"),
        ("dtbl/group_table", "size1024"),
        ("dtbl/group_fetch", "a32"),
        ("ikra/kernel_queue", "default"),
    ] {
        let entry = find(module).expect("it is in the catalog");
        let known = entry.configurations.iter().find(|known| known.name == configuration);
        let expected = declared(&*known.expect("it has that size").build());
        let id = format!("replay/{}/{module}/{configuration}", Check::Yosys.name());
        let case = cases().into_iter().find(|case| case.id == id).expect("it is replayed");
        let verilog = case.verilog().expect("it can be exported");
        let place = folder(&format!("sram-{}-{configuration}", module.replace('/', "-")));
        std::fs::write(place.join("sram.txt"), LIBRARY).expect("the folder is there");
        // A register file that is read in the same cycle stays, one whose address is in a register
        // may become one, too.
        let script = format!(
            "read_verilog top.v; hierarchy -check -top {TOP}; proc; flatten; opt; \
             memory -nomap; opt_clean; memory_libmap -lib sram.txt; \
             select -assert-min {expected} t:$__SRAM_; \
             select -assert-none t:$mem_v2 r:MEMID=*sram* %i"
        );
        yosys_run(&verilog, &script, &place, None)
            .unwrap_or_else(|error| panic!("{module} {configuration}: {expected} SRAMs: {error}"));
        mapped += expected;
    }
    assert!(mapped >= 11, "{mapped} SRAMs");
}
