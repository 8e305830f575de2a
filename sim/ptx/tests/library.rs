//! Calls of libdevice's functions: known values, identities, and what happens at the edges.

mod support;

use std::f64::consts::{E, FRAC_PI_2, FRAC_PI_4, LN_2, LOG10_2, PI, SQRT_2};

use support::{complaint, kernel, left, left_by};

/// What a call of `__nv_` and `name` gives for arguments of so many bits, their bytes first.
fn call(name: &str, arguments: &[(u32, u64)], bytes: u32) -> u64 {
    let mut body = format!(".param .b{} result;\n", bytes * 8);
    let mut names = Vec::new();
    for (at, (bytes, bits)) in arguments.iter().enumerate() {
        let (ty, register) = (format!("b{}", bytes * 8), if *bytes == 8 { "%d0" } else { "%r0" });
        body += &format!(
            ".param .{ty} p{at};\nmov.{ty} {register}, {bits};\nst.param.{ty} [p{at}], {register};\n"
        );
        names.push(format!("p{at}"));
    }
    let (ty, register) = if bytes == 8 { ("b64", "%d1") } else { ("b32", "%r1") };
    body += &format!("call.uni (result), __nv_{name}, ({});\n", names.join(", "));
    body += &format!("ld.param.{ty} {register}, [result];\nst.global.{ty} [%a], {register};");
    let words = left("", &body, 2);
    u64::from(words[1]) << 32 | u64::from(words[0])
}

fn double(name: &str, arguments: &[f64]) -> f64 {
    let arguments: Vec<_> = arguments.iter().map(|x| (8, x.to_bits())).collect();
    f64::from_bits(call(name, &arguments, 8))
}

fn single(name: &str, arguments: &[f32]) -> f32 {
    let arguments: Vec<_> = arguments.iter().map(|x| (4, x.to_bits().into())).collect();
    f32::from_bits(call(name, &arguments, 4) as u32)
}

/// Whether they differ by no more than a few of the last bits.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// Known values, to 17 digits.
const KNOWN: &[(&str, &[f64], f64)] = &[
    ("exp", &[1.0], E),
    ("exp2", &[0.5], SQRT_2),
    ("exp10", &[3.0], 1000.0),
    ("expm1", &[1e-10], 1.000_000_000_05e-10),
    ("log", &[2.0], LN_2),
    ("log2", &[8.0], 3.0),
    ("log10", &[2.0], LOG10_2),
    ("log1p", &[1e-10], 9.999_999_999_5e-11),
    ("pow", &[2.0, 0.5], SQRT_2),
    ("pow", &[-2.0, 3.0], -8.0),
    ("sin", &[PI / 6.0], 0.5),
    ("cos", &[PI / 3.0], 0.5),
    ("tan", &[FRAC_PI_4], 1.0),
    ("asin", &[1.0], FRAC_PI_2),
    ("acos", &[-1.0], PI),
    ("atan", &[1.0], FRAC_PI_4),
    ("atan2", &[1.0, -1.0], 3.0 * FRAC_PI_4),
    ("sinh", &[LN_2], 0.75),
    ("cosh", &[LN_2], 1.25),
    ("tanh", &[LN_2], 0.6),
    ("asinh", &[0.75], LN_2),
    ("acosh", &[1.25], LN_2),
    ("atanh", &[0.6], LN_2),
    ("cbrt", &[-27.0], -3.0),
    ("rcbrt", &[8.0], 0.5),
    ("rsqrt", &[16.0], 0.25),
    ("hypot", &[3e200, 4e200], 5e200),
    ("erf", &[0.5], 0.520_499_877_813_046_5),
    ("erfc", &[0.5], 0.479_500_122_186_953_5),
    ("normcdf", &[0.0], 0.5),
    ("tgamma", &[6.0], 120.0),
    ("fmod", &[-7.5, 2.0], -1.5),
    ("remainder", &[7.5, 2.0], -0.5),
    ("fdim", &[5.0, 2.0], 3.0),
    ("floor", &[-2.5], -3.0),
    ("ceil", &[-2.5], -2.0),
    ("trunc", &[-2.5], -2.0),
    ("round", &[-2.5], -3.0),
    ("rint", &[-2.5], -2.0),
];

#[test]
fn functions_of_doubles_have_their_known_values() {
    for &(name, arguments, value) in KNOWN {
        let given = double(name, arguments);
        assert!(near(given, value), "{name}{arguments:?}: {given}, not {value}");
    }
}

#[test]
fn functions_of_floats_are_those_of_doubles_rounded() {
    for &(name, arguments, _) in KNOWN.iter().filter(|(_, arguments, _)| arguments[0] < 1e200) {
        let floats: Vec<f32> = arguments.iter().map(|&x| x as f32).collect();
        let exact: Vec<f64> = floats.iter().map(|&x| f64::from(x)).collect();
        let given = single(&format!("{name}f"), &floats);
        assert_eq!(given, double(name, &exact) as f32, "{name}f{floats:?}");
    }
    assert_eq!(single("fast_expf", &[1.5]), single("expf", &[1.5]));
}

