//! What lanes do together, against the same lane by lane: votes, shuffles, matches, reductions;
//! also where only some lanes take part.

mod support;

use proptest::prelude::*;
use support::{kernel, left_by};

/// A value for each lane, of few different ones where `few`.
fn value(lane: u32, few: bool) -> u32 {
    let drawn = (lane + 1).wrapping_mul(0x9e37_79b9);
    if few {
        drawn >> 30
    } else {
        drawn
    }
}

/// Computes [`value`] into `%r1` and `%r2`.
const VALUES: &str = "add.u32 %r1, %t, 1;
    mul.lo.u32 %r1, %r1, 0x9e3779b9;
    shr.u32 %r2, %r1, 30;
    mov.u32 %r0, 0xdead;
    mad.wide.u32 %d8, %t, 4, %a;\n";

/// Sets of lanes: all, and those that a condition parts.
const SETS: &[u32] = &[u32::MAX, 0x0000_ffff, 0xaaaa_aaaa, 0x8000_0001, 0x0ff0_3c00, 1 << 17];

/// What `body` leaves in `%r0` of each lane when only the lanes of `set` execute it, by guards or
/// in the arm of a branch; the others keep 0xdead.
fn among(set: u32, body: &str) -> Vec<u32> {
    let part =
        format!("shr.u32 %r8, {set:#x}, %t;\nand.b32 %r8, %r8, 1;\nsetp.eq.u32 %p8, %r8, 0;\n");
    let all = format!("{VALUES}{part}@%p8 bra OUT;\n{body}\nOUT:\nst.global.u32 [%d8], %r0;\n");
    left_by(32, "", &all, 32)
}

/// The same, lane by lane: `of` is told the lane.
fn expected(set: u32, of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(|lane| if set >> lane & 1 == 1 { of(lane) } else { 0xdead }).collect()
}

fn lanes(set: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |lane| set >> lane & 1 == 1)
}

#[test]
fn votes_are_of_the_lanes_that_take_part() {
    for &set in SETS {
        for limit in [0, 3, 16, 20, 32] {
            let holds = |lane: u32| lane < limit;
            let ballot =
                lanes(set).filter(|lane| holds(*lane)).fold(0, |all, lane| all | 1 << lane);
            let modes: [(&str, u32); 3] = [
                ("all", u32::from(lanes(set).all(holds))),
                ("any", u32::from(lanes(set).any(holds))),
                ("uni", u32::from(ballot == 0 || ballot == set)),
            ];
            for sync in [true, false] {
                let (dot, members) =
                    if sync { (".sync", format!(", {set}")) } else { ("", String::new()) };
                let test = format!("setp.lt.u32 %p0, %t, {limit};\n");
                for (mode, result) in modes {
                    let body = format!(
                        "{test}vote{dot}.{mode}.pred %p1, %p0{members};\nselp.u32 %r0, 1, 0, %p1;"
                    );
                    assert_eq!(among(set, &body), expected(set, |_| result), "{set:#x} {body}");
                    let not = format!(
                        "{test}vote{dot}.{mode}.pred %p1, !%p0{members};\nselp.u32 %r0, 1, 0, %p1;"
                    );
                    let opposite = match mode {
                        "all" => u32::from(ballot == 0),
                        "any" => u32::from(ballot != set),
                        _ => result,
                    };
                    assert_eq!(among(set, &not), expected(set, |_| opposite), "{set:#x} {not}");
                }
                let body = format!("{test}vote{dot}.ballot.b32 %r0, %p0{members};");
                assert_eq!(among(set, &body), expected(set, |_| ballot), "{set:#x} {body}");
            }
        }
        assert_eq!(among(set, "activemask.b32 %r0;"), expected(set, |_| set));
    }
}

