//! From a number of SMXs that is known at run time to a module built for it.

/// Evaluates `$body` with the constant `$N` set to the value of `$count`, 1 to 32; `None` for any
/// other count.
macro_rules! with_smx_count {
    ($count:expr, $N:ident => $body:expr) => {
        with_smx_count!(@match $count, $N, $body,
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
    };
    (@match $count:expr, $N:ident, $body:expr, $($value:literal)*) => {
        match $count {
            $($value => {
                const $N: usize = $value;
                Some($body)
            })*
            _ => None,
        }
    };
}
pub(crate) use with_smx_count;
