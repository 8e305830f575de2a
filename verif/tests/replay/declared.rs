//! What every module of the catalog declares to store, against what Yosys reads in its Verilog.

use super::{folder, has};
use blockyard::replay::{cases, yosys_report, Check, Tool};
use blockyard_rtl::catalog;
use blockyard_rtl::storage::declared_bits;
use rayon::prelude::*;

/// Where nothing reads a register, or a memory has a single word, Yosys counts otherwise: fewer bits of
/// the one, more of the other.
#[test]
fn declared_bits_are_those_of_the_verilog_for_every_configuration() {
    if !has(Tool::Yosys) {
        return;
    }
    let cases: Vec<_> = cases().into_iter().filter(|case| case.check == Check::Yosys).collect();
    let differences: Vec<String> = cases
        .par_iter()
        .filter_map(|case| {
            let place = folder(&format!("declared/{}", case.id));
            let verilog = case.verilog().expect("it can be exported");
            let report = yosys_report(&verilog, &place).expect("Yosys reads it");
            let found = (report.register_bits, report.memory_bits);
            let mut names = case.id.split('/').skip(2);
            let mut name = || names.next().expect("replay/yosys/folder/stem/configuration");
            let entry = format!("{}/{}", name(), name());
            let configuration = name();
            let entry = catalog::find(&entry).expect("it is in the catalog");
            let mut builds = entry.configurations.iter();
            let built =
                builds.find(|known| known.name == configuration).expect("it is there").build();
            let (registers, memories) = declared_bits(&*built);
            let declared = (registers as u64, memories as u64);
            let same = found == declared
                || has_one_word(&*built) && found.0 + found.1 == declared.0 + declared.1;
            (!same).then(|| format!("{}: declared {declared:?}, found {found:?}", case.id))
        })
        .collect();
    assert_eq!(differences, Vec::<String>::new());
}

/// Whether it has a memory of a single word, which Yosys takes for registers.
fn has_one_word(module: &dyn blockyard_rtl::storage::Declared) -> bool {
    use blockyard_rtl::storage::Storage;
    let is_one =
        |storage: &Storage| matches!(storage, Storage::Memory(memory) if memory.words == 1);
    let mut found = module.storage().iter().any(is_one);
    module.parts(&mut |_, _, part| found |= has_one_word(part));
    found
}
