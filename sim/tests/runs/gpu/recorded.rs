//! A run that is recorded and read back takes the same cycles.

use proptest::prelude::*;

use super::programs::instruction;
use super::*;
use blockyard_sim::workload::trace::{self, Record};

/// Runs `code` while it is recorded into `folder`, and then what was recorded.
fn twice(
    changes: &[(&str, &str)],
    code: Rc<dyn KernelCode>,
    (blocks, warps): (u32, u32),
    folder: &std::path::Path,
) -> (Seen, Seen) {
    let record = Record::new(folder).unwrap();
    let program = record.watch(Box::new(Once(Some(launch(code, blocks, warps)))));
    let gpu = Gpu::new(config(changes), Box::new(program)).unwrap();
    let (recorded, _) = run_gpu(gpu, true);
    record.finish().unwrap();
    let program = trace::open(&folder.join("kernelslist.g")).unwrap();
    let gpu = Gpu::new(config(changes), Box::new(program)).unwrap();
    let (read, _) = run_gpu(gpu, true);
    (recorded, read)
}

/// `instruction` as a trace can have it: an access that no lane makes is none there.
fn traceable(mut instruction: Instruction, pc: usize) -> Instruction {
    instruction.active |= 1;
    instruction.pc = 8 * pc as u32;
    instruction
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_recorded_run_takes_the_same_cycles_when_it_is_read_back(
        warps in prop::collection::vec(prop::collection::vec(instruction(), 0..25), 1..7),
        blocks in 1_u32..9, smx in 1_u32..4, width in prop::sample::select(vec!["0", "2"]),
    ) {
        let warps: Vec<Vec<Instruction>> = warps
            .into_iter()
            .map(|warp| (0..).zip(warp).map(|(pc, instruction)| traceable(instruction, pc)).collect())
            .collect();
        let count = warps.len() as u32;
        let smx = smx.to_string();
        let changes = [("smx", &*smx), ("fetch.width", width)];
        let parent = tempfile::tempdir().unwrap();
        let code = Rc::new(Scripts(warps));
        let (recorded, read) =
            twice(&changes, code, (blocks, count), &parent.path().join("trace"));
        prop_assert_eq!(recorded, read);
    }
}

#[test]
fn a_folder_that_exists_is_not_overwritten_and_a_run_that_fails_leaves_none() {
    let parent = tempfile::tempdir().unwrap();
    assert!(Record::new(parent.path()).is_err());
    let folder = parent.path().join("trace");
    let record = Record::new(&folder).unwrap();
    let launches = Instruction { operation: Operation::Launch, ..Instruction::default() };
    let code = Rc::new(Scripts(vec![vec![launches]]));
    let program = record.watch(Box::new(Once(Some(launch(code, 1, 1)))));
    let gpu = Gpu::new(config(&[]), Box::new(program)).unwrap();
    run_gpu(gpu, true);
    let error = record.finish().unwrap_err();
    assert_eq!(error.to_string(), "the run cannot be recorded: a launch from the device");
    drop(record);
    assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0, "nothing is left");
}
