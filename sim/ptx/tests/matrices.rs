//! Products of matrices that a warp holds together, against the manual's tables of who holds what.

mod support;

use blockyard_ptx::Arguments;
use support::{kernel, left_by, machine, run};

/// A small whole number.
fn drawn(seed: u32, row: usize, column: usize) -> i32 {
    let mixed = (seed + 31 * row as u32 + 7 * column as u32 + 1).wrapping_mul(0x9e37_79b9);
    (mixed >> 28) as i32 - 8
}

/// A small whole number as bits of a type.
fn bits(ty: &str, value: i32) -> u64 {
    let single = (value as f32).to_bits();
    let exponent = single >> 23 & 0xff;
    match ty {
        "f16" if exponent == 0 => 0,
        "f16" => u64::from(single >> 31 << 15 | (exponent - 112) << 10 | single >> 13 & 0x3ff),
        "bf16" => u64::from(single >> 16),
        "f32" | "tf32" => u64::from(single),
        "f64" => f64::from(value).to_bits(),
        "u8" => u64::from(value.unsigned_abs() as u8),
        "s8" => u64::from(value as u8),
        "s4" => (value & 15) as u64,
        _ => u64::from(value as u32),
    }
}

fn width(ty: &str) -> usize {
    match ty {
        "tf32" => 32,
        ty => ty.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap(),
    }
}

/// Row and column of element `i` of a lane's part, by group and thread in the group.
type Place = fn(usize, usize, usize) -> (usize, usize);

