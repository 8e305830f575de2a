//! Textures and surfaces: shapes, and what happens between elements and outside. Examples worked by
//! hand; the second opinions are in `texture_forms.rs` and `surface_forms.rs`.

mod support;

use std::rc::Rc;

use blockyard_ptx::{Arguments, Machine, Texture};
use support::{kernel, run};

const EXTENTS: [u32; 3] = [4, 3, 12];

/// An array whose elements are their number, with a texture of it; the machine's kernel is of
/// `body`.
fn machine(body: &str, change: impl Fn(Texture) -> Texture) -> (Rc<Machine>, Texture) {
    let items = ".global .texref tex;\n.global .surfref surf;\n.global .samplerref sampler;";
    let body = format!(".reg .f32 %f<9>;\ncvt.rn.f32.u32 %f8, %t;\n{body}");
    let machine = support::machine(&kernel(items, &body));
    let [width, height, depth] = EXTENTS;
    let elements: Vec<u32> = (0..width * height * depth).map(|n| (n as f32).to_bits()).collect();
    let address = machine.array(&elements).unwrap();
    let (pitch, channels) = (u64::from(4 * width), 1);
    let (normalized, linear, wraps) = (false, false, false);
    let texture =
        Texture { address, width, height, depth, pitch, channels, normalized, linear, wraps };
    let texture = change(texture);
    assert!(machine.bind("tex", texture) && machine.bind("surf", texture));
    (machine, texture)
}

/// What each of 32 threads reads: `body` leaves it in `%f0`.
fn read(body: &str, change: impl Fn(Texture) -> Texture) -> Vec<f32> {
    let body = format!("{body}\nmad.wide.u32 %d8, %t, 4, %a;\nst.global.f32 [%d8], %f0;");
    let (machine, texture) = machine(&body, change);
    let to = machine.array(&[0; 32]).unwrap();
    let handle = machine.texture_object(texture);
    run(&machine, "k", (1, 32), Arguments::new().long(to).long(handle)).unwrap();
    machine.words(to, 32).unwrap().into_iter().map(f32::from_bits).collect()
}

fn same(texture: Texture) -> Texture {
    texture
}

/// The number of an element.
fn number(x: u32, y: u32, z: u32) -> f32 {
    (x + EXTENTS[0] * (y + EXTENTS[1] * z)) as f32
}

fn expected(of: impl Fn(u32) -> f32) -> Vec<f32> {
    (0..32).map(of).collect()
}

#[test]
fn whole_coordinates_are_elements_and_zero_outside() {
    let inside = |t: u32, extent: u32, value: f32| if t < extent { value } else { 0.0 };
    let line = read("tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, {%t}];", same);
    assert_eq!(line, expected(|t| inside(t, 4, number(t, 0, 0))));
    let plane = read("tex.2d.v4.f32.s32 {%f0, _, _, _}, [tex, {2, %t}];", same);
    assert_eq!(plane, expected(|t| inside(t, 3, number(2, t, 0))));
    let cube = read("tex.3d.v4.f32.s32 {%f0, _, _, _}, [tex, {2, 1, %t, %t}];", same);
    assert_eq!(cube, expected(|t| inside(t, 12, number(2, 1, t))));
}

#[test]
fn a_vector_may_be_a_name_and_a_texture_a_handle() {
    let body = ".reg .v4 .f32 v, c;
        .reg .v4 .u32 at;
        mov.u32 at.x, 1; mov.u32 at.y, 2; mov.u32 at.z, %t;
        tex.3d.v4.f32.s32 v, [%b, at];
        mov.f32 %f0, v.x;";
    let found = read(body, same);
    assert_eq!(found, expected(|t| if t < 12 { number(1, 2, t) } else { 0.0 }));
}

#[test]
fn points_are_of_the_element_in_which_they_lie_and_edges_go_on() {
    let body = "mul.f32 %f8, %f8, 0f3F000000;
        tex.3d.v4.f32.f32 {%f0, _, _, _}, [tex, sampler, {0f3FC00000, %f8, %f8, %f8}];";
    assert_eq!(read(body, same), expected(|t| number(1, (t / 2).min(2), (t / 2).min(11))));
}

#[test]
fn between_the_middles_of_eight_elements_lies_their_mean() {
    let body = "tex.3d.v4.f32.f32 {%f0, _, _, _}, [tex, {0f40000000, 0f3F800000, %f8, %f8}];";
    let found = read(body, |texture| Texture { linear: true, ..texture });
    let mean = |t: u32| {
        let z = |z: i64| z.clamp(0, 11) as u32;
        let corners = [1, 2]
            .map(|x| [0, 1].map(|y| number(x, y, z(i64::from(t) - 1)) + number(x, y, z(t.into()))));
        corners.concat().iter().sum::<f32>() / 8.0
    };
    assert_eq!(found, expected(mean));
}

