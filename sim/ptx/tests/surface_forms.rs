//! Every form of `suld.b` and `sust.b` that is accepted, held against a second opinion from the wording
//! of the PTX manual (9.7.11). Arrays, coordinates and modes are drawn.

#[path = "support/arrays.rs"]
mod arrays;
mod support;

use proptest::prelude::*;

use arrays::{
    bind, coordinates, drawn, extents, index, lanes, machine, texture, vector, words, Geometry,
    FLAT, LANES,
};
use blockyard_ptx::Texture;

/// Where an access of so many bytes to a surface is, or `None` where it is outside of it.
fn place(texture: &Texture, at: [i64; 3], bytes: i64, clamps: bool) -> Option<usize> {
    let row = i64::from(texture.width * texture.channels) * 4;
    let most = [row - bytes, i64::from(texture.height) - 1, i64::from(texture.depth) - 1];
    let mut at = at;
    for (at, most) in at.iter_mut().zip(most) {
        // ".clamp: at the nearest surface location (sized appropriately)"
        if clamps {
            *at = (*at).clamp(0, most);
        }
        if !(0..=most).contains(at) {
            return None;
        }
    }
    let [x, y, z] = at;
    Some(4 * index(texture, [0, y, z]) + x as usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn surfaces_of_every_geometry_vector_and_type((drawn, channels, _, at) in drawn()) {
        for geometry in FLAT {
            let (name, dimensions, layered) = geometry;
            let mut own = extents(geometry, drawn);
            // A row has room for the largest vector.
            own[0] = own[0].max(8);
            let texture = texture(own, channels);
            let content: Vec<u32> =
                (1..=words(&texture) as u32).map(|number| number.wrapping_mul(0x9e37_79b9)).collect();
            for (ty, bytes) in [("b8", 1_i64), ("b16", 2), ("b32", 4), ("b64", 8)] {
                for (dot, count) in [("", 1_i64), (".v2", 2), (".v4", 4)] {
                    let all = bytes * count;
                    let row = i64::from(own[0] * channels * 4) / all;
                    let coordinate = |lane: &[i32; 4], axis: usize| match axis {
                        0 => (i64::from(lane[0]).rem_euclid(row + 2) - 1) * all,
                        axis => i64::from(lane[axis].rem_euclid(own[axis] as i32 + 2) - 1),
                    };
                    let layer = |lane: &[i32; 4]| lane[3].unsigned_abs() % own[2];
                    let given: Vec<[u32; 4]> = at
                        .iter()
                        .map(|lane| coordinates(geometry, layer(lane), |axis| coordinate(lane, axis) as u32))
                        .collect();
                    let place = |texture: &Texture, lane: &[i32; 4], clamps: bool| {
                        let mut at = [0, 0, if layered { i64::from(layer(lane)) } else { 0 }];
                        (0..dimensions).for_each(|axis| at[axis] = coordinate(lane, axis));
                        place(texture, at, all, clamps)
                    };
                    let registers = |first: usize| {
                        let letter = ["%h", "%h", "%r", "%l"][bytes.ilog2() as usize];
                        let list: Vec<_> =
                            (0..count as usize).map(|part| format!("{letter}{}", first + part)).collect();
                        format!("{{{}}}", list.join(", "))
                    };
                    // What parts have of their own goes through words: the sum of what is loaded,
                    // by place.
                    let widen = ["cvt.u64.u16 %d0, %h", "cvt.u64.u16 %d0, %h", "cvt.u64.u32 %d0, %r", "mov.u64 %d0, %l"]
                        [bytes.ilog2() as usize];
                    let sum: String = (0..count)
                        .map(|part| format!("{widen}{part}; mad.lo.u64 %d1, %d1, 1000003, %d0;\n"))
                        .collect();
                    let mask = u64::MAX >> (64 - 8 * bytes);
                    let hash = |value: &[u8]| {
                        value.chunks_exact(bytes as usize).fold(0_u64, |sum, part| {
                            let mut word = [0; 8];
                            word[..part.len()].copy_from_slice(part);
                            sum.wrapping_mul(1_000_003).wrapping_add(u64::from_le_bytes(word) & mask)
                        })
                    };
                    for clamps in [true, false] {
                        let mode = if clamps { "clamp" } else { "zero" };
                        let body = format!(
                            "mov.u64 %d1, 0;
                            suld.b.{name}{dot}.{ty}.{mode} {}, [surf, {}];
                            {sum}
                            mov.b64 {{%q4, %q5}}, %d1;",
                            registers(0), vector(geometry)
                        );
                        let machine = machine(&body);
                        let (bound, handle) = bind(&machine, texture, &content);
                        let before: Vec<u8> = content.iter().flat_map(|word| word.to_le_bytes()).collect();
                        for (lane, found) in at.iter().zip(lanes(&machine, handle, &given)) {
                            // ".zero: loads zero for out-of-bounds addresses"
                            let expected = place(&bound, lane, clamps)
                                .map_or(0, |from| hash(&before[from..from + all as usize]));
                            let found = u64::from(found[1]) << 32 | u64::from(found[0]);
                            prop_assert_eq!(found, expected, "{} {:?} {:?}", body, bound, lane);
                        }
                        store(geometry, (dot, ty, mode), &content, texture, &given, &registers(0), |bound, lane| {
                            place(bound, &at[lane], clamps)
                        });
                    }
                }
            }
        }
    }
}

/// Each lane stores parts that are its number and the part's; the last lane to come to a place
/// leaves them.
fn store(
    geometry: Geometry,
    (dot, ty, mode): (&str, &str, &str),
    content: &[u32],
    texture: Texture,
    given: &[[u32; 4]],
    registers: &str,
    place: impl Fn(&Texture, usize) -> Option<usize>,
) {
    let bytes = ty[1..].parse::<usize>().unwrap() / 8;
    let count = registers.split(',').count();
    let convert = match bytes {
        1 | 2 => "cvt.u16.u64 %h",
        4 => "cvt.u32.u64 %r",
        _ => "mov.u64 %l",
    };
    let parts: String = (0..count)
        .map(|part| {
            format!("mad.lo.u64 %d1, %d0, 0x0101010101010101, {part}; {convert}{part}, %d1;\n")
        })
        .collect();
    let body = format!(
        "cvt.u64.u32 %d0, %t; {parts} mov.b64 {{%q4, %q5}}, %d0;
        sust.b.{}{dot}.{ty}.{mode} [%b, {}], {registers};",
        geometry.0,
        vector(geometry)
    );
    let machine = machine(&body);
    let (bound, handle) = bind(&machine, texture, content);
    lanes(&machine, handle, given);
    let mut expected: Vec<u8> = content.iter().flat_map(|word| word.to_le_bytes()).collect();
    for lane in 0..LANES {
        let Some(at) = place(&bound, lane) else { continue };
        for part in 0..count {
            let value = (lane as u64 * 0x0101_0101_0101_0101 + part as u64).to_le_bytes();
            let at = at + part * bytes;
            expected[at..at + bytes].copy_from_slice(&value[..bytes]);
        }
    }
    let left = machine.read(bound.address, expected.len() as u64).unwrap();
    assert!(left == expected, "{body} {bound:?}");
}
