//! Rationale: 1. the state is a scan over victims at all levels and one message; every thief of up
//! to 16 SMXs scans all of its victims. 2. N = 1, 3, 4, 15, 16, 33, 65 and 132; two and four
//! levels. 3. The scan goes back in every state of the message, to
//! every level.

use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::{Loot, NestedThief};
use blockyard_rtl::module::Module;
use blockyard_rtl::value::Value;
use blockyard_rtl::word::{Word, U};
use blockyard_sim::port::{Dim3, KernelEntry};
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{NestedThiefInputs as Inputs, NestedThiefOutputs as Outputs};

/// A stolen block as a word, with a home as wide as that of `like`.
pub fn loot(loot: Option<twin::Loot>, like: Loot) -> Loot {
    let Some(twin::Loot { home, kernel, block }) = loot else { return like.zeros() };
    Loot {
        valid: true,
        home: Word::new(like.home.bits(), home as u64),
        kernel: U::new(kernel.0.into()),
        block: ports::block_id(block),
    }
}

/// What such a word says.
///
/// # Panics
/// When a word without a block is not zero.
pub fn read_loot(word: Loot) -> Option<twin::Loot> {
    if !word.valid {
        assert_eq!(word, word.zeros());
        return None;
    }
    Some(twin::Loot {
        home: word.home.index(),
        kernel: ports::entry(word.kernel),
        block: kernel_table::block(word.block),
    })
}

impl Twinned for NestedThief {
    type Twin = twin::NestedThief;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins.is_some();
        self.begins_level.next = U::new(inputs.begins.unwrap_or(0).into());
        self.ends.next = inputs.ends;
        self.hungry.next = inputs.hungry;
        self.granted.next = inputs.granted.is_some();
        self.refused.next = inputs.refused;
        self.no_room.next = inputs.no_room;
        self.granted_loot.next = loot(inputs.granted, self.granted_loot.next);
    }
    fn observe(&self) -> Outputs {
        let owed = read_loot(self.loot.val());
        assert_eq!(owed.is_some(), self.owed.val());
        Outputs {
            asks: self.asks.val(),
            victim: self.victim.val().index(),
            from_chunk: self.from_chunk.val(),
            level: self.level.val().raw() as u8,
            loot: owed,
            loot_level: self.loot_level.val().raw() as u8,
        }
    }
    twin_calls!();
}

fn thief(number: usize, smx: usize, levels: usize) -> Lockstep<NestedThief> {
    let twin = twin::NestedThief::new(number, smx, levels as u8);
    Lockstep::new(NestedThief::new(number, smx, levels), twin)
}

fn hungry() -> Inputs {
    Inputs { hungry: true, ..Inputs::default() }
}

/// Whom it asks until the scan ends, when all refuse: level, for the chunk, victim.
fn scan(thief: &mut Lockstep<NestedThief>) -> Vec<(u8, bool, usize)> {
    let (mut victims, mut quiet) = (Vec::new(), 0);
    while quiet < 4 {
        let outputs = thief.peek(&hungry());
        quiet = if outputs.asks { 0 } else { quiet + 1 };
        if outputs.asks {
            victims.push((outputs.level, outputs.from_chunk, outputs.victim));
        }
        thief.cycle(&Inputs { refused: outputs.asks, ..hungry() });
    }
    victims
}

#[test]
fn higher_levels_come_first_and_at_each_level_queues_before_chunks_and_neighbours_before_others() {
    for (smx, levels) in
        [(1usize, 2u8), (3, 2), (3, 4), (4, 4), (15, 2), (16, 4), (33, 2), (65, 4), (132, 2)]
    {
        // Of many SMXs some: those on either side of a word's end, and others.
        for number in (0..smx).filter(|number| smx <= 33 || matches!(number % 64, 0 | 1 | 20 | 63))
        {
            let mut order: Vec<usize> = number.checked_sub(1).into_iter().collect();
            order.extend(Some(number + 1).filter(|&right| right < smx));
            let rest: Vec<_> = (0..smx).filter(|s| *s != number && !order.contains(s)).collect();
            order.extend(rest);
            let of_level = |level| [(level, false), (level, true)];
            let kinds: Vec<(u8, bool)> = (0..levels).flat_map(of_level).collect();
            let order = &order;
            let to_all = |&(level, chunk): &(u8, bool)| {
                order.iter().map(move |&victim| (level, chunk, victim)).collect::<Vec<_>>()
            };
            let expected: Vec<_> = kinds.iter().flat_map(to_all).collect();
            let mut thief = thief(number, smx, levels.into());
            assert_eq!(scan(&mut thief), expected, "SMX {number} of {smx}");
            assert_eq!(scan(&mut thief), [], "the scan is at its end");
            for level in (0..levels).rev() {
                thief.cycle(&Inputs { begins: Some(level), ..Inputs::default() });
                let from = expected.iter().filter(|(of, ..)| *of >= level);
                assert_eq!(scan(&mut thief), from.copied().collect::<Vec<_>>(), "level {level}");
            }
        }
    }
}

