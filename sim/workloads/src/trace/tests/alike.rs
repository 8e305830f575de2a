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
        1 => load(&format!("1 {:#x} 4", 0x7f40_0000_0000 + 0x80 * n)),
        2 => load(&format!("1 {:#x} 4", 0x7f40_8000_0000 + (n << 32))),
        3 => load(&format!("1 0x7f4000000000 {n}")),
        // Now and then fewer digits, or a list.
        4 if n % 6 == 5 => load("1 0x7f401234 4"),
        4 => load(&format!("1 {:#x} 4", 0x7f40_0000_0000 + 0x80 * n)),
        5 if n % 6 == 5 => load("1 0x10 4"),
        _ => load(&format!("0{list}")),
    };
    vec![
        "0000 ffffffff 1 R1 MOV 0 0 0 ".to_owned(),
        load(&format!("1 {:#x} 4", 0x7f41_0000_0000 + 0x40 * n)),
        varying,
        "0020 0000000f 1 R4 MOV 0 0 0 ".into(),
    ]
}

#[test]
fn warps_that_are_alike_do_what_each_does_alone() {
    for form in 0..7 {
        for (exits, kept) in [(true, 4), (false, 4), (false, 3)] {
            let of = |n| {
                let mut lines = lines(form, n);
                lines.truncate(kept);
                lines.extend(exits.then(|| EXIT.to_owned()));
                lines
            };
            let text = |number, lines: &[String]| {
                warp(number, &lines.iter().map(String::as_str).collect::<Vec<_>>())
            };
            // Of the warps of this trace all but the first few are like the ones before.
            let blocks: String = (0..8)
                .map(|x| {
                    let warps = [0, 1].map(|number| text(number, &of(u64::from(2 * x + number))));
                    block((x, 0, 0), &warps)
                })
                .collect();
            let place = Place::new();
            let path = place.write("k.traceg", header((8, 1, 1)) + &blocks);
            let counts = info(&path).unwrap().total;
            assert_eq!(counts.warp_instructions, 16 * (kept as u64 + u64::from(exits)));
            assert_eq!(counts.global_loads, if form == 0 { 16 } else { 32 });
            // All in memory; each instruction on disk; some of them.
            let kernels = [Store::default(), Store::with_memory(0), Store::with_memory(400)]
                .map(|store| TracedKernel::open(Rc::clone(&path), Rc::new(store)).unwrap());
            for x in 0..8 {
                let run =
                    |kernel: &TracedKernel| instructions(kernel, Dim3::new(x, 0, 0), 2).unwrap();
                let [kept, spilled, partly] = kernels.each_ref().map(run);
                assert_eq!([&spilled, &partly], [&kept, &kept], "form {form}, block {x}");
                for (number, got) in (0..).zip(kept) {
                    let lines = of(u64::from(2 * x + number));
                    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                    let alone = warp_of(&one_block(&lines)).unwrap();
                    assert_eq!(got, alone, "form {form}, block {x}, warp {number}");
                }
            }
        }
    }
}
