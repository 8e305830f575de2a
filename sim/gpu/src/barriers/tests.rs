use proptest::prelude::*;

use super::*;

const fn sync(id: u8, warps: u8) -> NamedBarrier {
    NamedBarrier { id, warps: Some(warps), waits: true }
}

const fn arrive(id: u8, warps: u8) -> NamedBarrier {
    NamedBarrier { waits: false, ..sync(id, warps) }
}

/// Who goes on after each of these arrivals in a block of four warps.
fn opened(arrivals: &[(usize, NamedBarrier)]) -> Vec<u64> {
    let mut barriers = Barriers::new(0b1111);
    let open = |&(warp, barrier): &(usize, NamedBarrier)| {
        barriers.arrive(warp, barrier);
        barriers.open()
    };
    arrivals.iter().map(open).collect()
}

#[test]
fn a_barrier_of_all_opens_with_the_last_warp_and_not_before() {
    let all = NamedBarrier::ALL;
    assert_eq!(opened(&[(2, all), (0, all), (3, all), (1, all)]), [0, 0, 0, 0b1111]);
}

#[test]
fn a_barrier_opens_with_as_many_warps_as_it_names() {
    assert_eq!(opened(&[(3, sync(5, 2)), (1, sync(5, 2))]), [0, 0b1010]);
    assert_eq!(opened(&[(3, sync(5, 1))]), [0b1000]);
    assert_eq!(opened(&[(3, sync(5, 3)), (1, sync(5, 3))]), [0, 0]);
}

#[test]
fn who_does_not_wait_counts_and_is_not_let_go() {
    assert_eq!(opened(&[(0, arrive(1, 2)), (1, sync(1, 2))]), [0, 0b10]);
    assert_eq!(opened(&[(1, sync(1, 2)), (0, arrive(1, 2))]), [0, 0b10]);
    // A producer that comes twice in a row has counted twice.
    assert_eq!(opened(&[(0, arrive(1, 3)), (0, arrive(1, 3)), (1, sync(1, 3))]), [0, 0, 0b10]);
}

#[test]
fn of_all_warps_each_has_to_come_however_often_one_does() {
    let arrive = NamedBarrier { waits: false, ..NamedBarrier::ALL };
    let sync = NamedBarrier::ALL;
    let arrivals = [(0, arrive), (0, arrive), (0, arrive), (1, sync), (2, sync), (3, sync)];
    assert_eq!(opened(&arrivals), [0, 0, 0, 0, 0, 0b1110]);
}

#[test]
fn barriers_of_different_numbers_are_apart_and_numbers_count_modulo_16() {
    assert_eq!(opened(&[(0, sync(1, 2)), (1, sync(2, 2)), (2, sync(17, 2))]), [0, 0, 0b101]);
    assert_eq!(opened(&[(0, sync(15, 2)), (1, sync(0, 2)), (2, sync(15, 2))]), [0, 0, 0b101]);
}

#[test]
fn number_0_of_all_is_the_plain_barrier() {
    let named = NamedBarrier { id: 0, warps: None, waits: true };
    assert_eq!(named, NamedBarrier::ALL);
    let mixed = [(0, named), (1, sync(16, 9)), (2, named), (3, sync(0, 1))];
    assert_eq!(opened(&mixed), [0, 0, 0, 0b1111], "the first one says how many");
}

#[test]
fn a_barrier_that_has_opened_begins_anew() {
    let two = [(0, sync(3, 2)), (1, sync(3, 2))];
    assert_eq!(opened(&[two, two].concat()), [0, 0b11, 0, 0b11]);
    let other = [(0, sync(3, 2)), (1, sync(3, 2)), (0, sync(3, 3)), (1, sync(3, 3))];
    assert_eq!(opened(&other), [0, 0b11, 0, 0], "and may need other numbers");
}

#[test]
fn an_exit_opens_a_barrier_of_all_and_none_that_names_a_number() {
    let mut barriers = Barriers::new(0b111);
    barriers.arrive(0, NamedBarrier::ALL);
    barriers.arrive(1, sync(1, 2));
    assert_eq!((barriers.open(), barriers.waiting(), barriers.stuck()), (0, 0b011, false));
    barriers.exited(2);
    assert_eq!((barriers.open(), barriers.stuck()), (0, true), "each waits for the other");
    let mut barriers = Barriers::new(0b111);
    barriers.arrive(0, NamedBarrier::ALL);
    barriers.exited(2);
    assert_eq!(barriers.open(), 0);
    barriers.exited(1);
    assert_eq!((barriers.open(), barriers.waiting(), barriers.alive()), (1, 0, 1));
}