struct Form {
    shape: &'static str,
    /// Types of result, factors and sums.
    types: [&'static str; 4],
    extents: [usize; 3],
    /// Elements of a lane, and where they are: the manual's figures.
    left: (usize, Place),
    right: (usize, Place),
}

fn sums(g: usize, t: usize, i: usize) -> (usize, usize) {
    (if i < 2 { g } else { g + 8 }, t * 2 + (i & 1))
}

const HALVES_16: (usize, Place) = (8, |g, t, i| {
    let row = if i < 2 || (4..6).contains(&i) { g } else { g + 8 };
    (row, t * 2 + (i & 1) + if i < 4 { 0 } else { 8 })
});
const HALVES_16_RIGHT: (usize, Place) =
    (4, |g, t, i| (t * 2 + (i & 1) + if i < 2 { 0 } else { 8 }, g));
const BYTES_32: (usize, Place) = (16, |g, t, i| {
    let row = if i < 4 || (8..12).contains(&i) { g } else { g + 8 };
    (row, t * 4 + (i & 3) + if i < 8 { 0 } else { 16 })
});
const BYTES_32_RIGHT: (usize, Place) =
    (8, |g, t, i| (t * 4 + (i & 3) + if i < 4 { 0 } else { 16 }, g));

fn forms() -> Vec<Form> {
    let form = |shape, types, extents, left, right| Form { shape, types, extents, left, right };
    let f16_k8: (usize, Place) = (4, sums);
    let f16_k8_right: (usize, Place) = (2, |g, t, i| (t * 2 + i, g));
    let tf32_k8: (usize, Place) =
        (4, |g, t, i| (if i % 2 == 0 { g } else { g + 8 }, if i < 2 { t } else { t + 4 }));
    let tf32_k8_right: (usize, Place) = (2, |g, t, i| (if i == 0 { t } else { t + 4 }, g));
    let tf32_k4: (usize, Place) = (2, |g, t, i| (if i == 0 { g } else { g + 8 }, t));
    let one_right: (usize, Place) = (1, |g, t, _| (t, g));
    let one: (usize, Place) = (1, |g, t, _| (g, t));
    let s8_8: (usize, Place) = (4, |g, t, i| (g, t * 4 + i));
    let s8_8_right: (usize, Place) = (4, |g, t, i| (t * 4 + i, g));
    let s8_16: (usize, Place) = (8, |g, t, i| (if i < 4 { g } else { g + 8 }, t * 4 + (i & 3)));
    let s4_32: (usize, Place) = (16, |g, t, i| (if i < 8 { g } else { g + 8 }, t * 8 + (i & 7)));
    let s4_32_right: (usize, Place) = (8, |g, t, i| (t * 8 + i, g));
    let (k16, k8) = ([16, 8, 16], [16, 8, 8]);
    vec![
        form("m16n8k16", ["f32", "f16", "f16", "f32"], k16, HALVES_16, HALVES_16_RIGHT),
        form("m16n8k16", ["f16", "f16", "f16", "f16"], k16, HALVES_16, HALVES_16_RIGHT),
        form("m16n8k16", ["f32", "bf16", "bf16", "f32"], k16, HALVES_16, HALVES_16_RIGHT),
        form("m16n8k8", ["f32", "f16", "f16", "f32"], k8, f16_k8, f16_k8_right),
        form("m16n8k8", ["f32", "tf32", "tf32", "f32"], k8, tf32_k8, tf32_k8_right),
        form("m16n8k4", ["f32", "tf32", "tf32", "f32"], [16, 8, 4], tf32_k4, one_right),
        form("m8n8k4", ["f64", "f64", "f64", "f64"], [8, 8, 4], one, one_right),
        form("m16n8k32", ["s32", "s8", "s8", "s32"], [16, 8, 32], BYTES_32, BYTES_32_RIGHT),
        form("m16n8k32", ["s32", "u8", "s8", "s32"], [16, 8, 32], BYTES_32, BYTES_32_RIGHT),
        form("m16n8k16", ["s32", "s8", "s8", "s32"], k16, s8_16, s8_8_right),
        form("m8n8k16", ["s32", "s8", "s8", "s32"], [8, 8, 16], s8_8, s8_8_right),
        form("m16n8k32", ["s32", "s4", "s4", "s32"], [16, 8, 32], s4_32, s4_32_right),
    ]
}

/// What a lane's registers hold: elements of 32 bits and less, packed from the lowest bits on.
fn packed(ty: &str, elements: impl Iterator<Item = i32>) -> Vec<u64> {
    let per = (32 / width(ty)).max(1);
    let elements: Vec<u64> = elements.map(|value| bits(ty, value)).collect();
    let register = |part: &[u64]| {
        (0..).zip(part).fold(0, |all, (place, bits)| all | bits << (place * width(ty)))
    };
    elements.chunks(per).map(register).collect()
}

/// `{%A, %A+1, ...}` of a matrix whose registers have 32 or 64 bits.
fn registers(name: &str, ty: &str, count: usize) -> (String, &'static str) {
    let kind = if width(ty) == 64 { "b64" } else { "b32" };
    let all: Vec<String> = (0..count).map(|number| format!("%{name}{kind}_{number}")).collect();
    (format!("{{{}}}", all.join(", ")), kind)
}

#[test]
fn lanes_hold_what_the_manual_s_figures_say() {
    for Form { shape, types, extents: [m, n, k], left, right } in forms() {
        let [d, a, b, c] = types;
        let value = |ty: &str, seed, row, column| {
            let value = drawn(seed, row, column);
            if ty.starts_with('u') {
                value.abs()
            } else {
                value
            }
        };
        let product = |row: usize, column: usize| {
            let terms = (0..k).map(|at| value(a, 1, row, at) * value(b, 2, at, column));
            terms.sum::<i32>() + value(c, 3, row, column)
        };
        let each = m * n / 32;
        let parts: Vec<[Vec<u64>; 4]> = (0..32)
            .map(|lane| {
                let (g, t) = (lane / 4, lane % 4);
                let of = |ty, seed, (count, place): (usize, Place)| {
                    packed(
                        ty,
                        (0..count).map(|i| {
                            let (row, column) = place(g, t, i);
                            value(ty, seed, row, column)
                        }),
                    )
                };
                let result = (0..each).map(|i| {
                    let (row, column) = sums(g, t, i);
                    product(row, column)
                });
                [of(a, 1, left), of(b, 2, right), of(c, 3, (each, sums)), packed(d, result)]
            })
            .collect();
        // Each lane reads its registers as words of 64 bits in order, and writes its own.
        let counts: Vec<usize> = parts[0].iter().map(Vec::len).collect();
        let mut body = "mad.lo.u32 %r0, %t, 256, 0; cvt.u64.u32 %d0, %r0;
            add.u64 %d1, %d0, %a; add.u64 %d2, %d0, %b;\n"
            .to_owned();
        let (mut at, mut lists) = (0, Vec::new());
        for (name, ty, count) in [("a", a, counts[0]), ("b", b, counts[1]), ("c", c, counts[2])] {
            let (list, kind) = registers(name, ty, count);
            body += &format!(".reg .{kind} %{name}{kind}_<{count}>;\n");
            for number in 0..count {
                body += &format!("ld.global.{kind} %{name}{kind}_{number}, [%d1+{at}];\n");
                at += 8;
            }
            lists.push(list);
        }
        let (list, kind) = registers("d", d, counts[3]);
        body += &format!(".reg .{kind} %d{kind}_<{}>;\n", counts[3]);
        body += &format!(
            "mma.sync.aligned.{shape}.row.col.{d}.{a}.{b}.{c} {list}, {};\n",
            lists.join(", ")
        );
        for number in 0..counts[3] {
            body += &format!("st.global.{kind} [%d2+{}], %d{kind}_{number};\n", 8 * number);
        }
        let machine = machine(&kernel("", &body));
        let mut input = vec![0_u32; 32 * 64];
        for (lane, parts) in parts.iter().enumerate() {
            for (number, value) in parts[..3].concat().into_iter().enumerate() {
                input[64 * lane + 2 * number] = value as u32;
                input[64 * lane + 2 * number + 1] = (value >> 32) as u32;
            }
        }
        let (from, to) = (machine.array(&input).unwrap(), machine.array(&input).unwrap());
        run(&machine, "k", (1, 32), Arguments::new().long(from).long(to)).unwrap();
        let left = machine.words(to, 32 * 64).unwrap();
        for (lane, parts) in parts.iter().enumerate() {
            for (number, expected) in parts[3].iter().enumerate() {
                let place = 64 * lane + 2 * number;
                let high = if kind == "b64" { u64::from(left[place + 1]) << 32 } else { 0 };
                let found = u64::from(left[place]) | high;
                assert_eq!(found, *expected, "{shape} {types:?} lane {lane} register {number}");
            }
        }
    }
}

/// Computes a product with `wmma`: types and shape, the orders of both factors and of the result.
fn wmma(types: [&str; 4], [m, n, k]: [usize; 3], orders: [&str; 3]) -> (Vec<u64>, Vec<u64>) {
    let [d, a, b, c] = types;
    let shape = format!("m{m}n{n}k{k}");
    let count = |ty: &str, elements: usize, factor: bool| match ty {
        "f16" if factor => 8,
        ty => elements / 32 / (32 / width(ty)).max(1),
    };
    let lie = |order: &str,
               ty: &str,
               (rows, columns): (usize, usize),
               of: &dyn Fn(usize, usize) -> i32| {
        // With room behind each row or column.
        let mut bytes = Vec::new();
        let (lines, length) = if order == "row" { (rows, columns) } else { (columns, rows) };
        for line in 0..lines {
            for place in 0..length + 16 {
                let (row, column) = if order == "row" { (line, place) } else { (place, line) };
                let value = if place < length { bits(ty, of(row, column)) } else { 0 };
                bytes.extend_from_slice(&value.to_le_bytes()[..width(ty) / 8]);
            }
        }
        bytes
    };
    let mut body = String::new();
    let list = |name: &str, ty: &str, count: usize| registers(name, ty, count).0;
    let stride =
        |order: &str, rows: usize, columns: usize| 16 + if order == "row" { columns } else { rows };
    let parts = [
        ("a", a, count(a, m * k, true), orders[0], (m, k)),
        ("b", b, count(b, k * n, true), orders[1], (k, n)),
        ("c", c, count(c, m * n, false), "row", (m, n)),
    ];
    let (mut input, mut lists) = (Vec::new(), Vec::new());
    for (seed, (name, ty, count, order, (rows, columns))) in (1..).zip(parts) {
        let kind = registers(name, ty, 1).1;
        let list = list(name, ty, count);
        body += &format!(
            ".reg .{kind} %{name}{kind}_<{count}>;
            add.u64 %d0, %a, {};
            mov.u32 %r0, {};
            wmma.load.{name}.sync.aligned.{order}.{shape}.global.{ty} {list}, [%d0], %r0;\n",
            input.len(),
            stride(order, rows, columns),
        );
        input.extend(lie(order, ty, (rows, columns), &|row, column| drawn(seed, row, column)));
        lists.push(list);
    }
    let kind = registers("d", d, 1).1;
    let results = count(d, m * n, false);
    let of_types = if a == "f16" { format!("{d}.{c}") } else { types.join(".") };
    let result = list("d", d, results);
    body += &format!(
        ".reg .{kind} %d{kind}_<{results}>;
        wmma.mma.sync.aligned.{}.{}.{shape}.{of_types} {result}, {};
        mov.u32 %r0, {};
        wmma.store.d.sync.aligned.{}.{shape}.global.{d} [%b], {result}, %r0;",
        orders[0],
        orders[1],
        lists.join(", "),
        stride(orders[2], m, n),
        orders[2],
    );
    let machine = machine(&kernel("", &body));
    let from = machine.allocate(input.len() as u64).unwrap();
    assert!(machine.write(from, &input));
    let expected = lie(orders[2], d, (m, n), &|row, column| {
        let terms = (0..k).map(|at| drawn(1, row, at) * drawn(2, at, column));
        terms.sum::<i32>() + drawn(3, row, column)
    });
    let to = machine.allocate(expected.len() as u64).unwrap();
    run(&machine, "k", (1, 32), Arguments::new().long(from).long(to)).unwrap();
    let found = machine.read(to, expected.len() as u64).unwrap();
    let words = |bytes: Vec<u8>| bytes.into_iter().map(u64::from).collect();
    (words(found), words(expected))
}

#[test]
fn matrices_are_loaded_multiplied_and_stored_in_both_orders() {
    let halves = [[16, 16, 16], [32, 8, 16], [8, 32, 16]];
    for orders in [["row", "col", "row"], ["row", "row", "col"], ["col", "col", "row"]] {
        for shape in halves {
            for types in [
                ["f32", "f16", "f16", "f32"],
                ["f16", "f16", "f16", "f16"],
                ["f32", "bf16", "bf16", "f32"],
                ["s32", "s8", "s8", "s32"],
            ] {
                let (found, expected) = wmma(types, shape, orders);
                assert_eq!(found, expected, "{types:?} {shape:?} {orders:?}");
            }
        }
        for (types, shape) in [
            (["f32", "tf32", "tf32", "f32"], [16, 16, 8]),
            (["f64", "f64", "f64", "f64"], [8, 8, 4]),
        ] {
            let (found, expected) = wmma(types, shape, orders);
            assert_eq!(found, expected, "{types:?} {shape:?} {orders:?}");
        }
    }
}

#[test]
fn sums_of_integers_wrap_or_are_clamped() {
    let body = |clamped: &str| {
        format!(
            "mov.u32 %r0, 0x01010101; mov.u32 %r1, 0x7fffffff;
            mma.sync.aligned.m8n8k16.row.col{clamped}.s32.s8.s8.s32
                {{%r2, %r3}}, {{%r0}}, {{%r0}}, {{%r1, 5}};
            mad.wide.u32 %d0, %t, 8, %a;
            st.global.v2.u32 [%d0], {{%r2, %r3}};"
        )
    };
    for (clamped, first) in [("", 0x8000_000f_u32), (".satfinite", 0x7fff_ffff)] {
        let found = left_by(32, "", &body(clamped), 64);
        assert!(found.chunks_exact(2).all(|pair| pair == [first, 21]), "{clamped}: {found:x?}");
    }
}

/// Fills `rows` in shared memory with halves that are their own number.
const ROWS: &str = ".shared .align 16 .b8 rows[512];";
const FILL: &str = "mov.u32 %r6, rows;
    mul.lo.u32 %r0, %t, 16; add.u32 %r6, %r6, %r0;
    mul.lo.u32 %r0, %t, 8;
    mov.u32 %r8, 0;
    NEXT:
    cvt.u16.u32 %h0, %r0; st.shared.u16 [%r6], %h0;
    add.u32 %r0, %r0, 1; add.u32 %r6, %r6, 2;
    add.u32 %r8, %r8, 1; setp.lt.u32 %p0, %r8, 8; @%p0 bra NEXT;
    bar.sync 0;
    mul.lo.u32 %r0, %t, 16; mov.u32 %r6, rows; add.u32 %r6, %r6, %r0;";

#[test]
fn rows_of_small_matrices_come_from_where_lanes_say() {
    for (count, transposed) in [(1, false), (2, false), (4, false), (2, true), (4, true)] {
        let trans = if transposed { ".trans" } else { "" };
        let list: Vec<String> = (0..count).map(|number| format!("%r{number}")).collect();
        let mut body = format!(
            "{FILL}
            ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{}}}, [%r6];
            mad.wide.u32 %d0, %t, 16, %a;\n",
            list.join(", ")
        );
        for number in 0..count {
            body += &format!("st.global.u32 [%d0+{}], %r{number};\n", 4 * number);
        }
        let found = left_by(32, ROWS, &body, 128);
        for lane in 0..32 {
            for matrix in 0..count {
                let half = |part: usize| {
                    let (row, column) = (lane / 4, 2 * (lane % 4) + part);
                    let (row, column) = if transposed { (column, row) } else { (row, column) };
                    (8 * (8 * matrix + row) + column) as u32
                };
                let expected = half(1) << 16 | half(0);
                assert_eq!(found[4 * lane + matrix], expected, "x{count}{trans} {lane} {matrix}");
            }
        }
    }
}

