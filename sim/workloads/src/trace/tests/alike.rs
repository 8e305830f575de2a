//! Warps that are like the one before, which are compared instead of read.

use super::*;
use crate::trace::info;

/// The lines of the `n`-th warp: a load, behind it a line with nothing that differs, or with
/// addresses that differ in their low digits, their high ones, their stride, how they are written
/// or all of a list, and behind these another line or none.
fn lines(form: usize, n: u64) -> Vec<String> {
    let load = |addresses: &str| format!("0010 ffffffff 1 R1 LDG.E 1 R2 4 {addresses} 0 ");
    let list: String = (0..32).map(|lane| format!(" {:#x}", 0x1000 + n * lane * lane)).collect();
    let varying = match form {
        0 => "0010 ffffffff 1 R1 FADD 2 R1 R3 0 0 ".to_owned(),
        // Now and then fewer digits, or a list.
        4 if n % 6 == 5 => load("1 0x7f401234 4"),
        5 if n % 6 == 5 => load("1 0x10 4"),
        1 | 4 => load(&format!("1 {:#x} 4", 0x7f40_0000_0000 + 0x80 * n)),
        2 => load(&format!("1 {:#x} 4", 0x7f40_8000_0000 + (n << 32))),
        3 => load(&format!("1 0x7f4000000000 {n}")),
        _ => load(&format!("0{list}")),
    };
    vec![
        "0000 ffffffff 1 R1 MOV 0 0 0 ".to_owned(),
        load(&format!("1 {:#x} 4", 0x7f41_0000_0000 + 0x40 * n)),
        varying,
        "0020 0000000f 1 R4 MOV 0 0 0 ".into(),
    ]
}

/// Asserts that each of sixteen warps of the first `kept` lines, and an exit if it `exits`, does
/// what it does alone. All but the first few are like the ones before.
fn alike(form: usize, kept: usize, exits: bool) {
    let of = |n: u32| {
        let mut lines = lines(form, n.into());
        lines.truncate(kept);
        lines.extend(exits.then(|| EXIT.to_owned()));
        lines
    };
    let of_block = |x| block((x, 0, 0), &[0, 1].map(|number| warp(number, &of(2 * x + number))));
    let place = Place::new();
    let blocks: String = (0..8).map(of_block).collect();
    let path = place.write("k.traceg", header((8, 1, 1)) + &blocks);
    let counts = info(&path).unwrap().total;
    assert_eq!(counts.warp_instructions, 16 * (kept as u64 + u64::from(exits)));
    assert_eq!(counts.global_loads, if form == 0 { 16 } else { 32 });
    // All in memory; each instruction on disk; some of them.
    let kernels = [Store::default(), Store::with_memory(0), Store::with_memory(400)]
        .map(|store| TracedKernel::open(Rc::clone(&path), Rc::new(store)).unwrap());
    for x in 0..8 {
        let alone = [0, 1].map(|number| warp_of(&one_block(&of(2 * x + number))).unwrap());
        for kernel in &kernels {
            let warps = instructions(kernel, Dim3::new(x, 0, 0), 2).unwrap();
            assert_eq!(warps, alone, "form {form}, {kept} lines, block {x}");
        }
    }
}

#[test]
fn warps_that_are_alike_do_what_each_does_alone() {
    for form in 0..7 {
        alike(form, 4, true);
        alike(form, 4, false);
        alike(form, 3, false);
    }
}

/// The code of two blocks of two warps of these lines.
fn code(place: &Place, warps: [&[&str]; 4]) -> TracedKernel {
    let blocks = [0, 1].map(|x: u32| {
        let lines = &warps[2 * x as usize..];
        block((x, 0, 0), &[warp(0, lines[0]), warp(1, lines[1])])
    });
    let path = place.write("k.traceg", header((2, 1, 1)) + &blocks.concat());
    TracedKernel::open(path, Rc::new(Store::default())).unwrap()
}

#[test]
fn an_exit_that_ended_the_warps_before_ends_no_longer_warp_with_the_same_begin() {
    const MOVE: &str = "0000 ffffffff 1 R1 MOV 0 0 0 ";
    let place = Place::new();
    let kernel = code(&place, [&[MOVE, EXIT], &[MOVE, EXIT], &[MOVE, EXIT, MOVE], &[MOVE]]);
    let pcs = |x| {
        let warps = instructions(&kernel, Dim3::new(x, 0, 0), 2).unwrap();
        let pcs = |warp: &Vec<Instruction>| warp.iter().map(|one| one.pc).collect::<Vec<u32>>();
        [pcs(&warps[0]), pcs(&warps[1])]
    };
    assert_eq!(pcs(0), [[0, 0x100], [0, 0x100]]);
    // Exits are added behind the last lines.
    assert_eq!(pcs(1), [vec![0, 0x100, 0, 0], vec![0, 0]]);
}

#[test]
fn addresses_that_only_the_warps_before_have_are_missing() {
    let load = "0010 ffffffff 1 R1 LDG.E 1 R2 4";
    let whole = format!("{load} 1 0x7f4000000000 4 0");
    let place = Place::new();
    let kernel = code(&place, [&[&whole, EXIT], &[&whole, EXIT], &[load, EXIT], &[EXIT]]);
    instructions(&kernel, Dim3::new(0, 0, 0), 2).unwrap();
    let error = instructions(&kernel, Dim3::new(1, 0, 0), 2).unwrap_err().to_string();
    assert!(error.ends_with(": the address mode is missing"), "{error}");
}