#[test]
fn a_scan_that_goes_back_while_a_request_is_under_way_does_so_when_the_answer_is_back() {
    let first = (0, false, 0);
    // In the cycle that sends it, while it waits, with its answer, and while that is on its way.
    for begins_in in 0..4 {
        let mut thief = thief(1, 3, 2);
        let at = |cycle| Inputs { begins: (cycle == begins_in).then_some(0), ..hungry() };
        assert!(!thief.cycle(&at(0)).asks, "sent");
        assert!(thief.cycle(&at(1)).asks, "it waits");
        assert!(thief.cycle(&Inputs { refused: true, ..at(2) }).asks);
        assert!(!thief.cycle(&at(3)).asks, "the answer is back, and the next is sent");
        let next = thief.cycle(&hungry());
        let asked = (next.level, next.from_chunk, next.victim);
        // What happens while the next request is sent is that one's.
        let expected = if begins_in < 3 { first } else { (0, false, 2) };
        assert_eq!(asked, expected, "a kernel begins in cycle {begins_in}");
    }
}

#[test]
fn a_block_that_ends_makes_a_thief_ask_again_that_had_no_room_and_no_other() {
    let ends = Inputs { ends: true, ..Inputs::default() };
    let mut thief = thief(1, 3, 2);
    let all = scan(&mut thief);
    assert_eq!(all.len(), 8);
    thief.cycle(&ends);
    assert_eq!(scan(&mut thief), [], "nothing was left");
    thief.cycle(&Inputs { begins: Some(1), ..hungry() });
    thief.cycle(&hungry());
    thief.cycle(&Inputs { refused: true, no_room: true, ..hungry() });
    assert_eq!(scan(&mut thief), all[5..]);
    // Back to level 1 it is short still, back to level 0 no longer.
    thief.cycle(&Inputs { begins: Some(1), ..Inputs::default() });
    assert_eq!(scan(&mut thief), all[4..]);
    thief.cycle(&ends);
    assert_eq!(scan(&mut thief), all);
    thief.cycle(&ends);
    assert_eq!(scan(&mut thief), []);
}

#[test]
fn a_block_is_owed_in_the_cycle_behind_its_grant_and_the_scan_stays() {
    let mut thief = thief(0, 3, 4);
    thief.cycle(&hungry());
    let block = twin::Loot { home: 2, kernel: KernelEntry(31), block: Dim3::new(5, 1, 7) };
    thief.cycle(&Inputs { granted: Some(block), ..hungry() });
    assert_eq!(thief.cycle(&hungry()).loot, Some(block));
    assert!(!thief.cycle(&hungry()).asks, "it is sent behind the cycle of the arrival");
    let again = thief.cycle(&hungry());
    assert_eq!((again.asks, again.victim), (true, 1));
}

#[test]
fn random_answers_move_both_alike() {
    for (number, smx, levels) in [
        (0, 1, 2),
        (0, 3, 2),
        (2, 3, 4),
        (3, 4, 4),
        (14, 15, 2),
        (7, 16, 4),
        (32, 33, 4),
        (64, 65, 2),
        (70, 132, 4),
    ] {
        let (mut thief, mut random) = (thief(number, smx, levels), random(smx as u64));
        let mut asked = 0;
        for cycle in 0..5_000 {
            let asks = thief.peek(&Inputs::default()).asks;
            let answer = if asks { random.random_range(0..4) } else { 0 };
            let block = Dim3::new(random.random_range(0..9), random.random(), 0);
            let block = Dim3::new(block.x, block.y & 0xffff, 0);
            let home = random.random_range(0..smx);
            let granted = twin::Loot { home, kernel: KernelEntry(cycle as u8 & 31), block };
            let inputs = Inputs {
                reset: random.random_range(0..500) == 0,
                begins: (random.random_range(0..30) == 0)
                    .then(|| random.random_range(0..levels as u8)),
                ends: random.random_range(0..20) == 0,
                hungry: random.random_range(0..8) != 0,
                granted: (answer == 1).then_some(granted),
                refused: answer > 1,
                no_room: random.random_range(0..16) == 0,
            };
            asked += u32::from(thief.cycle(&inputs).asks);
        }
        assert_eq!(asked > 500, smx > 1, "{asked} requests");
    }
}
