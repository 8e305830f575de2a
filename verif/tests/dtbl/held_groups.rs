//! Rationale: 1. the state is a ring of groups with three places, and for each group what arrived
//! and a link; random, against a queue. 2. Rings of one, of a power of two, of another number, and
//! of the most there may be, filled and drained.

use crate::harness::{cycle, fresh, random, reset};
use crate::ports;
use blockyard_rtl::dtbl::{HeldGroups, MOST_AHEAD};
use blockyard_rtl::word::U;
use blockyard_sim::port::Dim3;
use rand::RngExt;
use std::collections::VecDeque;

/// What is driven in a cycle: fetched extent and Next, a link.
#[derive(Clone, Copy, Debug, Default)]
struct Drive {
    ask: bool,
    fetched: Option<(Dim3, u32)>,
    link: Option<u32>,
    leave: bool,
}

/// `room`, and extent and Next of the oldest group once it is known.
#[derive(Debug, PartialEq)]
struct Seen {
    room: bool,
    oldest: Option<(Dim3, u32)>,
}

fn run(groups: &mut HeldGroups, inputs: Drive) -> Seen {
    let Drive { ask, fetched, link, leave } = inputs;
    let drive = |groups: &mut HeldGroups| {
        groups.ask.next = ask;
        let (grid, next) = fetched.unwrap_or_default();
        groups.fetched.next = fetched.is_some();
        groups.fetched_grid.next = ports::block_id(grid);
        groups.fetched_next.next = U::new(next.into());
        groups.link.next = link.is_some();
        groups.link_next.next = U::new(link.unwrap_or(7).into());
        groups.leave.next = leave;
    };
    cycle(groups, drive, |groups| Seen {
        room: groups.room.val(),
        oldest: groups
            .known
            .val()
            .then(|| (ports::dim3(groups.extent.val()), groups.after.val().raw() as u32)),
    })
}

fn side(x: u32) -> Dim3 {
    Dim3::new(x, 1, 1)
}

fn ask() -> Drive {
    Drive { ask: true, ..Drive::default() }
}

fn arrives(x: u32, next: u32) -> Drive {
    Drive { fetched: Some((side(x), next)), ..Drive::default() }
}

/// A group as it should be.
#[derive(Clone, Copy, Default)]
struct Expected {
    arrived: Option<(Dim3, u32)>,
    link: Option<u32>,
}

impl Expected {
    fn known(&self) -> Option<(Dim3, u32)> {
        self.arrived.map(|(grid, next)| (grid, self.link.unwrap_or(next)))
    }
}

#[test]
fn answers_go_to_the_groups_in_the_order_of_the_requests() {
    for ahead in [1, 2, 5, 32, MOST_AHEAD] {
        let mut groups = fresh(HeldGroups::new(ahead));
        let mut model: VecDeque<Expected> = VecDeque::new();
        let mut random = random(ahead as u64);
        let (mut full, mut links, mut ignored) = (0, 0, 0);
        for number in 0..30_000 {
            // Phases in which the ring is full, and in which it drains.
            let filling = number / 500 % 2 == 0;
            let mut chance = |often: bool| random.random_bool(if often { 0.8 } else { 0.3 });
            let room = model.len() < ahead;
            let oldest = model.front().and_then(Expected::known);
            let mut inputs = Drive {
                ask: room && chance(filling),
                leave: oldest.is_some() && chance(!filling),
                ..Drive::default()
            };
            if chance(!filling) {
                inputs.fetched = Some((side(random.random_range(0..1 << 31)), random.random()));
            }
            // Only of a group that stays.
            let youngest = model.len() + usize::from(inputs.ask);
            if youngest > usize::from(inputs.leave) && random.random_bool(0.2) {
                inputs.link = Some(random.random());
            }
            let seen = run(&mut groups, inputs);
            assert_eq!(seen, Seen { room, oldest }, "{ahead} ahead, cycle {number}, {inputs:?}");
            full += u32::from(!room);
            links += u32::from(inputs.link.is_some());
            match model.iter_mut().find(|group| group.arrived.is_none()) {
                Some(group) => group.arrived = inputs.fetched,
                None => ignored += u32::from(inputs.fetched.is_some()),
            }
            if inputs.ask {
                model.push_back(Expected::default());
            }
            if let (Some(link), Some(group)) = (inputs.link, model.back_mut()) {
                group.link = Some(link);
            }
            if inputs.leave {
                model.pop_front();
            }
        }
        let counts = (full, links, ignored);
        assert!(full > 1000 && links > 1000 && ignored > 100, "{ahead} ahead: {counts:?}");
    }
}

#[test]
fn there_is_room_until_as_many_groups_are_held_as_are_asked_for_ahead() {
    for ahead in [1, 3, 32, MOST_AHEAD] {
        let mut groups = fresh(HeldGroups::new(ahead));
        for held in 0..ahead {
            assert!(run(&mut groups, ask()).room, "{held} of {ahead} held");
        }
        assert!(!run(&mut groups, arrives(1, 0)).room, "{ahead} held");
        let leaves = run(&mut groups, Drive { leave: true, ..Drive::default() });
        assert!(!leaves.room, "a group counts until the end of the cycle in which it leaves");
        assert!(run(&mut groups, Drive::default()).room);
    }
}

#[test]
fn an_answer_is_known_in_the_next_cycle_and_one_that_nothing_waits_for_is_ignored() {
    let mut groups = fresh(HeldGroups::new(2));
    run(&mut groups, arrives(9, 9));
    // A group that is asked for in this cycle does not wait yet.
    run(&mut groups, Drive { ask: true, ..arrives(8, 8) });
    assert_eq!(run(&mut groups, arrives(3, 4)).oldest, None);
    assert_eq!(run(&mut groups, Drive::default()).oldest, Some((side(3), 4)));
}

#[test]
fn a_link_counts_more_than_what_memory_says_whichever_comes_first() {
    let link = Drive { link: Some(5), ..Drive::default() };
    let sequences: [&[Drive]; 4] = [
        &[Drive { link: Some(5), ..ask() }, arrives(1, 4)],
        &[ask(), link, arrives(1, 4)],
        &[ask(), Drive { link: Some(5), ..arrives(1, 4) }],
        &[ask(), arrives(1, 4), link],
    ];
    for (number, sequence) in sequences.into_iter().enumerate() {
        let mut groups = fresh(HeldGroups::new(1));
        for &inputs in sequence {
            run(&mut groups, inputs);
        }
        let leaves = run(&mut groups, Drive { leave: true, ..Drive::default() });
        assert_eq!(leaves.oldest, Some((side(1), 5)), "sequence {number}");
        // The next group in its place has no link.
        run(&mut groups, ask());
        run(&mut groups, arrives(2, 6));
        assert_eq!(run(&mut groups, Drive::default()).oldest, Some((side(2), 6)));
    }
}

#[test]
fn reset_forgets_the_groups_and_their_links() {
    let mut groups = fresh(HeldGroups::new(1));
    run(&mut groups, Drive { link: Some(5), ..ask() });
    run(&mut groups, Drive::default());
    reset(&mut groups);
    assert!(run(&mut groups, ask()).room);
    run(&mut groups, arrives(1, 4));
    assert_eq!(run(&mut groups, Drive::default()).oldest, Some((side(1), 4)));
}

#[test]
fn no_ring_is_built_for_none_or_more_than_64() {
    for ahead in [0, MOST_AHEAD + 1] {
        assert!(std::panic::catch_unwind(|| HeldGroups::new(ahead)).is_err(), "{ahead}");
    }
}