#[test]
fn a_block_is_stuck_when_nobody_who_is_left_can_come() {
    let mut barriers = Barriers::new(0b11);
    barriers.arrive(0, sync(1, 2));
    assert_eq!((barriers.open(), barriers.stuck()), (0, false), "warp 1 may come");
    barriers.arrive(1, arrive(2, 2));
    assert_eq!((barriers.open(), barriers.stuck()), (0, false), "it goes on");
    barriers.exited(1);
    assert_eq!((barriers.open(), barriers.stuck()), (0, true));
    barriers.exited(0);
    assert!(!barriers.stuck(), "nobody is left");
}

#[test]
fn a_report_says_who_waits_where_and_for_how_many() {
    let mut barriers = Barriers::new(0b1_1111_0000);
    for (warp, barrier) in [(4, sync(9, 5)), (6, sync(9, 5)), (5, sync(9, 5))] {
        barriers.arrive(warp, barrier);
    }
    barriers.arrive(8, NamedBarrier::ALL);
    barriers.arrive(7, arrive(2, 2));
    barriers.exited(7);
    assert_eq!(barriers.open(), 0);
    let expected = "threads 128-159 wait at barrier 0, where 1 of 4 warps have arrived; \
                    no threads wait at barrier 2, where 1 of 2 warps have arrived; \
                    threads 0-95 wait at barrier 9, where 3 of 5 warps have arrived";
    assert_eq!(barriers.report(|slot| slot as u32 - 4), expected);
}

#[test]
fn warps_take_their_arrivals_along_under_other_numbers() {
    let mut barriers = Barriers::new(0b1111);
    for (warp, barrier) in [(0, arrive(2, 3)), (3, sync(2, 3)), (1, NamedBarrier::ALL)] {
        barriers.arrive(warp, barrier);
    }
    barriers.exited(0);
    assert_eq!(barriers.open(), 0);
    barriers.renumber(|warp| warp + 9);
    assert_eq!((barriers.alive(), barriers.waiting()), (0b111 << 10, 0b101 << 10));
    barriers.arrive(11, sync(2, 3));
    assert_eq!(barriers.open(), 0b110 << 10, "the one that has exited counts");
    barriers.exited(11);
    assert_eq!(barriers.open(), 0);
    barriers.exited(12);
    assert_eq!(barriers.open(), 1 << 10);
}

/// The barriers as a list of all that has happened.
#[derive(Default)]
struct Naive {
    alive: Vec<usize>,
    arrived: Vec<(usize, NamedBarrier)>,
}

impl Naive {
    fn open(&mut self) -> u64 {
        let mut going_on = 0;
        for id in 0..BARRIERS {
            let here: Vec<_> = self.arrived.iter().filter(|(_, at)| at.id == id).copied().collect();
            let Some((_, first)) = here.first() else { continue };
            let complete = match first.warps {
                Some(needed) => here.len() >= usize::from(needed),
                None => self.alive.iter().all(|warp| here.iter().any(|(other, _)| other == warp)),
            };
            if complete {
                self.arrived.retain(|(_, at)| at.id != id);
                let waited = here.iter().filter(|(_, at)| at.waits);
                going_on |= waited.fold(0, |set, (warp, _)| set | 1 << warp);
            }
        }
        going_on
    }

    fn waiting(&self) -> u64 {
        let waiting = self.arrived.iter().filter(|(_, at)| at.waits);
        waiting.fold(0, |set, (warp, _)| set | 1 << warp)
    }
}

proptest! {
    #[test]
    fn barriers_do_what_a_list_of_arrivals_does(
        steps in prop::collection::vec(
            (0_usize..6, 0_u8..4, prop::option::of(1_u8..5), any::<bool>(), 0_u8..10),
            1..80,
        ),
    ) {
        let mut barriers = Barriers::new(0b11_1111);
        let mut naive = Naive { alive: (0..6).collect(), ..Naive::default() };
        for (warp, id, warps, waits, exits) in steps {
            let runs = barriers.alive() & !barriers.waiting();
            if runs >> warp & 1 == 0 {
                continue;
            }
            if exits == 0 {
                barriers.exited(warp);
                naive.alive.retain(|other| *other != warp);
            } else {
                let barrier = NamedBarrier { id, warps, waits };
                barriers.arrive(warp, barrier);
                naive.arrived.push((warp, barrier));
            }
            prop_assert_eq!(barriers.open(), naive.open());
            prop_assert_eq!(barriers.waiting(), naive.waiting());
            prop_assert_eq!(barriers.stuck(), barriers.alive() != 0 && barriers.alive() == naive.waiting());
        }
    }
}
