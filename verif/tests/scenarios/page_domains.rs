//! The tables of `docs/domains.md`.

use super::run_text;

/// Eight blocks that fill an SMX for 100 cycles.
fn blocks(scheduler: &str, domains: &str) -> Vec<(u64, usize, u64)> {
    let text = format!(
        "[gpu]\nsmx = 4\nthread_block_slots = 1\n{domains}\n\
         [[kernel]]\nname = \"A\"\ngrid = [8, 1, 1]\nblock = [32, 1, 1]\nduration = 100\n"
    );
    run_text(scheduler, &text).blocks()
}

const TWO: &str = "smx_domains = [2, 2]";

#[test]
fn interleaved_blocks_go_to_the_domains_in_turn() {
    let first = [(1, 0, 0), (2, 2, 1), (3, 1, 2), (4, 3, 3)];
    let seen = blocks("domains", TWO);
    assert_eq!((&seen[..4], seen.len()), (&first[..], 8));
    let domain_of = |&(_, smx, block): &(u64, usize, u64)| (smx / 2, block % 2);
    assert!(seen.iter().map(domain_of).all(|(domain, parity)| domain as u64 == parity), "{seen:?}");
    assert_eq!(blocks("domains(policy=interleave,chunk=1)", TWO), seen);
}

#[test]
fn contiguous_shares_begin_65_cycles_after_the_launch_in_both_domains() {
    let expected = [
        (65, 0, 0),
        (65, 2, 4),
        (66, 1, 1),
        (66, 3, 5),
        (165, 0, 2),
        (165, 2, 6),
        (166, 1, 3),
        (166, 3, 7),
    ];
    assert_eq!(blocks("domains(policy=contiguous)", TWO), expected);
}

#[test]
fn where_all_smxs_are_one_domain_interleave_is_rr() {
    for chunk in ["", "(chunk=3)"] {
        assert_eq!(blocks(&format!("domains{chunk}"), ""), blocks("rr", TWO));
    }
}
