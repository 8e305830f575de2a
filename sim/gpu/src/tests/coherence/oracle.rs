//! Random kernels on tiny caches: every load sees what data-race-freedom allows, no message is
//! lost, no word has two owners, and every run ends.

use proptest::prelude::*;

use super::*;
use crate::memory::shadow::Shadow;
use crate::memory::Purpose;

/// Lines that share sets and banks, and some that do not.
const LINES: [u64; 5] = [0, 1, 2, 16, 33];

/// An access of a warp: what, which line, first word, words, and whether the next instruction waits
/// for it.
type Operation = (u8, usize, u64, u32, bool);

#[derive(Clone, Debug)]
struct Case {
    smxs: u32,
    /// Sets and ways of an L1, its miss registers and merges, the store buffer, and L2 ways.
    sizes: [u32; 6],
    /// Kernels, each with the warps of each SMX.
    kernels: Vec<Vec<Vec<Vec<Operation>>>>,
}

fn cases() -> impl Strategy<Value = Case> {
    let operation = (0_u8..8, 0..LINES.len(), 0_u64..16, 1_u32..=16, any::<bool>());
    let warp = prop::collection::vec(operation, 0..8);
    let smxs = prop::sample::select(vec![1_usize, 2, 3, 5, 7]);
    let sizes = (1_u32..3, 1_u32..3, 1_u32..4, 1_u32..3, 1_u32..4, 1_u32..3);
    (smxs, sizes).prop_flat_map(move |(smxs, (sets, ways, mshrs, merges, buffer, l2_ways))| {
        let smx = prop::collection::vec(warp.clone(), 1..3);
        let kernel = prop::collection::vec(smx, smxs);
        prop::collection::vec(kernel, 1..5).prop_map(move |kernels| Case {
            smxs: smxs as u32,
            sizes: [sets, ways, mshrs, merges, buffer, l2_ways],
            kernels,
        })
    })
}

fn instructions(operations: &[Operation]) -> Vec<Instruction> {
    let mut list = Vec::new();
    for &(kind, line, word, lanes, used) in operations {
        let kind = match kind {
            0..=2 => Access::Load,
            3..=5 => Access::Store,
            _ => Access::Atomic,
        };
        let lanes = lanes.min(16 - word as u32);
        let access = words(kind, LINES[line], word, lanes);
        let destination = (kind == Access::Load || used).then_some(1);
        let returns = kind != Access::Store && destination.is_some();
        list.push(Instruction { destination: destination.filter(|_| returns), ..access });
        if used && returns {
            list.push(consumer());
        }
    }
    list
}

fn configuration(case: &Case) -> GpuConfig {
    let [sets, ways, mshrs, merges, buffer, l2_ways] = case.sizes;
    // Four banks of one set each, so that lines leave the L2 as well.
    let changes = [
        ("smx", case.smxs.to_string()),
        ("l1.size", (64 * sets * ways).to_string()),
        ("l1.ways", ways.to_string()),
        ("l1.mshrs", mshrs.to_string()),
        ("l1.merges", merges.to_string()),
        ("coherence.store_buffer", buffer.to_string()),
        ("dram.channels", "4".to_owned()),
        ("l2.size", (4 * 64 * l2_ways).to_string()),
        ("l2.ways", l2_ways.to_string()),
        ("l2.mshrs", "2".to_owned()),
        ("l2.merges", "2".to_owned()),
        ("dram.latency", "40".to_owned()),
    ];
    denovo(&changes.each_ref().map(|(key, value)| (*key, value.as_str())))
}

/// An SMX that takes itself for the owner of words, without a message about them on its way to it
/// or of its own to their bank, is their owner in the directory: so no two SMXs are.
fn check_owners(gpu: &Gpu) {
    let owners: BTreeMap<Word, u8> = gpu.memory.owners().collect();
    let messages = gpu.memory.on_their_way();
    for (id, smx) in (0_u8..).zip(&gpu.smxs) {
        for line in LINES {
            let in_question =
                messages.iter().filter(|message| message.line == line).fold(0, |all, m| {
                    let concerns = match m.purpose {
                        Purpose::Register { .. }
                        | Purpose::Registered { .. }
                        | Purpose::Recall { .. } => m.smx == id,
                        Purpose::Transfer { to, .. } => m.smx == id || to == id,
                        _ => false,
                    };
                    all | if concerns { m.words } else { 0 }
                });
            let settled = smx.load_store().l1.registered(line) & !in_question;
            for word in (0..16).filter(|word| settled >> word & 1 == 1) {
                assert_eq!(owners.get(&(line, word)), Some(&id), "line {line}, word {word}");
            }
        }
    }
}

/// What must hold when nothing is on its way any more.
fn check_rest(run: &mut Run) {
    let owners = run.owners();
    for (id, smx) in (0_u8..).zip(&run.gpu.smxs) {
        smx.load_store().assert_idle();
        for line in LINES {
            let registered = smx.load_store().l1.registered(line);
            let owned = |word: &u32| owners.get(&(line, *word)) == Some(&id);
            let in_directory = (0..16).filter(owned).fold(0, |words, word| words | 1 << word);
            assert_eq!(registered, in_directory, "line {line} of SMX {id}");
        }
    }
    assert_eq!(run.gpu.memory.on_their_way().len(), 0, "a message is lost");
    let shadow = &mut run.gpu.memory.shadow;
    shadow.check_rest(&owners);
    assert_eq!(shadow.stale, Vec::<String>::new());
}

fn check(case: &Case) -> Run {
    let of_warp = |operations: &Vec<Operation>| instructions(operations);
    let of_smx = |warps: &Vec<Vec<Operation>>| warps.iter().map(of_warp).collect();
    let of_kernel = |kernel: &Vec<_>| kernel.iter().map(of_smx).collect();
    let kernels = case.kernels.iter().map(of_kernel).collect();
    let mut run = Run::watched(configuration(case), kernels, check_owners);
    check_rest(&mut run);
    run
}

proptest! {
    #[test]
    fn loads_see_what_they_may_nothing_is_lost_and_no_word_has_two_owners(case in cases()) {
        let run = check(&case);
        let loads = case.kernels.iter().flatten().flatten().flatten();
        let accesses = loads.filter(|operation| !(3..=5).contains(&operation.0)).count();
        prop_assert!(run.gpu.memory.shadow.checked >= accesses as u64, "no load goes unchecked");
    }
}

#[test]
fn the_check_finds_a_load_of_what_was_overwritten_in_an_earlier_kernel() {
    let mut shadow = Shadow::default();
    shadow.on = true;
    shadow.store(0, 5, 1);
    shadow.load(1, 5, 1);
    assert_eq!(shadow.stale.len(), 0, "nobody has synchronised");
    shadow.kernel_ended();
    shadow.acquire(1);
    shadow.load(1, 5, 1);
    assert_eq!(shadow.stale.len(), 1, "SMX 1 still has what was there at first");
    shadow.load(0, 5, 1);
    assert_eq!(shadow.stale.len(), 1);
}
