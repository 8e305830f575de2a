//! Telling the processor what will be needed.
//!
//! A way of a large cache is looked at once for each line that misses, and a register of one warp
//! of thousands once in many instructions of the others: they have left the processor's caches by
//! then. Those who know what comes next ask for it while something else is done.

/// Of so many SMXs the processor's caches hold what each of them and its warps look at in a cycle.
pub(crate) const FEW_SMXS: usize = 32;

/// Bytes that the processor brings into its caches together.
const LINE: usize = 64;

/// Has the beginning of `item` brought into the processor's caches, where that can be asked for.
/// Changes nothing.
#[inline(always)]
pub fn prefetch<T: ?Sized>(item: &T) {
    at(std::ptr::from_ref(item).cast());
}

/// As [`prefetch`], all of `item`, or all but its last bytes where a line ends within them.
#[inline(always)]
pub fn prefetch_all<T: ?Sized>(item: &T) {
    prefetch_first(item, usize::MAX);
}

/// As [`prefetch_all`], of no more than the first `bytes` bytes.
#[inline(always)]
pub fn prefetch_first<T: ?Sized>(item: &T, bytes: usize) {
    let start: *const i8 = std::ptr::from_ref(item).cast();
    let bytes = size_of_val(item).min(bytes);
    (0..bytes).step_by(LINE).for_each(|byte| at(start.wrapping_add(byte)));
}

#[inline(always)]
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn at(byte: *const i8) {
    use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
    // SAFETY: a prefetch is a hint; it neither reads nor writes, and faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(byte) };
}

/// As on other processors; here nothing is asked for.
#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn at(_: *const i8) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefetch_changes_nothing_wherever_the_item_lies() {
        let table: Vec<u64> = (0..1000).collect();
        table.iter().for_each(prefetch);
        prefetch(&());
        prefetch::<[u64; 0]>(&[]);
        prefetch_all(&table[..]);
        prefetch_all(&table[3..4]);
        prefetch_all::<[u64]>(&[]);
        prefetch_first(&table[..], 100);
        prefetch_first(&table[..1], 100);
        assert!(table.iter().copied().eq(0..1000));
    }
}
