//! Comparison and selection, 9.7.6, and that of halves, 9.7.7.

use std::cmp::Ordering;

use super::form::{ones, Form, Type};
use super::soft::Format;

type Results = Option<Vec<u64>>;

const OPERATORS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

/// See [`super::opinion`].
pub fn opinion(opcode: &str, form: Form) -> Results {
    match opcode {
        "setp" => set_predicate(form),
        "set" => set(form),
        "selp" => select(form),
        "slct" => select_by_sign(form),
        _ => None,
    }
}

/// Which float is more; `None` if one is a NaN. The zeros are equal.
pub fn order(format: Format, a: u64, b: u64) -> Option<Ordering> {
    let number = |bits| {
        let magnitude = i128::from(format.magnitude(bits));
        if format.is_negative(bits) {
            -magnitude
        } else {
            magnitude
        }
    };
    (!format.is_nan(a) && !format.is_nan(b)).then(|| number(a).cmp(&number(b)))
}

/// Whether the operator is one of that type, and then whether it holds.
fn holds(operator: &str, flush: bool, ty: Type, a: u64, b: u64) -> Option<bool> {
    if let Type::Float(format) = ty {
        let flushable = format == Format::SINGLE || format == Format::HALF;
        if flush && !flushable {
            return None;
        }
        let see = |bits| if flush { format.flushed(bits) } else { bits };
        return float_holds(operator, order(format, see(a), see(b)));
    }
    if flush {
        return None;
    }
    let order = ty.integer(a).cmp(&ty.integer(b));
    match (ty, operator) {
        (_, "eq") => Some(order.is_eq()),
        (_, "ne") => Some(order.is_ne()),
        (Type::Bits(_), _) => None,
        (_, "lt") | (Type::Unsigned(_), "lo") => Some(order.is_lt()),
        (_, "le") | (Type::Unsigned(_), "ls") => Some(order.is_le()),
        (_, "gt") | (Type::Unsigned(_), "hi") => Some(order.is_gt()),
        (_, "ge") | (Type::Unsigned(_), "hs") => Some(order.is_ge()),
        _ => None,
    }
}

fn float_holds(operator: &str, order: Option<Ordering>) -> Option<bool> {
    // What an ordered comparison gives, and its unordered counterpart, if one is a NaN.
    let ordered = |test: fn(Ordering) -> bool| Some(order.is_some_and(test));
    let unordered = |test: fn(Ordering) -> bool| Some(order.is_none_or(test));
    match operator {
        "eq" => ordered(Ordering::is_eq),
        "ne" => ordered(Ordering::is_ne),
        "lt" => ordered(Ordering::is_lt),
        "le" => ordered(Ordering::is_le),
        "gt" => ordered(Ordering::is_gt),
        "ge" => ordered(Ordering::is_ge),
        "equ" => unordered(Ordering::is_eq),
        "neu" => unordered(Ordering::is_ne),
        "ltu" => unordered(Ordering::is_lt),
        "leu" => unordered(Ordering::is_le),
        "gtu" => unordered(Ordering::is_gt),
        "geu" => unordered(Ordering::is_ge),
        "num" => Some(order.is_some()),
        "nan" => Some(order.is_none()),
        _ => None,
    }
}

/// Types that are compared and selected; halves are treated apart.
fn is_common(ty: Type) -> bool {
    match ty {
        Type::Bits(_) => true,
        Type::Float(format) => format == Format::SINGLE || format == Format::DOUBLE,
        _ => ty.is_wide_integer(),
    }
}

/// Floats of 16 bits.
fn is_narrow(ty: Type) -> bool {
    ty == Type::Float(Format::HALF) || ty == Type::Float(Format::BRAIN)
}

/// A comparison with what it is combined with.
struct Comparison<'a> {
    operator: &'a str,
    flush: bool,
    boolean: Option<&'a str>,
    operands: [u64; 3],
}

impl Comparison<'_> {
    fn of(form: &mut Form) -> Option<Self> {
        let operator = form.take_any(&OPERATORS)?;
        let flush = form.take("ftz");
        let boolean = form.take_any(&["and", "or", "xor"]);
        let operands = if boolean.is_some() {
            form.operands()?
        } else {
            let [a, b] = form.operands()?;
            [a, b, 0]
        };
        Some(Self { operator, flush, boolean, operands })
    }

    /// Of operands moved down by so many bits.
    fn holds(&self, ty: Type, down: u32) -> Option<bool> {
        let [a, b, _] = self.operands;
        holds(self.operator, self.flush, ty, a >> down, b >> down)
    }

    fn combined(&self, held: bool) -> bool {
        let other = self.operands[2] & 1 == 1;
        match self.boolean {
            Some("and") => held && other,
            Some("or") => held || other,
            Some(_) => held != other,
            None => held,
        }
    }
}

fn set_predicate(mut form: Form) -> Results {
    let comparison = Comparison::of(&mut form)?;
    let results = match form.only_type()? {
        Type::Floats(format) if is_narrow(Type::Float(format)) => {
            let half = Type::Float(format);
            let (first, second) = (comparison.holds(half, 0)?, comparison.holds(half, 16)?);
            vec![comparison.combined(first), comparison.combined(second)]
        }
        ty if is_narrow(ty) => vec![comparison.combined(comparison.holds(ty, 0)?)],
        ty if is_common(ty) => {
            let held = comparison.holds(ty, 0)?;
            vec![comparison.combined(held), comparison.combined(!held)]
        }
        _ => return None,
    };
    Some(results.into_iter().map(u64::from).collect())
}

fn set(mut form: Form) -> Results {
    let comparison = Comparison::of(&mut form)?;
    let (target, source) = form.two_types()?;
    let narrow = is_narrow(source);
    if let Type::Floats(format) = source {
        let half = Type::Float(format);
        let yes = match target {
            _ if !is_narrow(half) => return None,
            Type::Floats(to) if to == format => format.one(),
            Type::Unsigned(32) | Type::Signed(32) => 0xffff,
            _ => return None,
        };
        let part =
            |down| Some(if comparison.combined(comparison.holds(half, down)?) { yes } else { 0 });
        return Some(vec![part(16)? << 16 | part(0)?]);
    }
    if !is_common(source) && !narrow {
        return None;
    }
    let yes = match target {
        Type::Unsigned(32) | Type::Signed(32) => ones(32),
        Type::Unsigned(16) | Type::Signed(16) if narrow => ones(16),
        Type::Float(Format::SINGLE) if !narrow => Format::SINGLE.one(),
        Type::Float(to) if is_narrow(target) && (!narrow || target == source) => to.one(),
        _ => return None,
    };
    let held = comparison.combined(comparison.holds(source, 0)?);
    Some(vec![if held { yes } else { 0 }])
}

fn select(form: Form) -> Results {
    let ty = form.only_type().filter(|ty| is_common(*ty))?;
    let [a, b, predicate] = form.operands()?;
    Some(vec![if predicate & 1 == 1 { a } else { b } & ones(ty.width())])
}

/// The first where the third operand is zero or more; of floats, minus zero is, and a NaN is not.
fn select_by_sign(mut form: Form) -> Results {
    let flush = form.take("ftz");
    let (ty, selector) = form.two_types().filter(|(ty, _)| is_common(*ty))?;
    let known = selector == Type::Float(Format::SINGLE) || (selector == Type::Signed(32) && !flush);
    let [a, b, c] = form.operands()?;
    if !known {
        return None;
    }
    let first = holds("ge", flush, selector, c, 0)?;
    Some(vec![if first { a } else { b } & ones(ty.width())])
}