#[test]
fn copies_to_shared_memory_are_there_when_they_are_waited_for() {
    let items = ".shared .align 16 .b8 place[512]; .global .align 16 .b32 from[4] = {1, 2, 3, 4};";
    let body = "mov.u64 %d0, from; mov.u64 %d1, place;
        mul.wide.u32 %d2, %t, 16; add.u64 %d1, %d1, %d2;
        cvt.u32.u64 %r8, %d1;
        cp.async.cg.shared.global.L2::128B [%r8], [%d0], 16, %t;
        cp.async.ca.shared.global [%r8], [%d0+8], 4;
        cp.async.commit_group;
        cp.async.wait_group 0;
        ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r8];
        add.u64 %d3, %d2, %a;
        st.global.v4.u32 [%d3], {%r0, %r1, %r2, %r3};";
    let found = left_by(20, items, body, 80);
    for (lane, words) in found.chunks_exact(4).enumerate() {
        let bytes: Vec<u8> = [1_u32, 2, 3, 4].iter().flat_map(|word| word.to_le_bytes()).collect();
        let kept = |at: usize| if at < lane { bytes[at] } else { 0 };
        let word =
            |number: usize| u32::from_le_bytes(std::array::from_fn(|byte| kept(4 * number + byte)));
        assert_eq!(words, [3, word(1), word(2), word(3)], "lane {lane}");
    }
}

#[test]
fn shapes_that_are_not_there_are_refused() {
    for body in [
        "mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0}, {%r0, %r1, %r2, %r3};",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0}, {%r0, %r1, %r2, %r3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0, %r1, %r2}, {%r0, %r1}, {%r0}, {%r0, %r1, %r2, %r3};",
        "mma.sync.aligned.m16n8k8.row.col.s32.f16.f16.s32 {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0}, {%r0, %r1, %r2, %r3};",
        "wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r0, %r1}, [%d0];",
        "cp.async.ca.shared.global [%r0], [%d0], 3;",
        "cp.async.bulk.commit_group;",
    ] {
        let Err(error) = blockyard_ptx::load("test.ptx", &kernel("", body)) else {
            panic!("{body}");
        };
        let opcode = body.split('.').next().unwrap();
        assert!(error.to_string().contains("kernel `k`") , "{opcode}: {error}");
    }
}
