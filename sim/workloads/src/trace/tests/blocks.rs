//! Blocks in whatever order they are asked for.

use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::SeedableRng;

use super::*;

const GRID: (u32, u32, u32) = (5, 3, 2);
const BLOCKS: u32 = 30;

/// A trace of 30 blocks in the order `order`; each loads from addresses of its own, with lists for
/// every other block. Warp 1 stands before warp 0.
fn trace(order: &[u32]) -> String {
    let blocks = order.iter().map(|&linear| {
        let (x, y, z) = (linear % 5, linear / 5 % 3, linear / 15);
        let base = 0x1000 + 0x1000 * u64::from(linear);
        let load = if linear % 2 == 0 {
            format!("0 ffffffff 1 R1 LDG 0 4 1 {base:#x} {} 0 ", linear + 1)
        } else {
            let list: Vec<String> =
                (0..32).map(|lane: u64| format!("{:#x}", base + 16 * lane * lane)).collect();
            format!("0 ffffffff 1 R1 LDG 0 4 0 {} 0 ", list.join(" "))
        };
        block((x, y, z), &[warp(1, &[EXIT]), warp(0, &[&load, EXIT])])
    });
    header(GRID) + &blocks.collect::<String>()
}

/// What each block of the trace does, asked for in the order `asked`.
fn run(path: &Rc<Path>, asked: &[u32], store: Store) -> Vec<Vec<Vec<Instruction>>> {
    let kernel = TracedKernel::open(Rc::clone(path), Rc::new(store)).unwrap();
    let mut result = vec![Vec::new(); asked.len()];
    for &linear in asked {
        let index = Dim3::new(linear % 5, linear / 5 % 3, linear / 15);
        result[linear as usize] = instructions(&kernel, index, 2).unwrap();
    }
    result
}

#[test]
fn blocks_hold_what_their_text_says_wherever_it_is() {
    let place = Place::new();
    let forwards: Vec<u32> = (0..BLOCKS).collect();
    let path = place.write("k.traceg", trace(&forwards));
    for (linear, block) in (0_u32..).zip(run(&path, &forwards, Store::default())) {
        assert_eq!(block.len(), 2);
        let (load, base) = (&block[0][0], 0x1000 + 0x1000 * u64::from(linear));
        let step: u64 = if linear % 2 == 0 { u64::from(linear + 1) * 9 } else { 16 * 81 };
        assert_eq!((load.addresses.of(0), load.addresses.of(9)), (base, base + step));
        assert_eq!(block[1].len(), 1, "warp 1 has an exit alone");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_in_which_blocks_are_written_and_asked_for_makes_no_difference(
        seed: u64, compressed: bool, crlf: bool, tight: bool,
    ) {
        let place = Place::new();
        let forwards: Vec<u32> = (0..BLOCKS).collect();
        let path = place.write("forwards.traceg", trace(&forwards));
        let expected = run(&path, &forwards, Store::default());

        let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
        let (mut written, mut asked) = (forwards.clone(), forwards);
        written.shuffle(&mut random);
        asked.shuffle(&mut random);
        let mut text = trace(&written);
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let path = if compressed {
            place.write("other.traceg.xz", xz(text.as_bytes()))
        } else {
            place.write("other.traceg", text)
        };
        let store = if tight { Store::with_memory(0) } else { Store::default() };
        prop_assert_eq!(run(&path, &asked, store), expected);
    }
}

#[test]
fn blocks_may_be_asked_for_backwards() {
    let place = Place::new();
    let forwards: Vec<u32> = (0..BLOCKS).collect();
    let backwards: Vec<u32> = (0..BLOCKS).rev().collect();
    let text = trace(&forwards);
    let plain = place.write("k.traceg", &text);
    let compressed = place.write("k.traceg.xz", xz(text.as_bytes()));
    let expected = run(&plain, &forwards, Store::default());
    assert_eq!(run(&plain, &backwards, Store::default()), expected);
    assert_eq!(run(&compressed, &backwards, Store::default()), expected);
}

#[test]
fn xz_data_in_several_streams_is_one_text() {
    let place = Place::new();
    let forwards: Vec<u32> = (0..BLOCKS).collect();
    let text = trace(&forwards);
    let (start, end) = text.as_bytes().split_at(text.len() / 2);
    // The first bytes tell, whatever the name.
    let path = place.write("k.traceg", [xz(start), xz(end)].concat());
    let plain = place.write("plain.traceg", &text);
    let store = Store::default;
    assert_eq!(run(&path, &forwards, store()), run(&plain, &forwards, store()));
}
