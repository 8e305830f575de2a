use super::*;
use proptest::prelude::*;

/// Two sets of two ways of four sectors: even lines share a set.
fn small() -> Lines<char> {
    Lines::new(4 * 128, 2, 128, IndexFunction::Linear)
}

fn insert(lines: &mut Lines<char>, line: u64) -> Option<Evicted> {
    let way = lines.victim(line).unwrap();
    let evicted = lines.replace(way, line);
    lines.fill(way, 0b1111);
    evicted
}

#[test]
fn the_least_recently_used_line_of_the_set_goes() {
    let mut lines = small();
    for line in [0, 2, 1] {
        insert(&mut lines, line);
    }
    lines.touch(lines.find(0).unwrap());
    assert_eq!(insert(&mut lines, 4), Some(Evicted { line: 2, dirty: 0 }));
    assert!([0, 1, 4].iter().all(|&line| lines.find(line).is_some()));
}

#[test]
fn a_line_on_its_way_keeps_its_way_and_a_full_set_has_no_victim() {
    let mut lines = small();
    for line in [0, 2] {
        let way = lines.victim(line).unwrap();
        lines.replace(way, line);
        lines.expect(way, 0b0100);
    }
    assert_eq!(lines.pending_lines(), 2);
    assert_eq!(lines.victim(4), None);
    lines.fill(lines.find(0).unwrap(), 0b0100);
    assert_eq!(lines.victim(4), lines.find(0));
    assert_eq!(lines.pending_lines(), 1);
}

#[test]
fn waiters_come_back_in_order_and_only_those_that_are_done() {
    let mut lines = small();
    let way = lines.victim(0).unwrap();
    lines.replace(way, 0);
    for waiter in ['a', 'b', 'c'] {
        lines.wait(way, waiter);
    }
    let mut gone = Vec::new();
    lines.release(way, |waiter| {
        waiter != 'b' && {
            gone.push(waiter);
            true
        }
    });
    assert_eq!((gone.as_slice(), lines.waiting(way)), (&['a', 'c'][..], 1));
    lines.wait(way, 'd');
    lines.release(way, |waiter| {
        gone.push(waiter);
        true
    });
    assert_eq!((gone.as_slice(), lines.waiting(way)), (&['a', 'c', 'b', 'd'][..], 0));
}

#[test]
fn only_written_sectors_are_dirty() {
    let mut lines = small();
    insert(&mut lines, 0);
    lines.write(lines.find(0).unwrap(), 0b0110);
    insert(&mut lines, 2);
    assert_eq!(insert(&mut lines, 4), Some(Evicted { line: 0, dirty: 0b0110 }));
}

#[test]
fn clearing_keeps_what_is_on_its_way_and_reports_what_is_dirty() {
    let mut lines = small();
    insert(&mut lines, 0);
    lines.write(lines.find(0).unwrap(), 1);
    insert(&mut lines, 1);
    let way = lines.victim(3).unwrap();
    lines.replace(way, 3);
    lines.expect(way, 1);
    let mut written = Vec::new();
    lines.clear(|evicted| written.push(evicted));
    assert_eq!(written, [Evicted { line: 0, dirty: 1 }]);
    assert_eq!((lines.find(0), lines.find(1), lines.find(3)), (None, None, Some(way)));
}

proptest! {
    #[test]
    fn the_cache_holds_the_last_distinct_lines_of_each_set(
        accesses in prop::collection::vec(0_u64..12, 0..80),
    ) {
        let mut lines = small();
        let mut model: [Vec<u64>; 2] = Default::default();
        for line in accesses {
            let set = &mut model[(line % 2) as usize];
            let way = lines.find(line);
            prop_assert_eq!(way.is_some(), set.contains(&line));
            match way {
                Some(way) => lines.touch(way),
                None => drop(insert(&mut lines, line)),
            }
            set.retain(|&other| other != line);
            set.push(line);
            if set.len() > 2 {
                set.remove(0);
            }
        }
    }
}

#[test]
fn a_way_whose_sectors_do_not_come_may_be_taken_again() {
    let mut lines = small();
    for line in [0, 2] {
        let way = lines.victim(line).unwrap();
        lines.replace(way, line);
        lines.expect(way, 0b0110);
    }
    let way = lines.find(2).unwrap();
    lines.unexpect(way, 0b0010);
    assert_eq!((lines.victim(4), lines.pending_lines()), (None, 2), "one sector is still to come");
    lines.unexpect(way, 0b0100);
    assert_eq!((lines.victim(4), lines.pending_lines()), (Some(way), 1));
}

#[test]
fn a_line_of_which_nothing_is_left_is_found_no_more() {
    let mut lines = small();
    for line in [0, 2] {
        insert(&mut lines, line);
    }
    lines.write(lines.find(2).unwrap(), 0b0001);
    assert_eq!(lines.drop_clean(), 2);
    assert_eq!((lines.find(0), lines.find(2).is_some()), (None, true));
    assert_eq!(insert(&mut lines, 4), None, "the place of line 0 is free");
}
