//! A run that is recorded and read back takes the same cycles.

use proptest::prelude::*;

use super::programs::instruction;
use super::*;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::workload::trace::{self, Record};

/// Runs `code` while it is recorded into `folder`, and then what was recorded.
fn twice(
    changes: &[(&str, &str)],
    code: Rc<dyn KernelCode>,
    (blocks, warps): (u32, u32),
    folder: &std::path::Path,
) -> (Seen, Seen) {
    let record = Record::new(folder).unwrap();
    let program = record.watch(Box::new(vec![launch(code, blocks, warps)]));
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
        caches in any::<bool>(),
    ) {
        let warps: Vec<Vec<Instruction>> = warps
            .into_iter()
            .map(|warp| (0..).zip(warp).map(|(pc, instruction)| traceable(instruction, pc)).collect())
            .collect();
        let count = warps.len() as u32;
        let smx = smx.to_string();
        let read_only = if caches { &read_only::CACHES[..] } else { &[] };
        let changes = [&[("smx", &*smx), ("fetch.width", width)], read_only].concat();
        let parent = tempfile::tempdir().unwrap();
        let code = Rc::new(scripts(warps));
        let (recorded, read) =
            twice(&changes, code, (blocks, count), &parent.path().join("trace"));
        prop_assert_eq!(recorded, read);
    }
}

#[test]
fn a_folder_with_something_in_it_is_not_overwritten_and_an_empty_one_is_filled() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("trace");
    assert!(
        Record::new(&folder.join("deeper")).is_err(),
        "there is nothing beside which it could be"
    );
    std::fs::create_dir(&folder).unwrap();
    let exit = || Rc::new(scripts(vec![vec![]]));
    assert_eq!(
        twice(&[], exit(), (1, 1), &folder).0,
        twice(&[], exit(), (1, 1), &folder.with_extension("2")).1
    );
    let error = Record::new(&folder).err().expect("it is not empty").to_string();
    assert_eq!(error, format!("cannot write {}: directory not empty", folder.display()));
    let file = folder.join("kernelslist.g");
    assert!(Record::new(&file).is_err(), "a file is no folder");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "kernel-1.traceg\n");
}

#[test]
fn what_traces_do_not_have_ends_the_run_and_leaves_nothing() {
    for (operation, what) in [
        (Operation::Launch, "a launch from the device"),
        (Operation::Synchronize, "waiting for what the device has launched"),
        (
            Operation::NamedBarrier(NamedBarrier { id: 1, warps: None, waits: true }),
            "a barrier by number, or for a part of a block",
        ),
    ] {
        let parent = tempfile::tempdir().unwrap();
        let record = Record::new(&parent.path().join("trace")).unwrap();
        let code =
            Rc::new(scripts(vec![vec![Instruction { operation, ..Instruction::default() }]]));
        let program = record.watch(Box::new(vec![launch(code, 1, 1)]));
        let mut gpu = Gpu::new(config(&[]), Box::new(program)).unwrap();
        let mut scheduler = crate::RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
        let error = run(&mut gpu, &mut scheduler, &RunOptions::default(), &mut Nobody).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("kernel `K`, block (0, 0, 0): the run cannot be recorded: {what}")
        );
        drop((gpu, record));
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0, "nothing is left");
    }
}