/// PTX ISA, `shfl`: from which lane, and whether it is inside the bounds.
fn source(mode: &str, lane: u32, by: u32, bounds: u32) -> (u32, bool) {
    let (lane, by) = (lane as i32, (by & 31) as i32);
    let (clamp, segment) = ((bounds & 31) as i32, (bounds >> 8 & 31) as i32);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, inside) = match mode {
        "up" => (lane - by, lane - by >= most),
        "down" => (lane + by, lane + by <= most),
        "bfly" => (lane ^ by, (lane ^ by) <= most),
        _ => (least | by & !segment, (least | by & !segment) <= most),
    };
    (if inside { from as u32 } else { lane as u32 }, inside)
}

#[test]
fn shuffles_read_the_lane_that_mode_distance_and_bounds_say() {
    for mode in ["up", "down", "bfly", "idx"] {
        for width in [32, 16, 8, 4, 2] {
            let clamp = if mode == "up" { 0 } else { 31 };
            let bounds = (32 - width) << 8 | clamp;
            for by in [0, 1, 2, 5, 15, 16, 31, 33] {
                for (dot, members) in [("", ""), (".sync", ", 0xffffffff")] {
                    let body = format!(
                        "shfl{dot}.{mode}.b32 %r0|%p0, %r1, {by}, {bounds}{members};
                        @!%p0 xor.b32 %r0, %r0, 1;"
                    );
                    let of = |lane: u32| {
                        let (from, inside) = source(mode, lane, by, bounds);
                        value(from, false) ^ u32::from(!inside)
                    };
                    let what = format!("{mode} {width} {by} {dot}");
                    assert_eq!(among(u32::MAX, &body), expected(u32::MAX, of), "{what}");
                }
            }
        }
    }
}

#[test]
fn lanes_shuffle_by_distances_of_their_own() {
    let body = "and.b32 %r3, %r1, 31;\nshfl.sync.idx.b32 %r0, %r1, %r3, 31, -1;";
    let of = |lane| value(value(lane, false) & 31, false);
    assert_eq!(among(u32::MAX, body), expected(u32::MAX, of));
}

#[test]
fn shuffles_are_among_the_lanes_of_one_arm() {
    let set = 0x0000_ffff;
    let body = format!("shfl.sync.bfly.b32 %r0, %r1, 3, 31, {set};");
    assert_eq!(among(set, &body), expected(set, |lane| value(lane ^ 3, false)));
}

#[test]
fn matches_are_the_lanes_with_the_same_value() {
    for &set in SETS {
        for few in [true, false] {
            let register = if few { "%r2" } else { "%r1" };
            let same = |lane: u32| {
                let equal = lanes(set).filter(move |other| value(*other, few) == value(lane, few));
                equal.fold(0, |all, lane| all | 1 << lane)
            };
            let body = format!("match.any.sync.b32 %r0, {register}, {set};");
            assert_eq!(among(set, &body), expected(set, same), "{set:#x}");
            let wide = format!(
                "cvt.u64.u32 %d0, {register};\nmul.lo.u64 %d0, %d0, 0x100000001;
                match.any.sync.b64 %r0, %d0, {set};"
            );
            assert_eq!(among(set, &wide), expected(set, same), "{set:#x}");
            let all = format!(
                "match.all.sync.b32 %r0|%p0, {register}, {set};\n@%p0 add.u32 %r0, %r0, 1;"
            );
            let first = lanes(set).next().unwrap();
            let whole = if same(first) == set { set.wrapping_add(1) } else { 0 };
            assert_eq!(among(set, &all), expected(set, |_| whole), "{set:#x}");
        }
    }
}

type Both = fn(u32, u32) -> u32;
/// Of two lanes' words, by the name of `redux`.
const REDUCTIONS: [(&str, Both); 9] = [
    ("add.u32", u32::wrapping_add),
    ("add.s32", u32::wrapping_add),
    ("min.u32", u32::min),
    ("max.u32", u32::max),
    ("min.s32", |a, b| (a as i32).min(b as i32) as u32),
    ("max.s32", |a, b| (a as i32).max(b as i32) as u32),
    ("and.b32", |a, b| a & b),
    ("or.b32", |a, b| a | b),
    ("xor.b32", |a, b| a ^ b),
];

