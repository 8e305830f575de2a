//! Names in the Verilog of several blocks.

/// What takes from the name of an address of `bits` bits the part that `words` words need.
pub(super) fn low_bits(words: usize, bits: usize) -> impl Fn(&str) -> String {
    let needed = words.trailing_zeros() as usize;
    move |address| match needed {
        0 => "0".to_owned(),
        _ if needed == bits => address.to_owned(),
        _ => format!("{address}[{}:0]", needed - 1),
    }
}

/// Bit `at` of a vector of `width` bits, behind the vector's name: nothing where there is no other.
pub(crate) fn bit(width: usize, at: usize) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{at}]"),
    }
}

/// One, in so many bits, where `condition` holds; else zero.
fn one_if(condition: &str, bits: usize) -> String {
    match bits {
        1 => format!("({condition})"),
        _ => format!("{{{}'h0, {condition}}}", bits - 1),
    }
}

/// How many of these conditions hold, in so many bits.
pub(super) fn number_that_hold(conditions: impl Iterator<Item = String>, bits: usize) -> String {
    let ones: Vec<String> = conditions.map(|condition| one_if(&condition, bits)).collect();
    ones.join("\n        + ")
}

/// What `name`, of `from` bits, is in `to` bits, no fewer.
pub(super) fn widened(name: &str, from: usize, to: usize) -> String {
    match to - from {
        0 => name.to_owned(),
        above => format!("{{{above}'h0, {name}}}"),
    }
}

/// Statements that give each bit of `vector`, of `width` bits, the or of itself and all below it,
/// in as many steps as the width has doublings (Kogge and Stone).
pub(super) fn or_of_all_below(vector: &str, width: usize) -> String {
    or_of_all(vector, width, "<<")
}

/// The same of itself and all above it.
pub(super) fn or_of_all_above(vector: &str, width: usize) -> String {
    or_of_all(vector, width, ">>")
}

fn or_of_all(vector: &str, width: usize, shift: &str) -> String {
    let steps = std::iter::successors(Some(1), |step| Some(2 * step));
    let steps = steps.take_while(|&step| step < width);
    steps.map(|step| format!("    {vector} = {vector} | ({vector} {shift} {step});\n")).collect()
}

/// Statements that give `sums`, a row of words of `width` bits, for each of the `count` bits of
/// `vector` how many are set up to it, from bit 0 on; in as many steps as there are doublings
/// (Sklansky). They use the integers `i` and `step`.
pub(super) fn numbers_up_to(sums: &str, vector: &str, count: usize, width: usize) -> String {
    let word = |number: &str| format!("{sums}[{number}*{width} +: {width}]");
    let (this, before) = (word("i"), word("((i / step) * step - 1)"));
    let bit = if count == 1 { vector.to_owned() } else { format!("{vector}[i]") };
    let one = one_if(&bit, width);
    format!(
        "    for (i = 0; i < {count}; i = i + 1) {this} = {one};\n    \
         for (step = 1; step < {count}; step = step * 2)\n        \
         for (i = step; i < {count}; i = i + 1)\n            if ((i & step) != 0) \
         {this} = {this}\n                + {before};\n"
    )
}

/// The number, of `bits` bits, of the only bit of `vector`, of `width` bits, that is set; zero
/// where none is.
pub(super) fn number_of(vector: &str, width: usize, bits: usize) -> String {
    let bit = |bit: usize| {
        let mask = (0..width).rev().map(|at| if at >> bit & 1 == 1 { '1' } else { '0' });
        format!("|({vector} & {width}'b{})", mask.collect::<String>())
    };
    format!("{{{}}}", (0..bits).rev().map(bit).collect::<Vec<_>>().join(", "))
}