#[test]
fn layers_are_whole_numbers_and_not_interpolated() {
    let linear = |texture| Texture { linear: true, ..texture };
    let line = "tex.a1d.v4.f32.f32 {%f0, _, _, _}, [tex, {%t, 0f40000000}];";
    let flat = |texture| Texture { height: 1, depth: 36, pitch: 16, ..linear(texture) };
    assert_eq!(read(line, flat), expected(|t| 4.0 * t as f32 + 1.5));
    let plane = "tex.a2d.v4.f32.f32 {%f0, _, _, _}, [tex, {%t, 0f40000000, 0f3F800000, %f8}];";
    let layer = |t: u32| number(0, 0, t.min(11)) + 3.5;
    assert_eq!(read(plane, linear), expected(layer));
    let whole = "tex.a2d.v4.f32.s32 {%f0, _, _, _}, [tex, {%t, 3, 2, 0}];";
    assert_eq!(read(whole, same), expected(|t| number(3, 2, t.min(11))));
}

#[test]
fn a_direction_points_to_a_face_of_a_cube() {
    // Lane after lane +x, -x, +y, -y, +z, -z, a little off the middle of the face.
    let body = "rem.u32 %r0, %t, 6;
        shr.u32 %r1, %r0, 1;
        and.b32 %r2, %r0, 1;
        setp.eq.u32 %p0, %r2, 0;
        selp.f32 %f4, 0f41200000, 0fC1200000, %p0;
        setp.eq.u32 %p1, %r1, 0;
        selp.f32 %f1, %f4, 0f3F800000, %p1;
        setp.eq.u32 %p1, %r1, 1;
        selp.f32 %f2, %f4, 0f3F800000, %p1;
        setp.eq.u32 %p1, %r1, 2;
        selp.f32 %f3, %f4, 0f3F800000, %p1;
        tex.cube.v4.f32.f32 {%f0, _, _, _}, [tex, {%f1, %f2, %f3, %f3}];";
    let square = |texture| Texture { width: 2, height: 2, depth: 6, pitch: 8, ..texture };
    // s and t are right of (below) the middle where their sign is positive: the table of the faces
    // (PTX takes it from OpenGL) has (-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y).
    let corner = [(0, 0), (1, 0), (1, 1), (1, 0), (1, 0), (0, 0)];
    let of = |t: u32| {
        let face = t % 6;
        let (s, t) = corner[face as usize];
        (4 * face + 2 * t + s) as f32
    };
    assert_eq!(read(body, square), expected(of));
}

#[test]
fn levels_and_slopes_change_nothing_where_there_is_one_level() {
    let at = "[tex, {%f8, 0f3F800000}]";
    let plain = read(&format!("tex.2d.v4.f32.f32 {{%f0, _, _, _}}, {at};"), same);
    assert_eq!(plain, expected(|t| number(t.min(3), 1, 0)));
    for body in [
        format!("tex.level.2d.v4.f32.f32 {{%f0, _, _, _}}, {at}, 0f40000000;"),
        format!("tex.grad.2d.v4.f32.f32 {{%f0, _, _, _}}, {at}, {{%f8, %f8}}, {{%f8, %f8}};"),
        format!("tex.base.2d.v4.f32.f32 {{%f0, _, _, _}}, {at};"),
    ] {
        assert_eq!(read(&body, same), plain, "{body}");
    }
}

#[test]
fn four_elements_around_a_point_are_gathered_against_the_clock() {
    let body = |number: usize| {
        let mut to = ["_"; 4];
        to[number] = "%f0";
        format!("tld4.r.2d.v4.f32.f32 {{{}}}, [tex, {{0f40000000, 0f3F800000}}];", to.join(", "))
    };
    for (place, (x, y)) in [(1, 1), (2, 1), (2, 0), (1, 0)].into_iter().enumerate() {
        assert_eq!(read(&body(place), same), expected(|_| number(x, y, 0)), "{place}");
    }
}

