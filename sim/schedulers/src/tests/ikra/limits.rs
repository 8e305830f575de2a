//! IKRA with limits of resident blocks: rules 29 to 31. Thieves that have blocks of their own are
//! at a limit, so they must not wait for these.

use super::*;

#[test]
fn an_smx_at_its_limit_keeps_its_current_block() {
    for name in &NAMES[..3] {
        // A limit of one of two slots.
        let work = [Work::new(0, kernel(6), &[10, 10, 10, 15, 10, 10])];
        let record = golden(&format!("{name}{DYNCTA}"), 2, slots(2), &work);
        assert_eq!(orders(&record, 0, 2), [[0, 1, 2], [3, 4, 5]], "{name}");
        assert_eq!(cycles(&record, 0), [65, 75, 80, 85, 90]);
        assert_eq!(cycles(&golden(name, 2, slots(2), &work), 0), [65, 66, 75, 76]);
    }
}

/// On two SMXs of four slots the limit is two. SMX 1 has run its chunk but for two blocks that do
/// not end, and SMX 0 has one left that could be stolen. Who runs it, and when, after these samples
/// of SMX 1 in cycles 79, 89, ...
fn stolen(latency: u64, of_thief: &[(u16, u16)]) -> (usize, u64) {
    let before = [SAME; 7];
    let after = [SAME; 100];
    let of_thief = before.iter().chain(of_thief).chain(&after);
    let rows: Vec<_> = of_thief.map(|&sample| vec![SAME, sample]).collect();
    let sampling = Some(Sampling { period: PERIOD, rows });
    let work = [Work::new(0, kernel(6), &[1000, 1000, 10, 10, 1000, 1000])];
    let name = format!("ikra/steal(latency={latency},thief=dispatched){DYNCTA}");
    let record = golden_with(&name, 2, slots(4), &work, false, sampling);
    let issue = record.issues.iter().find(|issue| issue.block == 2).unwrap();
    (issue.smx, issue.cycle)
}

#[test]
fn a_thief_at_its_limit_sends_no_request_and_below_it_sends_one_at_once() {
    assert_eq!(stolen(0, &[]), (0, 65 + 1000));
    // Below from cycle 80 on: the queue is asked in vain, then the chunk.
    for latency in [0, 1, 5] {
        assert_eq!(stolen(latency, &[MORE]), (1, 80 + 2 * 2 * (1 + latency)), "{latency}");
    }
}

#[test]
fn a_block_on_its_way_arrives_at_a_thief_whose_limit_has_fallen() {
    // Two are resident, and the limit is two from cycle 90 on. The second request leaves in
    // 80 + 2 * (1 + latency).
    assert_eq!(stolen(3, &[MORE, LESS]), (1, 96), "sent in cycle 88");
    assert_eq!(stolen(4, &[MORE, LESS]), (0, 65 + 1000), "not sent in cycle 90");
}

#[test]
fn a_stolen_block_counts_as_one_that_was_taken() {
    // SMX 1 has room for one more, and two are there to be stolen.
    let work = [Work::new(0, kernel(8), &[1000, 1000, 300, 300, 10, 10, 10, 1000])];
    let record = golden(&format!("ikra/steal(thief=dispatched){DYNCTA}"), 2, slots(4), &work);
    let own = [4, 5, 6, 7];
    assert_eq!(order(&record, 0, 1), [&own[..], &[3, 2]].concat());
    let of = |block| record.issues.iter().find(|issue| issue.block == block).unwrap().cycle;
    // Its own last block is the only other one. The next request leaves when the stolen one ends.
    assert_eq!(of(2), of(3) + 300 + 2);
}
