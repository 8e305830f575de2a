//! Rules 15, 17 and 18: what is stolen, and kernels that follow a relation.

use super::*;

/// On two SMXs of one slot, SMX 0 runs its four blocks in no time, and steals 7 and 6 before SMX 1
/// takes 5.
const STEALS_TWO: [u64; 8] = [1, 1, 1, 1, 150, 1000, 100, 100];

/// With 7 and 6 on SMX 0 both SMXs end in the same cycle.
const BALANCED: [u64; 8] = [20, 20, 20, 20, 60, 60, 20, 20];

/// What SMX 0 owns of eight blocks by its queue and its chunk, in each of the four ways of running
/// it.
fn stolen(first: [u64; 2], forward: bool) -> Vec<u64> {
    let chunk = if forward { vec![0, 1, 2, 3] } else { vec![3, 2, 1, 0] };
    if forward {
        [chunk, first.to_vec()].concat()
    } else {
        [first.to_vec(), chunk].concat()
    }
}

#[test]
fn rule_15_a_layout_keeps_its_queues_and_its_order_while_others_run() {
    let eight = |back: u8| self::back(kernel(8), back);
    let (two, one) = (Work::new(0, kernel(8), &STEALS_TWO), Work::new(0, kernel(6), &[20]));
    let again = |back| Work::new(0, eight(back), &BALANCED);
    let six = |back| Work::new(0, self::back(kernel(6), back), &[20]);
    let work = [two, one, again(2), six(2), again(2), again(3), six(3), again(3)];
    let record = golden(ON, 2, slots(1), &work);
    assert_eq!(gaps(&record), [65, 2, 2, 2, 2, 2, 2]);
    let (forward, backward) = (stolen([7, 6], true), stolen([6, 7], false));
    assert_eq!(order(&record, 0, 0), forward);
    assert_eq!(order(&record, 2, 0), backward, "the queue first");
    assert_eq!(order(&record, 4, 0), forward, "used twice: the chunk first");
    assert_eq!(order(&record, 5, 0), backward, "named by the third kernel, and used since");
    assert_eq!(order(&record, 7, 0), forward);
    assert_eq!(order(&record, 1, 0), [2, 1, 0]);
    assert_eq!(order(&record, 3, 0), [0, 1, 2], "nothing was stolen in this one");
    assert_eq!(order(&record, 6, 0), [2, 1, 0]);
}

#[test]
fn rule_18_thefts_do_not_change_the_first_ids() {
    let work = [
        Work::new(0, kernel(8), &STEALS_TWO),
        Work::new(0, kernel(8), &BALANCED),
        Work::new(0, related(kernel(8), 1, 1, 1), &[1000]),
    ];
    let record = golden(ON, 2, slots(1), &work);
    assert_eq!(order(&record, 0, 0), stolen([7, 6], true), "stolen");
    assert_eq!(gaps(&record), [2, 98]);
    assert_eq!(
        [order(&record, 2, 0)[0], order(&record, 2, 1)[0]],
        [0, 3],
        "first ids 0 and 4 give 0 and 3"
    );
}

#[test]
fn rule_17_a_source_whose_queue_was_full_needs_an_assignment_and_others_do_not() {
    let on = "ikra/steal(queue=2,relations=on)";
    let flagged = || Work::new(0, kernel(8), &STEALS_TWO);
    let next = |launch| Work::new(0, launch, &[20]);
    // Kept would be 2, derived 98.
    for launch in [kernel(8), related(kernel(8), 1, 1, 1), related(kernel(7), 1, 2, 0)] {
        let record = golden(on, 2, slots(1), &[flagged(), next(launch)]);
        assert_eq!(gaps(&record), [65]);
        let half = u64::from(launch.blocks).div_ceil(2);
        let kept = record.issues.iter().filter(|i| i.kernel == 1 && i.smx == 0);
        assert!(kept.map(|i| i.block).filter(|&block| block < half).count() as u64 == half);
    }
    // The flag stays with the layout: two later kernels do not name it, then one does.
    let work = [
        flagged(),
        next(kernel(6)),
        next(kernel(6)),
        next(related(kernel(6), 1, 1, 1)),
        next(related(kernel(6), 4, 1, 1)),
        next(related(kernel(6), 4, 1, 1)),
    ];
    assert_eq!(gaps(&golden(on, 2, slots(1), &work)), [65, 2, 98, 65, 98]);
    // A full queue in a kernel that uses the layout of an older one is about that layout.
    let work = [
        next(kernel(8)),
        next(kernel(6)),
        Work::new(0, back(kernel(8), 2), &STEALS_TWO),
        next(back(kernel(6), 2)),
        next(back(kernel(8), 4)),
    ];
    let record = golden(on, 2, slots(1), &work);
    assert_eq!(record.share(2, 0), 6, "4 and 5 are stolen: backward");
    assert_eq!(gaps(&record), [65, 2, 2, 65]);
}