#[test]
fn extents_can_be_asked_for() {
    for (asked, value) in [
        ("txq.width", 4),
        ("txq.height", 3),
        ("txq.depth", 12),
        ("txq.array_size", 12),
        ("txq.normalized_coords", 1),
        ("txq.num_mipmap_levels", 0),
        ("txq.num_samples", 0),
        ("txq.filter_mode", 0),
        ("txq.addr_mode_0", 3),
    ] {
        let body = format!("{asked}.b32 %r0, [tex];\ncvt.rn.f32.u32 %f0, %r0;");
        let found = read(&body, |texture| Texture { normalized: true, ..texture });
        assert_eq!(found, expected(|_| value as f32), "{asked}");
    }
    let modes = "txq.filter_mode.b32 %r0, [tex]; txq.addr_mode_2.b32 %r1, [tex];
        sub.u32 %r0, %r0, %r1; cvt.rn.f32.s32 %f0, %r0;";
    for (linear, wraps, value) in [(true, true, 1.0), (true, false, -2.0), (false, false, -3.0)] {
        let found = read(modes, |texture| Texture { linear, wraps, ..texture });
        assert_eq!(found, expected(|_| value), "{linear} {wraps}");
    }
    let found = read("suq.height.b32 %r0, [surf];\ncvt.rn.f32.u32 %f0, %r0;", same);
    assert_eq!(found, expected(|_| 3.0));
}

#[test]
fn surfaces_are_read_by_byte_and_row() {
    let line = "rem.u32 %r0, %t, 4; shl.b32 %r0, %r0, 2;
        suld.b.1d.b32.trap {%f0}, [surf, {%r0}];";
    assert_eq!(read(line, same), expected(|t| number(t % 4, 0, 0)));
    let pair = "rem.u32 %r0, %t, 3;
        suld.b.2d.v2.b32.trap {%f1, %f0}, [surf, {8, %r0}];";
    assert_eq!(read(pair, same), expected(|t| number(3, t % 3, 0)));
    let clamped = "shl.b32 %r0, %t, 2; suld.b.3d.b32.clamp %f0, [%b, {%r0, 1, %t, 0}];";
    assert_eq!(read(clamped, same), expected(|t| number(t.min(3), 1, t.min(11))));
    let zero = "suld.b.2d.b32.zero %f0, [surf, {4, %t}];";
    assert_eq!(read(zero, same), expected(|t| if t < 3 { number(1, t, 0) } else { 0.0 }));
}

#[test]
fn what_is_stored_in_a_surface_is_read_again() {
    for (ty, register, convert) in [
        ("b8", "%h0", "cvt.u16.u32 %h0, %r1;"),
        ("b16", "%h0", "cvt.u16.u32 %h0, %r1;"),
        ("b32", "%r2", "mov.u32 %r2, %r1;"),
        ("b64", "%d0", "cvt.u64.u32 %d0, %r1;"),
    ] {
        let bytes = ty[1..].parse::<u32>().unwrap() / 8;
        let count = 16 / bytes;
        let widen = match bytes {
            1 | 2 => "cvt.rn.f32.u16 %f0, %h0;",
            4 => "cvt.rn.f32.u32 %f0, %r2;",
            _ => "cvt.rn.f32.u64 %f0, %d0;",
        };
        // Each of the first lanes writes its own place in a row and reads its neighbour's.
        let body = format!(
            "rem.u32 %r3, %t, {count};
            add.u32 %r1, %r3, 100;
            {convert}
            mul.lo.u32 %r4, %r3, {bytes};
            sust.b.2d.{ty}.trap [surf, {{%r4, 1}}], {{{register}}};
            add.u32 %r4, %r4, {bytes};
            and.b32 %r4, %r4, 15;
            suld.b.2d.{ty}.zero {register}, [surf, {{%r4, 1}}];
            {widen}"
        );
        let found = read(&body, same);
        assert_eq!(found, expected(|t| (100 + (t + 1) % count) as f32), "{ty}");
    }
}