#[test]
fn reductions_are_over_the_lanes_that_take_part() {
    for &set in SETS {
        for (name, both) in REDUCTIONS {
            let body = format!("redux.sync.{name} %r0, %r1, {set};");
            let all = lanes(set).map(|lane| value(lane, false)).reduce(both).unwrap();
            assert_eq!(among(set, &body), expected(set, |_| all), "{set:#x} {name}");
        }
    }
}

/// As [`among`], with a value of its own in `%r1` and `%d0` of each lane.
fn among_given(set: u32, given: &[u64], body: &str) -> Vec<u32> {
    let list = given.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let items = format!(".global .u64 given[32] = {{{list}}};");
    let body = format!(
        "mov.u32 %r0, 0xdead; mad.wide.u32 %d8, %t, 4, %a;
        mov.u64 %d0, given; mad.wide.u32 %d0, %t, 8, %d0; ld.global.u64 %d0, [%d0]; cvt.u32.u64 %r1, %d0;
        shr.u32 %r8, {set:#x}, %t; and.b32 %r8, %r8, 1; setp.eq.u32 %p8, %r8, 0;
        @%p8 bra OUT;
        {body}
        OUT: st.global.u32 [%d8], %r0;"
    );
    left_by(32, &items, &body, 32)
}

/// Values at edges, of which many are the same, and words.
fn given() -> impl Strategy<Value = Vec<u64>> {
    const EDGES: [u64; 8] =
        [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 32, 1 << 63, u64::MAX];
    let one = prop_oneof![3 => prop::sample::select(EDGES.to_vec()), 1 => any::<u64>()];
    prop::collection::vec(one, 32)
}

/// Lanes: one at least.
fn set() -> impl Strategy<Value = u32> {
    prop_oneof![Just(u32::MAX), 1..=u32::MAX, (0_u32..32).prop_map(|lane| 1 << lane)]
}

proptest! {
    #[test]
    fn shuffles_have_any_distance_segment_and_bound(
        mode in prop::sample::select(vec!["up", "down", "bfly", "idx"]),
        by in prop_oneof![0_u32..64, any::<u32>()],
        (clamp, segment) in (0_u32..32, 0_u32..32),
        set in set(),
    ) {
        let bounds = segment << 8 | clamp;
        let body = format!(
            "shfl.sync.{mode}.b32 %r0|%p0, %r1, {by}, {bounds}, {set};
            @!%p0 xor.b32 %r0, %r0, 1;"
        );
        let found = among(set, &body);
        for lane in 0..32 {
            let (from, inside) = source(mode, lane, by, bounds);
            let expected = if set >> lane & 1 == 0 {
                0xdead
            } else if set >> from & 1 == 0 {
                // What a lane holds that takes no part is not said.
                continue;
            } else {
                value(from, false) ^ u32::from(!inside)
            };
            prop_assert_eq!(found[lane as usize], expected, "{} lane {}", body, lane);
        }
    }

    #[test]
    fn votes_and_matches_of_any_values(set in set(), given in given(), limit in any::<u32>()) {
        let word = |lane: u32| given[lane as usize] as u32;
        let holds = |lane: &u32| word(*lane) >= limit;
        let ballot = lanes(set).filter(holds).fold(0, |all, lane| all | 1 << lane);
        for (form, to, result) in [
            ("all.pred", "%p1", u32::from(ballot == set)),
            ("any.pred", "%p1", u32::from(ballot != 0)),
            ("uni.pred", "%p1", u32::from(ballot == 0 || ballot == set)),
            ("ballot.b32", "%r0", ballot),
        ] {
            let widen = if to == "%p1" { "selp.u32 %r0, 1, 0, %p1;" } else { "" };
            for (dot, members) in [("", String::new()), (".sync", format!(", {set}"))] {
                let body = format!(
                    "setp.ge.u32 %p0, %r1, {limit}; vote{dot}.{form} {to}, %p0{members}; {widen}"
                );
                let found = among_given(set, &given, &body);
                prop_assert_eq!(found, expected(set, |_| result), "{}", body);
            }
        }
        for (ty, register, mask) in [("b32", "%r1", u64::from(u32::MAX)), ("b64", "%d0", u64::MAX)] {
            let same = |lane: u32| {
                let own = given[lane as usize] & mask;
                lanes(set)
                    .filter(|other| given[*other as usize] & mask == own)
                    .fold(0, |all, lane| all | 1_u32 << lane)
            };
            let any = format!("match.any.sync.{ty} %r0, {register}, {set};");
            prop_assert_eq!(among_given(set, &given, &any), expected(set, same), "{}", any);
            let all = format!(
                "match.all.sync.{ty} %r0|%p0, {register}, {set}; @%p0 xor.b32 %r0, %r0, 5;"
            );
            let whole = if same(set.trailing_zeros()) == set { set ^ 5 } else { 0 };
            prop_assert_eq!(among_given(set, &given, &all), expected(set, |_| whole), "{}", all);
        }
    }

    #[test]
    fn reductions_of_any_values(set in set(), given in given()) {
        for (name, both) in REDUCTIONS {
            let all = lanes(set).map(|lane| given[lane as usize] as u32).reduce(both).unwrap();
            let body = format!("redux.sync.{name} %r0, %r1, {set};");
            prop_assert_eq!(among_given(set, &given, &body), expected(set, |_| all), "{}", body);
        }
    }
}

#[test]
fn lanes_of_nested_arms_do_not_see_one_another() {
    // Lane by lane leaves a loop; what is left counts itself.
    let body = "mov.u32 %r0, 0;
        NEXT:
        activemask.b32 %r3;
        popc.b32 %r3, %r3;
        add.u32 %r0, %r0, %r3;
        add.u32 %r4, %r4, 1;
        setp.lt.u32 %p0, %r4, %t;
        @%p0 bra NEXT;";
    let body = format!("mov.u32 %r4, 0;\n{body}");
    // In round n there are the lanes from n on, and in the first all.
    let of =
        |lane: u32| (0..lane.max(1)).map(|round| if round == 0 { 32 } else { 31 - round }).sum();
    assert_eq!(among(u32::MAX, &body), expected(u32::MAX, of));
}

#[test]
fn special_registers_tell_lanes_apart() {
    type Mask = fn(u32) -> u32;
    let masks: [(&str, Mask); 6] = [
        ("%laneid", |lane| lane),
        ("%lanemask_eq", |lane| 1 << lane),
        ("%lanemask_lt", |lane| (1 << lane) - 1),
        ("%lanemask_le", |lane| u32::MAX >> (31 - lane)),
        ("%lanemask_gt", |lane| u32::MAX.checked_shl(lane + 1).unwrap_or(0)),
        ("%lanemask_ge", |lane| u32::MAX << lane),
    ];
    for (name, of) in masks {
        assert_eq!(among(u32::MAX, &format!("mov.u32 %r0, {name};")), expected(u32::MAX, of));
    }
}

#[test]
fn a_barrier_of_a_warp_is_one_instruction() {
    let body = "bar.warp.sync 0xffffffff;\nmov.u32 %r0, %t;";
    assert_eq!(among(u32::MAX, body), expected(u32::MAX, |lane| lane));
}

#[test]
fn forms_that_are_not_there_are_refused_by_name() {
    for (body, named) in [
        ("vote.sync.some.pred %p0, %p1, -1;", "vote.sync.some.pred"),
        ("shfl.sync.rotate.b32 %r0, %r1, 1, 31, -1;", "shfl.sync.rotate.b32"),
        ("redux.sync.mul.u32 %r0, %r1, -1;", "redux.sync.mul.u32"),
        ("match.some.sync.b32 %r0, %r1, -1;", "match.some.sync.b32"),
    ] {
        let Err(error) = blockyard_ptx::load("test.ptx", &kernel("", body)) else {
            panic!("{body}");
        };
        assert!(error.to_string().contains(named), "{error}");
    }
}
