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
pub(super) fn bit(width: usize, at: usize) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{at}]"),
    }
}