#[test]
fn a_surface_that_traps_ends_the_run_outside_of_it() {
    for (body, message) in [
        ("suld.b.2d.b32.trap %f0, [surf, {0, %t}];", "coordinates [0, 3, 0] are outside"),
        ("suld.b.1d.b32.trap %f0, [surf, {%t}];", "byte 1 of a surface's row is misaligned"),
        ("suld.b.1d.b32.trap %f0, [%a, {%t}];", "no array is bound to the texture at"),
    ] {
        let (machine, _) = machine(body, same);
        let arguments = Arguments::new().long(0).long(0);
        let error = run(&machine, "k", (1, 32), arguments).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn the_nearest_place_of_a_surface_is_a_multiple_of_its_size() {
    // Rows of three words: beyond them the first two are the nearest pair.
    let narrow = |texture| Texture { width: 3, ..texture };
    let body = "shl.b32 %r0, %t, 3; suld.b.1d.v2.b32.clamp {%f1, %f0}, [surf, {%r0}];";
    assert_eq!(read(body, narrow), expected(|_| number(1, 0, 0)));
}

#[test]
fn a_cube_beyond_the_last_one_is_the_last_one() {
    // Two cubes: -x is face 1, which is layer 7 of the second one.
    let square = |texture| Texture { width: 1, height: 1, depth: 12, pitch: 4, ..texture };
    for cube in ["1", "2", "0x2aaaaaab", "-1"] {
        let body = format!(
            "tex.acube.v4.f32.f32 {{%f0, _, _, _}}, [tex, {{{cube}, 0fC0000000, 0f00000000, 0f00000000}}];"
        );
        assert_eq!(read(&body, square), expected(|_| 7.0), "{cube}");
    }
}

#[test]
fn coordinates_come_into_range_before_anything_else() {
    let wraps = |texture| Texture { width: 3, normalized: true, wraps: true, ..texture };
    let clamps = |texture| Texture { linear: true, ..texture };
    let fetch =
        |at: f32| format!("tex.1d.v4.f32.f32 {{%f0, _, _, _}}, [tex, {{0f{:08X}}}];", at.to_bits());
    // Whole numbers have no fraction, however large they are; next to nothing below is the last
    // element.
    for (at, element) in [(16_777_215.0, 0.0), (1e30, 0.0), (-1e30, 0.0), (-1e-30, 2.0)] {
        assert_eq!(read(&fetch(at), wraps), expected(|_| element), "{at}");
    }
    for (at, element) in [(f32::INFINITY, 3.0), (f32::NEG_INFINITY, 0.0), (1e38, 3.0)] {
        assert_eq!(read(&fetch(at), clamps), expected(|_| element), "{at}");
        assert_eq!(read(&fetch(at), same), expected(|_| element), "{at}");
    }
    assert_eq!(read(&fetch(f32::NAN), clamps), expected(|_| 0.0));
}

#[test]
fn textures_of_old_files_are_variables_of_their_own_space() {
    // As nvcc wrote `texture<float, 2> old;` for PTX 1: extra coordinates, with and without
    // brackets.
    for declared in [".tex .u32 old;", ".tex .u64 old;", ".global .texref old;"] {
        for operands in
            ["[old, {%f4, %f5, %f6, %f7}]", "old, {%f4, %f5, %f6, %f7}", "[old, {%f4, %f5}]"]
        {
            let body = format!(
                ".reg .f32 %f<8>; mov.f32 %f4, 0f40000000; mov.f32 %f5, 0f3F800000;
                tex.2d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, {operands}; st.global.f32 [%a], %f0;"
            );
            let machine = support::machine(&kernel(declared, &body));
            let elements: Vec<u32> = (0..12).map(|n| (n as f32).to_bits()).collect();
            let (_, texture) = self::machine("", same);
            let address = machine.array(&elements).unwrap();
            assert!(machine.bind("old", Texture { address, depth: 1, ..texture }));
            let to = machine.array(&[0]).unwrap();
            run(&machine, "k", (1, 1), Arguments::new().long(to).long(0)).unwrap();
            let found = machine.words(to, 1).unwrap()[0];
            assert_eq!(f32::from_bits(found), number(2, 1, 0), "{declared} {operands}");
        }
    }
}

#[test]
fn forms_that_are_not_there_are_refused() {
    for body in [
        "tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, {1, 2, 3, 4}];",
        "tex.2d.v4.f32.f32 {%f0, %f1, %f2}, [tex, {%f0, %f0}];",
        "tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [tex, {%f0, %f0}];",
        "tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, tex;",
        "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, tex, {%f0, %f0};",
        "sust.b.1d.b32.trap surf, {%f0};",
        "tex.cube.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, {1, 2, 3, 4}];",
        "suld.p.1d.v4.f32.trap {%f0, %f1, %f2, %f3}, [surf, {0}];",
        "sust.b.2d.v2.b32.trap [surf, {0, 0}], {%f0};",
        "suld.b.1d.wb.b32.trap %f0, [surf, {0}];",
        "sust.b.1d.ca.b32.trap [surf, {0}], %f0;",
        "txq.channel_order.b32 %r0, [tex];",
        "suq.normalized_coords.b32 %r0, [surf];",
        "suq.filter_mode.b32 %r0, [surf];",
        "suq.addr_mode_0.b32 %r0, [surf];",
        "suq.num_samples.b32 %r0, [surf];",
    ] {
        let text = kernel(
            ".global .texref tex;\n.global .surfref surf;",
            &format!(".reg .f32 %f<4>;{body}"),
        );
        assert!(blockyard_ptx::load("test.ptx", &text).is_err(), "{body}");
    }
}