#[test]
fn functions_hold_to_their_identities() {
    for x in [-20.5, -1.0, -1e-3, 0.3, 1.0, 7.25, 300.0] {
        let f = |name: &str| double(name, &[x]);
        assert!((f("sin").powi(2) + f("cos").powi(2) - 1.0).abs() < 1e-15, "sine of {x}");
        assert!(near(f("tan"), f("sin") / f("cos")), "tangent of {x}");
        let error = double("log", &[f("exp")]) - x;
        assert!(error.abs() <= 1e-15 * x.abs().max(1.0), "logarithm of the power {x}");
        assert!(near(f("cbrt").powi(3), x), "cubic root of {x}");
        assert!(near(f("erf") + f("erfc"), 1.0), "error function of {x}");
        assert!(near(f("cosh") + f("sinh"), f("exp")) || x < 0.0, "hyperbola at {x}");
        assert_eq!(double("pow", &[x, 2.0]), x * x, "square of {x}");
    }
}

#[test]
fn whole_exponents_are_words() {
    let three = |name| f64::from_bits(call(name, &[(8, 1.5_f64.to_bits()), (4, 3)], 8));
    assert_eq!([three("ldexp"), three("scalbn"), three("powi")], [12.0, 12.0, 3.375]);
    let float = call("ldexpf", &[(4, 1.5_f32.to_bits().into()), (4, 0xffff_ffff)], 4);
    assert_eq!(f32::from_bits(float as u32), 0.75);
}

#[test]
fn edges_are_those_of_ieee() {
    const INFINITY: f64 = f64::INFINITY;
    let edges: &[(&str, &[f64], f64)] = &[
        ("exp", &[-INFINITY], 0.0),
        ("exp", &[0.0], 1.0),
        ("exp", &[710.0], INFINITY),
        ("log", &[0.0], -INFINITY),
        ("log", &[1.0], 0.0),
        ("pow", &[0.0, 0.0], 1.0),
        ("pow", &[0.0, -1.0], INFINITY),
        ("pow", &[f64::NAN, 0.0], 1.0),
        ("atan", &[INFINITY], FRAC_PI_2),
        ("atan2", &[0.0, -0.0], PI),
        ("tanh", &[-INFINITY], -1.0),
        ("hypot", &[INFINITY, f64::NAN], INFINITY),
        ("erf", &[INFINITY], 1.0),
        ("fmod", &[5.0, INFINITY], 5.0),
        ("fmax", &[f64::NAN, 2.0], 2.0),
    ];
    for &(name, arguments, value) in edges {
        assert_eq!(double(name, arguments), value, "{name}{arguments:?}");
    }
    assert!(double("sin", &[-0.0]).is_sign_negative());
    assert_eq!(single("expf", &[89.0]), f32::INFINITY);
    for (name, argument) in [("log", -1.0), ("sin", INFINITY), ("acos", 1.5), ("exp", f64::NAN)] {
        let bits = call(name, &[(8, argument.to_bits())], 8);
        assert_eq!(bits, 0x7ff8_0000_0000_0000, "{name}({argument})");
        let bits = call(&format!("{name}f"), &[(4, (argument as f32).to_bits().into())], 4);
        assert_eq!(bits, 0x7fff_ffff, "{name}f({argument})");
    }
}

#[test]
fn lanes_with_a_guard_alone_call() {
    let body = "mad.wide.u32 %d8, %t, 4, %a;
        .param .b32 x, y;
        .reg .f32 %f;
        mov.u32 %r0, 5;
        cvt.rn.f32.u32 %f, %t;
        st.param.f32 [x], %f;
        setp.lt.u32 %p0, %t, 3;
        @%p0 call (y), __nv_exp2f, (x);
        @%p0 ld.param.b32 %r0, [y];
        st.global.u32 [%d8], %r0;";
    let words = left_by(4, "", body, 4);
    assert_eq!(words, [1.0_f32.to_bits(), 2.0_f32.to_bits(), 4.0_f32.to_bits(), 5]);
}

#[test]
fn a_function_that_is_none_of_them_ends_the_run_at_its_call() {
    for name in ["__nv_nothing", "__nv_sincosf", "__nv_", "__nv_f", "exp"] {
        let text = kernel("", &format!("call {name};"));
        let said = complaint(&text, "k", 1, blockyard_ptx::Arguments::new().long(0).long(0));
        assert!(said.contains(&format!("the function `{name}` is called and not")), "{said}");
    }
}

#[test]
fn arguments_of_another_size_are_refused() {
    let body = "call (%r0), __nv_exp, (%r1);";
    let error = blockyard_ptx::load("test.ptx", &kernel("", body)).err().expect("it is refused");
    let said = blockyard_contract::diagnostic::rendered(&error);
    assert!(said.contains("`__nv_exp` is called with arguments of [4] bytes"), "{said}");
}
