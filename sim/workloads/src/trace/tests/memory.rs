//! Code that does not stay in memory.

use super::*;
use crate::gpu::host::{Body, HostProgram};
use crate::trace::open;

/// A warp of `count` instructions of every form that a record has.
fn long_warp(number: u32, count: u32) -> String {
    let forms = [
        "ffffffff 1 R7 FFMA 3 R4 R5 R255 0 0",
        "0000ff00 1 R1 LDG.E.64 1 R2 8 1 0x7000 -8 0",
        "80000001 1 R1 LDG.E 1 R2 4 0 0xffffffffffffffff 0x1 0",
        "0000000b 0 STS 1 R2 1 2 0x7000 3 -4 0",
        "ffffffff 1 R1 LDC 1 R2 4 1 0x7000 4 0",
        "ffffffff 1 R1 LDC 1 R2 0 0",
        "0000000f 1 R1 TEX 1 R2 4 1 0x7000 -4 0",
        "ffffffff 1 R1 ATOM 1 R2 4 1 0x7000 4 0",
        "ffffffff 0 BAR.SYNC 0 0 0",
        "00000000 0 EXIT 0 0 0",
    ];
    let lines: Vec<String> = (0..count)
        .map(|at| format!("{:04x} {}", 16 * at, forms[((at + number) as usize) % forms.len()]))
        .collect();
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
    let apart = [0, 31].map(|lane| expected[0][2].addresses.of(lane));
    assert_eq!(apart, [u64::MAX, 1], "two lanes without a stride");
    assert_eq!(run(Store::with_memory(0)), expected, "every instruction on its own");
    assert_eq!(run(Store::with_memory(1 << 16)), expected, "8 KiB at a time");
}

#[test]
fn lists_of_all_lanes_fill_slots_of_the_file_and_no_more() {
    let line = |at: u64| {
        let list: String = (0..32).map(|lane| format!(" {:#x}", at * at * lane * lane)).collect();
        format!("0 ffffffff 1 R1 LDG 1 R2 4 0{list} 0 ")
    };
    let lines: Vec<String> = (1..301).map(line).collect();
    let place = Place::new();
    let path = place.write("k.traceg", one_block(&lines));
    let run = |store| {
        let store = Rc::new(store);
        let kernel = TracedKernel::open(Rc::clone(&path), Rc::clone(&store)).unwrap();
        (instructions(&kernel, Dim3::new(0, 0, 0), 2).unwrap(), store.slots())
    };
    let (expected, none) = run(Store::default());
    assert_eq!((expected[0][299].addresses.of(2), none), (300 * 300 * 4, 0));
    // 280 bytes each are 84,000; a slot of 16 KiB at the end of each of three times is not full.
    let (executed, slots) = run(Store::with_memory(1 << 18));
    assert_eq!(executed, expected, "two slots at a time");
    assert!((6..=9).contains(&slots), "{slots}");
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
    let load = "0 00000007 1 R1 LDG 1 R2 4 0 0x10 0x30 0x70 0 ";
    let path = place.write("k.traceg", one_block(&[load, EXIT]));
    let store = Rc::new(Store::default());
    let kernel = TracedKernel::open(path, Rc::clone(&store)).unwrap();
    let mut programs = Vec::new();
    kernel.block(Dim3::new(0, 0, 0), 2, &mut programs).unwrap();
    let bytes = 3 * 24 + 3 * 8;
    assert_eq!(store.live(), bytes, "three records and three addresses");
    programs.pop();
    assert_eq!(store.live(), bytes, "warps of a block share its code");
    programs.pop();
    assert_eq!(store.live(), 0);
}

