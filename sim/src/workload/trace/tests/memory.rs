//! Code that does not stay in memory.

use super::*;

/// A warp of `count` instructions of every form that a record has.
fn long_warp(number: u32, count: u32) -> String {
    let forms = [
        "ffffffff 1 R7 FFMA 3 R4 R5 R255 0 0",
        "0000ff00 1 R1 LDG.E.64 1 R2 8 1 0x7000 -8 0",
        "80000001 1 R1 LDG.E 1 R2 4 0 0xffffffffffffffff 0x1 0",
        "0000000b 0 STS 1 R2 1 2 0x7000 3 -4 0",
        "ffffffff 1 R1 LDC 1 R2 4 1 0x7000 4 0",
        "ffffffff 1 R1 ATOM 1 R2 4 1 0x7000 4 0",
        "ffffffff 0 BAR.SYNC 0 0 0",
        "00000000 0 EXIT 0 0 0",
    ];
    let lines: Vec<String> = (0..count)
        .map(|at| format!("{:04x} {}", 16 * at, forms[((at + number) as usize) % forms.len()]))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    warp(number, &lines)
}

#[test]
fn a_warp_on_disk_executes_what_a_warp_in_memory_executes() {
    let warps = [long_warp(0, 3002), long_warp(1, 1)];
    let place = Place::new();
    let path = place.write("k.traceg", header((1, 1, 1)) + &block((0, 0, 0), &warps));
    let run = |store| {
        let kernel = TracedKernel::open(Rc::clone(&path), Rc::new(store)).unwrap();
        instructions(&kernel, Dim3::new(0, 0, 0), 2).unwrap()
    };
    let expected = run(Store::default());
    assert_eq!((expected[0].len(), expected[1].len()), (3003, 2));
    assert_eq!(run(Store::with_memory(0)), expected, "every instruction on its own");
    assert_eq!(run(Store::with_memory(1 << 16)), expected, "8 KiB at a time");
}

#[test]
fn the_file_keeps_no_more_than_is_still_to_be_executed() {
    let warps = [long_warp(0, 3000), long_warp(1, 3000)];
    let blocks: String = (0..4).map(|x| block((x, 0, 0), &warps)).collect();
    let place = Place::new();
    let path = place.write("k.traceg", header((4, 1, 1)) + &blocks);
    let store = Rc::new(Store::with_memory(1 << 16));
    let kernel = TracedKernel::open(path, Rc::clone(&store)).unwrap();
    instructions(&kernel, Dim3::new(0, 0, 0), 2).unwrap();
    let slots = store.slots();
    assert!(slots > 4, "{slots}");
    for x in 1..3 {
        instructions(&kernel, Dim3::new(x, 0, 0), 2).unwrap();
        assert_eq!(store.slots(), slots, "slots are used again");
    }
    // Warps that never execute give their slots back too.
    let mut programs = Vec::new();
    kernel.block(Dim3::new(3, 0, 0), 2, &mut programs).unwrap();
    drop(programs);
    assert_eq!((store.slots(), store.free_slots()), (slots, slots));
}

#[test]
fn memory_is_given_back_when_a_block_is_done() {
    let place = Place::new();
    let path = place.write("k.traceg", one_block(&[EXIT]));
    let store = Rc::new(Store::default());
    let kernel = TracedKernel::open(path, Rc::clone(&store)).unwrap();
    let mut programs = Vec::new();
    kernel.block(Dim3::new(0, 0, 0), 2, &mut programs).unwrap();
    assert_eq!(store.live(), 40, "two records of 20 bytes");
    programs.pop();
    assert_eq!(store.live(), 40, "warps of a block share its code");
    programs.pop();
    assert_eq!(store.live(), 0);
}
