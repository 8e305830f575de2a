//! Structured programs, with barriers where all threads come.

use proptest::prelude::*;

use super::drawn::{program, Program, COUNTERS, VARIABLES};
use super::{scalar, text};
use crate::support;
use blockyard_ptx::Arguments;

/// Blocks of each run.
const BLOCKS: u32 = 2;

/// Words that differ, and whose low bits do.
pub fn words(count: u32, seed: u32) -> Vec<u32> {
    let word = |index: u32| (index + 1).wrapping_mul(0x9e37_79b9).rotate_left(13) ^ seed;
    (0..count).map(word).collect()
}

/// Runs `program`; the variables of all threads and the counters.
fn executed(
    program: &Program,
    threads: u32,
    first: &[u32],
) -> Result<(Vec<u32>, Vec<u32>), String> {
    let machine = support::machine(&text::module(program));
    let from = machine.array(first).ok_or("no memory")?;
    let to = machine.array(&vec![0; first.len()]).ok_or("no memory")?;
    let counters = machine.array(&[0; COUNTERS]).ok_or("no memory")?;
    let (variable, _) = machine.variable("counters").ok_or("no variable")?;
    machine.write(variable, &counters.to_le_bytes());
    let arguments = Arguments::new().long(from).long(to);
    support::run(&machine, "k", (BLOCKS, threads), arguments)
        .map_err(|error| blockyard_contract::diagnostic::rendered(&error))?;
    let read = |address, count| machine.words(address, count).ok_or("nothing there".to_owned());
    Ok((read(to, first.len() as u64)?, read(counters, COUNTERS as u64)?))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_block_leaves_what_its_threads_leave_one_by_one(
        program in program(),
        threads in 1_u32..=100,
        seed in any::<u32>(),
    ) {
        let first = words(BLOCKS * threads * VARIABLES as u32, seed);
        let all: Vec<[u32; VARIABLES]> =
            first.chunks_exact(VARIABLES).map(|one| one.try_into().unwrap()).collect();
        let mut expected = (Vec::new(), [0_u32; COUNTERS]);
        for block in all.chunks_exact(threads as usize) {
            let Some(outcome) = scalar::run(&program, block) else { return Ok(()) };
            expected.0.extend(outcome.variables.into_iter().flatten());
            for (all, own) in expected.1.iter_mut().zip(outcome.counters) {
                *all = all.wrapping_add(own);
            }
        }
        let found = executed(&program, threads, &first);
        let found = found.unwrap_or_else(|error| panic!("{error}\n{}", text::module(&program)));
        prop_assert_eq!(found, (expected.0, expected.1.to_vec()), "{}", text::module(&program));
    }
}