#[test]
fn a_kernel_whose_blocks_were_all_given_keeps_its_header_alone() {
    let blocks: String =
        (0..3).map(|x| block((x, 0, 0), &[warp(0, &[EXIT]), warp(1, &[EXIT])])).collect();
    let text = header((3, 1, 1)) + &blocks;
    let place = Place::new();
    for path in [place.write("k.traceg", &text), place.write("k.traceg.xz", xz(text.as_bytes()))] {
        let store = Rc::new(Store::default());
        let kernel = TracedKernel::open(Rc::clone(&path), Rc::clone(&store)).unwrap();
        assert_eq!(kernel.file(), Some(&*path));
        assert!(kernel.is_closed(), "nothing is read before it is needed");
        for x in [2, 0] {
            instructions(&kernel, Dim3::new(x, 0, 0), 2).unwrap();
            assert!(!kernel.is_closed());
            assert_eq!(store.decompressors(), u32::from(path.ends_with("k.traceg.xz")));
        }
        instructions(&kernel, Dim3::new(1, 0, 0), 2).unwrap();
        assert!(kernel.is_closed());
    }
}

#[test]
fn kernels_that_run_at_once_hold_few_decompressors_and_execute_the_same() {
    let text = |name: u32| {
        let load = format!("0 ffffffff 1 R1 LDG 0 4 1 {:#x} 4 0 ", 0x1000 * (name + 1));
        let warps = [warp(0, &[&load, EXIT]), warp(1, &[EXIT])];
        let blocks: String = (0..4).map(|x| block((x, 0, 0), &warps)).collect();
        header((4, 1, 1)) + &blocks
    };
    let place = Place::new();
    let store = Rc::new(Store::default());
    let kernels: Vec<TracedKernel> = (0..6)
        .map(|name| {
            let path = place.write(&format!("{name}.traceg.xz"), xz(text(name).as_bytes()));
            TracedKernel::open(path, Rc::clone(&store)).unwrap()
        })
        .collect();
    let mut most = 0;
    // Each kernel's blocks in an order of its own, all kernels in turn.
    for turn in 0..4 {
        for (name, kernel) in (0_u32..).zip(&kernels) {
            let index = Dim3::new((turn * 3 + name) % 4, 0, 0);
            let got = instructions(kernel, index, 2).unwrap();
            assert_eq!(got[0][0].addresses.of(1), u64::from(0x1000 * (name + 1) + 4));
            most = most.max(store.decompressors());
        }
    }
    assert_eq!((most, store.decompressors()), (Store::DECOMPRESSORS, 0));
}

#[test]
fn what_is_wrong_behind_the_blocks_of_a_kernel_is_found_without_a_decompressor_too() {
    let text = one_block(&[EXIT]) + "trailing\n";
    let place = Place::new();
    let store = Rc::new(Store::default());
    let open = |name: &str| {
        let path = place.write(name, xz(text.as_bytes()));
        TracedKernel::open(path, Rc::clone(&store)).unwrap()
    };
    let said = |kernel: &TracedKernel| {
        let error = instructions(kernel, Dim3::new(0, 0, 0), 2).unwrap_err();
        place.shown(&error).replace("free.traceg", "k.traceg").replace("late.traceg", "k.traceg")
    };
    let expected = said(&open("free.traceg.xz"));
    assert!(expected.contains("line 32: `trailing` is not the begin"), "{expected}");
    let _held: Vec<_> = (0..Store::DECOMPRESSORS).map(|_| store.decompressor()).collect();
    assert_eq!(said(&open("late.traceg.xz")), expected);
}

#[test]
fn kernels_of_one_name_share_it() {
    let place = Place::new();
    place.write("k.traceg", one_block(&[EXIT]));
    let list = place.write("kernelslist.g", "k.traceg\nk.traceg\n");
    let launches = open(&list).unwrap().start();
    assert!(Rc::ptr_eq(&launches[0].name, &launches[1].name));
    let [Body::Code(first), Body::Code(second)] =
        launches.iter().map(|l| &l.body).collect::<Vec<_>>()[..]
    else {
        panic!("{launches:?}")
    };
    assert!(!Rc::ptr_eq(first, second), "each launch reads on its own");
}
